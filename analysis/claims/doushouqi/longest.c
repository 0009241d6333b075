/* doushouqi-longest: how long do the longest wins take? */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/doushouqi/animal_line.h"
#include "analysis/claims/reference.h"

enum { LEAST_PIECES = 2, MOST_PIECES = 4, LONGEST_COLUMNS = 8, LENGTH_COLUMNS = MOST_PIECES, DECIMALS = 3 };

static const report_column longest_columns[LONGEST_COLUMNS] = {
    {"rules", "rules"},     {"pieces", "pieces"},
    {"longest", "longest"}, {"longest_win", "longest win"},
    {"win", "a position"},  {"longest_loss", "longest loss"},
    {"loss", "a position"}, {"mean", "mean plies"}};
static const report_column length_columns[LENGTH_COLUMNS] = {
    {"plies", "plies"}, {"two", "two pieces"}, {"three", "three pieces"}, {"four", "four pieces"}};

/* Of rules `liacs`, as published; odd: the longest win, even: the longest loss. */
static const int published[MOST_PIECES + 1] = {0, 0, 34, 67, 117};

typedef struct {
  const claim_job *job;
  report *out;
  int pieces;
  bool compared;
  int win[2][MOST_PIECES + 1], loss[2][MOST_PIECES + 1]; /* longest, of each rule set, by pieces */
} findings;

/* --- figures --- */

static void add_position(const findings *f, const claim_tables *t, int longest, game_place place) {
  char text[GAME_TEXT_BYTES];
  game_position position;
  if (longest == 0) {
    report_none(f->out);
    return;
  }
  t->tables->game->position_at(t->tables->rules, place, &position);
  t->tables->game->print(t->tables->rules, &position, text);
  report_text(f->out, text);
}

static void add_longest(const findings *f, const claim_tables *t, const animal_counts *counts) {
  for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces++) {
    const animal_lengths *plies = &counts->total[pieces].plies;
    report_text(f->out, t->tables->game->rules_text(t->tables->rules));
    report_number(f->out, pieces);
    report_number(f->out, plies->longest);
    report_number(f->out, plies->longest_win);
    add_position(f, t, plies->longest_win, plies->win_place);
    report_number(f->out, plies->longest_loss);
    add_position(f, t, plies->longest_loss, plies->loss_place);
    report_mean(f->out, animal_mean_length(plies), DECIMALS);
  }
}

static void add_lengths(const findings *f, const claim_tables *t, const animal_counts *counts, int number) {
  static const char *const keys[] = {"lengths_first", "lengths_second"}, *const plots[] = {"first", "second"};
  const char *rules = t->tables->game->rules_text(t->tables->rules);
  char title[192], plot[128];
  int longest = 0, shortest = 1;
  for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces++) {
    const animal_lengths *plies = &counts->total[pieces].plies;
    if (plies->longest > longest) longest = plies->longest;
    if (plies->lengths[0]) shortest = 0;
  }
  snprintf(title, sizeof title,
           "Under %.60s, positions by plies to the end (odd: White, to move, wins; 0: it has lost, having no "
           "move):",
           rules);
  snprintf(plot, sizeof plot, "Positions by the plies to their end, %.60s", rules);
  report_table_begin(f->out, keys[number], title, length_columns, LENGTH_COLUMNS);
  for (int depth = shortest; depth <= longest; depth++) {
    report_number(f->out, depth);
    for (int pieces = LEAST_PIECES; pieces <= MOST_PIECES; pieces++) {
      const uint64_t positions = pieces <= f->pieces ? counts->total[pieces].plies.lengths[depth] : 0;
      if (positions) {
        report_number(f->out, (int64_t)positions);
      } else {
        report_none(f->out);
      }
    }
  }
  report_plot_begin(f->out, plots[number], plot, PLOT_LINES, "plies", "plies to the end", "positions");
  report_plot_series(f->out, "two");
  report_plot_series(f->out, "three");
  report_plot_series(f->out, "four");
  report_plot_logarithmic(f->out);
}

/* --- rechecks --- */

typedef struct {
  uint64_t positions, wrong;
  int longest;
} slow_count;

static tauler_error solve_slowly(claim_tables *t, uint32_t slice, slow_count *count,
                                 tauler_message *message) {
  reference_results slow;
  tauler_error error = reference_results_solve(t->tables->game, t->tables->rules, slice, &slow, message);
  if (error) return error;
  for (uint64_t i = 0; i < slow.positions && !error; i++) {
    int value = 0, depth = 0;
    error = claim_tables_ask(t, (game_place){slice, i}, &value, &depth, message);
    const int slow_depth = slow.value[i] ? slow.depth[i] : TAULER_NO_DEPTH;
    count->positions++;
    count->wrong += value != slow.value[i] || depth != slow_depth;
    if (slow.depth[i] > count->longest) count->longest = slow.depth[i];
  }
  reference_results_free(&slow);
  return error;
}

