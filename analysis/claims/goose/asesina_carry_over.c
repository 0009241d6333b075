/* oca-asesina-carry-over: does what is learnt on one board of la oca asesina help on another? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/goose/asesina_scores.h"

enum { BOARDS = 3, USUAL_TOKENS = 2, BOARD_COLUMNS = 2, CARRY_COLUMNS = 6, ORDER_COLUMNS = 7 };
enum { RANDOM, FURTHEST_FIRST, REARMOST_FIRST, CAPTURE_FIRST, HOME_FIRST, SIMPLE };
enum { GAMES = 20000, SEED = 1, FULL_TOKENS = 4 };

static const report_column board_columns[] = {{"board", "board"}, {"squares", "squares"}};
static const report_column carry_columns[] = {{"board", "played on"},         {"learnt", "learnt on"},
                                              {"seat_1", "in seat 1"},        {"seat_2", "in seat 2"},
                                              {"mean", "mean of both seats"}, {"cost", "cost"}};
static const report_column order_columns[] = {{"board", "board"},
                                              {"tokens", "tokens"},
                                              {"furthest-first", "furthest-first"},
                                              {"rearmost-first", "rearmost-first"},
                                              {"capture-first", "capture-first"},
                                              {"home-first", "home-first"},
                                              {"error", "standard error"}};

/* Squares of every kind elsewhere, and as many turns to lose. */
static const struct {
  const char *name, *rules;
} boards[BOARDS] = {
    {"20", "base,board=20"},
    {"early", "base,board=length-20_geese-5-9-14-16-20_bridges-6-11_dice-3-12_inn-13-1_prison-4-3_well-7-2_"
              "labyrinth-10-to-2_death-8-to-0"},
    {"late", "base,board=length-20_geese-3-7-11-15-20_bridges-2-9_dice-5-13_inn-8-1_prison-17-3_well-14-2_"
             "labyrinth-18-to-12_death-19-to-0"}};

/* Where simple ways to choose are held against each other. */
static const struct {
  const char *name, *rules;
  int tokens;
} grounds[] = {
    {"20", NULL, 2}, {"early", NULL, 2}, {"late", NULL, 2}, {"63", "base", 2}, {"63", "base", FULL_TOKENS}};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

typedef struct {
  const claim_job *job;
  report *out;
  int tokens;
  claim_tables tables[BOARDS];
  int open;
  score_bounds simple[BOARDS];          /* what capture-first scores against the best */
  score_bounds carried[BOARDS][BOARDS]; /* played on, learnt on; on the diagonal: learnt on all others */
  double ordered[GROUNDS][SIMPLE];      /* against random */
  double deviation;                     /* the largest standard error of these */
} findings;

/* --- learnt elsewhere --- */

static void add_duel(findings *f, size_t board, const char *learnt, const asesina_duel_result *found) {
  report_text(f->out, boards[board].name);
  report_text(f->out, learnt);
  report_score(f->out, found->seats[0]);
  report_score(f->out, found->seats[1]);
  report_score(f->out, found->mean);
  report_score(f->out, score_less_from(0.5, found->mean));
}

static void learn(findings *f, size_t board, size_t from, asesina_player *out) {
  const size_t first = from != board ? from : board == 0 ? 1 : 0;
  asesina_player_best(from != board ? boards[from].name : "both others", f->tables[first].tables, out);
  for (size_t other = first + 1; other < BOARDS && from == board; other++)
    if (other != board) match_best_add(&out->best, f->tables[other].tables);
}

static tauler_error play_on(findings *f, size_t board, const asesina_table *at, tauler_message *message) {
  asesina_player best, player;
  asesina_duel_result found;
  tauler_error error = TAULER_OK;
  asesina_player_best("best", f->tables[board].tables, &best);
  for (size_t from = 0; from < BOARDS && !error; from++) {
    learn(f, board, from, &player);
    error = asesina_duel(at, &player, &best, &found, message);
    if (error) return error;
    f->carried[board][from] = found.mean;
    add_duel(f, board, player.name, &found);
  }
  if (!asesina_player_simple(at->game, CAPTURE_FIRST, &player)) return TAULER_INTERNAL;
  error = asesina_duel(at, &player, &best, &found, message);
  if (error) return error;
  f->simple[board] = found.mean;
  add_duel(f, board, player.name, &found);
  return TAULER_OK;
}

