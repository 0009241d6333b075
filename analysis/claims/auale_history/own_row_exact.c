/* auale-own-row-exact: abapa with few seeds, exactly, when a board that comes back ends play. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/auale/played_lines.h"
#include "analysis/claims/auale_history/exact.h"

enum { USUAL_SEEDS = 9, EASY_SEEDS = 7, PLAYED_SEEDS = 2, COLUMNS = 9, VALUE_COLUMNS = 3, DECIMALS = 2 };

/* Up to seven seeds all lines are cut short soon; beyond, more of the same budget finds little. */
static const own_row_effort easy = {UINT64_C(1) << 25, OWN_ROW_ANY_DEPTH, true},
                            hard = {100000, OWN_ROW_ANY_DEPTH, true};

static const report_column columns[COLUMNS] = {
    {"seeds", "seeds"},           {"boards", "boards"},       {"bounds", "bounds meet"},
    {"smaller", "smaller exact"}, {"exact", "all exact"},     {"left", "left"},
    {"neither", "neither bound"}, {"others", "other boards"}, {"others_exact", "others exact"}};
static const report_column value_columns[VALUE_COLUMNS] = {
    {"board", "seeds: seeds kept"}, {"boards", "boards"}, {"share", "% of the boards"}};

typedef struct {
  uint64_t boards, bounds, smaller, exact, others, others_exact;
  uint64_t neither;                    /* boards worth neither bound of the tables */
  uint64_t kept[AUALE_MOST_SEEDS + 1]; /* boards on which the mover ends with so many seeds */
} layer_counts;

typedef struct {
  auale_tables own_row;
  auale_exact exact;
  report *out;
  int seeds;
  layer_counts layers[AUALE_MOST_SEEDS + 1];
  uint64_t wrong; /* bounds that are not within those of the tables */
  bool found;
  game_place first; /* a board on which the bounds of the tables do not meet */
} findings;

/* --- layers --- */

static void compare(findings *f, int n) {
  const auale_layer *plain = &f->own_row.layers[n];
  const solved_slice *layer = &f->exact.layers[n];
  for (uint64_t i = 0; i < plain->boards; i++) {
    const int lower = layer->cells[0][i], upper = layer->cells[1][i];
    f->wrong += lower > upper || lower < plain->lower[i] || upper > plain->upper[i];
    if (lower != upper) continue;
    f->layers[n].kept[(n + lower) / 2]++;
    f->layers[n].neither += lower != plain->lower[i] && lower != plain->upper[i];
    if (f->found || n > PLAYED_LINES_MOST_SLICE || plain->lower[i] == plain->upper[i]) continue;
    f->found = true;
    f->first = (game_place){(uint32_t)n, i};
  }
}

static tauler_error count_others(findings *f, int n, tauler_message *message) {
  layer_counts *c = &f->layers[n];
  const solve_job *solve = &f->exact.solve;
  c->others = solve->problem.game->outside(solve->problem.rules, (uint32_t)n);
  tauler_error error = TAULER_OK;
  for (uint64_t i = 0; i < c->others && !error; i++) {
    auale_bounds bounds;
    error = auale_exact_outside(&f->exact, n, i, &bounds, message);
    if (error || bounds.lower != bounds.upper) continue;
    c->others_exact++;
    c->kept[(n + bounds.lower) / 2]++;
  }
  return error;
}

static tauler_error solve_layer(findings *f, int n, tauler_message *message) {
  layer_counts *c = &f->layers[n];
  const auale_layer *plain = &f->own_row.layers[n];
  const solved_slice *layer = &f->exact.layers[n];
  c->boards = plain->boards;
  c->bounds = auale_exact_count(plain->lower, plain->upper, plain->boards);
  const tauler_error error =
      auale_exact_solve(&f->exact, n, n <= EASY_SEEDS ? &easy : &hard, &c->smaller, message);
  if (error) return error;
  c->exact = auale_exact_count(layer->cells[0], layer->cells[1], layer->positions);
  compare(f, n);
  return count_others(f, n, message);
}

/* --- figures --- */

static void add_figures(findings *f) {
  report_table_begin(
      f->out, "layers",
      "Boards of n seeds whose opponent's row has an empty pit, right after a capture: on how many "
      "the bounds of the "
      "tables meet; on how many once smaller layers are taken exactly; how many are known exactly when lines "
      "of "
      "play are followed; how many are left; and how many are worth neither bound of the tables. And all "
      "other boards, which no move leads to:",
      columns, COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    const layer_counts *c = &f->layers[n];
    const uint64_t row[COLUMNS] = {(uint64_t)n,          c->boards,  c->bounds, c->smaller,     c->exact,
                                   c->boards - c->exact, c->neither, c->others, c->others_exact};
    for (int i = 0; i < COLUMNS; i++) report_number(f->out, (int64_t)row[i]);
  }
  report_plot_begin(f->out, "left", "Boards whose worth is not known", PLOT_BARS, "seeds",
                    "seeds on the board", "boards");
  report_plot_series(f->out, "left");
}

