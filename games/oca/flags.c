/* Reads rule sets of Oca, "base,dice=2,goose-59=stay", and changes the board by their flags. */
#include <string.h>

#include "games/oca/rules.h"

/* The flags from GOOSE_1 to WELL change squares of the board. */
enum { DICE, START, GOOSE_59, GOOSE_1, INN, PRISON, LABYRINTH, DEATH, WELL, BOARD, FLAGS };

static const rule_flag flags[FLAGS] = {
    [DICE] = {"dice", {NULL, "2"}, 0},
    [START] = {"start", {NULL, "1"}, 0},
    [GOOSE_59] = {"goose-59", {"win", "bounce", "stay"}, 0},
    [GOOSE_1] = {"goose-1", {NULL, "off"}, 0},
    [INN] = {"inn", {NULL, "1"}, 0},
    [PRISON] = {"prison", {NULL, "2"}, 0},
    [LABYRINTH] = {"labyrinth", {NULL, "30"}, 0},
    [DEATH] = {"death", {NULL, "start"}, 0},
    [WELL] = {"well", {NULL, "off"}, 0},
    [BOARD] = {"board", {NULL}, '_'},
};

static const char on_board[] = "the board itself says what its squares do";

static const rule_contradiction contradictions[] = {
    {GOOSE_1, 0, BOARD, on_board},   {INN, 0, BOARD, on_board},   {PRISON, 0, BOARD, on_board},
    {LABYRINTH, 0, BOARD, on_board}, {DEATH, 0, BOARD, on_board}, {WELL, 0, BOARD, on_board}};

static const rule_set base = {.name = "base"};
static const rule_flags known = {.game = "oca",
                                 .sets = &base,
                                 .n_sets = 1,
                                 .flags = flags,
                                 .n_flags = FLAGS,
                                 .contradictions = contradictions,
                                 .n_contradictions = sizeof contradictions / sizeof *contradictions,
                                 .endless = "the dice end every game sooner or later"};

static void change_squares(const uint8_t value[FLAGS], goose_board *board) {
  goose_square *const square = board->square;
  if (value[GOOSE_1]) goose_board_drop_goose(board, 1);
  if (value[INN]) square[goose_board_find(board, GOOSE_INN)].turns = 1;
  if (value[PRISON]) square[goose_board_find(board, GOOSE_PRISON)].turns = 2;
  if (value[LABYRINTH])
    square[goose_board_find(board, GOOSE_LABYRINTH)] = (goose_square){GOOSE_LABYRINTH, 30, 0};
  if (value[DEATH]) square[goose_board_find(board, GOOSE_DEATH)].to = 0;
  if (value[WELL]) square[goose_board_find(board, GOOSE_WELL)] = (goose_square){GOOSE_PLAIN, 0, 0};
}

/* Makes the board that the choice names. If flags turn the board of 63 squares into the given board, those
 * flags replace the board in `choice`, so that a rule set has only one text. */
static tauler_error make_board(rule_choice *choice, goose_board *out, tauler_message *message) {
  goose_board usual;
  tauler_error error = goose_board_read("the board of oca", goose_board_oca_63, &usual, message);
  *out = usual;
  if (!error && choice->value[BOARD]) error = goose_board_read_line(choice->free, out, message);
  if (error) return error;
  for (int set = 0; choice->value[BOARD] && set < 1 << (BOARD - GOOSE_1); set++) {
    uint8_t value[FLAGS] = {0};
    for (int flag = GOOSE_1; flag < BOARD; flag++) value[flag] = set >> (flag - GOOSE_1) & 1;
    goose_board changed = usual;
    change_squares(value, &changed);
    if (!goose_board_equal(&changed, out)) continue;
    memcpy(choice->value + GOOSE_1, value + GOOSE_1, FLAGS - GOOSE_1);
  }
  if (choice->value[BOARD]) {
    goose_board_write(out, choice->free);
  } else {
    *out = usual;
    change_squares(choice->value, out);
  }
  return TAULER_OK;
}

static tauler_error check_board(const goose_board *board, const rule_choice *choice,
                                tauler_message *message) {
  const int longest = choice->value[DICE] ? 12 : 6;
  if (board->length < longest)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "a board of %d squares is too short for a roll of %d; it needs %d squares at least",
                       board->length, longest, longest);
  const uint8_t kind = board->square[choice->value[START]].kind;
  if (kind != GOOSE_PLAIN && kind != GOOSE_GOOSE)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "start=1 needs a board whose square 1 is a goose or of no kind at all");
  return TAULER_OK;
}

tauler_error oca_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  rule_choice choice;
  goose_board board;
  *out = NULL;
  tauler_error error = game_base_read(&known, name, cycles, &choice, message);
  if (!error) error = make_board(&choice, &board, message);
  if (!error) error = check_board(&board, &choice, message);
  if (!error) error = game_base_make(&oca_game, &known, &choice, sizeof **out, out, message);
  if (error) return error;
  game_rules *rules = *out;
  rules->board = board;
  rules->dice = choice.value[DICE] ? 2 : 1;
  rules->start = choice.value[START];
  rules->last_goose = (last_goose)choice.value[GOOSE_59];
  oca_statuses_open(rules);
  oca_gains_open(rules);
  return TAULER_OK;
}
