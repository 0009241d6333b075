/* Parts shared by claims about la oca asesina: scores between two bounds, matches of players who choose in
 * different ways, and the proof of all bounds.
 *
 * Nothing is owned but by asesina_table, whose slices asesina_table_close gives back. Errors are kept in the
 * report of the tables.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_SCORES_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_SCORES_H

#include "analysis/claims/claim.h"
#include "analysis/dice/matches.h"

typedef struct {
  double lower, upper;
} score_bounds;

score_bounds score_less_from(double one, score_bounds b);
static inline report_figure fig_score(score_bounds b) {
  return fig_bounds(b.lower, b.upper);
}

/* Flag of a board. */
#define ASESINA_BOARD_20 "board=20"

/* A variant ("base", "home=one-left") on the board that the job names, without one on the usual one. Errors:
 * of claim_tables_open, and of the board. */
bool asesina_open_board(claim_tables *t, const claim_base *c, const char *usual, const char *variant);

/* --- matches --- */

/* Rules, the board among them, and tokens, under which matches are played. */
typedef struct {
  claim_tables *t; /* outlives it */
  game_slices slices;
  double width; /* of scores and turns */
} asesina_table;

/* False after an error; asesina_table_close in any case. */
bool asesina_table_open(asesina_table *at, claim_tables *t, int tokens);
void asesina_table_close(asesina_table *at);

/* The position that a game begins with. */
game_position asesina_start(const asesina_table *at);

typedef struct {
  const char *name;
  bool reads; /* tables; else it is simple */
  match_simple simple;
  match_best best;
} asesina_player;

/* One of the game's policies; false: there is none of that number. */
bool asesina_player_simple(const game *g, size_t number, asesina_player *out);
void asesina_player_best(const char *name, tauler_tables *tables, asesina_player *out);

/* The score of one player against another in either seat, and the number of turns of a game. */
typedef struct {
  score_bounds seats[2], mean, turns; /* turns in the mean of both seats */
} asesina_duel_result;

/* Errors: of match_solve, and of the tables that players read. */
asesina_duel_result asesina_duel(const asesina_table *at, asesina_player *one, asesina_player *other);

/* So many games played out by the rules, half of them with `one` in seat 1: mean score of `one`, and its
 * standard error. Errors: of simulate. */
enum { ASESINA_GAMES = 20000, ASESINA_SEED = 1 };
typedef struct {
  double mean, error;
} asesina_estimate;
asesina_estimate asesina_simulate(const asesina_table *at, asesina_player *one, asesina_player *other);

/* --- rechecks --- */

/* True if an estimate lies within five standard errors of bounds. */
bool asesina_is_near(asesina_estimate estimate, score_bounds bounds);

/* Proves all bounds with so many tokens from the moves, and adds that to the last witness. Errors: of
 * verify_tables. */
void asesina_prove(const claim_tables *t, int tokens);

#endif
