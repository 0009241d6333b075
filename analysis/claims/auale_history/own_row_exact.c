/* auale-own-row-exact: abapa with few seeds, exactly, when a board that comes back ends play. */
#include <stdio.h>

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/auale/played_lines.h"
#include "analysis/claims/auale_history/exact.h"
#include "analysis/claims/claim.h"

enum { PLAYED_SEEDS = 2, DECIMALS = 2 };

typedef struct {
  uint64_t boards, bounds, smaller, exact, others, others_exact;
  uint64_t neither;                    /* boards worth neither bound of the tables */
  uint64_t kept[AUALE_MOST_SEEDS + 1]; /* boards on which the mover ends with so many seeds */
} layer_counts;

typedef struct {
  claim_base c;
  auale_exact exact;
  layer_counts layers[AUALE_MOST_SEEDS + 1];
  uint64_t wrong; /* bounds that are not within those of the tables */
  bool found;
  game_place first; /* a board on which the bounds of the tables differ */
} findings;

/* --- layers --- */

static void compare(findings *f, int n) {
  const claim_layer *plain = &f->c.t->layers[n];
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

static void count_others(findings *f, int n) {
  layer_counts *c = &f->layers[n];
  const claim_tables *t = f->c.t;
  c->others = t->game->outside(t->rules, (uint32_t)n);
  for (uint64_t i = 0; i < c->others; i++) {
    auale_bounds bounds;
    if (REPORT_CATCH(f->c.out, auale_outside_bounds(t->game, t->rules, f->exact.layers, (uint32_t)n, i,
                                                    &bounds, &f->c.out->message)))
      return;
    if (bounds.lower != bounds.upper) continue;
    c->others_exact++;
    c->kept[(n + bounds.lower) / 2]++;
  }
}

static void solve_layer(findings *f, int n) {
  layer_counts *c = &f->layers[n];
  const claim_layer *plain = &f->c.t->layers[n];
  const solved_slice *layer = &f->exact.layers[n];
  c->boards = plain->boards;
  c->bounds = auale_exact_count(plain->lower, plain->upper, plain->boards);
  c->smaller = auale_exact_solve(&f->exact, n);
  if (f->c.out->error) return;
  c->exact = auale_exact_count(layer->cells[0], layer->cells[1], layer->positions);
  compare(f, n);
  count_others(f, n);
}

/* --- figures --- */

static void add_figures(findings *f) {
  report_table_begin(f->c.out, "layers");
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    REPORT_ADD(f->c.out, fig_number(n), fig_count(c->boards), fig_count(c->bounds), fig_count(c->smaller),
               fig_count(c->exact), fig_count(c->boards - c->exact), fig_count(c->neither),
               fig_count(c->others), fig_count(c->others_exact));
  }
  report_table_begin(f->c.out, "values");
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    for (int kept = 0; kept <= n; kept++) {
      char label[32];
      snprintf(label, sizeof label, "%d: %d", n, kept);
      REPORT_ADD(f->c.out, fig_text(label), fig_count(c->kept[kept]),
                 fig_share(c->kept[kept], c->boards + c->others, DECIMALS));
    }
  }
}

/* --- witness and verdict --- */

static int play_out(const findings *f, game_place place, report *steps) {
  report *out = f->c.out;
  int value = 0;
  REPORT_CATCH(out, played_lines_value(f->c.t->game, f->c.t->rules, place, steps, &value, &out->message));
  return value;
}

static void recheck_few_seeds(const findings *f) {
  uint64_t boards = 0, wrong = 0;
  for (uint32_t n = 1; n <= PLAYED_SEEDS && (int)n <= f->c.limit; n++) {
    const solved_slice *layer = &f->exact.layers[n];
    for (uint64_t i = 0; i < layer->positions; i++) {
      const int value = play_out(f, (game_place){n, i}, NULL);
      boards++;
      wrong += value != layer->cells[0][i] || value != layer->cells[1][i];
    }
  }
  REPORT_RECHECK(f->c.out, "all boards of few seeds", true, wrong == 0, "recheck-all-boards-of-few-seeds",
                 fig_count(boards), fig_number(PLAYED_SEEDS), fig_count(wrong));
}

static void show_first(findings *f) {
  const claim_layer *plain = &f->c.t->layers[f->first.slice];
  const int worth = f->exact.layers[f->first.slice].cells[0][f->first.index];
  const game_position first = claim_position_at(f->c.t, f->first);
  CLAIM_SHOW(f->c.t, &first, "witness", fig_number(f->first.slice), fig_number(plain->lower[f->first.index]),
             fig_number(plain->upper[f->first.index]), fig_number(worth));
  const int value = play_out(f, f->first, f->c.out);
  REPORT_RECHECK(f->c.out, "all lines of play", true, value == worth, "recheck-all-lines-of-play",
                 fig_number(value));
  recheck_few_seeds(f);
}

/* The most seeds up to which all is known. */
static int known_up_to(const findings *f) {
  int n = 0;
  while (n < f->c.limit && f->layers[n + 1].exact == f->layers[n + 1].boards &&
         f->layers[n + 1].others_exact == f->layers[n + 1].others)
    n++;
  return n;
}

static void judge(const findings *f) {
  const int known = known_up_to(f);
  uint64_t boards = 0, left = 0, seen = 0;
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    if (n <= known) boards += c->boards + c->others;
    seen += n > known ? c->boards : 0;
    left += c->boards - c->exact;
  }
  if (f->wrong || !report_is_sound(f->c.out)) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails", fig_count(f->wrong));
  } else if (known == f->c.limit) {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(boards), fig_number(known));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for-2", fig_count(boards), fig_number(known),
                   fig_number(known + 1), fig_number(f->c.limit), fig_count(left), fig_count(seen));
  }
}

static void examine(void *user) {
  findings *f = user;
  if (auale_exact_open(&f->exact, f->c.t)) {
    for (int n = 0; n <= f->c.limit && !f->c.out->error; n++) solve_layer(f, n);
    add_figures(f);
    if (f->found) show_first(f);
    REPORT_NOTE(f->c.out, "note");
    judge(f);
  }
  auale_exact_close(&f->exact);
}

const claim_code claim_code_own_row_exact = {sizeof(findings), examine, NULL};
