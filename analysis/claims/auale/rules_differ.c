/* auale-rules-differ: how many boards the grand-slam rule changes, and how many the cycle rule. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/auale/compare.h"
#include "analysis/claims/auale/played_lines.h"
#include "analysis/claims/auale/tables.h"
#include "analysis/claims/reference.h"

enum { COUNT_COLUMNS = 9, SHARE_COLUMNS = 7, DECIMALS = 3, SLOW_SEEDS = 8 };

static const report_column count_columns[COUNT_COLUMNS] = {
    {"seeds", "seeds"},   {"boards", "boards"},    {"grand_slam", "grand slam"},
    {"cycles", "cycles"}, {"cycles_same", "same"}, {"cycles_unknown", "not known"},
    {"both", "both"},     {"both_same", "same"},   {"both_unknown", "not known"}};
static const report_column share_columns[SHARE_COLUMNS] = {
    {"seeds", "seeds"},
    {"grand_slam", "grand slam"},
    {"cycles_least", "cycles, at least"},
    {"cycles_most", "cycles, at most"},
    {"winner_grand_slam", "winner: grand slam"},
    {"winner_cycles_least", "winner: cycles, at least"},
    {"winner_cycles_most", "winner: cycles, at most"}};

enum { AWARI, ABAPA, OWN_ROW, SETS };
static const auale_rule_set sets[SETS] = {{"awari", "even"}, {"abapa", "even"}, {"abapa", "own-row"}};

/* What is compared, value or winner. */
typedef struct {
  uint64_t grand_slam;
  auale_comparison cycles, both;
} changes;

typedef struct {
  uint64_t boards;
  changes values, winners;
} layer_counts;

typedef struct {
  auale_tables sets[SETS];
  report *out;
  int seeds;
  layer_counts layers[AUALE_MOST_SEEDS + 1];
  int8_t *settled[PLAYED_LINES_MOST_SLICE + 1]; /* own-row values, by playing all lines out */
  uint64_t settled_wrong;                       /* of these, outside the bounds */
  bool slam_found, cycle_found;
  game_place slam, cycle; /* the first board whose winner changes */
} findings;

/* --- few seeds: what bounds leave open is played out --- */

static tauler_error settle_board(findings *f, game_place place, tauler_message *message) {
  const tauler_tables *tables = f->sets[OWN_ROW].t.tables;
  const auale_layer *layer = &f->sets[OWN_ROW].layers[place.slice];
  int value = layer->lower[place.index];
  tauler_error error = TAULER_OK;
  if (layer->lower[place.index] < layer->upper[place.index])
    error = played_lines_value(tables->game, tables->rules, place, NULL, &value, message);
  f->settled[place.slice][place.index] = (int8_t)value;
  f->settled_wrong += value < layer->lower[place.index] || value > layer->upper[place.index];
  return error;
}

static tauler_error settle_layer(findings *f, int n, tauler_message *message) {
  auale_layer *layer = &f->sets[OWN_ROW].layers[n];
  tauler_error error = TAULER_OK;
  f->settled[n] = calloc(layer->boards, 1);
  if (!f->settled[n]) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to play lines out");
  for (uint64_t i = 0; i < layer->boards && !error; i++)
    error = settle_board(f, (game_place){(uint32_t)n, i}, message);
  layer->lower = layer->upper = f->settled[n];
  return error;
}

/* --- counting --- */

static void note_board(findings *f, game_place place, int awari, int abapa, int lower, int upper) {
  if (!f->slam_found && auale_sign(awari) != auale_sign(abapa)) {
    f->slam_found = true;
    f->slam = place;
  }
  if (!f->cycle_found && auale_is_winner_changed(abapa, lower, upper)) {
    f->cycle_found = true;
    f->cycle = place;
  }
}

