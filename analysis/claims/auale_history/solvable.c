/* auale-solvable: abapa under its own cycle rule has one value for every board right after a capture. */
#include <stdio.h>

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/auale/played_lines.h"
#include "analysis/claims/claim.h"

enum { PLAYED_SEEDS = 2, DECIMALS = 2 };

typedef struct {
  uint64_t boards, exact, others, others_exact;
  uint64_t kept[AUALE_MOST_SEEDS + 1]; /* boards on which the mover ends with so many seeds */
} layer_counts;

typedef struct {
  claim_base c;
  layer_counts layers[AUALE_MOST_SEEDS + 1];
} findings;

/* --- layers --- */

static void count_boards(findings *f, int n) {
  layer_counts *c = &f->layers[n];
  const claim_layer *layer = &f->c.t->layers[n];
  c->boards = layer->boards;
  for (uint64_t i = 0; i < c->boards; i++) {
    if (layer->lower[i] != layer->upper[i]) continue;
    c->exact++;
    c->kept[(n + layer->lower[i]) / 2]++;
  }
}

/* Boards that no move leads to have the best of their moves. */
static void count_others(findings *f, int n) {
  layer_counts *c = &f->layers[n];
  const claim_tables *t = f->c.t;
  solved_slice layers[CLAIM_MOST_LAYERS] = {{.planes = 0}};
  for (int k = 0; k <= n; k++)
    layers[k] = (solved_slice){
        .slice = (uint32_t)k,
        .positions = t->layers[k].boards,
        .planes = PLAIN_PLANES,
        .cells = {(int8_t *)(uintptr_t)t->layers[k].lower, (int8_t *)(uintptr_t)t->layers[k].upper}};
  c->others = t->game->outside(t->rules, (uint32_t)n);
  for (uint64_t i = 0; i < c->others; i++) {
    auale_bounds bounds;
    if (REPORT_CATCH(f->c.out, auale_outside_bounds(t->game, t->rules, layers, (uint32_t)n, i, &bounds,
                                                    &f->c.out->message)))
      return;
    if (bounds.lower != bounds.upper) continue;
    c->others_exact++;
    c->kept[(n + bounds.lower) / 2]++;
  }
}

/* --- figures --- */

static void add_figures(findings *f) {
  report_table_begin(f->c.out, "layers");
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    REPORT_ADD(f->c.out, fig_number(n), fig_count(c->boards), fig_count(c->exact),
               fig_count(c->boards - c->exact), fig_count(c->others), fig_count(c->others_exact));
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

/* --- rechecks and verdict --- */

static void recheck_few_seeds(const findings *f, const game_position *shown) {
  uint64_t boards = 0, wrong = 0;
  for (uint32_t n = 1; n <= PLAYED_SEEDS && (int)n <= f->c.limit; n++) {
    const claim_layer *layer = &f->c.t->layers[n];
    for (uint64_t i = 0; i < layer->boards; i++) {
      int value = 0;
      REPORT_CATCH(f->c.out, played_lines_value(f->c.t->game, f->c.t->rules, (game_place){n, i}, NULL, &value,
                                                &f->c.out->message));
      boards++;
      wrong += value != layer->lower[i] || value != layer->upper[i];
    }
  }
  CLAIM_SHOW(f->c.t, shown, "witness", fig_number(f->c.t->layers[1].lower[0]));
  REPORT_RECHECK(f->c.out, "all lines of play", true, wrong == 0, "recheck-all-lines-of-play",
                 fig_count(boards), fig_number(PLAYED_SEEDS), fig_count(wrong));
}

/* The most seeds up to which every board has one value. */
static int known_up_to(const findings *f) {
  int n = 0;
  while (n < f->c.limit && f->layers[n + 1].exact == f->layers[n + 1].boards &&
         f->layers[n + 1].others_exact == f->layers[n + 1].others)
    n++;
  return n;
}

static void judge(const findings *f) {
  const int known = known_up_to(f);
  uint64_t boards = 0, left = 0;
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    if (n <= known) boards += c->boards + c->others;
    left += c->boards - c->exact;
  }
  if (!report_is_sound(f->c.out)) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails");
  } else if (known == f->c.limit) {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(boards), fig_number(known));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_count(boards), fig_number(known), fig_count(left));
  }
}

static void examine(void *user) {
  findings *f = user;
  for (int n = 0; n <= f->c.limit && !f->c.out->error; n++) {
    count_boards(f, n);
    count_others(f, n);
  }
  add_figures(f);
  const game_position first = claim_position_at(f->c.t, (game_place){1, 0});
  recheck_few_seeds(f, &first);
  REPORT_NOTE(f->c.out, "note");
  judge(f);
}

const claim_code claim_code_solvable = {sizeof(findings), examine, NULL};
