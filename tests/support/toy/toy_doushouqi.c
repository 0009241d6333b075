/* Makes positions and rule sets of Dou Shou Qi. */
#include "tests/support/toy/toy_doushouqi.h"

#include "tests/support/rules.h"
#include "tests/support/suite.h"

game_rules *toy_dsq_open(const char *text) {
  return suite_rules(&doushouqi_game, text, NULL);
}

dsq_position toy_dsq_read(const game_rules *rules, const char *text) {
  game_position game;
  if (dsq_parse(rules, text, &game, hear())) ck_abort_msg("%s", said.text);
  return dsq_from_game(&game);
}

/* Water: 3 ways of the leopard, 6 other flags; drinking: 3 ways, 7 flags; plain lakes: 4 flags. */
void toy_dsq_rule_set(int number, char text[RULE_BYTES]) {
  static const char *const switches[] = {",wolf-over-dog",      ",clearings",       ",stalemate=loss",
                                         ",elephant-takes-rat", ",jump-block=path", ",rat-shore=liacs",
                                         ",drinkers=block"};
  static const char *const leopards[] = {"", ",leopard=wide", ",leopard=none"};
  const char *lakes = ",lakes=plain", *leopard = "";
  int bits = number;
  if (number >= 16 + 3 * 64) {
    bits = number - 16 - 3 * 64;
    lakes = ",lakes=drink";
    leopard = leopards[bits / 128];
    bits %= 128;
  } else if (number >= 16) {
    bits = number - 16;
    lakes = "";
    leopard = leopards[bits / 64];
    bits %= 64;
  }
  int used = snprintf(text, RULE_BYTES, "base%s", lakes);
  for (int i = 6; i >= 0; i--) {
    if (bits >> i & 1) used += snprintf(text + used, (size_t)(RULE_BYTES - used), "%s", switches[i]);
  }
  snprintf(text + used, (size_t)(RULE_BYTES - used), "%s", leopard);
}

dsq_position toy_dsq_position(const game_rules *rules, uint64_t *state) {
  dsq_position position = {.side = (uint8_t)draw_below(state, 2)};
  uint64_t taken = 0;
  const uint64_t crowd = 1 + draw_below(state, 8);
  memset(position.square, DSQ_NOWHERE, sizeof position.square);
  for (int side = 0; side < 2; side++) {
    const int always = (int)draw_below(state, DSQ_ANIMALS);
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      if (animal != always && draw_below(state, 8) >= crowd) continue;
      int square;
      do {
        square = (int)draw_below(state, DSQ_SQUARES);
      } while (!((rules->ground[animal] & ~taken) >> square & 1));
      taken |= UINT64_C(1) << square;
      position.square[side][animal] = (uint8_t)square;
    }
  }
  return position;
}

dsq_position toy_dsq_mirror(const dsq_position *position) {
  dsq_position mirrored = *position;
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int square = position->square[side][animal];
      if (square == DSQ_NOWHERE) continue;
      mirrored.square[side][animal] = (uint8_t)(square / 7 * 7 + 6 - square % 7);
    }
  }
  return mirrored;
}

static int by_name(const void *one, const void *other) {
  return strcmp(one, other);
}

void toy_dsq_moves(const game_rules *rules, const dsq_position *position, char text[TOY_DSQ_MOVES_BYTES]) {
  dsq_move moves[DSQ_MOST_MOVES];
  char names[DSQ_MOST_MOVES][5];
  const size_t n = dsq_list_moves(rules, position, moves);
  for (size_t i = 0; i < n; i++) {
    names[i][0] = (char)('a' + moves[i].from % 7);
    names[i][1] = (char)('1' + moves[i].from / 7);
    names[i][2] = (char)('a' + moves[i].to % 7);
    names[i][3] = (char)('1' + moves[i].to / 7);
    names[i][4] = '\0';
  }
  qsort(names, n, sizeof *names, by_name);
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, TOY_DSQ_MOVES_BYTES - used, "%s%s", i ? " " : "", names[i]);
}
