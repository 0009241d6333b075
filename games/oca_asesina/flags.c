/* Opens rule sets of la oca asesina, "base,board=20,home=one-left". */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/oca_asesina/layout.h"
#include "games/registry.h"

enum {
  BOARD,
  GOOSE_1,
  COLOURS,
  CAPTURE,
  LOST_TURNS,
  LABYRINTH_EXIT,
  HOME,
  LAST_TOKEN,
  INTERACTION,
  LAST_TURN,
  PLAYERS,
  ALONE,
  FLAGS
};

enum { BOARD_63, BOARD_20, BOARD_NAMES };
enum { TWO, THREE }; /* values of the flag PLAYERS */
enum { LAST_TOKEN_NONE, IMMUNE, NO_DEATH, NO_LOST_TURNS, NO_OVERSHOOT, NO_BOUNCE };

static const rule_flag flags[FLAGS] = {
    [BOARD] = {"board", {"63", "20"}, '_'},
    [GOOSE_1] = {"goose-1", {NULL, "off"}, 0},
    [COLOURS] = {"colours", {NULL, "2", "3"}, 0},
    [CAPTURE] = {"capture", {NULL, "final-square"}, 0},
    [LOST_TURNS] = {"lost-turns", {NULL, "die-with-token"}, 0},
    [LABYRINTH_EXIT] = {"labyrinth-exit", {NULL, "roll"}, 0},
    [HOME] = {"home", {NULL, "one-left"}, 0},
    [LAST_TOKEN] = {"last-token",
                    {NULL, "immune", "no-death", "no-lost-turns", "no-overshoot", "no-bounce"},
                    0},
    [INTERACTION] = {"interaction", {NULL, "off"}, 0},
    [LAST_TURN] = {"last-turn", {NULL, "off"}, 0},
    [PLAYERS] = {"players", {"2", "3", "4", "5", "6"}, 0},
    [ALONE] = {"alone", {NULL, "1", "2", "3"}, 0},
};

static const rule_contradiction contradictions[] = {
    {CAPTURE, 0, INTERACTION, "nothing is captured then"},
    {LOST_TURNS, 0, INTERACTION, "nothing is captured then"},
    {LAST_TOKEN, 0, HOME, "a player with one token left has finished"},
    {PLAYERS, 0, COLOURS, "three players and more have one colour each"},
    {PLAYERS, 0, HOME, "three players and more bring all tokens home"},
};

static const rule_set base = {.name = "base"};
static const rule_flags known = {.game = "la oca asesina",
                                 .sets = &base,
                                 .n_sets = 1,
                                 .flags = flags,
                                 .n_flags = FLAGS,
                                 .contradictions = contradictions,
                                 .n_contradictions = sizeof contradictions / sizeof *contradictions,
                                 .endless = "infinite play scores a half each"};

static tauler_error refuse_board(const char *why, tauler_message *message) {
  return tauler_fail(message, TAULER_BAD_USAGE, "the board is none of la oca asesina: %s", why);
}

static tauler_error check_board(const goose_board *board, tauler_message *message) {
  const int labyrinth = goose_board_find(board, GOOSE_LABYRINTH),
            death = goose_board_find(board, GOOSE_DEATH);
  const int well = goose_board_find(board, GOOSE_WELL);
  if (labyrinth && board->square[labyrinth].turns)
    return refuse_board("its labyrinth takes turns; it must lead to a square, as labyrinth 42 to 30",
                        message);
  if (well && !board->square[well].turns)
    return refuse_board("its well keeps tokens until another one falls in; it must take turns, as well 31 2",
                        message);
  if (death && board->square[death].to)
    return refuse_board("its death must lead to the start, as death 58 to 0", message);
  return TAULER_OK;
}

static tauler_error read_named(int name, goose_board *out, tauler_message *message) {
  static const char *const named[] = {goose_board_asesina_63, goose_board_asesina_20};
  return goose_board_read(flags[BOARD].value[name], named[name], out, message);
}

/* Makes the line in `choice` canonical, and chooses the short name of the board if it has one. */
static tauler_error read_board_item(rule_choice *choice, goose_board *out, tauler_message *message) {
  tauler_error error = goose_board_read_line(choice->free, out, message);
  for (int i = BOARD_63; !error && i < BOARD_NAMES; i++) {
    goose_board board;
    error = read_named(i, &board, message);
    if (!error && goose_board_equal(&board, out)) choice->value[BOARD] = (uint8_t)i;
  }
  if (!error) goose_board_write(out, choice->free);
  return error;
}

static tauler_error make_board(rule_choice *choice, goose_board *out, tauler_message *message) {
  const bool line = choice->value[BOARD] == RULE_FREE;
  tauler_error error =
      line ? read_board_item(choice, out, message) : read_named(choice->value[BOARD], out, message);
  if (!error) error = check_board(out, message);
  if (!error && choice->value[GOOSE_1] && !goose_board_drop_goose(out, 1))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "goose-1=off contradicts the board: its square 1 is no goose anyhow");
  return error;
}

tauler_error ase_board_flag(const char *board, char flag[GAME_TEXT_BYTES], tauler_message *message) {
  for (int i = BOARD_63; i < BOARD_NAMES; i++) {
    if (strcmp(board, flags[BOARD].value[i]) != 0) continue;
    snprintf(flag, GAME_TEXT_BYTES, "board=%s", board);
    return TAULER_OK;
  }
  return goose_board_flag(board, flag, message);
}

static tauler_error check_alone(const rule_choice *choice, tauler_message *message) {
  if (!choice->value[ALONE] || choice->value[PLAYERS] == THREE) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "alone=%d is for three players, one against the other two; add players=3",
                     choice->value[ALONE]);
}

static ase_flags flags_of(const uint8_t value[FLAGS]) {
  const int last = value[LAST_TOKEN];
  return (ase_flags){
      .goose_1_off = value[GOOSE_1],
      .colours = (uint8_t)(value[COLOURS] + 1),
      .capture_on_final_square = value[CAPTURE],
      .lost_turns_die = value[LOST_TURNS],
      .labyrinth_exit_rolls = value[LABYRINTH_EXIT],
      .home_one_left = value[HOME],
      .no_death = last == IMMUNE || last == NO_DEATH,
      .no_lost_turns = last == IMMUNE || last == NO_LOST_TURNS,
      .no_overshoot = last == IMMUNE || last == NO_OVERSHOOT,
      .no_bounce = last == IMMUNE || last == NO_BOUNCE,
      .no_interaction = value[INTERACTION],
      .no_last_turn = value[LAST_TURN],
      .players = (uint8_t)(value[PLAYERS] + 2),
      .alone = value[ALONE],
  };
}

tauler_error ase_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  rule_choice choice;
  goose_board board;
  *out = NULL;
  tauler_error error = game_base_read(&known, name, cycles, &choice, message);
  if (!error) error = check_alone(&choice, message);
  if (!error) error = make_board(&choice, &board, message);
  if (!error) error = game_base_make(&oca_asesina_game, &known, &choice, sizeof **out, out, message);
  if (error) return error;
  (*out)->flags = flags_of(choice.value);
  (*out)->board = board;
  ase_gains_open(*out);
  if (!ase_layouts_open(&(*out)->layouts)) return TAULER_OK;
  ase_close(*out);
  *out = NULL;
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the slices of la oca asesina");
}

void ase_close(game_rules *rules) {
  if (!rules) return;
  ase_layouts_close(rules->layouts);
  free(rules);
}
