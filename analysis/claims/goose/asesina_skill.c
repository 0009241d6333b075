/* oca-asesina-skill: how much of la oca asesina is skill? Best play against simple ways to choose. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/goose/asesina_scores.h"

enum {
  USUAL_TOKENS = 2,
  DUEL_COLUMNS = 6,
  SIMPLE_COLUMNS = 5,
  PLAYED_COLUMNS = 4,
  BEST = 0,
  MOST_PLAYERS = 9
};
enum { FULL_TOKENS = 4, GAMES = 20000, SEED = 1 };

static const report_column duel_columns[] = {{"tokens", "tokens"},
                                             {"opponent", "opponent"},
                                             {"seat_1", "best play in seat 1"},
                                             {"seat_2", "best play in seat 2"},
                                             {"mean", "mean of both seats"},
                                             {"turns", "turns"}};
static const report_column simple_columns[] = {{"player", "player"},
                                               {"seat_1", "player in seat 1"},
                                               {"seat_2", "player in seat 2"},
                                               {"mean", "mean of both seats"},
                                               {"turns", "turns"}};
static const report_column bar_columns[] = {{"opponent", "opponent"}, {"best", "best play scores"}};
static const report_column played_columns[] = {
    {"player", "player"}, {"mean", "score against random"}, {"error", "standard error"}, {"games", "games"}};

typedef struct {
  const claim_job *job;
  report *out;
  claim_tables *t;
  asesina_player players[MOST_PLAYERS];
  size_t used;
  int tokens;
  score_bounds best[MOST_PLAYERS]; /* what best play scores against each, with `tokens` */
} findings;

static void list_players(findings *f) {
  asesina_player_best("best", f->t->tables, &f->players[f->used++]);
  for (size_t p = 0;
       f->used < MOST_PLAYERS && asesina_player_simple(f->t->tables->game, p, &f->players[f->used]); p++)
    f->used++;
}

static void add_duel(report *out, const asesina_duel_result *found) {
  report_score(out, found->seats[0]);
  report_score(out, found->seats[1]);
  report_score(out, found->mean);
  report_score(out, found->turns);
}

static tauler_error play_best(findings *f, int tokens, tauler_message *message) {
  asesina_table at;
  tauler_error error = asesina_table_open(f->t, tokens, &at, message);
  for (size_t other = 1; other < f->used && !error; other++) {
    asesina_duel_result found;
    error = asesina_duel(&at, &f->players[BEST], &f->players[other], &found, message);
    if (error) break;
    report_number(f->out, tokens);
    report_text(f->out, f->players[other].name);
    add_duel(f->out, &found);
    f->best[other] = found.mean;
  }
  asesina_table_close(&at);
  return error;
}

static tauler_error look_at_best(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  report_table_begin(
      f->out, "duels",
      "What best play scores (won 1, shared 1/2) against simple ways to choose, in either seat and in the "
      "mean of both, and how many turns of both a game takes, lost ones counted:",
      duel_columns, DUEL_COLUMNS);
  for (int tokens = 1; tokens <= f->tokens && !error; tokens++) {
    char largest[16];
    snprintf(largest, sizeof largest, "%d", tokens);
    error = claim_tables_need(f->t, &(game_request){.largest = largest}, message);
    if (!error) error = play_best(f, tokens, message);
  }
  return error;
}

static tauler_error look_at_simple(findings *f, tauler_message *message) {
  asesina_table at;
  tauler_error error = asesina_table_open(f->t, f->tokens, &at, message);
  report_table_begin(f->out, "simple",
                     "The same of simple ways to choose against random, with the most tokens:",
                     simple_columns, SIMPLE_COLUMNS);
  for (size_t one = 2; one < f->used && !error; one++) {
    asesina_duel_result found;
    error = asesina_duel(&at, &f->players[one], &f->players[1], &found, message);
    if (error) break;
    report_text(f->out, f->players[one].name);
    add_duel(f->out, &found);
  }
  asesina_table_close(&at);
  return error;
}

static void draw_bars(findings *f) {
  report_table_begin(f->out, "best",
                     "What best play scores with the most tokens that were looked at:", bar_columns, 2);
  for (size_t other = 1; other < f->used; other++) {
    report_text(f->out, f->players[other].name);
    report_score(f->out, f->best[other]);
  }
  report_plot_begin(f->out, "best", "Best play against simple ways to choose", PLOT_BARS, "opponent",
                    "opponent", "score of best play (1: always wins)");
  report_plot_series(f->out, "best");
}

