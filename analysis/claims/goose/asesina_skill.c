/* oca-asesina-skill: how much of la oca asesina is skill? Best play against simple ways to choose. */
#include "analysis/claims/goose/asesina_scores.h"

enum { USUAL_TOKENS = 2, FULL_TOKENS = 4, BEST = 0, RANDOM, MOST_PLAYERS = 9 };

typedef struct {
  claim_base c;
  asesina_player players[MOST_PLAYERS];
  size_t used;
  score_bounds best[MOST_PLAYERS]; /* what best play scores against each, with most tokens */
} findings;

static void list_players(findings *f) {
  asesina_player_best("best", f->c.t->tables, &f->players[f->used++]);
  for (size_t p = 0; f->used < MOST_PLAYERS && asesina_player_simple(f->c.t->game, p, &f->players[f->used]);
       p++)
    f->used++;
}

static void add_duel(report *out, const asesina_duel_result *found) {
  REPORT_ADD(out, fig_score(found->seats[0]), fig_score(found->seats[1]), fig_score(found->mean),
             fig_score(found->turns));
}

static void play_best(findings *f, int tokens) {
  asesina_table at;
  asesina_table_open(&at, f->c.t, tokens);
  for (size_t other = 1; other < f->used && !f->c.out->error; other++) {
    const asesina_duel_result found = asesina_duel(&at, &f->players[BEST], &f->players[other]);
    REPORT_ADD(f->c.out, fig_number(tokens), fig_text(f->players[other].name));
    add_duel(f->c.out, &found);
    f->best[other] = found.mean;
  }
  asesina_table_close(&at);
}

static void play_simple(findings *f) {
  asesina_table at;
  asesina_table_open(&at, f->c.t, f->c.limit);
  report_table_begin(f->c.out, "simple");
  for (size_t one = 2; one < f->used && !f->c.out->error; one++) {
    const asesina_duel_result found = asesina_duel(&at, &f->players[one], &f->players[RANDOM]);
    REPORT_ADD(f->c.out, fig_text(f->players[one].name));
    add_duel(f->c.out, &found);
  }
  asesina_table_close(&at);
  report_table_begin(f->c.out, "best");
  for (size_t other = 1; other < f->used; other++)
    REPORT_ADD(f->c.out, fig_text(f->players[other].name), fig_score(f->best[other]));
}

static void play_whole_game(findings *f) {
  claim_tables t;
  asesina_table at;
  if (!claim_tables_open(&t, f->c.job, f->c.out, "oca-asesina", "base", NULL)) return;
  report_table_begin(f->c.out, "whole_game");
  asesina_table_open(&at, &t, FULL_TOKENS);
  for (size_t one = 2; one < f->used && !f->c.out->error; one++) {
    const asesina_estimate found = asesina_simulate(&at, &f->players[one], &f->players[RANDOM]);
    REPORT_ADD(f->c.out, fig_text(f->players[one].name), fig_mean(found.mean, 4), fig_mean(found.error, 4),
               fig_number(ASESINA_GAMES));
  }
  asesina_table_close(&at);
  claim_tables_close(&t);
}

/* The first of the duels, played out by the rules. */
static void recheck_by_play(findings *f) {
  const score_bounds solved = f->best[RANDOM];
  asesina_table at;
  if (asesina_table_open(&at, f->c.t, f->c.limit)) {
    const game_position start = asesina_start(&at);
    CLAIM_SHOW(f->c.t, &start, "witness");
    const asesina_estimate found = asesina_simulate(&at, &f->players[BEST], &f->players[RANDOM]);
    REPORT_RECHECK(f->c.out, "games played out", true, asesina_is_near(found, solved),
                   "recheck-games-played-out", fig_number(ASESINA_GAMES), fig_mean(found.mean, 4),
                   fig_mean(found.error, 4), fig_mean(solved.lower, 4));
  }
  asesina_table_close(&at);
}

/* --- the verdict --- */

/* The simple way that best play gains least from. */
static size_t strongest(const findings *f) {
  size_t best = 1;
  for (size_t other = 2; other < f->used; other++)
    if (f->best[other].upper < f->best[best].upper) best = other;
  return best;
}

static void judge(const findings *f) {
  const size_t simple = strongest(f);
  if (f->c.limit == 1) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
  } else {
    REPORT_VERDICT(f->c.out, f->best[RANDOM].lower > 0.5 ? VERDICT_HOLDS_FOR : VERDICT_OPEN, "verdict",
                   fig_number(f->c.limit), fig_mean(f->best[RANDOM].lower, 4),
                   fig_mean(f->best[simple].lower, 4), fig_text(f->players[simple].name));
  }
}

static void examine(void *user) {
  findings *f = user;
  if (!asesina_open_board(f->c.t, &f->c, ASESINA_BOARD_20, "base")) return;
  report_rules(f->c.out, f->c.t->game->rules_text(f->c.t->rules));
  list_players(f);
  report_table_begin(f->c.out, "duels");
  for (int tokens = 1; tokens <= f->c.limit; tokens++)
    if (claim_tables_need_up_to(f->c.t, tokens)) play_best(f, tokens);
  if (f->c.limit > 1) play_simple(f);
  if (!f->c.limited && !f->c.job->board) play_whole_game(f);
  recheck_by_play(f);
  judge(f);
}

const claim_code claim_code_asesina_skill = {sizeof(findings), examine, NULL};
