#include "analysis/claims/slow_solve.h"

#include <stdlib.h>

/* In place of children: the move ends the game. */
static const uint32_t GAINS = UINT32_MAX, LOSES = UINT32_MAX - 1;

typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slice;
  uint64_t *first; /* of each position in the list of children, and where the last one's end */
  uint32_t *child;
  size_t used, room;
} graph;

static tauler_error no_memory(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to solve a board by its moves alone");
}

static tauler_error add_child(graph *g, uint32_t child, tauler_message *message) {
  if (g->used == g->room) {
    const size_t room = g->room ? 2 * g->room : 1024;
    uint32_t *grown = realloc(g->child, room * sizeof *grown);
    if (!grown) return no_memory(message);
    g->child = grown;
    g->room = room;
  }
  g->child[g->used++] = child;
  return TAULER_OK;
}

static tauler_error add_move(graph *g, const game_move *move, tauler_message *message) {
  game_place to;
  if (move->over) return add_child(g, move->gain > 0 ? GAINS : LOSES, message);
  if (!g->game->locate(g->rules, &move->child, &to) || to.slice != g->slice)
    return tauler_fail(message, TAULER_INTERNAL, "a move leaves the board");
  return add_child(g, (uint32_t)to.index, message);
}

static tauler_error read_graph(graph *g, uint64_t positions, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint64_t i = 0; i < positions && !error; i++) {
    game_position position;
    game_moves moves = {0};
    g->first[i] = g->used;
    g->game->position_at(g->rules, (game_place){g->slice, i}, &position);
    error = g->game->moves(g->rules, &position, &moves);
    if (error) tauler_fail(message, error, "the moves of a position cannot be had");
    for (size_t k = 0; k < moves.used && !error; k++) error = add_move(g, &moves.moves[k], message);
    game_moves_free(&moves);
  }
  g->first[positions] = g->used;
  return error;
}

/* What a position is worth by children decided in fewer plies; 0: not decided. */
static int8_t value_by(const graph *g, const slow_solved *s, uint64_t i, uint16_t ply) {
  bool all_lose = g->first[i] < g->first[i + 1];
  for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++) {
    const uint32_t child = g->child[k];
    if (child == GAINS) return 1;
    if (child == LOSES) continue;
    const bool decided = s->value[child] != 0 && s->depth[child] < ply;
    if (decided && s->value[child] < 0) return 1;
    if (!decided) all_lose = false;
  }
  return all_lose ? -1 : 0;
}

/* What is decided at a ply rests on something decided at the one before, so the first idle sweep is the end.
 */
static void sweep_plies(const graph *g, slow_solved *s) {
  bool any = true;
  for (uint16_t ply = 1; any; ply++) {
    any = false;
    for (uint64_t i = 0; i < s->positions; i++) {
      if (s->value[i]) continue;
      s->value[i] = value_by(g, s, i, ply);
      if (!s->value[i]) continue;
      s->depth[i] = ply;
      any = true;
    }
  }
}

tauler_error slow_solve(const game *game, const game_rules *rules, uint32_t slice, slow_solved *out,
                        tauler_message *message) {
  const uint64_t positions = game->positions(rules, slice);
  graph g = {.game = game, .rules = rules, .slice = slice};
  *out =
      (slow_solved){positions, calloc(positions, sizeof *out->value), calloc(positions, sizeof *out->depth)};
  g.first = calloc(positions + 1, sizeof *g.first);
  tauler_error error = out->value && out->depth && g.first ? TAULER_OK : no_memory(message);
  if (!error) error = read_graph(&g, positions, message);
  if (!error) sweep_plies(&g, out);
  if (error) slow_solved_free(out);
  free(g.first);
  free(g.child);
  return error;
}

void slow_solved_free(slow_solved *solved) {
  free(solved->value);
  free(solved->depth);
  *solved = (slow_solved){0, NULL, NULL};
}
