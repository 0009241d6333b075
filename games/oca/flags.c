/* Rule sets of Oca as they are written, "base,dice=2,goose-59=stay", and what their flags change. */
#include <stdlib.h>
#include <string.h>

#include "games/oca/rules.h"
#include "games/rule_flags.h"

/* From GOOSE_1 to WELL flags that change squares of the board. */
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
                                 .n_contradictions = sizeof contradictions / sizeof *contradictions};

/* --- boards --------------------------------------------------------------------------------------------- */

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

/* The board that the choice names. Flags that make the board of 63 squares the one given are put in its
 * place, so that a rule set has one text. */
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

static tauler_error check_rules(const game_rules *rules, tauler_message *message) {
  const goose_board *board = &rules->board;
  if (board->length < 6 * rules->dice)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "a board of %d squares is too short for a roll of %d; it needs %d squares at least",
                       board->length, 6 * rules->dice, 6 * rules->dice);
  const uint8_t kind = board->square[rules->start].kind;
  if (kind != GOOSE_PLAIN && kind != GOOSE_GOOSE)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "start=1 needs a board whose square 1 is a goose or of no kind at all");
  return TAULER_OK;
}

/* --- rule sets ------------------------------------------------------------------------------------------ */

static tauler_error fill(rule_choice *choice, game_rules *rules, tauler_message *message) {
  tauler_error error = make_board(choice, &rules->board, message);
  if (error) return error;
  rules->dice = choice->value[DICE] ? 2 : 1;
  rules->start = choice->value[START];
  rules->last_goose = (last_goose)choice->value[GOOSE_59];
  rule_flags_write(&known, choice, rules->text, sizeof rules->text);
  error = check_rules(rules, message);
  if (!error) oca_statuses_open(rules);
  return error;
}

tauler_error oca_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  *out = NULL;
  if (cycles)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "oca has no --cycles: the dice end every game sooner or later, not '%.60s'", cycles);
  rule_choice choice;
  tauler_error error = rule_flags_read(&known, name, &choice, message);
  if (error) return error;
  game_rules *rules = calloc(1, sizeof *rules);
  if (!rules) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the rules of oca");
  error = fill(&choice, rules, message);
  if (error) {
    oca_close(rules);
    return error;
  }
  *out = rules;
  return TAULER_OK;
}

void oca_close(game_rules *rules) {
  free(rules);
}
