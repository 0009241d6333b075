/* Counts tokens at home, finds the most turns that a square costs, and sorts tokens. */
#include "games/oca_asesina/rules.h"

int ase_tokens_home(const game_rules *rules, const ase_position *position, int seat) {
  int home = position->forced && position->seat == seat ? -1 : 0;
  for (int i = 0; i < ase_tokens(rules, position); i++) home += position->square[seat][i] == ase_home(rules);
  return home;
}

int ase_most_turns(const game_rules *rules) {
  int most = 0;
  for (int square = 1; square < ase_home(rules); square++)
    if (rules->board.square[square].turns > most) most = rules->board.square[square].turns;
  return most;
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