static tauler_error look_at_boards(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  report_table_begin(
      f->out, "carried",
      "Whoever knows what is best on one board takes for best on another what leads to positions that are "
      "worth "
      "most on the one they know; against best play. `both others`: what is worth most in the mean of the "
      "two boards. "
      "Cost: what is missing to one half, which best play would score in the mean of both seats:",
      carry_columns, CARRY_COLUMNS);
  for (size_t board = 0; board < BOARDS && !error; board++) {
    asesina_table at;
    error = asesina_table_open(&f->tables[board], f->tokens, &at, message);
    if (!error) error = play_on(f, board, &at, message);
    asesina_table_close(&at);
  }
  return error;
}

/* --- the order of simple ways --- */

static tauler_error order_on(findings *f, size_t ground, const claim_tables *t, tauler_message *message) {
  asesina_table at;
  double largest = 0;
  asesina_player random;
  const int tokens = grounds[ground].tokens;
  tauler_error error = asesina_table_open(t, tokens, &at, message);
  if (error) return error;
  report_text(f->out, grounds[ground].name);
  report_number(f->out, tokens);
  asesina_player_simple(at.game, RANDOM, &random);
  for (size_t p = FURTHEST_FIRST; p < SIMPLE && !error; p++) {
    asesina_player player;
    double deviation = 0;
    asesina_player_simple(at.game, p, &player);
    error = asesina_simulate(&at, &player, &random, GAMES, SEED, &f->ordered[ground][p], &deviation, message);
    report_mean(f->out, f->ordered[ground][p], 4);
    largest = fmax(largest, deviation);
  }
  report_mean(f->out, largest, 4);
  f->deviation = fmax(f->deviation, largest);
  asesina_table_close(&at);
  return error;
}

static tauler_error look_at_order(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  report_table_begin(
      f->out, "order",
      "What simple ways to choose score against random on several boards, games played out with dice, "
      "half of them in either seat, so no exact figures:",
      order_columns, ORDER_COLUMNS);
  for (size_t ground = 0; ground < GROUNDS && !error; ground++) {
    claim_tables t;
    if (!grounds[ground].rules) {
      error = order_on(f, ground, &f->tables[ground], message);
      continue;
    }
    error = claim_tables_open(f->job, "oca-asesina", grounds[ground].rules, NULL, &t, message);
    if (error) return error;
    error = order_on(f, ground, &t, message);
    claim_tables_close(&t);
  }
  return error;
}

/* The policy that scores most on a ground; RANDOM: it is not surely ahead of the next. */
static int winner_on(const findings *f, size_t ground) {
  int best = FURTHEST_FIRST;
  for (int p = FURTHEST_FIRST; p < SIMPLE; p++)
    if (f->ordered[ground][p] > f->ordered[ground][best]) best = p;
  for (int p = FURTHEST_FIRST; p < SIMPLE; p++)
    if (p != best && f->ordered[ground][best] - f->ordered[ground][p] < 4 * f->deviation) return RANDOM;
  return best;
}

static bool same_winner(const findings *f) {
  bool same = true;
  for (size_t ground = 0; ground < GROUNDS; ground++)
    same = same && winner_on(f, ground) != RANDOM && winner_on(f, ground) == winner_on(f, 0);
  return same;
}

/* --- recheck --- */

