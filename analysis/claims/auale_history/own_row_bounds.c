/* auale-own-row-bounds: how near bounds come to the worth of abapa's boards. */

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/auale_history/exact.h"
#include "analysis/claims/claim.h"

enum { DECIMALS = 2 };

/* Bounds of OWN_ROW_ANY hold after every history, the others only right after a capture: even forced play may
 * lead over a board met before. */
enum { FORCED, OWN_ROW_ANY, OWN_ROW, SETS };

typedef struct {
  uint64_t boards, met[SETS], smaller, tightened;
} layer_counts;

typedef struct {
  claim_base c;
  auale_exact exact;
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
  c->smaller = auale_exact_solve(&f->exact, n);
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
    REPORT_ADD(out, fig_number(n), fig_count(c->boards));
    for (int set = 0; set < SETS; set++)
      REPORT_ADD(out, fig_count(c->met[set]), fig_share(c->met[set], c->boards, DECIMALS));
    REPORT_ADD(out, fig_count(c->smaller), fig_share(c->smaller, c->boards, DECIMALS));
    REPORT_ADD(out, fig_count(c->tightened), fig_share(c->tightened, c->boards, DECIMALS));
  }
}

static void judge(const findings *f) {
  uint64_t boards = 0, own_row = 0, tightened = 0;
  for (int n = 1; n <= f->c.limit; n++) {
    boards += f->layers[n].boards;
    own_row += f->layers[n].met[OWN_ROW];
    tightened += f->layers[n].tightened;
  }
  if (f->wrong) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails", fig_count(f->wrong));
    return;
  }
  if (tightened == boards) {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(boards), fig_number(f->c.limit),
                   fig_share(own_row, boards, 2));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_count(boards), fig_number(f->c.limit),
                   fig_share(own_row, boards, 2), fig_share(tightened, boards, 2));
  }
}

static void examine(void *user) {
  findings *f = user;
  if (auale_exact_open(&f->exact, &f->c.t[OWN_ROW])) {
    for (int n = 0; n <= f->c.limit && !f->c.out->error; n++) count_layer(f, n);
    add_figures(f);
    REPORT_NOTE(f->c.out, "note");
    judge(f);
  }
  auale_exact_close(&f->exact);
}

const claim_code claim_code_own_row_bounds = {sizeof(findings), examine, NULL};
