/* The table and help texts of Phutball, with rule set base and its flags. A slice is a board. */
#include "games/phutball/notations.h"
#include "games/registry.h"

#include "games/phutball/board.h"
#include "games/phutball/turns.h"

enum { CORNER, GOAL_LINE, FLAGS };

static const rule_flag flags[FLAGS] = {
    [CORNER] = {"corner", {NULL, "exit"}, 0}, [GOAL_LINE] = {"goal-line", {NULL, "stop"}, 0}};
static const rule_set base = {.name = "base"};
static const rule_flags known = {.game = "phutball",
                                 .sets = &base,
                                 .n_sets = 1,
                                 .flags = flags,
                                 .n_flags = FLAGS,
                                 .endless = "infinite play is drawn under all of its rules"};

static tauler_error open_rules(const char *name, const char *cycles, game_rules **out,
                               tauler_message *message) {
  const tauler_error error = game_base_open(&phutball_game, &known, name, cycles, sizeof **out, out, message);
  if (error) return error;
  (*out)->corner_exit = (*out)->base.flag[CORNER];
  (*out)->goal_line_stop = (*out)->base.flag[GOAL_LINE];
  return TAULER_OK;
}

static const game_side sides[GAME_SIDES] = {{"O", "Ohs"}, {"E", "Eks"}};

const game phutball_game = {
    .name = "phutball",
    .other_names = "philosophers-football",
    .title = "Phutball (Philosopher's Football) on small boards",
    .rule_sets = "base: the Spanish rules; infinite play is a draw (default)\n"
                 "flags, alone or behind base and commas (base,corner=exit,goal-line=stop):\n"
                 "corner=exit: the ball may leave the board over a corner, beyond a goal line and a side\n"
                 "  line at once\n"
                 "goal-line=stop: a turn ends when the ball lands on a goal line; else it may jump on",
    .notation =
        "rows from the last to row 1, separated by /, numbers for empty points, x a man, o the ball,\n"
        "then the side to move: O (Ohs, who attacks the last row) or E (Eks, who attacks row 1).\n"
        "A turn is the point of a new man, H10 (columns A to T without I), or the ball's path,\n"
        "K6-G9-G11; row 0 and the row beyond the last are off the board, -exit+ and -exit- over a\n"
        "corner of the last or first row; a line of turns follows the word moves:\n"
        "\"5/5/1xo2/5/5 O moves D3 C3-A3\". Lower case is read as well, and columns with the letter\n"
        "I, as in AbstractPlay, where the line of turns shows that they are meant.",
    .notations = phb_notations,
    .example = "3/1x1/1o1/3/3 O",
    .unit = "positions",
    .size_option = "board",
    .sides = sides,
    .size_help = "a board of R rows and C columns, RxC, of up to 48 points",
    .leaves = phb_leaves,
    .open = open_rules,
    GAME_RULES,
    GAME_OUTCOMES,
    .slices = phb_slices,
    .slice_name = phb_slice_name,
    .positions = phb_positions,
    .ended = phb_ended,
    .expand = phb_expand,
    .retract = phb_retract,
    .bitboards = &phb_bitboards,
    .play = &phb_play_members,
    .parse = phb_parse,
    .print = phb_print,
    .draw = phb_draw,
    .turn = game_base_turn,
    .moves = phb_moves,
    .position_ended = phb_position_ended,
    .slice_of = phb_slice_of,
    .locate = phb_locate,
    .position_at = phb_position_at,
    .numbers = phb_numbers,
    .copies = phb_copies,
    .slice_named = phb_slice_named,
    .position_slice = phb_position_slice,
    .alike = phb_alike,
};
