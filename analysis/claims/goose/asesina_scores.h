/* What claims about la oca asesina share: scores between two bounds, positions in which so many tokens are
 * home and all others at the start, matches of players who choose in different ways, and the proof of all
 * bounds.
 *
 * Nothing is owned but by asesina_table, whose slices asesina_table_close gives back.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_SCORES_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_SCORES_H

#include "analysis/claims/claim_tables.h"
#include "analysis/dice/matches.h"

typedef struct {
  double lower, upper;
} score_bounds;

score_bounds score_less_from(double one, score_bounds b);
score_bounds score_difference(score_bounds a, score_bounds b);
score_bounds score_mean(score_bounds a, score_bounds b);
void report_score(report *out, score_bounds b);

/* Flags of boards. That of 12 squares is short enough for three tokens under many rules. */
#define ASESINA_BOARD_20 "board=20"
#define ASESINA_BOARD_12                                                                                     \
  "board=length-12_geese-3-7-12_bridges-2-5_dice-4-9_inn-6-1_prison-10-2_well-none_labyrinth-8-to-3_"        \
  "death-11-to-0"

/* A variant ("base", "home=one-left") on the board that the job names, without one on the usual one. Errors:
 * of claim_tables_open, and of the board. */
tauler_error asesina_open_board(const claim_job *job, const char *usual, const char *variant,
                                claim_tables *out, tauler_message *message);

/* The last square of the board. */
int asesina_length(const claim_tables *t);

/* --- positions --- */

enum { ASESINA_ON_MOVE, ASESINA_OFF_MOVE, ASESINA_TURNS };

/* "0,20/0,0 lost=0,0 seat=1": so many of the tokens home, all others at the start. */
void asesina_write_position(int length, int tokens, const int home[2], int seat, char text[96]);

/* What a seat (0, 1) scores where it, and the other one, have so many tokens home and all others at the
 * start. Errors: of claim_tables_expect. */
tauler_error asesina_score(claim_tables *t, int length, int tokens, int own, int other, int seat, int turn,
                           score_bounds *out, tauler_message *message);

/* The same in the mean of both seats, which are not alike. */
tauler_error asesina_mean_score(claim_tables *t, int length, int tokens, int own, int other, int turn,
                                score_bounds *out, tauler_message *message);

/* What one token's lead scores, and is worth: what it adds to the score with no token home; by turn. */
typedef struct {
  score_bounds leads[ASESINA_TURNS], worth[ASESINA_TURNS], mean_worth;
} asesina_lead;
tauler_error asesina_measure_lead(claim_tables *t, int length, int tokens, asesina_lead *out,
                                  tauler_message *message);

/* --- matches --- */

/* Rules, the board among them, and tokens, under which matches are played. */
typedef struct {
  const claim_job *job;
  const game *game;
  const game_rules *rules; /* of the claim_tables it was opened with, which outlive it */
  game_slices slices;
  double width; /* of scores and turns */
} asesina_table;

/* Errors: of the game's slices. */
tauler_error asesina_table_open(const claim_tables *t, int tokens, asesina_table *out,
                                tauler_message *message);
void asesina_table_close(asesina_table *at);

typedef struct {
  const char *name;
  bool reads; /* tables; else it is simple */
  match_simple simple;
  match_best best;
} asesina_player;

/* One of the game's policies; false: there is none of that number. */
bool asesina_player_simple(const game *g, size_t number, asesina_player *out);
void asesina_player_best(const char *name, tauler_tables *tables, asesina_player *out);

/* What one scores against the other in either seat, and how many turns a game takes. */
typedef struct {
  score_bounds seats[2], mean, turns; /* turns in the mean of both seats */
} asesina_duel_result;

/* Errors: of match_solve, and of the tables that players read. */
tauler_error asesina_duel(const asesina_table *at, asesina_player *one, asesina_player *other,
                          asesina_duel_result *out, tauler_message *message);

/* So many games played out by the rules, half of them with `one` in seat 1: mean score of `one`, and its
 * standard error. Errors: of simulate. */
tauler_error asesina_simulate(const asesina_table *at, asesina_player *one, asesina_player *other,
                              uint64_t games, uint64_t seed, double *score, double *error_of_mean,
                              tauler_message *message);

/* --- rechecks --- */

/* Proves all bounds with so many tokens from the moves, and adds that to the last witness. Errors: of
 * verify_tables. */
tauler_error asesina_prove(const claim_tables *t, int tokens, report *out, tauler_message *message);

#endif
