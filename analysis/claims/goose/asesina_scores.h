/* Common parts of figures about la oca asesina. An asesina_table lists the slices with a number of tokens of
 * each side. Their positions are numbered from 0 on, slice by slice in solving order. Games can be played
 * out. Errors are kept with the tables.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_SCORES_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_SCORES_H

#include "analysis/claims/claim_tables.h"
#include "analysis/dice/matches.h"

typedef struct {
  claim_tables *t;
  game_slices slices;
  uint64_t *first; /* [slices + 1] number of the first position of each slice, and the number of all */
  double width;    /* width of the bounds of scores and turns */
} asesina_table;

/* Lists the slices with `tokens` tokens each. Returns false after an error. The caller always closes the
 * table. */
bool asesina_table_open(asesina_table *at, claim_tables *t, int tokens);
void asesina_table_close(asesina_table *at);

/* asesina_number returns ASESINA_NOWHERE if the slice of the place is none of the table's. */
#define ASESINA_NOWHERE UINT64_MAX
uint64_t asesina_number(const asesina_table *at, game_place place);
game_place asesina_place(const asesina_table *at, uint64_t number);
uint64_t asesina_positions(const asesina_table *at);

game_position asesina_start_position(const asesina_table *at);

/* Plays games from a position to their ends by the rules. Returns the mean score of seat 1 and its standard
 * error. Keeps errors of simulate with the tables. */
enum { ASESINA_GAMES = 20000, ASESINA_SEED = 1 };
typedef struct {
  double mean, error;
} asesina_estimate;
asesina_estimate asesina_play_games(const asesina_table *at, game_position from, simulate_policy raises,
                                    simulate_policy lowers, uint64_t games, uint64_t seed);

#endif