static void count_layer(findings *f, int n) {
  const int8_t *awari = f->sets[AWARI].layers[n].lower, *abapa = f->sets[ABAPA].layers[n].lower;
  const auale_layer *own_row = &f->sets[OWN_ROW].layers[n];
  layer_counts *c = &f->layers[n];
  c->boards = own_row->boards;
  for (uint64_t i = 0; i < c->boards; i++) {
    const int lower = own_row->lower[i], upper = own_row->upper[i];
    c->values.grand_slam += awari[i] != abapa[i];
    c->winners.grand_slam += auale_sign(awari[i]) != auale_sign(abapa[i]);
    auale_compare_value(&c->values.cycles, abapa[i], lower, upper);
    auale_compare_value(&c->values.both, awari[i], lower, upper);
    auale_compare_winner(&c->winners.cycles, abapa[i], lower, upper);
    auale_compare_winner(&c->winners.both, awari[i], lower, upper);
    if (f->slam_found && f->cycle_found) continue;
    note_board(f, (game_place){(uint32_t)n, i}, awari[i], abapa[i], lower, upper);
  }
}

/* --- figures --- */

static void add_comparison(report *out, const auale_comparison *c) {
  report_number(out, (int64_t)c->differ);
  report_number(out, (int64_t)c->same);
  report_number(out, (int64_t)c->unknown);
}

static void add_counts(findings *f, const char *key, const char *title, bool winners) {
  report_table_begin(f->out, key, title, count_columns, COUNT_COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    const changes *c = winners ? &f->layers[n].winners : &f->layers[n].values;
    report_number(f->out, n);
    report_number(f->out, (int64_t)f->layers[n].boards);
    report_number(f->out, (int64_t)c->grand_slam);
    add_comparison(f->out, &c->cycles);
    add_comparison(f->out, &c->both);
  }
}

static void add_share(findings *f, uint64_t count, int n) {
  report_mean(f->out, auale_percent(count, f->layers[n].boards), DECIMALS);
}

static void add_shares_of(findings *f, const changes *c, int n) {
  add_share(f, c->grand_slam, n);
  add_share(f, c->cycles.differ, n);
  add_share(f, c->cycles.differ + c->cycles.unknown, n);
}

static void add_shares(findings *f) {
  report_table_begin(f->out, "shares",
                     "Shares of the boards in percent that change value, and that change winner; what is not "
                     "known of the cycle rule is counted as the same (at least) and as changed (at most):",
                     share_columns, SHARE_COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    report_number(f->out, n);
    add_shares_of(f, &f->layers[n].values, n);
    add_shares_of(f, &f->layers[n].winners, n);
  }
  report_plot_begin(f->out, "values", "Boards of aualé whose value a rule changes", PLOT_LINES, "seeds",
                    "seeds on the board", "% of the boards");
  for (int k = 1; k <= 3; k++) report_plot_series(f->out, share_columns[k].key);
  report_plot_begin(f->out, "winners", "Boards of aualé whose winner a rule changes", PLOT_LINES, "seeds",
                    "seeds on the board", "% of the boards");
  for (int k = 4; k <= 6; k++) report_plot_series(f->out, share_columns[k].key);
}

static void add_figures(findings *f) {
  add_counts(
      f, "values",
      "Boards that change value: by the grand-slam rule alone (awari and abapa, infinite play worth 0 in "
      "both), by the cycle rule alone (abapa, infinite play worth 0, and each its own row), by both "
      "(awari and abapa, each its own row). Own-row values are bounds, so of some it is not known:",
      false);
  add_counts(f, "winners", "The same of the winner of the seeds on the board (or that nobody wins):", true);
  add_shares(f);
}

/* --- witnesses --- */