static void add_values(findings *f) {
  report_table_begin(
      f->out, "values",
      "All boards of n seeds that are known exactly, by the seeds that the mover ends with, right after a "
      "capture:",
      value_columns, VALUE_COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    const layer_counts *c = &f->layers[n];
    for (int kept = 0; kept <= n; kept++) {
      char label[32];
      snprintf(label, sizeof label, "%d: %d", n, kept);
      report_text(f->out, label);
      report_number(f->out, (int64_t)c->kept[kept]);
      report_mean(f->out, auale_percent(c->kept[kept], c->boards + c->others), DECIMALS);
    }
  }
}

/* --- witness and verdict --- */

static tauler_error play_few_seeds(const findings *f, uint64_t *boards, uint64_t *wrong,
                                   tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t n = 1; n <= PLAYED_SEEDS && (int)n <= f->seeds; n++) {
    const solved_slice *layer = &f->exact.layers[n];
    for (uint64_t i = 0; i < layer->positions && !error; i++) {
      int value = 0;
      error = played_lines_value(f->exact.solve.problem.game, f->exact.solve.problem.rules,
                                 (game_place){n, i}, NULL, &value, message);
      ++*boards;
      *wrong += value != layer->cells[0][i] || value != layer->cells[1][i];
    }
  }
  return error;
}

static tauler_error show_first(findings *f, tauler_message *message) {
  const auale_layer *plain = &f->own_row.layers[f->first.slice];
  const int worth = f->exact.layers[f->first.slice].cells[0][f->first.index];
  uint64_t boards = 0, wrong = 0;
  int value = 0;
  char title[256];
  snprintf(title, sizeof title,
           "The smallest board on which the bounds of the tables do not meet: %u seeds, between %d and %d by "
           "the tables, worth %d.",
           f->first.slice, plain->lower[f->first.index], plain->upper[f->first.index], worth);
  auale_tables_show(&f->own_row, f->first, title, f->out);
  tauler_error error = played_lines_value(f->exact.solve.problem.game, f->exact.solve.problem.rules, f->first,
                                          f->out, &value, message);
  if (!error) error = play_few_seeds(f, &boards, &wrong, message);
  if (error) return error;
  report_add_recheck(
      f->out, "all lines of play", true, value == worth,
      "Every line of play from the board, by the moves of the rules, to a board that comes back or the "
      "end: it is worth %d.",
      value);
  report_add_recheck(f->out, "all boards of few seeds", true, wrong == 0,
                     "The same for all %llu boards of up to %d seeds: %llu are worth something else.",
                     (unsigned long long)boards, PLAYED_SEEDS, (unsigned long long)wrong);
  return TAULER_OK;
}

/* The most seeds up to which all is known. */
static int known_up_to(const findings *f) {
  int n = 0;
  while (n < f->seeds && f->layers[n + 1].exact == f->layers[n + 1].boards &&
         f->layers[n + 1].others_exact == f->layers[n + 1].others)
    n++;
  return n;
}

static void judge(const findings *f) {
  const int known = known_up_to(f);
  uint64_t boards = 0, left = 0, seen = 0;
  for (int n = 1; n <= f->seeds; n++) {
    const layer_counts *c = &f->layers[n];
    if (n <= known) boards += c->boards + c->others;
    seen += n > known ? c->boards : 0;
    left += c->boards - c->exact;
  }
  if (f->wrong || !report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS,
                   "%llu worths do not agree with the bounds of the tables, or not with lines of play.",
                   (unsigned long long)f->wrong);
  } else if (known == f->seeds) {
    report_verdict(
        f->out, VERDICT_HOLDS_FOR,
        "What each of the %llu boards of 1-%d seeds is worth right after a capture is known exactly.",
        (unsigned long long)boards, known);
  } else {
    report_verdict(f->out, VERDICT_HOLDS_FOR,
                   "What each of the %llu boards of 1-%d seeds is worth right after a capture is known "
                   "exactly. With %d-%d seeds %llu of %llu boards whose opponent's row has an empty pit are "
                   "left, between bounds: the search was "
                   "ended, nothing says that they cannot be worked out.",
                   (unsigned long long)boards, known, known + 1, f->seeds, (unsigned long long)left,
                   (unsigned long long)seen);
  }
}

static tauler_error look_at_layers(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int n = 0; n <= f->seeds && !error; n++) error = solve_layer(f, n, message);
  if (error) return error;
  add_figures(f);
  add_values(f);
  if (f->found) error = show_first(f, message);
  if (error) return error;
  report_note(f->out, "Seeds kept are those of the n on the board; the history is fresh: nothing has been "
                      "met but the board. After "
                      "other boards have been met it may be worth something else.");
  judge(f);
  return auale_tables_tell_all(&f->own_row, 1, f->out, message);
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about aualé");
  f->out = out;
  f->seeds = job->seeds ? job->seeds : USUAL_SEEDS;
  tauler_error error = auale_tables_open(job, "abapa", "own-row", f->seeds, &f->own_row, message);
  if (!error) {
    report_rules(out, "abapa");
    error = auale_exact_open(&f->exact, &f->own_row, message);
    if (!error) error = look_at_layers(f, message);
    auale_exact_close(&f->exact);
    auale_tables_close(&f->own_row);
  }
  free(f);
  return error;
}

extern const claim_text claim_text_own_row_exact;
extern const claim claim_auale_own_row_exact;
const claim claim_auale_own_row_exact = {.name = "auale-own-row-exact",
                                         .game = "auale",
                                         .text = &claim_text_own_row_exact,
                                         .options = "seeds",
                                         .run = run};
