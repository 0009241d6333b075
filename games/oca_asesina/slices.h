/* Private to la oca asesina: slices, which are what each player has home.
 *
 * Two players have any number of tokens, more have one each. Slices with more tokens home are solved first.
 * In a slice where somebody has finished only seats behind all that have finished roll: it is their last
 * turn.
 */
#ifndef GAMES_OCA_ASESINA_SLICES_H
#define GAMES_OCA_ASESINA_SLICES_H

#include "games/oca_asesina/rules.h"

enum { ASE_SLICES = (ASE_MOST_TOKENS + 1) << 9 /* numbers are below it */ };

typedef struct {
  int tokens; /* of each colour */
  uint8_t home[ASE_MOST_SEATS];
  int first_to_roll; /* seats from it on roll; above 0: their last turn */
} ase_slice;

/* False: there is no such slice. */
bool ase_slice_open(const game_rules *rules, uint32_t number, ase_slice *out);

/* GAME_NO_SLICE: there is none, the game is over or nobody plays it. Only tokens and home are read. */
uint32_t ase_slice_number(const game_rules *rules, const ase_slice *slice);

/* For game.h. */
uint32_t ase_slice_of(const game_rules *rules, const game_position *position);
tauler_error ase_slices(const game_rules *rules, const game_request *request, game_slices *out,
                        tauler_message *message);
tauler_error ase_needs(const game_rules *rules, uint32_t number, game_slices *out, tauler_message *message);
void ase_slice_name(const game_rules *rules, uint32_t number, char name[GAME_TEXT_BYTES]);
bool ase_slice_named(const game_rules *rules, const char *name, uint32_t *number);
bool ase_part(const game_rules *rules, uint32_t number, size_t i, game_part *out);
void ase_position_slice(const game_rules *rules, const game_position *game, char name[GAME_TEXT_BYTES]);
void ase_size_text(const game_rules *rules, uint32_t number, char text[GAME_TEXT_BYTES]);
void ase_start(const game_rules *rules, uint32_t number, game_position *out);

#endif
