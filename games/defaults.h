/* Members of a game that follow from those that it must give: slower than its own, and right.
 *
 * A game takes a group into its table by name, as in `const game morris_game = {.name = …, GAME_BATCHES};`,
 * and leaves out the group that it writes itself. A rule set of such a game begins with a game_base, by which
 * these functions find the game's own.
 */
#ifndef GAMES_DEFAULTS_H
#define GAMES_DEFAULTS_H

#include "games/game.h"
#include "games/game_derive.h"
#include "games/rule_flags.h"

/* The beginning of a `struct game_rules`. */
typedef struct {
  const game *game;
  uint8_t flag[RULE_FLAGS]; /* values, in the order of the game's table of flags */
  char text[RULE_BYTES];    /* canonical */
} game_base;

/* A rule set of `bytes` bytes, zero behind its base. Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
tauler_error game_base_open(const game *game, const rule_flags *known, const char *rules, const char *cycles,
                            size_t bytes, game_rules **out, tauler_message *message);

/* The same in two steps, for games that check or change what was chosen. Errors: TAULER_BAD_USAGE;
 * TAULER_NO_MEMORY. */
tauler_error game_base_read(const rule_flags *known, const char *rules, const char *cycles, rule_choice *out,
                            tauler_message *message);
tauler_error game_base_make(const game *game, const rule_flags *known, const rule_choice *choice,
                            size_t bytes, game_rules **out, tauler_message *message);

/* The list of one slice that is asked for. Errors: TAULER_NO_MEMORY. */
tauler_error game_slices_single(uint32_t slice, uint64_t positions, game_slices *out,
                                tauler_message *message);

/* Plays the moves of " moves NAME NAME …", or of "", from *position on, by their names in `moves`. Errors:
 * TAULER_BAD_POSITION, TAULER_NO_MEMORY. */
tauler_error game_base_play(const game_rules *rules, const char *text, game_position *position,
                            tauler_message *message);

/* The rule set holds no memory but its own; its text is that of its base. */
#define GAME_RULES .close = game_base_close, .rules_text = game_base_text

/* Win, draw and loss; infinite play is drawn. */
#define GAME_OUTCOMES                                                                                        \
  .kind = game_outcomes_kind, .largest_value = game_outcomes_largest, .cycles_text = game_no_cycles

/* Expectations under dice and choice. */
#define GAME_EXPECTATIONS                                                                                    \
  .kind = game_chance_kind, .largest_value = game_outcomes_largest, .cycles_text = game_no_cycles

/* A side that has no move has lost. */
#define GAME_STUCK_LOSES .position_ended = game_stuck_loses

/* One slice, number 0, called "all", of all positions; size_option is left out. */
#define GAME_ONE_SLICE                                                                                       \
  .unit = "positions", .size_help = "all positions; there is nothing to choose", .slices = game_one_slice,   \
  .slice_name = game_one_slice_name, .slice_of = game_one_slice_of, .slice_named = game_one_slice_named

/* From moves, position_ended, locate and position_at. An index whose position has another place, or none,
 * stands for nothing. `retract` expands the whole slice for each batch: for slices up to some 10^5
 * positions; larger ones are solved faster without it. */
#define GAME_BATCHES .ended = game_base_ended, .expand = game_base_expand, .retract = game_base_retract

/* The text of the position as its drawing; the side whose letter ends the text has the turn. */
#define GAME_TEXTS .draw = game_base_draw, .turn = game_base_turn

void game_base_close(game_rules *rules);
const char *game_base_text(const game_rules *rules);
solve_kind game_outcomes_kind(const game_rules *rules);
solve_kind game_chance_kind(const game_rules *rules);
int game_outcomes_largest(const game_rules *rules, uint32_t slice);
const char *game_no_cycles(const game_rules *rules);
bool game_stuck_loses(const game_rules *rules, const game_position *position, int *value);
tauler_error game_one_slice(const game_rules *rules, const game_request *request, game_slices *out,
                            tauler_message *message);
void game_one_slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
bool game_one_slice_named(const game_rules *rules, const char *name, uint32_t *slice);
uint32_t game_one_slice_of(const game_rules *rules, const game_position *position);
tauler_error game_base_ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                             int16_t *value);
tauler_error game_base_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                              game_sink *sink);
tauler_error game_base_retract(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                               game_sink *sink);
void game_base_draw(const game_rules *rules, const game_position *position, char text[GAME_DRAWING_BYTES]);
const char *game_base_turn(const game_rules *rules, const game_position *position);

#endif
