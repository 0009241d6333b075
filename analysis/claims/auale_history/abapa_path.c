/* auale-abapa-path: in abapa the same board has one winner or another, by the last capture. */
#include <stdio.h>

#include "analysis/claims/auale_history/history_show.h"
#include "analysis/claims/claim_tables.h"

enum {
  COLUMNS = 9,
  WINNER_OR_DRAW = 2, /* net seeds between two worths of a board */
  OTHER_WINNER = 4,
  SEEDS_OF_DRAW = 2,
  SEEDS_OF_WINNER = 3,
  LONGEST_HISTORY = 12
};
static const uint64_t effort_usual = 300000000, effort_limited = 8000000;

static const report_column columns[COLUMNS] = {{"seeds", "seeds"},
                                               {"boards", "boards"},
                                               {"entries", "after a capture"},
                                               {"reached", "reached"},
                                               {"depends", "depends, at least"},
                                               {"depends_most", "at most"},
                                               {"opposite", "winner changes, at least"},
                                               {"opposite_most", "at most"},
                                               {"widest", "widest seen"}};

typedef struct {
  claim_tables t;
  auale_lines lines;
  report *out;
  int seeds;
  uint64_t effort;
  history_counts counts[LINES_MOST_SEEDS + 1];
  uint64_t compared, outside; /* boards, and those not within the tables' bounds */
  bool draw_shown, winner_shown;
} findings;

/* Worths right after a capture, held against the bounds of the tables. */
static tauler_error compare(findings *f, const lines_slice *s, tauler_message *message) {
  for (uint32_t i = 0; i < s->boards; i++) {
    int lower, upper;
    const game_place place = {(uint32_t)s->seeds, i};
    tauler_error error = resolve_value(f->t.tables, 0, place, &lower, message);
    if (!error) error = resolve_value(f->t.tables, 1, place, &upper, message);
    if (error) return error;
    f->compared++;
    f->outside += s->fresh[i] < lower || s->fresh[i] > upper;
  }
  return TAULER_OK;
}

static tauler_error show_pair(findings *f, auale_histories *histories, int gap, bool *shown,
                              tauler_message *message) {
  history_pair pair;
  tauler_error error = auale_histories_find(histories, gap, LONGEST_HISTORY, &pair, shown, message);
  if (!error && *shown)
    error =
        auale_history_show_pair(histories, &pair, "met before, each side takes its own row", f->out, message);
  return error;
}

static tauler_error look_at_slice(findings *f, int seeds, tauler_message *message) {
  auale_histories histories;
  tauler_error error = compare(f, &f->lines.slice[seeds], message);
  if (!error) error = auale_histories_open(&f->lines, seeds, &histories, message);
  if (error) return error;
  auale_histories_walk(&histories, f->effort);
  const history_counts c = f->counts[seeds] = auale_histories_count(&histories, OTHER_WINNER);
  report_number(f->out, seeds);
  report_number(f->out, c.boards);
  report_number(f->out, c.entries);
  report_number(f->out, c.reached);
  report_number(f->out, c.depends);
  report_number(f->out, c.depends_most);
  report_number(f->out, c.apart);
  report_number(f->out, c.apart_most);
  report_number(f->out, c.widest);
  if (seeds == SEEDS_OF_DRAW) error = show_pair(f, &histories, WINNER_OR_DRAW, &f->draw_shown, message);
  if (seeds == SEEDS_OF_WINNER && !error)
    error = show_pair(f, &histories, OTHER_WINNER, &f->winner_shown, message);
  auale_histories_close(&histories);
  return error;
}

static void begin_figures(report *out) {
  report_table_begin(
      out, "histories",
      "Boards by what they are worth after different histories: all of them; those that can stand right "
      "after a capture; those that quiet moves lead to from there. Of the last: on how many the worth "
      "depends on the history, and on how many by four net seeds or more, so that there are stores of a game "
      "of 48 seeds with which South wins after one history and North after another. Where both numbers are "
      "the same, they are exact. Last the most net seeds that two worths of one board were seen apart:",
      columns, COLUMNS);
  report_plot_begin(out, "histories", "Boards whose worth depends on the history", PLOT_BARS, "seeds",
                    "seeds on the board", "boards");
  report_plot_series(out, "reached");
  report_plot_series(out, "depends");
  report_plot_series(out, "opposite");
  report_plot_logarithmic(out);
}

static void judge(const findings *f) {
  const history_counts *two = &f->counts[SEEDS_OF_DRAW], *three = &f->counts[SEEDS_OF_WINNER];
  if (!report_is_sound(f->out) || f->outside) {
    report_verdict(f->out, VERDICT_FAILS, "Lines of play, tables and rules do not agree.");
  } else if (f->winner_shown) {
    report_verdict(
        f->out, VERDICT_HOLDS,
        "With 3 seeds one and the same board, with the same stores and the same side to move, is won by "
        "South after one last capture and by North after another, both playing as well as can be: on %u of "
        "the %u boards that play comes to%s. With 2 seeds the history makes a win of a draw, on %u of %u, "
        "but never another winner; with 1 seed nothing depends on it.",
        three->apart, three->reached, three->apart == three->apart_most ? "" : ", at least", two->depends,
        two->reached);
  } else if (f->draw_shown) {
    report_verdict(f->out, VERDICT_HOLDS_FOR,
                   "With 2 seeds the history makes a win of a draw, on %u of the %u boards that play comes "
                   "to, but never another winner.",
                   two->depends, two->reached);
  } else {
    report_verdict(f->out, VERDICT_OPEN, "With 1 seed nothing depends on a path; --seeds goes further.");
  }
}

static tauler_error look(findings *f, tauler_message *message) {
  char largest[4];
  snprintf(largest, sizeof largest, "%d", f->seeds);
  const game_request request = {.largest = largest};
  tauler_error error = claim_tables_need(&f->t, &request, message);
  if (!error) error = auale_lines_open(f->t.tables->game, f->t.tables->rules, f->seeds, &f->lines, message);
  if (error) return error;
  begin_figures(f->out);
  for (int seeds = 1; seeds <= f->seeds && !error; seeds++) error = look_at_slice(f, seeds, message);
  auale_lines_close(&f->lines);
  if (error) return error;
  report_note(f->out,
              "The worths of %llu boards right after a capture, held against the bounds of the tables: "
              "%llu do not lie within them.",
              (unsigned long long)f->compared, (unsigned long long)f->outside);
  report_note(
      f->out,
      "A capture is one of two or three seeds, from a board on which the row of the side that did not "
      "move has an empty pit. Whether the start of the game leads there is not asked.");
  judge(f);
  return claim_tables_tell(&f->t, f->out, message);
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  const int asked = job->seeds ? job->seeds : LINES_MOST_SEEDS;
  findings f = {.out = out,
                .seeds = asked < LINES_MOST_SEEDS ? asked : LINES_MOST_SEEDS,
                .effort = job->seeds ? effort_limited : effort_usual};
  tauler_error error = claim_tables_open(job, "auale", "abapa", "own-row", &f.t, message);
  if (error) return error;
  f.t.values_only = true;
  report_rules(out, f.t.tables->game->rules_text(f.t.tables->rules));
  error = look(&f, message);
  claim_tables_close(&f.t);
  return error;
}

extern const claim_text claim_text_abapa_path;
extern const claim claim_auale_abapa_path;
const claim claim_auale_abapa_path = {.name = "auale-abapa-path",
                                      .game = "auale",
                                      .text = &claim_text_abapa_path,
                                      .options = "seeds",
                                      .run = run};
