/* auale-own-row-bounds: how near bounds come to the worth of abapa's boards. */

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/auale_history/exact.h"
#include "analysis/claims/claim.h"

enum { TIGHTENED_SEEDS = 11, DECIMALS = 2 };

/* Ten times as much finds little more. */
static const own_row_effort effort = {30000, OWN_ROW_ANY_DEPTH, true};

/* Bounds of the second kind hold after any boards, all others right after a capture: even what can be forced
 * whatever a cycle is worth may lead over a board that has been met. */
enum { FORCED, OWN_ROW_ANY, OWN_ROW, SETS };

typedef struct {
  uint64_t boards, met[SETS], smaller, tightened;
} layer_counts;

typedef struct {
  claim_base c;
  auale_exact exact;
  int tightened; /* layers in which lines were followed */
  layer_counts layers[AUALE_MOST_SEEDS + 1];
  uint64_t wrong; /* bounds that are not within wider ones */
} findings;

static bool is_within(int lower, int upper, const claim_layer *wider, uint64_t i) {
  return lower <= upper && lower >= wider->lower[i] && upper <= wider->upper[i];
}

static void count_layer(findings *f, int n) {
  layer_counts *c = &f->layers[n];
  const claim_tables *t = f->c.t;
  const claim_layer *own_row = &t[OWN_ROW].layers[n];
  const solved_slice *layer = &f->exact.layers[n];
  c->boards = own_row->boards;
  for (int set = 0; set < SETS; set++)
    c->met[set] = auale_exact_count(t[set].layers[n].lower, t[set].layers[n].upper, c->boards);
  c->smaller = auale_exact_solve(&f->exact, n, n <= f->tightened ? &effort : NULL);
  if (f->c.out->error) return;
  c->tightened = auale_exact_count(layer->cells[0], layer->cells[1], layer->positions);
  for (uint64_t i = 0; i < c->boards; i++) {
    f->wrong += !is_within(own_row->lower[i], own_row->upper[i], &t[FORCED].layers[n], i) ||
                !is_within(own_row->lower[i], own_row->upper[i], &t[OWN_ROW_ANY].layers[n], i);
    f->wrong += !is_within(layer->cells[0][i], layer->cells[1][i], own_row, i);
  }
}

static void add_figures(findings *f) {
  report *out = f->c.out;
  report_table_begin(out, "layers");
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    const bool known = n <= f->tightened;
    REPORT_ADD(out, fig_number(n), fig_count(c->boards));
    for (int set = 0; set < SETS; set++)
      REPORT_ADD(out, fig_count(c->met[set]), fig_share(c->met[set], c->boards, DECIMALS));
    REPORT_ADD(out, fig_count(c->smaller), fig_share(c->smaller, c->boards, DECIMALS));
    REPORT_ADD(out, fig_if(known, fig_count(c->tightened)),
               fig_if(known, fig_share(c->tightened, c->boards, DECIMALS)));
  }
}

static void judge(const findings *f) {
  uint64_t boards = 0, own_row = 0, smaller = 0, few = 0, tightened = 0;
  for (int n = 1; n <= f->c.limit; n++) {
    boards += f->layers[n].boards;
    own_row += f->layers[n].met[OWN_ROW];
    smaller += f->layers[n].tightened;
    if (n > f->tightened) continue;
    few = boards;
    tightened = smaller;
  }
  if (f->wrong) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails", fig_count(f->wrong));
    return;
  }
  REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_count(boards), fig_number(f->c.limit),
                 fig_share(own_row, boards, 2), fig_share(smaller, boards, 2), fig_number(f->tightened),
                 fig_share(tightened, few, 2),
                 fig_text(smaller < boards ? " Nothing shows that the others cannot be had." : ""));
}

static void examine(void *user) {
  findings *f = user;
  f->tightened = f->c.limit < TIGHTENED_SEEDS ? f->c.limit : TIGHTENED_SEEDS;
  if (!auale_exact_open(&f->exact, &f->c.t[OWN_ROW])) return;
  for (int n = 0; n <= f->c.limit && !f->c.out->error; n++) count_layer(f, n);
  add_figures(f);
  REPORT_NOTE(f->c.out, "note");
  judge(f);
}

static void close_exact(void *user) {
  findings *f = user;
  auale_exact_close(&f->exact);
}

const claim_code claim_code_own_row_bounds = {sizeof(findings), examine, close_exact};
