/* Derives members of a game from those that it must give. Derived members are correct, but slower than a
 * game's own.
 *
 * A game names a group in its table, as in `const game morris_game = {.name = …, GAME_BATCHES};`, or writes
 * the members of that group itself. A rule set of such a game begins with a game_base, through which these
 * functions find the game.
 */
#ifndef GAMES_DEFAULTS_H
#define GAMES_DEFAULTS_H

#include "games/game.h"
#include "games/rule_flags.h"

/* The beginning of a `struct game_rules`. */
typedef struct {
  const game *game;
  uint8_t flag[RULE_FLAGS]; /* values, in the order of the game's table of flags */
  char text[RULE_BYTES];    /* canonical text of the rules */
} game_base;

/* Makes a rule set of `bytes` bytes, which are 0 behind its base. Errors: TAULER_BAD_USAGE,
 * TAULER_NO_MEMORY. */
tauler_error game_base_open(const game *game, const rule_flags *known, const char *rules, const char *cycles,
                            size_t bytes, game_rules **out, tauler_message *message);

/* Do what game_base_open does in two steps, for games that check or change the choice between them. Errors:
 * TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
tauler_error game_base_read(const rule_flags *known, const char *rules, const char *cycles, rule_choice *out,
                            tauler_message *message);
tauler_error game_base_make(const game *game, const rule_flags *known, const rule_choice *choice,
                            size_t bytes, game_rules **out, tauler_message *message);

/* Plays the moves of " moves NAME NAME …" from *position on, which receives the last position. `text` may be
 * "". The game's `moves` names the moves. Errors: TAULER_BAD_POSITION, TAULER_NO_MEMORY. */
tauler_error game_base_play(const game_rules *rules, const char *text, game_position *position,
                            tauler_message *message);

/* The members of rule sets that own no memory besides themselves. The base has the text of the rules. */
#define GAME_RULES .close = game_base_close, .rules_text = game_base_text

/* The members of a game of win, draw and loss in which infinite play is a draw. */
#define GAME_OUTCOMES                                                                                        \
  .kind = game_outcomes_kind, .largest_value = game_outcomes_largest, .cycles_text = game_no_cycles

/* The members of a game whose values are expectations under dice and choice. */
#define GAME_EXPECTATIONS                                                                                    \
  .kind = game_chance_kind, .largest_value = game_outcomes_largest, .cycles_text = game_no_cycles

/* A side that has no move has lost. */
#define GAME_STUCK_LOSES .position_ended = game_stuck_loses

/* One slice of all positions, with number 0 and the name "all"; size_option stays NULL. */
#define GAME_ONE_SLICE                                                                                       \
  .unit = "positions", .size_help = "all positions; there is nothing to choose", .slices = game_one_slice,   \
  .slice_name = game_one_slice_name, .slice_of = game_one_slice_of, .slice_named = game_one_slice_named

/* The batches, derived from moves, position_ended, positions, locate and position_at. Checks use them for
 * games with batches of their own as well. An index is unused if `locate` returns another index, or none, for
 * its position. `retract` expands the whole slice for each batch, so it suits slices of up to some 10^5
 * positions; larger ones are solved faster without it. */
#define GAME_BATCHES .ended = game_base_ended, .expand = game_base_expand, .retract = game_base_retract

/* The drawing of a position is its text. The last letter of the text is the side to move. */
#define GAME_TEXTS .draw = game_base_draw, .turn = game_base_turn

GAME_MEMBER(close) game_base_close;
GAME_MEMBER(rules_text) game_base_text;
GAME_MEMBER(kind) game_outcomes_kind, game_chance_kind;
GAME_MEMBER(largest_value) game_outcomes_largest;
GAME_MEMBER(cycles_text) game_no_cycles;
GAME_MEMBER(position_ended) game_stuck_loses;
GAME_MEMBER(slices) game_one_slice;
GAME_MEMBER(slice_name) game_one_slice_name;
GAME_MEMBER(slice_named) game_one_slice_named;
GAME_MEMBER(slice_of) game_one_slice_of;
GAME_MEMBER(ended) game_base_ended;
GAME_MEMBER(expand) game_base_expand, game_base_retract;
GAME_MEMBER(draw) game_base_draw;
GAME_MEMBER(turn) game_base_turn;

#endif