static tauler_error recheck_by_play(findings *f, tauler_message *message) {
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES];
  game_position start;
  asesina_table at;
  asesina_player best, player;
  double mean = 0, deviation = 0;
  tauler_error error = asesina_table_open(&f->tables[0], f->tokens, &at, message);
  if (!error) {
    at.game->chance->start(at.rules, at.slices.slices[at.slices.used - 1].slice, &start);
    at.game->print(at.rules, &start, text);
    at.game->draw(at.rules, &start, drawing);
    report_witness_begin(f->out, "The start on the board called 20, seat 1 to roll.", text, drawing);
    asesina_player_best("best", f->tables[0].tables, &best);
    learn(f, 0, 1, &player);
    error = asesina_simulate(&at, &player, &best, GAMES, SEED, &mean, &deviation, message);
  }
  const score_bounds told = f->carried[0][1];
  if (!error)
    report_add_recheck(
        f->out, "games played out", true,
        mean >= told.lower - 5 * deviation && mean <= told.upper + 5 * deviation,
        "Who learnt on the board called %s against best play, %d games played out by the rules with "
        "dice, half of them in either seat: it scores %.4f (standard error %.4f); solved exactly %.4f.",
        boards[1].name, GAMES, mean, deviation, told.lower);
  asesina_table_close(&at);
  return error;
}

/* --- the verdict --- */

static void judge(const findings *f) {
  bool helps = true, more = true;
  double least = 1, most = 0;
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "What was solved does not stand up to being checked again.");
    return;
  }
  for (size_t board = 0; board < BOARDS; board++) {
    for (size_t from = 0; from < BOARDS; from++) {
      const score_bounds found = f->carried[board][from];
      least = fmin(least, 0.5 - found.upper);
      most = fmax(most, 0.5 - found.lower);
      helps = helps && found.lower > f->simple[board].upper;
      more = more && f->carried[board][board].lower >= found.lower;
    }
  }
  report_verdict(
      f->out, helps ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
      "On three boards of 20 squares that differ in where everything stands, %d tokens each, what was learnt "
      "on another "
      "board costs %.4f to %.4f of a game against best play; %s capture-first loses more on each of them. "
      "What was "
      "learnt on two other boards is %s as good as what was learnt on either of them. %s. Neural networks, "
      "and "
      "boards of another length, were not looked at.",
      f->tokens, fmax(0, least), most,
      helps ? "the rule of thumb" : "not always more than the rule of thumb, for",
      more ? "at least" : "not always",
      f->job->tokens ? "The order of simple ways was not looked at"
      : same_winner(f)
          ? "The same simple way to choose is the best one on all boards, also on 63 squares"
          : "Which simple way to choose is the best one is not the same, or not sure, on all boards");
}

static tauler_error open_boards(findings *f, tauler_message *message) {
  char largest[16];
  tauler_error error = TAULER_OK;
  snprintf(largest, sizeof largest, "%d", f->tokens);
  report_table_begin(f->out, "boards", "The boards:", board_columns, BOARD_COLUMNS);
  for (int board = 0; board < BOARDS && !error; board++) {
    claim_tables *t = &f->tables[board];
    error = claim_tables_open(f->job, "oca-asesina", boards[board].rules, NULL, t, message);
    if (error) return error;
    f->open++;
    error = claim_tables_need(t, &(game_request){.largest = largest}, message);
    report_text(f->out, boards[board].name);
    report_text(f->out, boards[board].rules);
  }
  return error;
}

static tauler_error look(findings *f, tauler_message *message) {
  tauler_error error = open_boards(f, message);
  if (!error) error = look_at_boards(f, message);
  if (!error && !f->job->tokens) error = look_at_order(f, message);
  if (!error) error = recheck_by_play(f, message);
  for (int board = 0; board < f->open && !error; board++)
    error = claim_tables_tell(&f->tables[board], f->out, message);
  if (!error) judge(f);
  return error;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.job = job, .out = out, .tokens = job->tokens ? job->tokens : USUAL_TOKENS};
  report_rules(out, "base on several boards");
  if (f.tokens == 1) {
    report_verdict(out, VERDICT_OPEN,
                   "With one token each nobody chooses, so there is nothing to learn; --tokens 2 "
                   "looks further.");
    return TAULER_OK;
  }
  const tauler_error error = look(&f, message);
  for (int board = 0; board < f.open; board++) claim_tables_close(&f.tables[board]);
  return error;
}

extern const claim_text claim_text_asesina_carry_over;
extern const claim claim_oca_asesina_carry_over;
const claim claim_oca_asesina_carry_over = {.name = "oca-asesina-carry-over",
                                            .game = "oca-asesina",
                                            .text = &claim_text_asesina_carry_over,
                                            .options = "tokens",
                                            .run = run};