static tauler_error solve_slowly(const auale_tables *a, game_place place, int *value, uint64_t *wrong,
                                 uint64_t *positions, tauler_message *message) {
  reference_scores slow;
  const tauler_error error = reference_scores_solve(a->t.tables->game, a->t.tables->rules, place.slice,
                                                    REFERENCE_VALUES, &slow, message);
  if (error) return error;
  *wrong = *positions = 0;
  for (uint32_t n = 0; n <= place.slice; n++) {
    *positions += slow.positions[n];
    for (uint64_t i = 0; i < slow.positions[n]; i++) *wrong += slow.value[n][i] != a->layers[n].lower[i];
  }
  *value = slow.value[place.slice][place.index];
  reference_scores_free(&slow);
  return TAULER_OK;
}

/* Adds what the slow solve of a rule set says of the witness; false in *done if there are too many boards. */
static tauler_error recheck_slowly(findings *f, int set, game_place place, int told,
                                   tauler_message *message) {
  int value = 0;
  uint64_t wrong = 0, positions = 0;
  const bool done = place.slice <= SLOW_SEEDS;
  if (!done) {
    report_add_recheck(f->out, "plain iteration", false, false, "Done for up to %d seeds only.", SLOW_SEEDS);
    return TAULER_OK;
  }
  const tauler_error error = solve_slowly(&f->sets[set], place, &value, &wrong, &positions, message);
  if (error) return error;
  report_add_recheck(
      f->out, "plain iteration", true, wrong == 0 && value == told,
      "All %llu boards of up to %u seeds under %s with infinite play worth 0, solved by the moves "
      "of the rules alone: %llu differ from the tables. This board is worth %d.",
      (unsigned long long)positions, place.slice, sets[set].rules, (unsigned long long)wrong, value);
  return TAULER_OK;
}

static tauler_error show_slam(findings *f, tauler_message *message) {
  const game_place place = f->slam;
  const int awari = f->sets[AWARI].layers[place.slice].lower[place.index];
  const int abapa = f->sets[ABAPA].layers[place.slice].lower[place.index];
  char title[256];
  snprintf(
      title, sizeof title,
      "The smallest board whose winner the grand-slam rule changes: %u seeds, worth %d to the mover under "
      "awari and %d under abapa, infinite play worth 0 in both.",
      place.slice, awari, abapa);
  auale_tables_show(&f->sets[AWARI], place, title, f->out);
  tauler_error error = recheck_slowly(f, AWARI, place, awari, message);
  if (!error) error = recheck_slowly(f, ABAPA, place, abapa, message);
  return error;
}

static tauler_error recheck_lines(findings *f, game_place place, int even, int lower, int upper,
                                  tauler_message *message) {
  const tauler_tables *tables = f->sets[OWN_ROW].t.tables;
  int value = 0;
  if (place.slice > PLAYED_LINES_MOST_SLICE) {
    report_add_recheck(f->out, "all lines of play", false, false, "Done for up to %d seeds only.",
                       PLAYED_LINES_MOST_SLICE);
    return TAULER_OK;
  }
  const tauler_error error = played_lines_value(tables->game, tables->rules, place, f->out, &value, message);
  if (error) return error;
  report_add_recheck(
      f->out, "all lines of play", true,
      value >= lower && value <= upper && auale_sign(value) != auale_sign(even),
      "Right after a capture, every line of play played out by the rules until a board comes back "
      "and each side takes its row: worth exactly %d. The steps are one line of best play.",
      value);
  return TAULER_OK;
}

static tauler_error show_cycle(findings *f, tauler_message *message) {
  const game_place place = f->cycle;
  const auale_layer *own_row = &f->sets[OWN_ROW].layers[place.slice];
  const int even = f->sets[ABAPA].layers[place.slice].lower[place.index];
  const int lower = own_row->lower[place.index], upper = own_row->upper[place.index];
  char title[256];
  snprintf(
      title, sizeof title,
      "The smallest board whose winner the cycle rule changes: %u seeds, under abapa worth %d to the mover "
      "if infinite play is worth 0, and from %d to %d if each takes its own row.",
      place.slice, even, lower, upper);
  auale_tables_show(&f->sets[ABAPA], place, title, f->out);
  tauler_error error = recheck_slowly(f, ABAPA, place, even, message);
  if (!error) error = recheck_lines(f, place, even, lower, upper, message);
  return error;
}

