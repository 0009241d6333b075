/* Writes the moves and positions of a judged game as another program does. */
#include "analysis/print/print.h"
#include "analysis/records/judge.h"

static tauler_error write_move(const tauler_tables *tables, const char *notation, judged_game *out,
                               judged_move *move, tauler_message *message) {
  text_pool *pool = &out->pool;
  tauler_error error = notate_moves(tables, notation, pool, move->position, &move->name, message);
  if (!error) error = notate_moves(tables, notation, pool, move->position, &move->best_moves, message);
  return error ? error : notate_position(tables, notation, pool, &move->position, message);
}

tauler_error judge_notation(const tauler_tables *tables, const char *notation, judged_game *out,
                            tauler_message *message) {
  if (!notation) return TAULER_OK;
  tauler_error error = notate_position(tables, notation, &out->pool, &out->start, message);
  if (!error) error = notate_position(tables, notation, &out->pool, &out->end, message);
  for (size_t i = 0; i < out->moves_used && !error; i++)
    error = write_move(tables, notation, out, &out->moves[i], message);
  return error;
}
