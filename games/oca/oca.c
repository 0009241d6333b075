/* Oca as a game: its members for game.h and its help texts. */
#include "games/oca/rules.h"

static const char *turn_text(const game_rules *rules, const game_position *position) {
  static const char *const seats[] = {"1", "2", "3", "4"};
  return seats[oca_from_game(position).seat];
}

/* If the only player waits in the well, nothing changes any more, so the position counts as ended. */
static bool position_ended(const game_rules *rules, const game_position *game, int *value) {
  const oca_position position = oca_from_game(game);
  *value = 0;
  return oca_is_stuck(rules, &position);
}

static bool describe_square(const game_rules *rules, int number, game_square *out) {
  return goose_board_describe_square(&rules->board, number, out);
}

const game oca_game = {
    .name = "oca",
    .other_names = "goose",
    .title = "Juego de la Oca (Game of the Goose), 1 to 4 players: what is to be expected",
    .rule_sets =
        "base: the Spanish rules on the board of 63 squares (default)\n"
        "flags, alone or behind base and commas (base,dice=2,goose-59=stay):\n"
        "dice=2: two dice, of which the sum is rolled\n"
        "start=1: tokens start on square 1\n"
        "goose-59=win|bounce|stay: a token on the goose before the last square wins (default), or\n"
        "  stands on the last and rolls back from there, or stays and rolls again\n"
        "goose-1=off: square 1 is no goose\n"
        "inn=1, prison=2: one turn is lost in the inn, two in the prison; else 2 and 3\n"
        "labyrinth=30: back to 30; else two turns are lost\n"
        "death=start: back to 0; else to 1, where the goose does nothing\n"
        "well=off: no token waits in the well\n"
        "board=…: another board, which itself says what its squares do; --board FILE writes this flag",
    .notation =
        "oca: and for each player a square, behind ~ the turns still to lose, then / and the seat to\n"
        "roll; a token on a well that loses no turns is in it. A move is the squares that a token\n"
        "comes to, 22-26-53, or pass; the die chooses it.",
    .example = "oca:12,19~2/1",
    .unit = "positions",
    .size_option = "players",
    .size_help = "a game of P players, 1 to 4 (default: 2)",
    .open = oca_open,
    GAME_RULES,
    GAME_EXPECTATIONS,
    .slices = oca_slices,
    .slice_name = oca_slice_name,
    .positions = oca_positions,
    .chance = &oca_chance,
    .board_flag = goose_board_flag,
    .square = describe_square,
    .parse = oca_parse,
    .print = oca_print,
    .draw = oca_draw,
    .turn = turn_text,
    .position_ended = position_ended,
    .slice_of = oca_slice_of,
    .locate = oca_locate,
    .position_at = oca_position_at,
    .numbers = oca_numbers,
    .copies = oca_count_copies,
    .slice_named = oca_slice_named,
    .alike = oca_alike,
};