/* --- the verdict --- */

typedef struct {
  bool more[AUALE_MOST_SEEDS + 1], fewer[AUALE_MOST_SEEDS + 1];
  char texts[2][AUALE_LIST_BYTES];
  int more_used, fewer_used;
} standing;

/* For which seeds the cycle rule surely changes more boards than the grand-slam rule, or surely fewer. */
static void stand(const findings *f, bool winners, standing *s) {
  *s = (standing){.more_used = 0};
  for (int n = 1; n <= f->seeds; n++) {
    const changes *c = winners ? &f->layers[n].winners : &f->layers[n].values;
    s->more[n] = c->cycles.differ > c->grand_slam;
    s->fewer[n] = c->cycles.differ + c->cycles.unknown < c->grand_slam;
    s->more_used += s->more[n];
    s->fewer_used += s->fewer[n];
  }
  auale_list_seeds(s->more, f->seeds, s->texts[0]);
  auale_list_seeds(s->fewer, f->seeds, s->texts[1]);
}

static void judge(const findings *f) {
  standing values, winners;
  stand(f, false, &values);
  stand(f, true, &winners);
  if (f->settled_wrong || !report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "A board that is shown does not stand up to being solved again.");
    return;
  }
  const claim_verdict verdict = values.more_used && winners.more_used ? VERDICT_HOLDS_FOR : VERDICT_OPEN;
  report_verdict(f->out, verdict,
                 "Of the boards with n seeds whose opponent's row has an empty pit, n = 1-%d, right after a "
                 "capture: by the "
                 "number of boards that change value the cycle rule matters more than the grand-slam rule "
                 "for n: %s, and "
                 "less for n: %s; by the number that change winner, more for n: %s, and less for n: %s. What "
                 "is not known "
                 "counts against either; other n are equal or open.",
                 f->seeds, values.texts[0], values.texts[1], winners.texts[0], winners.texts[1]);
}

static tauler_error look_at_boards(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int n = 1; n <= f->seeds && n <= PLAYED_LINES_MOST_SLICE && !error; n++)
    error = settle_layer(f, n, message);
  if (error) return error;
  for (int n = 1; n <= f->seeds; n++) count_layer(f, n);
  add_figures(f);
  if (f->slam_found) error = show_slam(f, message);
  if (!error && f->cycle_found) error = show_cycle(f, message);
  if (error) return error;
  const bool more = f->seeds > PLAYED_LINES_MOST_SLICE;
  report_note(
      f->out,
      "Boards are those whose opponent's row has an empty pit, as it has after every move. Own-row values "
      "are those right after a capture: of up to %d seeds exact, every line of play having been played "
      "out%s.",
      more ? PLAYED_LINES_MOST_SLICE : f->seeds, more ? ", of more between two proven bounds" : "");
  report_note(f->out,
              "If each side takes its own row nobody can draw with an odd number of seeds, so there every "
              "draw by endless play becomes somebody's win; with an even number it may stay a draw.");
  judge(f);
  return auale_tables_tell_all(f->sets, SETS, f->out, message);
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about aualé");
  f->out = out;
  f->seeds = auale_tables_seeds(job);
  tauler_error error = auale_tables_open_all(job, sets, SETS, f->seeds, f->sets, message);
  if (!error) {
    report_rules(out, "awari and abapa");
    error = look_at_boards(f, message);
    auale_tables_close_all(f->sets, SETS);
  }
  for (int n = 0; n <= PLAYED_LINES_MOST_SLICE; n++) free(f->settled[n]);
  free(f);
  return error;
}

extern const claim_text claim_text_rules_differ;
extern const claim claim_auale_rules_differ;
const claim claim_auale_rules_differ = {.name = "auale-rules-differ",
                                        .game = "auale",
                                        .text = &claim_text_rules_differ,
                                        .options = "seeds",
                                        .run = run};