/* --- the whole game --- */

static tauler_error play_whole_game(findings *f, claim_tables *t, tauler_message *message) {
  asesina_table at;
  tauler_error error = asesina_table_open(t, FULL_TOKENS, &at, message);
  for (size_t one = 2; one < f->used && !error; one++) {
    double mean = 0, deviation = 0;
    error = asesina_simulate(&at, &f->players[one], &f->players[1], GAMES, SEED, &mean, &deviation, message);
    if (error) break;
    report_text(f->out, f->players[one].name);
    report_mean(f->out, mean, 4);
    report_mean(f->out, deviation, 4);
    report_number(f->out, GAMES);
  }
  asesina_table_close(&at);
  return error;
}

static tauler_error look_at_whole_game(findings *f, tauler_message *message) {
  claim_tables t;
  const tauler_error error = claim_tables_open(f->job, "oca-asesina", "base", NULL, &t, message);
  if (error) return error;
  report_table_begin(
      f->out, "whole_game",
      "The game as it is played, 63 squares and four tokens each, which no table reaches: games played "
      "out between simple ways to choose, half of them in either seat, so no exact figures:",
      played_columns, PLAYED_COLUMNS);
  const tauler_error played = play_whole_game(f, &t, message);
  claim_tables_close(&t);
  return played;
}

/* --- recheck --- */

/* The first of the duels, played out by the rules. */
static tauler_error recheck_by_play(findings *f, tauler_message *message) {
  asesina_table at;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES];
  game_position start;
  double mean = 0, deviation = 0;
  tauler_error error = asesina_table_open(f->t, f->tokens, &at, message);
  if (!error) {
    at.game->chance->start(at.rules, at.slices.slices[at.slices.used - 1].slice, &start);
    at.game->print(at.rules, &start, text);
    at.game->draw(at.rules, &start, drawing);
    report_witness_begin(f->out, "The start, seat 1 to roll.", text, drawing);
    error = asesina_simulate(&at, &f->players[BEST], &f->players[1], GAMES, SEED, &mean, &deviation, message);
  }
  const score_bounds told = f->best[1];
  if (!error)
    report_add_recheck(
        f->out, "games played out", true,
        mean >= told.lower - 5 * deviation && mean <= told.upper + 5 * deviation,
        "Best play by the tables against random, %d games played out by the rules with dice, half "
        "of them in either seat: it scores %.4f (standard error %.4f); solved exactly %.4f.",
        GAMES, mean, deviation, told.lower);
  asesina_table_close(&at);
  return error;
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
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "What was solved does not stand up to being checked again.");
  } else if (f->tokens == 1) {
    report_verdict(f->out, VERDICT_OPEN, "With one token each nobody chooses; --tokens 2 looks further.");
  } else {
    report_verdict(
        f->out, f->best[1].lower > 0.5 ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
        "With %d tokens each on this board best play scores %.4f against random moves and %.4f against %s, "
        "the strongest of the simple ways to choose, in the mean of both seats; two equal players score "
        "one half.",
        f->tokens, f->best[1].lower, f->best[simple].lower, f->players[simple].name);
  }
}

static tauler_error look(findings *f, tauler_message *message) {
  report_rules(f->out, f->t->tables->game->rules_text(f->t->tables->rules));
  list_players(f);
  tauler_error error = look_at_best(f, message);
  if (!error && f->tokens > 1) error = look_at_simple(f, message);
  if (!error && f->tokens > 1) draw_bars(f);
  if (!error && f->job->tokens == 0 && !f->job->board) error = look_at_whole_game(f, message);
  if (!error) error = recheck_by_play(f, message);
  if (!error) error = claim_tables_tell(f->t, f->out, message);
  if (!error) judge(f);
  return error;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  claim_tables t;
  tauler_error error = asesina_open_board(job, ASESINA_BOARD_20, "base", &t, message);
  if (error) return error;
  findings f = {.job = job, .out = out, .t = &t, .tokens = job->tokens ? job->tokens : USUAL_TOKENS};
  error = look(&f, message);
  claim_tables_close(&t);
  return error;
}

extern const claim_text claim_text_asesina_skill;
extern const claim claim_oca_asesina_skill;
const claim claim_oca_asesina_skill = {.name = "oca-asesina-skill",
                                       .game = "oca-asesina",
                                       .text = &claim_text_asesina_skill,
                                       .options = "board tokens",
                                       .run = run};
