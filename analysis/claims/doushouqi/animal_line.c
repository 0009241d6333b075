/* Plays out best play of Dou Shou Qi as a witness, and replays it by the rules. */
#include "analysis/claims/doushouqi/animal_line.h"

#include <string.h>

/* By the rules alone: every move is legal, the positions are those shown, and the last move ends the game.
 * Adds the moves as steps. */
static bool replay(const claim_tables *t, game_position position, const tauler_line *line) {
  bool right = line->steps_used > 0;
  for (size_t i = 0; i < line->steps_used && right; i++) {
    const tauler_step *step = &line->steps[i];
    const bool last = i + 1 == line->steps_used;
    game_move move;
    right = claim_play(t, &position, step->move, &move) && (!move.over || last) &&
            (last || strcmp(claim_print(t, &move.child).text, step->position) == 0);
    report_add_step(t->out, t->game->turn(t->rules, &position), step->move, last ? NULL : step->position,
                    NULL);
    position = move.child;
  }
  return right;
}

void animal_line_show(const claim_tables *t, game_place place, int plies, const char *title) {
  const game_position start = claim_position_at(t, place);
  tauler_line *line = NULL;
  if (REPORT_CATCH(t->out, tauler_play(t->tables, claim_print(t, &start).text, 0, &line, &t->out->message)))
    return;
  claim_show(t, &start, "%s", title);
  const bool right =
      replay(t, start, line) && line->end == TAULER_LINE_ENDED && line->steps_used == (size_t)plies;
  report_add_recheck(
      t->out, "replay", true, right, "%s",
      right ? "Played by the rules alone, every move is legal, the positions are those shown, the "
              "last move ends the game, and the line is as long as the table says."
            : "Played by the rules alone, the line is not what the table says.");
  tauler_line_free(line);
}

void animal_line_show_won(claim_tables *t, game_place place, const char *title) {
  int plies = 0;
  claim_tables_ask(t, place, &plies);
  animal_line_show(t, place, plies, title);
}
