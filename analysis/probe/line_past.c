/* Keeps the positions that a line of moves passed since the last converting move. */
#include "analysis/probe/answer.h"

#include <string.h>

#include "games/game_text.h"

static bool is_among(const game_position *positions, size_t n, const game_position *position) {
  for (size_t i = 0; i < n; i++) {
    if (memcmp(&positions[i], position, sizeof *position) == 0) return true;
  }
  return false;
}

bool line_past_has(const line_past *past, const game_position *position) {
  return is_among(past->met.positions, past->met.used, position);
}

void line_past_free(line_past *past) {
  game_past_free(&past->met);
}

/* Drops the positions before the last converting move, finds whether the line ends with a repetition, and
 * refuses a line that continues after one. */
static tauler_error cut_at_conversion(const game *game, const game_rules *rules, const game_position *reached,
                                      line_past *past, tauler_message *message) {
  game_past *met = &past->met;
  size_t since = 0;
  for (size_t i = 1; i <= met->used; i++) {
    const game_position *position = i < met->used ? &met->positions[i] : reached;
    if (game->slice_of(rules, position) != game->slice_of(rules, &met->positions[i - 1])) since = i;
    past->over = is_among(met->positions + since, i - since, position);
    if (past->over && i < met->used) {
      char text[GAME_TEXT_BYTES];
      game->print(rules, position, text);
      return tauler_fail(message, TAULER_BAD_POSITION,
                         "move %zu comes after the end of play: under these rules it was over after move "
                         "%zu, when %.200s came back",
                         i + 1, i, text);
    }
  }
  met->used -= since;
  memmove(met->positions, met->positions + since, met->used * sizeof *met->positions);
  return TAULER_OK;
}

tauler_error line_past_read(const game *game, const game_rules *rules, const char *text, game_position *out,
                            line_past *past, tauler_message *message) {
  *past = (line_past){.counts = false};
  if (!game->parse_line || !game->repeated || !game->repeated(rules, 0, 0, 0, NULL))
    return game_text_parse(game, rules, text, out, NULL, message);
  past->counts = true;
  const tauler_error error = game_text_parse(game, rules, text, out, &past->met, message);
  past->given = !error && past->met.used > 0;
  return past->given ? cut_at_conversion(game, rules, out, past, message) : error;
}
