/* Parts shared by figures about la oca asesina: tables of so many tokens each, which are there, and games
 * played out. Errors are kept with the tables. */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_SCORES_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_SCORES_H

#include "analysis/claims/claim_tables.h"
#include "analysis/dice/matches.h"

/* Rules, the board among them, and tokens, under which matches are played. */
typedef struct {
  claim_tables *t; /* outlives it */
  game_slices slices;
  double width; /* width of scores and turns */
} asesina_table;

/* Returns false after an error. The caller calls asesina_table_close in any case. */
bool asesina_table_open(asesina_table *at, claim_tables *t, int tokens);
void asesina_table_close(asesina_table *at);

/* The position that a game begins with. */
game_position asesina_start(const asesina_table *at);

/* So many games played out by the rules: seat 1's mean score, and its standard error. Errors: of simulate. */
enum { ASESINA_GAMES = 20000, ASESINA_SEED = 1 };
typedef struct {
  double mean, error;
} asesina_estimate;
asesina_estimate asesina_play(const asesina_table *at, game_position from, simulate_policy raises,
                              simulate_policy lowers, uint64_t games, uint64_t seed);

#endif
