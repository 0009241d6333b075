/* La oca asesina as a game: its members for game.h and its help texts.
 *
 * A slice says how many tokens each player has and how many of them are home (slices.h). With two players,
 * seat 1 raises its score and seat 2 lowers that score. Three to six players have one token each and no
 * choice. Under alone=…, three players have one token or two each: one player raises its score, and the other
 * two lower that score.
 */
#include "games/registry.h"

#include "games/oca_asesina/chance.h"
#include "games/oca_asesina/rules.h"
#include "games/oca_asesina/slices.h"

static const char *turn_text(const game_rules *rules, const game_position *position) {
  static const char *const seats[ASE_MOST_SEATS] = {"1", "2", "3", "4", "5", "6"};
  return seats[ase_from_game(position).seat];
}

/* A game that is over has no position. */
static bool position_ended(const game_rules *rules, const game_position *position, int *value) {
  *value = 0;
  return false;
}

static tauler_error parse_position(const game_rules *rules, const char *text, game_position *out,
                                   tauler_message *message) {
  const tauler_error error = ase_parse(rules, text, out, message);
  if (error) return error;
  const ase_position position = ase_from_game(out);
  if (position.seats != rules->flags.players)
    return tauler_fail(message, TAULER_BAD_POSITION,
                       "'%.120s' has %d players, but %.120s is for %d; ask with --rules players=%d", text,
                       position.seats, rules->base.text, rules->flags.players, position.seats);
  if (position.seats > 2 && ase_slice_of(rules, out) == GAME_NO_SLICE)
    return tauler_fail(message, TAULER_BAD_POSITION,
                       "'%.120s' has %d players with several tokens: three players and more have one each, "
                       "or three have two each under alone=1, 2 or 3",
                       text, position.seats);
  return TAULER_OK;
}

static bool describe_square(const game_rules *rules, int number, game_square *out) {
  return goose_board_describe_square(&rules->board, number, out);
}

const game oca_asesina_game = {
    .name = "oca-asesina",
    .title = "La oca asesina, a race of geese with barriers and captures",
    .rule_sets =
        "base: the Spanish rules; two players, board 63 (default)\n"
        "flags, alone or behind base and commas (base,board=20,home=one-left):\n"
        "board=63|20: the board, or one on a line (length-20_geese-4-…); what --board says\n"
        "goose-1=off: square 1 is no goose\n"
        "colours=2|3: tokens of so many colours each; two of one colour are a barrier\n"
        "capture=final-square: no token is captured where a jump starts\n"
        "lost-turns=die-with-token: a capture of the token that lost turns ends their loss\n"
        "labyrinth-exit=roll: a player who leaves the labyrinth rolls again\n"
        "home=one-left: a player with one token left has finished\n"
        "last-token=no-death|no-lost-turns|no-overshoot|no-bounce|immune: what does not happen to a\n"
        "  player's last token, or nothing of all that\n"
        "interaction=off: no captures, no barriers, no full squares\n"
        "last-turn=off: the first player home wins at once\n"
        "players=3|4|5|6: more than two players, with one token each; they have a score each\n"
        "alone=1|2|3: that seat of three players, with one token or two each, against the other two\n"
        "  together: the score that it is sure of",
    .notation =
        "squares of each player's tokens, 0 for the start, players separated by /, then the turns that\n"
        "each has still to lose and the seat to roll; forced behind it if a token that a goose\n"
        "brought home must move back. With several colours squares bear a letter, 12a,12b, and\n"
        "forced=b names the colour of that token. With lost-turns=die-with-token lost=1@19 names\n"
        "the token where there is doubt. A move is from and to, 5-14 or 5a-14, or pass.",
    .example = "0,5/12,63 lost=0,1 seat=1",
    .unit = "positions",
    .size_option = "tokens",
    .size_help = "K tokens of each player and colour (1); the board with --board 63, 20 or a file",
    .open = ase_open,
    .close = ase_close,
    .rules_text = game_base_text,
    GAME_EXPECTATIONS,
    .slices = ase_slices,
    .slice_name = ase_slice_name,
    .positions = ase_positions,
    .alike = ase_alike,
    .chance = &ase_chance,
    .board_flag = ase_board_flag,
    .square = describe_square,
    .parse = parse_position,
    .print = ase_print,
    .draw = ase_draw,
    .turn = turn_text,
    .position_ended = position_ended,
    .slice_of = ase_slice_of,
    .locate = ase_locate,
    .position_at = ase_position_at,
    .numbers = ase_numbers,
    .copies = ase_copies,
    .needs = ase_needs,
    .slice_named = ase_slice_named,
    .size_text = ase_size_text,
    .part = ase_part,
    .position_slice = ase_position_slice,
};
