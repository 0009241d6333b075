#include "analysis/claims/doushouqi/animal_line.h"

#include <string.h>

/* The position after the first n moves of the line; *legal is false if they cannot be played. */
static tauler_error play(const claim_tables *t, const char *start, const tauler_line *line, size_t n,
                         bool *legal, game_position *out, tauler_message *message) {
  const tauler_tables *tables = t->tables;
  tauler_error error = tables->game->parse(tables->rules, start, out, message);
  *legal = !error;
  for (size_t i = 0; i < n && *legal && !error; i++) {
    game_moves moves = {0};
    error = tables->game->moves(tables->rules, out, &moves);
    size_t at = 0;
    while (!error && at < moves.used && strcmp(moves.moves[at].name, line->steps[i].move) != 0) at++;
    *legal = !error && at < moves.used && (!moves.moves[at].over || i + 1 == line->steps_used);
    if (*legal) *out = moves.moves[at].child;
    game_moves_free(&moves);
  }
  return error;
}

/* By the rules alone: every move is legal, the positions are those shown, and the last move ends the game. */
static tauler_error replay(const claim_tables *t, const char *start, const tauler_line *line, bool *right,
                           tauler_message *message) {
  tauler_error error = TAULER_OK;
  *right = line->steps_used > 0;
  for (size_t n = 1; n <= line->steps_used && *right && !error; n++) {
    game_position position;
    char text[GAME_TEXT_BYTES];
    error = play(t, start, line, n, right, &position, message);
    if (error || !*right || n == line->steps_used) continue;
    t->tables->game->print(t->tables->rules, &position, text);
    *right = strcmp(text, line->steps[n - 1].position) == 0;
  }
  return error;
}

static tauler_error add_steps(const claim_tables *t, const char *start, const tauler_line *line, report *out,
                              tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < line->steps_used && !error; i++) {
    game_position position;
    bool legal = false;
    const bool last = i + 1 == line->steps_used;
    error = play(t, start, line, i, &legal, &position, message);
    if (error || !legal) break;
    report_add_step(out, t->tables->game->turn(t->tables->rules, &position), line->steps[i].move,
                    last ? NULL : line->steps[i].position, NULL);
  }
  return error;
}

tauler_error animal_line_show(claim_tables *t, game_place place, int plies, const char *title, report *out,
                              tauler_message *message) {
  const tauler_tables *tables = t->tables;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES];
  game_position start;
  tauler_line *line = NULL;
  bool right = false;
  tables->game->position_at(tables->rules, place, &start);
  tables->game->print(tables->rules, &start, text);
  tables->game->draw(tables->rules, &start, drawing);
  tauler_error error = tauler_play(t->tables, text, 0, &line, message);
  if (error) return error;
  report_witness_begin(out, title, text, drawing);
  error = add_steps(t, text, line, out, message);
  if (!error) error = replay(t, text, line, &right, message);
  if (!error) {
    right = right && line->end == TAULER_LINE_ENDED && line->steps_used == (size_t)plies;
    report_add_recheck(
        out, "replay", true, right, "%s",
        right ? "Played by the rules alone, every move is legal, the positions are those shown, the "
                "last move ends the game, and the line is as long as the table says."
              : "Played by the rules alone, the line is not what the table says.");
  }
  tauler_line_free(line);
  return error;
}
