/* doushouqi-longest: how long do the longest wins take? */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/doushouqi/animal_line.h"
#include "analysis/claims/recheck.h"

enum { LEAST_PIECES = 2, PUBLISHED_PIECES = 4, MOST_PIECES = 5, DECIMALS = 3, RULE_SETS = 2 };

/* Published lengths under the rules `liacs`; odd: the longest win, even: the longest loss. */
static const int published[PUBLISHED_PIECES + 1] = {0, 0, 34, 67, 117};

typedef struct {
  claim_base c;
  animal_counts counts[RULE_SETS];
  int used;
} findings;

/* --- figures --- */

static claim_position_text text_of(const claim_tables *t, game_place place) {
  const game_position position = claim_position_at(t, place);
  return claim_print(t, &position);
}

static void add_longest(const claim_tables *t, const animal_counts *counts) {
  for (int pieces = LEAST_PIECES; pieces <= counts->pieces; pieces++) {
    const animal_lengths *plies = &counts->total[pieces].plies;
    const int win = plies->longest_win, loss = plies->longest_loss;
    REPORT_ADD(t->out, fig_text(t->game->rules_text(t->rules)), fig_number(pieces),
               fig_number(plies->longest), fig_number(win),
               fig_text(win ? text_of(t, plies->win_place).text : NULL), fig_number(loss),
               fig_text(loss ? text_of(t, plies->loss_place).text : NULL),
               fig_mean(animal_mean_length(plies), DECIMALS));
  }
}

static void add_lengths(const claim_tables *t, const animal_counts *counts, int number) {
  const char *rules = t->game->rules_text(t->rules);
  char title[192], plot[128];
  int longest = 0, shortest = 1;
  for (int pieces = LEAST_PIECES; pieces <= counts->pieces; pieces++) {
    const animal_lengths *plies = &counts->total[pieces].plies;
    if (plies->longest > longest) longest = plies->longest;
    if (plies->lengths[0]) shortest = 0;
  }
  snprintf(title, sizeof title,
           "Under %.60s, positions by plies to the end (odd: White, to move, wins; 0: it has lost, having no "
           "move):",
           rules);
  snprintf(plot, sizeof plot, "Positions by the plies to their end, %.60s", rules);
  report_table_begin(t->out, number ? "lengths_second" : "lengths_first");
  report_table_titles(t->out, title, plot);
  for (int depth = shortest; depth <= longest; depth++) {
    REPORT_ADD(t->out, fig_number(depth));
    for (int pieces = LEAST_PIECES; pieces <= MOST_PIECES; pieces++) {
      const uint64_t positions = pieces <= counts->pieces ? counts->total[pieces].plies.lengths[depth] : 0;
      REPORT_ADD(t->out, fig_if(positions > 0, fig_count(positions)));
    }
  }
}

/* --- rechecks --- */

/* Two pieces: a capture ends the game, so that no move leaves a slice. */
static void recheck_two(claim_tables *t, int longest) {
  const game_request request = {.largest = "2"};
  game_slices slices = {0};
  recheck_results all = {0};
  REPORT_CATCH(t->out, t->game->slices(t->rules, &request, &slices, &t->out->message));
  for (size_t i = 0; i < slices.used; i++) {
    const recheck_results found = recheck_slice(t, slices.slices[i].slice);
    all.positions += found.positions;
    all.wrong += found.wrong;
    if (found.longest > all.longest) all.longest = found.longest;
  }
  free(slices.slices);
  REPORT_RECHECK(t->out, "plain iteration", true, all.wrong == 0 && all.longest == longest,
                 "recheck-plain-iteration", fig_count(all.positions), fig_count(all.wrong),
                 fig_number(all.longest));
}

static void show_lines(claim_tables *t, const animal_counts *counts) {
  for (int pieces = LEAST_PIECES; pieces <= counts->pieces; pieces++) {
    const animal_lengths *plies = &counts->total[pieces].plies;
    char title[192];
    snprintf(title, sizeof title,
             "%d plies with %d pieces under %.60s: the winner takes the shortest way, the loser the "
             "longest.",
             plies->longest, pieces, t->game->rules_text(t->rules));
    animal_line_show(t, plies->place, plies->longest, title);
    if (pieces == LEAST_PIECES) recheck_two(t, plies->longest);
  }
}

/* --- the verdict --- */

static const animal_lengths *lengths_of(const findings *f, int number, int pieces) {
  return &f->counts[number].total[pieces].plies;
}

static bool is_as_published(const findings *f) {
  for (int pieces = LEAST_PIECES; pieces <= f->c.limit && pieces <= PUBLISHED_PIECES; pieces++) {
    const int wanted = published[pieces];
    const animal_lengths *found = lengths_of(f, 0, pieces);
    if ((wanted % 2 ? found->longest_win : found->longest_loss) != wanted) return false;
  }
  return true;
}

static void judge(const findings *f) {
  const int most = f->c.limit;
  const bool compared = !f->c.job->rules;
  const animal_lengths *first = lengths_of(f, 0, most), *second = lengths_of(f, 1, most);
  char rest[128] = "";
  if (compared)
    snprintf(rest, sizeof rest,
             " The published lengths up to so many pieces are those that were found. Under base these are %d "
             "and %d.",
             second->longest_win, second->longest_loss);
  if (compared && !is_as_published(f)) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2");
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_number(most), fig_number(first->longest_win),
                   fig_text(compared ? " under liacs" : ""), fig_number(first->longest_loss), fig_text(rest));
  }
}

static void examine(void *user) {
  findings *f = user;
  const char *rules = f->c.job->rules;
  report_rules(f->c.out, rules ? rules : "liacs and base");
  for (int i = 0; i < (rules ? 1 : RULE_SETS); i++) {
    const char *set = rules ? rules : i ? "base" : "liacs";
    if (!claim_tables_open(&f->c.t[i], f->c.job, f->c.out, "doushouqi", set, NULL)) return;
    f->used++;
    animal_counts_read(&f->c.t[i], f->c.limit, &f->counts[i]);
  }
  if (f->c.out->error) return;
  report_table_begin(f->c.out, "longest");
  for (int i = 0; i < f->used; i++) add_longest(&f->c.t[i], &f->counts[i]);
  for (int i = 0; i < f->used; i++) add_lengths(&f->c.t[i], &f->counts[i], i);
  for (int i = 0; i < f->used; i++) show_lines(&f->c.t[i], &f->counts[i]);
  judge(f);
}

static void close_all(void *user) {
  findings *f = user;
  for (int i = 0; i < f->used; i++) { animal_counts_free(&f->counts[i]); }
}

const claim_code claim_code_longest = {sizeof(findings), examine, close_all};
