/* auale-own-row-bounds: how near bounds come to the worth of abapa's boards. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/auale_history/exact.h"

enum { TIGHTENED_SEEDS = 11, COLUMNS = 12, DECIMALS = 2 };

/* Ten times as much finds little more. */
static const own_row_effort effort = {30000, OWN_ROW_ANY_DEPTH, true};

static const report_column columns[COLUMNS] = {{"seeds", "seeds"},
                                               {"boards", "boards"},
                                               {"forced", "any cycle rule"},
                                               {"forced_share", "% any cycle rule"},
                                               {"own_row_any", "any boards met"},
                                               {"own_row_any_share", "% any boards met"},
                                               {"own_row", "own row"},
                                               {"own_row_share", "% own row"},
                                               {"smaller", "smaller tightened"},
                                               {"smaller_share", "% smaller tightened"},
                                               {"tightened", "tightened"},
                                               {"tightened_share", "% tightened"}};

/* Bounds of the second kind hold after any boards, all others right after a capture: even what can be forced
 * whatever a cycle is worth may lead over a board that has been met. */
enum { FORCED, OWN_ROW_ANY, OWN_ROW, SETS };
static const auale_rule_set sets[SETS] = {
    {"abapa", "forced"}, {"abapa", "own-row-any"}, {"abapa", "own-row"}};

typedef struct {
  uint64_t boards, met[SETS], smaller, tightened;
} layer_counts;

typedef struct {
  auale_tables sets[SETS];
  auale_exact exact;
  report *out;
  int seeds, tightened; /* layers that were looked at, and in which lines were followed */
  layer_counts layers[AUALE_MOST_SEEDS + 1];
  uint64_t wrong; /* bounds that are not within wider ones */
} findings;

static bool is_within(int lower, int upper, const auale_layer *wider, uint64_t i) {
  return lower <= upper && lower >= wider->lower[i] && upper <= wider->upper[i];
}

static tauler_error tighten_layer(findings *f, int n, tauler_message *message) {
  layer_counts *c = &f->layers[n];
  const solved_slice *layer = &f->exact.layers[n];
  const tauler_error error =
      auale_exact_solve(&f->exact, n, n <= f->tightened ? &effort : NULL, &c->smaller, message);
  if (error) return error;
  c->tightened = auale_exact_count(layer->cells[0], layer->cells[1], layer->positions);
  for (uint64_t i = 0; i < layer->positions; i++)
    f->wrong += !is_within(layer->cells[0][i], layer->cells[1][i], &f->sets[OWN_ROW].layers[n], i);
  return TAULER_OK;
}

static tauler_error count_layer(findings *f, int n, tauler_message *message) {
  layer_counts *c = &f->layers[n];
  const auale_layer *own_row = &f->sets[OWN_ROW].layers[n];
  c->boards = own_row->boards;
  for (int set = 0; set < SETS; set++)
    c->met[set] = auale_exact_count(f->sets[set].layers[n].lower, f->sets[set].layers[n].upper, c->boards);
  for (uint64_t i = 0; i < c->boards; i++)
    f->wrong += !is_within(own_row->lower[i], own_row->upper[i], &f->sets[FORCED].layers[n], i) ||
                !is_within(own_row->lower[i], own_row->upper[i], &f->sets[OWN_ROW_ANY].layers[n], i);
  return tighten_layer(f, n, message);
}

static void add_share(report *out, bool known, uint64_t count, uint64_t boards) {
  if (!known) {
    report_none(out);
    report_none(out);
    return;
  }
  report_number(out, (int64_t)count);
  report_mean(out, auale_percent(count, boards), DECIMALS);
}

static void add_figures(findings *f) {
  report_table_begin(
      f->out, "layers",
      "Boards of n seeds under abapa whose worth is known since two bounds meet. Whatever a cycle is worth; "
      "if a board "
      "that comes back ends play and each side takes its own row, after any boards; and right after a "
      "capture: by the "
      "tables, by the same with the tightened bounds of smaller layers, and with lines of play followed:",
      columns, COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    const layer_counts *c = &f->layers[n];
    report_number(f->out, n);
    report_number(f->out, (int64_t)c->boards);
    for (int set = 0; set < SETS; set++) add_share(f->out, true, c->met[set], c->boards);
    add_share(f->out, true, c->smaller, c->boards);
    add_share(f->out, n <= f->tightened, c->tightened, c->boards);
  }
  report_plot_begin(f->out, "shares", "Boards of abapa whose worth is known", PLOT_LINES, "seeds",
                    "seeds on the board", "% of the boards");
  report_plot_series(f->out, "forced_share");
  report_plot_series(f->out, "own_row_any_share");
  report_plot_series(f->out, "own_row_share");
  report_plot_series(f->out, "smaller_share");
  report_plot_series(f->out, "tightened_share");
}

static void judge(const findings *f) {
  uint64_t boards = 0, own_row = 0, smaller = 0, few = 0, tightened = 0;
  for (int n = 1; n <= f->seeds; n++) {
    boards += f->layers[n].boards;
    own_row += f->layers[n].met[OWN_ROW];
    smaller += f->layers[n].tightened;
    if (n > f->tightened) continue;
    few = boards;
    tightened = smaller;
  }
  if (f->wrong) {
    report_verdict(f->out, VERDICT_FAILS, "%llu bounds do not lie within wider ones.",
                   (unsigned long long)f->wrong);
    return;
  }
  report_verdict(
      f->out, VERDICT_OPEN,
      "Right after a capture, of the %llu boards of 1-%d seeds whose opponent's row has an empty "
      "pit retrograde analysis alone gives the worth of %.2f %%, and of %.2f %% when lines of play "
      "were followed in the layers of 1-%d seeds (there of %.2f %%).%s",
      (unsigned long long)boards, f->seeds, auale_percent(own_row, boards), auale_percent(smaller, boards),
      f->tightened, auale_percent(tightened, few),
      smaller < boards ? " Nothing shows that the others cannot be had." : "");
}

static tauler_error look_at_layers(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int n = 0; n <= f->seeds && !error; n++) error = count_layer(f, n, message);
  if (error) return error;
  add_figures(f);
  report_note(
      f->out,
      "Bounds for any boards met hold on every history. All others hold on a fresh one, when nothing has "
      "been "
      "met but the board: even a way to an end that no cycle rule changes may lead over a board met before.");
  judge(f);
  return auale_tables_tell_all(f->sets, SETS, f->out, message);
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about aualé");
  f->out = out;
  f->seeds = auale_tables_seeds(job);
  f->tightened = f->seeds < TIGHTENED_SEEDS ? f->seeds : TIGHTENED_SEEDS;
  tauler_error error = auale_tables_open_all(job, sets, SETS, f->seeds, f->sets, message);
  if (!error) {
    report_rules(out, "abapa");
    error = auale_exact_open(&f->exact, &f->sets[OWN_ROW], message);
    if (!error) error = look_at_layers(f, message);
    auale_exact_close(&f->exact);
    auale_tables_close_all(f->sets, SETS);
  }
  free(f);
  return error;
}

extern const claim_text claim_text_own_row_bounds;
extern const claim claim_auale_own_row_bounds;
const claim claim_auale_own_row_bounds = {.name = "auale-own-row-bounds",
                                          .game = "auale",
                                          .text = &claim_text_own_row_bounds,
                                          .options = "seeds",
                                          .run = run};
