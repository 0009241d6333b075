/* doushouqi-equal-material: can a game be drawn in which both sides have the same animals? */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/draw_proof.h"
#include "analysis/claims/recheck.h"

enum { LEAST_PIECES = 2, MOST_PIECES = 4, DECIMALS = 3, MOST_PROVEN = 1000000 };
enum { LIACS, BASE, RULE_SETS };

typedef struct {
  uint64_t materials, with_draws, positions, draws;
} summary;

typedef struct {
  claim_base c;
  int pieces; /* even */
  animal_counts counts[RULE_SETS];
  summary found[RULE_SETS][MOST_PIECES + 1];
} findings;

static uint64_t all_of(const animal_count *count) {
  return count->wins + count->draws + count->losses;
}

/* --- figures --- */

static void add_material(findings *f, animal_material m) {
  const int pieces = animal_pieces(m);
  const animal_count *of[RULE_SETS];
  char name[2 * ANIMALS + 1];
  for (int k = 0; k < RULE_SETS; k++) {
    of[k] = &f->counts[k].of[animal_number(m)];
    summary *found = &f->found[k][pieces];
    found->materials++;
    found->with_draws += of[k]->draws > 0;
    found->positions += all_of(of[k]);
    found->draws += of[k]->draws;
  }
  animal_material_name(m, name);
  REPORT_ADD(f->c.out, fig_text(name), fig_number(pieces), fig_count(all_of(of[LIACS])));
  for (int k = 0; k < RULE_SETS; k++)
    REPORT_ADD(f->c.out, fig_count(of[k]->wins), fig_count(of[k]->draws), fig_count(of[k]->losses));
  for (int k = 0; k < RULE_SETS; k++) REPORT_ADD(f->c.out, fig_share(of[k]->draws, all_of(of[k]), DECIMALS));
}

static void add_materials(findings *f) {
  report_table_begin(f->c.out, "materials");
  for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces += 2) {
    for (unsigned side = 1; side < 1U << ANIMALS; side++) {
      const animal_material m = {(uint8_t)side, (uint8_t)side};
      if (animal_pieces(m) == pieces) add_material(f, m);
    }
  }
}

static void add_summary(const findings *f) {
  report_table_begin(f->c.out, "summary");
  for (int k = 0; k < RULE_SETS; k++) {
    for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces += 2) {
      const summary *found = &f->found[k][pieces];
      REPORT_ADD(f->c.out, fig_text(f->c.about->sets[k].rules), fig_number(pieces),
                 fig_count(found->materials), fig_count(found->with_draws), fig_count(found->positions),
                 fig_count(found->draws), fig_share(found->draws, found->positions, DECIMALS));
    }
  }
}

/* --- the witness --- */

typedef struct {
  claim_tables *t;
  uint32_t slice;
} hints;

static void give_hint(void *user, uint64_t index, int8_t *value, uint16_t *depth) {
  const hints *h = user;
  int plies = 0;
  *value = (int8_t)claim_tables_ask(h->t, (game_place){h->slice, index}, &plies);
  *depth = *value ? (uint16_t)plies : 0;
}

static void prove(claim_tables *t, uint32_t slice) {
  const recheck_results found = recheck_slice(t, slice);
  hints known = {t, slice};
  const draw_proof proof = {.game = t->game,
                            .rules = t->rules,
                            .slice = slice,
                            .hint = give_hint,
                            .user = &known,
                            .memory = t->job->memory,
                            .most = MOST_PROVEN};
  draw_proven proven;
  if (REPORT_CATCH(t->out, draw_prove(&proof, found.first_drawn, &proven, &t->out->message))) return;
  const game_position draw = claim_position_at(t, (game_place){slice, found.first_drawn});
  CLAIM_SHOW(t, &draw, "witness");
  REPORT_RECHECK(t->out, "proof", proven.done, proven.holds, "recheck-proof", fig_count(proven.drawn),
                 fig_count(proven.won), fig_count(proven.lost));
  REPORT_RECHECK(t->out, "plain iteration", true, found.drawn > 0 && found.wrong == 0,
                 "recheck-plain-iteration", fig_count(found.drawn), fig_count(found.wrong));
}

/* Shows a draw of the first material of two pieces that has one. */
static void show_draw(findings *f) {
  claim_tables *t = &f->c.t[BASE];
  char name[2 * ANIMALS + 1];
  game_slices slices = {0};
  int animal = 0;
  for (; animal < ANIMALS; animal++) {
    const animal_material m = {(uint8_t)(1 << animal), (uint8_t)(1 << animal)};
    animal_material_name(m, name);
    if (f->counts[BASE].of[animal_number(m)].draws) break;
  }
  if (animal == ANIMALS) return;
  const game_request request = {.material = name};
  REPORT_CATCH(t->out, t->game->slices(t->rules, &request, &slices, &t->out->message));
  for (size_t i = 0; i < slices.used; i++)
    if (slices.slices[i].asked) prove(t, slices.slices[i].slice);
  free(slices.slices);
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const summary *liacs = f->found[LIACS], *base = f->found[BASE];
  char more[256] = "";
  if (f->pieces == MOST_PIECES)
    snprintf(more, sizeof more,
             " With two animals each there are drawn positions in %" PRIu64 " of %" PRIu64
             " materials under liacs, in %" PRIu64 " by the base rules.",
             liacs[MOST_PIECES].with_draws, liacs[MOST_PIECES].materials, base[MOST_PIECES].with_draws);
  if (liacs[LEAST_PIECES].draws) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2", fig_count(liacs[LEAST_PIECES].draws));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(base[LEAST_PIECES].draws),
                   fig_count(base[LEAST_PIECES].with_draws), fig_count(base[LEAST_PIECES].materials),
                   fig_text(more));
  }
}

static void examine(void *user) {
  findings *f = user;
  f->pieces = f->c.limit - f->c.limit % 2;
  for (int k = 0; k < RULE_SETS; k++) animal_counts_read_equal(&f->c.t[k], f->pieces, &f->counts[k]);
  if (f->c.out->error) return;
  add_materials(f);
  add_summary(f);
  show_draw(f);
  judge(f);
}

static void forget(void *user) {
  findings *f = user;
  for (int k = 0; k < RULE_SETS; k++) animal_counts_free(&f->counts[k]);
}

const claim_code claim_code_equal_material = {sizeof(findings), examine, forget};
