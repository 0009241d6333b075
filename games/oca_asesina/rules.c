#include "games/oca_asesina/rules.h"

#include <stdlib.h>
#include <string.h>

#include "games/oca_asesina/layout.h"

_Static_assert(sizeof(ase_position) <= sizeof(game_position), "a position must fit");

tauler_error ase_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  *out = NULL;
  if (cycles)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "la oca asesina has no --cycles: infinite play scores a half each, not '%.60s'",
                       cycles);
  game_rules *rules = calloc(1, sizeof *rules);
  if (!rules) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the rules of la oca asesina");
  tauler_error error = ase_flags_read(name, rules, message);
  if (!error && ase_layouts_open(&rules->layouts))
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for the slices of la oca asesina");
  if (error) {
    ase_close(rules);
    return error;
  }
  *out = rules;
  return TAULER_OK;
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

ase_position ase_from_game(const game_position *game) {
  ase_position own;
  memcpy(&own, game->words, sizeof own);
  return own;
}

void ase_to_game(const ase_position *position, game_position *out) {
  memset(out, 0, sizeof *out);
  memcpy(out->words, position, sizeof *position);
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
