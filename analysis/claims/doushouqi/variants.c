/* doushouqi-variants: what each variant of Dou Shou Qi changes, and the longest play under it. */
#include <stdio.h>
#include <string.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/doushouqi/animal_line.h"

enum { LEAST_PIECES = 2, MOST_PIECES = 4, DECIMALS = 3, MOST_VARIANTS = 16 };

/* Without --pieces the variants of the source and the rules that others have solved are examined with four
 * pieces, single flags of these rules with three. */
static const struct {
  const char *rules;
  int pieces;
} variants[] = {{"base", 4},
                {"base,wolf-over-dog", 4},
                {"base,leopard=wide", 4},
                {"base,leopard=none", 3},
                {"base,clearings", 4},
                {"base,lakes=plain", 4},
                {"base,lakes=drink", 4},
                {"base,lakes=drink,drinkers=block", 3},
                {"base,jump-block=path", 3},
                {"base,elephant-takes-rat", 3},
                {"base,rat-shore=liacs", 3},
                {"base,stalemate=loss", 3},
                {"liacs", 4},
                {NULL, 0}};

/* A rule set that was looked at. */
typedef struct {
  const char *rules;
  int pieces;
  double drawn[MOST_PIECES + 1]; /* of a hundred, by pieces */
} variant;

typedef struct {
  claim_base c;
  uint64_t base_draws[MOST_PIECES + 1]; /* by pieces */
  int looked_at, changing;              /* variants, and those that change how often most pieces are drawn */
  int shown;                            /* plies of the line that is shown */
  variant seen[MOST_VARIANTS];
  size_t seen_used;
} findings;

/* Draws of materials in which both sides have the same animals. */
static uint64_t equal_draws(const animal_counts *counts, int pieces) {
  uint64_t draws = 0;
  for (unsigned side = 1; side < 1U << ANIMALS; side++) {
    const animal_material m = {(uint8_t)side, (uint8_t)side};
    if (animal_pieces(m) == pieces) draws += counts->of[animal_number(m)].draws;
  }
  return draws;
}

static double add_row(const claim_tables *t, const animal_counts *counts, int pieces) {
  const animal_count *of = &counts->total[pieces].results;
  const animal_lengths *plies = &counts->total[pieces].plies;
  const uint64_t all = of->wins + of->losses + of->draws;
  const game_position longest = claim_position_at(t, plies->place);
  const int other = plies->longest == plies->longest_win ? plies->longest_loss : plies->longest_win;
  REPORT_ADD(t->out, fig_text(t->game->rules_text(t->rules)), fig_number(pieces), fig_count(all),
             fig_count(of->wins), fig_count(of->losses), fig_count(of->draws),
             fig_share(of->draws, all, DECIMALS), fig_share(of->wins, all, DECIMALS),
             fig_if(pieces % 2 == 0, fig_count(equal_draws(counts, pieces))),
             fig_mean(animal_mean_length(plies), DECIMALS), fig_number(plies->longest), fig_number(other),
             fig_text(claim_print(t, &longest).text));
  return percent(of->draws, all);
}

/* --- rule sets --- */

static void show_line(findings *f, const claim_tables *t, const animal_counts *counts, int pieces) {
  const animal_lengths *plies = &counts->total[pieces].plies;
  char title[256];
  snprintf(title, sizeof title,
           "The longest play to an end with %d pieces under %.100s: the winner takes the shortest way, the "
           "loser the longest.",
           pieces, t->game->rules_text(t->rules));
  f->shown = plies->longest;
  animal_line_show(t, plies->place, plies->longest, title);
}

static void look_at(findings *f, const char *rules, int pieces) {
  const bool first = f->seen_used == 0;
  variant *seen = &f->seen[f->seen_used++];
  claim_tables t;
  animal_counts counts;
  if (!claim_tables_open(&t, f->c.job, f->c.out, "doushouqi", rules, NULL)) return;
  animal_counts_read(&t, pieces, &counts);
  seen->rules = rules;
  seen->pieces = pieces;
  for (int k = LEAST_PIECES; k <= pieces && !f->c.out->error; k++) {
    seen->drawn[k] = add_row(&t, &counts, k);
    if (first) f->base_draws[k] = counts.total[k].results.draws;
  }
  if (first || f->c.job->rules) show_line(f, &t, &counts, pieces);
  f->looked_at += !first;
  f->changing += counts.total[pieces].results.draws != f->base_draws[pieces];
  animal_counts_free(&counts);
  claim_tables_close(&t);
}

/* "lakes=plain" of "base,lakes=plain" */
static const char *flags_of(const char *rules) {
  static const char base[] = "base,";
  return strncmp(rules, base, sizeof base - 1) == 0 ? rules + sizeof base - 1 : rules;
}

static void add_shares(const findings *f) {
  report_table_begin(f->c.out, "shares");
  report_table_cut(f->c.out, (size_t)f->c.limit, (size_t)f->c.limit - 1);
  for (size_t i = 0; i < f->seen_used; i++) {
    const variant *seen = &f->seen[i];
    REPORT_ADD(f->c.out, fig_text(flags_of(seen->rules)));
    for (int pieces = LEAST_PIECES; pieces <= f->c.limit; pieces++)
      REPORT_ADD(f->c.out, fig_if(pieces <= seen->pieces, fig_mean(seen->drawn[pieces], DECIMALS)));
  }
}

static void judge(const findings *f) {
  REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_number(f->c.limit), fig_number(f->changing),
                 fig_number(f->looked_at), fig_number(f->shown));
}

static void examine(void *user) {
  findings *f = user;
  const char *rules = f->c.job->rules;
  report_rules(f->c.out, rules ? rules : "base and variants");
  report_table_begin(f->c.out, "variants");
  look_at(f, "base", f->c.limit);
  if (rules) look_at(f, rules, f->c.limit);
  for (size_t i = 1; variants[i].rules && !rules && !f->c.out->error; i++)
    look_at(f, variants[i].rules, f->c.limited ? f->c.limit : variants[i].pieces);
  add_shares(f);
  judge(f);
}

const claim_code claim_code_variants = {sizeof(findings), examine, NULL};
