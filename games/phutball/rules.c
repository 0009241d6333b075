#include "games/phutball/rules.h"

#include <stdlib.h>
#include <string.h>

#include "games/rule_flags.h"

_Static_assert(sizeof(phb_position) <= sizeof(game_position), "a position must fit");

phb_position phb_from_game(const game_position *game) {
  phb_position own;
  memcpy(&own, game->words, sizeof own);
  return own;
}

void phb_to_game(const phb_position *position, game_position *out) {
  memset(out, 0, sizeof *out);
  memcpy(out->words, position, sizeof *position);
}

/* --- symmetries --- */

static int mirror_point(const phb_position *position, int point) {
  const int columns = position->columns;
  return point - point % columns + columns - 1 - point % columns;
}

static int turn_point(const phb_position *position, int point) {
  return position->rows * position->columns - 1 - point;
}

static phb_position move_points(const phb_position *position, int (*image)(const phb_position *, int)) {
  phb_position moved = {.rows = position->rows, .columns = position->columns, .side = position->side};
  moved.ball = (uint16_t)image(position, position->ball);
  for (int word = 0; word < PHB_SET_WORDS; word++) {
    for (uint64_t men = position->men[word]; men; men &= men - 1)
      phb_set_man(&moved, image(position, word * 64 + __builtin_ctzll(men)), true);
  }
  return moved;
}

phb_position phb_mirror(const phb_position *position) {
  return move_points(position, mirror_point);
}

phb_position phb_turn_round(const phb_position *position) {
  phb_position turned = move_points(position, turn_point);
  turned.side = !position->side;
  return turned;
}

/* --- rule sets --- */

enum { CORNER, GOAL_LINE, FLAGS };

static const rule_flag flags[FLAGS] = {
    [CORNER] = {"corner", {NULL, "exit"}, 0}, [GOAL_LINE] = {"goal-line", {NULL, "stop"}, 0}};
static const rule_set base = {.name = "base"};
static const rule_flags known = {
    .game = "phutball", .sets = &base, .n_sets = 1, .flags = flags, .n_flags = FLAGS};

tauler_error phb_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  *out = NULL;
  if (cycles)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "phutball has no --cycles: infinite play is drawn under all of its rules, not '%.60s'",
                       cycles);
  rule_choice choice;
  const tauler_error error = rule_flags_read(&known, name, &choice, message);
  if (error) return error;
  game_rules *rules = calloc(1, sizeof *rules);
  if (!rules) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the rules of phutball");
  rules->corner_exit = choice.value[CORNER];
  rules->goal_line_stop = choice.value[GOAL_LINE];
  rule_flags_write(&known, &choice, rules->text, sizeof rules->text);
  *out = rules;
  return TAULER_OK;
}

void phb_close(game_rules *rules) {
  free(rules);
}
