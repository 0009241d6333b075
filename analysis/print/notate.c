/* Writes positions and moves in a notation of another program. */
#include "analysis/print/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/answer.h"
#include "analysis/probe/probe_tables.h"
#include "games/game_record.h"

typedef struct {
  const game *game;
  const game_rules *rules;
  const game_notation *notation;
  text_pool *pool;
  tauler_message *message;
} writer;

static tauler_error copy_text(const writer *w, const char *text, const char **out) {
  const char *kept = text_pool_add(w->pool, text);
  if (!kept) return tauler_fail(w->message, TAULER_NO_MEMORY, "no memory for a notation");
  *out = kept;
  return TAULER_OK;
}

static tauler_error write_position(const writer *w, const char **position) {
  char text[GAME_TEXT_BYTES];
  game_position read;
  if (!**position) return TAULER_OK; /* the game is over */
  const tauler_error error = w->game->parse(w->rules, *position, &read, w->message);
  if (error) return error;
  w->notation->print(w->rules, &read, text);
  return copy_text(w, text, position);
}

/* Renames a move that is made in the position with the canonical text `before`. */
static tauler_error write_move(const writer *w, const char *before, const char **name) {
  game_position position;
  tauler_error error = w->game->parse(w->rules, before, &position, w->message);
  if (error) return error;
  char *text = malloc(2 * strlen(*name) + GAME_NOTATION_MORE);
  if (!text) return tauler_fail(w->message, TAULER_NO_MEMORY, "no memory for a notation");
  w->notation->move(w->rules, &position, *name, text);
  error = copy_text(w, text, name);
  free(text);
  return error;
}

static tauler_error join_moves(const writer *w, tauler_line *line) {
  size_t bytes = 1;
  for (size_t i = 0; i < line->steps_used; i++) bytes += strlen(line->steps[i].move) + 1;
  char *joined = malloc(bytes), *at = joined;
  if (!joined) return tauler_fail(w->message, TAULER_NO_MEMORY, "no memory for a notation");
  *joined = '\0';
  for (size_t i = 0; i < line->steps_used; i++) at = stpcpy(stpcpy(at, i ? " " : ""), line->steps[i].move);
  free((char *)line->moves);
  line->moves = joined;
  return TAULER_OK;
}

static tauler_error write_line(const writer *w, tauler_line *line) {
  tauler_step *steps = (tauler_step *)line->steps; /* the line owns them */
  const char *before = line->start;
  tauler_error error = write_position(w, &line->start);
  for (size_t i = 0; i < line->steps_used && !error; i++) {
    error = write_move(w, before, &steps[i].move);
    before = steps[i].position;
    if (!error) error = write_position(w, &steps[i].position);
  }
  return error ? error : join_moves(w, line);
}

tauler_error notate_answer(const tauler_tables *tables, const char *notation, tauler_answer *answer,
                           tauler_line *line, tauler_message *message) {
  own_answer *own = (own_answer *)answer;
  writer w = {tables->game, tables->rules, NULL, &own->pool, message};
  if (!notation) return TAULER_OK;
  tauler_error error = game_notation_called(w.game, notation, &w.notation, message);
  for (size_t i = 0; i < answer->moves_used && !error; i++) {
    error = write_move(&w, answer->position, &own->moves[i].name);
    if (!error) error = write_position(&w, &own->moves[i].position);
  }
  if (!error) error = write_position(&w, &answer->position);
  return error || !line ? error : write_line(&w, line);
}

tauler_error notate_position(const tauler_tables *tables, const char *notation, text_pool *pool,
                             const char **position, tauler_message *message) {
  writer w = {tables->game, tables->rules, NULL, pool, message};
  const tauler_error error = game_notation_called(w.game, notation, &w.notation, message);
  return error ? error : write_position(&w, position);
}

static tauler_error write_next_move(const writer *w, const char *position, char *name, FILE *out) {
  const char *written = name;
  const tauler_error error = write_move(w, position, &written);
  if (!error) fprintf(out, "%s%s", ftell(out) ? " " : "", written);
  return error;
}

tauler_error notate_moves(const tauler_tables *tables, const char *notation, text_pool *pool,
                          const char *position, const char **moves, tauler_message *message) {
  writer w = {tables->game, tables->rules, NULL, pool, message};
  tauler_error error = game_notation_called(w.game, notation, &w.notation, message);
  char *rest = NULL, *text = NULL, *list = strdup(*moves);
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!error && (!list || !out)) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a notation");
  for (char *name = error ? NULL : strtok_r(list, " ", &rest); name && !error;
       name = strtok_r(NULL, " ", &rest))
    error = write_next_move(&w, position, name, out);
  if (out && fclose(out) != 0 && !error)
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a notation");
  if (!error) error = copy_text(&w, text, moves);
  free(text);
  free(list);
  return error;
}