/* Two pieces: a capture ends the game, so that no move leaves a slice. */
static tauler_error recheck_two(const findings *f, claim_tables *t, int longest, tauler_message *message) {
  const game_request request = {.largest = "2"};
  game_slices slices = {0};
  slow_count count = {0, 0, 0};
  tauler_error error = t->tables->game->slices(t->tables->rules, &request, &slices, message);
  for (size_t i = 0; i < slices.used && !error; i++)
    error = solve_slowly(t, slices.slices[i].slice, &count, message);
  free(slices.slices);
  if (error) return error;
  report_add_recheck(
      f->out, "plain iteration", true, count.wrong == 0 && count.longest == longest,
      "All %llu stored positions of two pieces, solved by the moves of the rules alone, one position at "
      "a time and ply by ply: %llu differ from the tables in result or length, and the longest play "
      "takes %d plies.",
      (unsigned long long)count.positions, (unsigned long long)count.wrong, count.longest);
  return TAULER_OK;
}

static tauler_error show_lines(const findings *f, claim_tables *t, const animal_counts *counts,
                               tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int pieces = LEAST_PIECES; pieces <= f->pieces && !error; pieces++) {
    const animal_lengths *plies = &counts->total[pieces].plies;
    char title[192];
    snprintf(title, sizeof title,
             "%d plies with %d pieces under %.60s: the winner takes the shortest way, the loser the "
             "longest.",
             plies->longest, pieces, t->tables->game->rules_text(t->tables->rules));
    error = animal_line_show(t, plies->place, plies->longest, title, f->out, message);
    if (!error && pieces == LEAST_PIECES) error = recheck_two(f, t, plies->longest, message);
  }
  return error;
}

/* --- rule sets --- */

static tauler_error look_at(findings *f, const char *rules, int number, animal_counts *counts,
                            claim_tables *t, tauler_message *message) {
  tauler_error error = claim_tables_open(f->job, "doushouqi", rules, NULL, t, message);
  if (!error) error = animal_counts_read(t, f->pieces, counts, message);
  for (int pieces = LEAST_PIECES; pieces <= f->pieces && !error; pieces++) {
    f->win[number][pieces] = counts->total[pieces].plies.longest_win;
    f->loss[number][pieces] = counts->total[pieces].plies.longest_loss;
  }
  return error;
}

static bool is_as_published(const findings *f) {
  for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces++) {
    const int wanted = published[pieces];
    if ((wanted % 2 ? f->win : f->loss)[0][pieces] != wanted) return false;
  }
  return true;
}

static void judge(const findings *f, const char *second) {
  const int most = f->pieces;
  char rest[128] = "";
  if (second)
    snprintf(rest, sizeof rest, " Under %.60s these are %d and %d.", second, f->win[1][most],
             f->loss[1][most]);
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "A line or a length does not stand up to being checked again.");
  } else if (f->compared && !is_as_published(f)) {
    report_verdict(f->out, VERDICT_FAILS, "The longest plays under liacs are not as long as was published.");
  } else {
    report_verdict(
        f->out, VERDICT_HOLDS_FOR,
        "With %d pieces the longest win takes %d plies%s, and the longest loss, seen by who is to move, "
        "%d.%s%s",
        most, f->win[0][most], f->compared ? " under liacs" : "", f->loss[0][most],
        f->compared ? " The published lengths up to so many pieces are those that were found." : "", rest);
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  const char *rules[2] = {job->rules ? job->rules : "liacs", job->rules ? NULL : "base"};
  claim_tables t[2] = {{.job = NULL}, {.job = NULL}};
  animal_counts counts[2] = {{.of = NULL}, {.of = NULL}};
  findings f = {.job = job, .out = out, .pieces = job->pieces ? job->pieces : MOST_PIECES};
  tauler_error error = TAULER_OK;
  report_rules(out, job->rules ? job->rules : "liacs and base");
  for (int i = 0; i < 2 && rules[i] && !error; i++)
    error = look_at(&f, rules[i], i, &counts[i], &t[i], message);
  report_table_begin(
      out, "longest",
      "The longest play to an end in plies, White to move: odd if White wins, even if White loses. "
      "Mean plies of all positions that somebody wins:",
      longest_columns, LONGEST_COLUMNS);
  for (int i = 0; i < 2 && rules[i] && !error; i++) add_longest(&f, &t[i], &counts[i]);
  for (int i = 0; i < 2 && rules[i] && !error; i++) add_lengths(&f, &t[i], &counts[i], i);
  for (int i = 0; i < 2 && rules[i] && !error; i++) error = show_lines(&f, &t[i], &counts[i], message);
  for (int i = 0; i < 2 && rules[i] && !error; i++) error = claim_tables_tell(&t[i], out, message);
  f.compared = !job->rules;
  if (!error) judge(&f, rules[1]);
  for (int i = 0; i < 2; i++) {
    animal_counts_free(&counts[i]);
    claim_tables_close(&t[i]);
  }
  return error;
}

extern const claim_text claim_text_longest;
extern const claim claim_doushouqi_longest;
const claim claim_doushouqi_longest = {.name = "doushouqi-longest",
                                       .game = "doushouqi",
                                       .text = &claim_text_longest,
                                       .options = "rules pieces",
                                       .run = run};
