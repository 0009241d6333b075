/* Opens and closes rule sets of la oca asesina, and sorts the tokens of a position. */
#include "games/oca_asesina/rules.h"

#include <stdlib.h>
#include <string.h>

#include "games/oca_asesina/layout.h"

tauler_error ase_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  const tauler_error error = ase_flags_open(name, cycles, out, message);
  if (error) return error;
  ase_gains_open(*out);
  if (!ase_layouts_open(&(*out)->layouts)) return TAULER_OK;
  ase_close(*out);
  *out = NULL;
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the slices of la oca asesina");
}

int ase_most_turns(const game_rules *rules) {
  int most = 0;
  for (int square = 1; square < ase_home(rules); square++)
    if (rules->board.square[square].turns > most) most = rules->board.square[square].turns;
  return most;
}

void ase_close(game_rules *rules) {
  if (!rules) return;
  ase_layouts_close(rules->layouts);
  free(rules);
}

static void sort_squares(uint8_t *square, int tokens) {
  for (int i = 1; i < tokens; i++) {
    const uint8_t moved = square[i];
    int at = i;
    for (; at > 0 && square[at - 1] > moved; at--) square[at] = square[at - 1];
    square[at] = moved;
  }
}

void ase_sort(const game_rules *rules, ase_position *position) {
  for (int seat = 0; seat < position->seats; seat++) {
    for (int colour = 0; colour < rules->flags.colours; colour++)
      sort_squares(position->square[seat] + colour * position->tokens, position->tokens);
  }
}
