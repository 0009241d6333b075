#include "tests/support/toy/toy_asesina.h"

#include "games/oca_asesina/rules.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

game_rules *toy_ase_open(const char *text) {
  return suite_rules(&oca_asesina_game, text, NULL);
}

ase_position toy_ase_read(const game_rules *rules, const char *text) {
  game_position game;
  if (ase_parse(rules, text, &game, hear())) ck_abort_msg("%s", said.text);
  return ase_from_game(&game);
}

void toy_ase_print(const game_rules *rules, const ase_move *move, char text[GAME_TEXT_BYTES]) {
  if (move->over) {
    int used = snprintf(text, GAME_TEXT_BYTES, "over");
    for (int seat = 0; seat < move->next.seats; seat++) {
      if (move->winners >> seat & 1)
        used +=
            snprintf(text + used, (size_t)(GAME_TEXT_BYTES - used), "%s%d", used == 4 ? " " : ",", seat + 1);
    }
    return;
  }
  char next[GAME_TEXT_BYTES];
  game_position game;
  ase_to_game(&move->next, &game);
  ase_print(rules, &game, next);
  snprintf(text, GAME_TEXT_BYTES, "%s%.500s", move->roll_again ? "+" : "", next);
}

const ase_move *toy_ase_move_from(const ase_moves *moves, int square) {
  for (int i = 0; i < moves->used; i++) {
    if (moves->move[i].from == square) return &moves->move[i];
  }
  return NULL;
}

static int any_square(const game_rules *rules, int near, uint64_t *state) {
  const int home = ase_home(rules);
  const int square = near + (int)draw_below(state, 9);
  switch (draw_below(state, 8)) {
  case 0:
    return 0;
  case 1:
    return home;
  case 2:
    return (int)draw_below(state, (uint64_t)home + 1);
  default:
    return square > home ? home : square;
  }
}

static void draw_position(const game_rules *rules, int seats, int tokens, uint64_t *state,
                          ase_position *out) {
  *out = (ase_position){.seats = (uint8_t)seats, .tokens = (uint8_t)tokens};
  const int near = (int)draw_below(state, (uint64_t)ase_home(rules));
  for (int seat = 0; seat < seats; seat++) {
    for (int i = 0; i < ase_tokens(rules, out); i++)
      out->square[seat][i] = (uint8_t)any_square(rules, near, state);
  }
  ase_sort(rules, out);
  out->seat = (uint8_t)draw_below(state, (uint64_t)seats);
  if (draw_below(state, 5) == 0) out->forced = (uint8_t)(1 + draw_below(state, rules->flags.colours));
  if (draw_below(state, 3) == 0) out->lost[(out->seat + 1) % seats] = (uint8_t)draw_below(state, 4);
}

ase_position toy_ase_position(const game_rules *rules, int seats, int tokens, uint64_t *state) {
  game_text in;
  ase_position position;
  do draw_position(rules, seats, tokens, state, &position);
  while (!ase_check(rules, &position, &in));
  return position;
}
