/* The witness of phutball-small-boards: a drawn position, play of both sides that comes back to a position,
 * and the ways to check it again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/draw_proof.h"
#include "analysis/claims/phutball/boards.h"
#include "analysis/slices/bulk.h"

enum { MOST_NODES = 4096, FIRST_TURNS = 64, NONE = -1, MOST_PROVED = 20000000 };

/* --- drawn positions that can be reached by drawing turns --- */

typedef struct {
  int from, to;
  char *move;
} draw_turn;

typedef struct {
  game_position position;
  int first_turn, turns; /* in the list of turns */
} draw_node;

typedef struct {
  claim_tables *t;
  draw_node *nodes;
  int nodes_used;
  draw_turn *turns;
  int turns_used, turns_room;
  bool cut; /* there are more */
} draw_graph;

static void close_graph(draw_graph *g) {
  for (int i = 0; i < g->turns_used; i++) free(g->turns[i].move);
  free(g->turns);
  free(g->nodes);
}

static tauler_error no_memory(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to follow drawn play");
}

/* The node of a position, a new one if there is room; NONE if not. */
static int node_of(draw_graph *g, const game_position *position) {
  for (int i = 0; i < g->nodes_used; i++)
    if (memcmp(&g->nodes[i].position, position, sizeof *position) == 0) return i;
  if (g->nodes_used == MOST_NODES) return NONE;
  g->nodes[g->nodes_used] = (draw_node){.position = *position};
  return g->nodes_used++;
}

static tauler_error is_drawn(claim_tables *t, const game_position *position, bool *drawn,
                             tauler_message *message) {
  game_place place;
  int value = 1;
  *drawn = false;
  if (!t->tables->game->locate(t->tables->rules, position, &place)) return TAULER_OK;
  const tauler_error error = resolve_value(t->tables, 0, place, &value, message);
  *drawn = !error && value == 0;
  return error;
}

static tauler_error add_turn(draw_graph *g, int from, const game_move *move, tauler_message *message) {
  bool drawn = false;
  const tauler_error error = is_drawn(g->t, &move->child, &drawn, message);
  if (error || !drawn) return error;
  const int to = node_of(g, &move->child);
  g->cut = g->cut || to == NONE;
  if (to == NONE) return TAULER_OK;
  if (g->turns_used == g->turns_room) {
    const int room = 2 * g->turns_room;
    draw_turn *grown = realloc(g->turns, (size_t)room * sizeof *grown);
    if (!grown) return no_memory(message);
    g->turns = grown;
    g->turns_room = room;
  }
  char *name = strdup(move->name);
  if (!name) return no_memory(message);
  draw_turn *turn = &g->turns[g->turns_used++];
  turn->from = from;
  turn->to = to;
  turn->move = name;
  return TAULER_OK;
}

static tauler_error expand_node(draw_graph *g, int node, tauler_message *message) {
  const tauler_tables *tables = g->t->tables;
  game_moves moves = {0};
  g->nodes[node].first_turn = g->turns_used;
  tauler_error error = tables->game->moves(tables->rules, &g->nodes[node].position, &moves);
  if (error) tauler_fail(message, error, "no memory for the turns of a position");
  for (size_t i = 0; i < moves.used && !error; i++)
    if (!moves.moves[i].over) error = add_turn(g, node, &moves.moves[i], message);
  game_moves_free(&moves);
  g->nodes[node].turns = g->turns_used - g->nodes[node].first_turn;
  return error;
}

static tauler_error open_graph(draw_graph *g, const game_position *start, tauler_message *message) {
  g->nodes = calloc(MOST_NODES, sizeof *g->nodes);
  g->turns = calloc(FIRST_TURNS, sizeof *g->turns);
  g->turns_room = FIRST_TURNS;
  if (!g->nodes || !g->turns) return no_memory(message);
  tauler_error error = TAULER_OK;
  node_of(g, start);
  for (int i = 0; i < g->nodes_used && !error; i++) error = expand_node(g, i, message);
  return error;
}

/* --- the shortest play that repeats a position --- */

/* The turns by which nodes are first reached from `from`, NONE elsewhere; and the turn that comes back to
 * `from` soonest. Returns the length of that way round, 0 if there is none. */
static int search(const draw_graph *g, int from, int *reached_by, int *steps, int *queue, int *closing) {
  int used = 0, best = 0;
  for (int i = 0; i < g->nodes_used; i++) reached_by[i] = steps[i] = NONE;
  steps[from] = 0;
  queue[used++] = from;
  for (int done = 0; done < used; done++) {
    const draw_node *node = &g->nodes[queue[done]];
    for (int i = node->first_turn; i < node->first_turn + node->turns; i++) {
      const int to = g->turns[i].to;
      if (to == from && best == 0) {
        best = steps[queue[done]] + 1;
        *closing = i;
      }
      if (steps[to] != NONE) continue;
      steps[to] = steps[queue[done]] + 1;
      reached_by[to] = i;
      queue[used++] = to;
    }
  }
  return best;
}

typedef struct {
  int *turns; /* from the start */
  int used;
  int repeats; /* turns before the position that the last one repeats */
} lasso;

/* Writes the turns that lead to a node behind those that are there. */
static void append_way(const draw_graph *g, const int *reached_by, int steps, int node, lasso *out) {
  for (int i = steps - 1; i >= 0; i--) {
    out->turns[out->used + i] = reached_by[node];
    node = g->turns[reached_by[node]].from;
  }
  out->used += steps;
}

typedef struct {
  int *first_by, *first_steps, *again_by, *again_steps, *queue;
} search_room;

static void find_lasso(const draw_graph *g, const search_room *room, lasso *out) {
  int least = 0, knot = NONE, closing = NONE;
  search(g, 0, room->first_by, room->first_steps, room->queue, &closing);
  for (int node = 0; node < g->nodes_used; node++) {
    const int round = search(g, node, room->again_by, room->again_steps, room->queue, &closing);
    if (round == 0 || (knot != NONE && room->first_steps[node] + round >= least)) continue;
    knot = node;
    least = room->first_steps[node] + round;
  }
  if (knot == NONE) return;
  append_way(g, room->first_by, room->first_steps[knot], knot, out);
  out->repeats = out->used;
  search(g, knot, room->again_by, room->again_steps, room->queue, &closing);
  const int last = g->turns[closing].from;
  append_way(g, room->again_by, room->again_steps[last], last, out);
  out->turns[out->used++] = closing;
}

static tauler_error open_lasso(const draw_graph *g, lasso *out, tauler_message *message) {
  const size_t n = (size_t)g->nodes_used;
  int *ints = calloc(5 * n, sizeof *ints);
  *out = (lasso){.turns = calloc(2 * n + 1, sizeof *out->turns)};
  if (ints && out->turns) {
    const search_room room = {ints, ints + n, ints + 2 * n, ints + 3 * n, ints + 4 * n};
    find_lasso(g, &room, out);
  }
  const bool enough = ints && out->turns;
  free(ints);
  return enough ? TAULER_OK : no_memory(message);
}

/* --- what is shown of it --- */

static void show_turns(const draw_graph *g, const lasso *play, report *out) {
  const tauler_tables *tables = g->t->tables;
  for (int i = 0; i < play->used; i++) {
    const draw_turn *turn = &g->turns[play->turns[i]];
    char text[GAME_TEXT_BYTES], remark[64] = "";
    tables->game->print(tables->rules, &g->nodes[turn->to].position, text);
    if (i + 1 == play->used && play->repeats == 0)
      snprintf(remark, sizeof remark, "the first position again");
    if (i + 1 == play->used && play->repeats > 0)
      snprintf(remark, sizeof remark, "the position after turn %d again", play->repeats);
    report_add_step(out, tables->game->turn(tables->rules, &g->nodes[turn->from].position), turn->move, text,
                    *remark ? remark : NULL);
  }
}

/* Whether the line of the first n turns can be read, and leads to the text of that step. */
static tauler_error replay_part(const claim_tables *t, const report_witness *w, size_t n, bool *right,
                                tauler_message *message) {
  const game *g = t->tables->game;
  size_t bytes = strlen(w->position) + sizeof " moves";
  for (size_t i = 0; i < n; i++) bytes += strlen(w->steps[i].move) + 1;
  char *line = malloc(bytes);
  if (!line) return no_memory(message);
  size_t used = (size_t)snprintf(line, bytes, "%s%s", w->position, n ? " moves" : "");
  for (size_t i = 0; i < n; i++) used += (size_t)snprintf(line + used, bytes - used, " %s", w->steps[i].move);
  game_position position;
  char text[GAME_TEXT_BYTES];
  const tauler_error error = g->parse(t->tables->rules, line, &position, message);
  free(line);
  *right = !error;
  if (error == TAULER_BAD_POSITION) return TAULER_OK;
  if (error) return error;
  g->print(t->tables->rules, &position, text);
  *right = strcmp(text, n ? w->steps[n - 1].position : w->position) == 0;
  return TAULER_OK;
}

/* With the rules alone: every turn is legal, the positions are those shown, and the last is an earlier one.
 */
static tauler_error replay(const claim_tables *t, int repeats, bool cut, report *out,
                           tauler_message *message) {
  if (out->error || out->witnesses_used == 0) return report_error(out, message);
  const report_witness *w = &out->witnesses[out->witnesses_used - 1];
  const size_t n = w->steps_used;
  bool all = n > 0;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i <= n && all && !error; i++) error = replay_part(t, w, i, &all, message);
  if (error) return error;
  const char *earlier = repeats ? w->steps[repeats - 1].position : w->position;
  const bool comes_back = all && strcmp(w->steps[n - 1].position, earlier) == 0;
  report_add_recheck(out, "replay", n > 0 || !cut, comes_back, "%s",
                     comes_back
                         ? "Read by the rules alone, every turn is legal, the positions are those shown, "
                           "and the last one was there before, with the same side to move."
                     : n == 0 ? "No play of drawing turns was found that comes back to a position."
                              : "Read by the rules alone, the line is not what is shown.");
  return TAULER_OK;
}

/* --- the proof --- */

static void give_hint(void *user, uint64_t index, int8_t *value, uint16_t *depth) {
  bulk_outcomes(user, index, 1, value, depth);
}

static void say_proven(const claim_tables *t, const phutball_board *board, const draw_proven *proven,
                       report *out) {
  if (proven->holds && proven->done) {
    report_add_recheck(out, "proof", true, true,
                       "By the moves of the rules, with the tables as hints that are not believed: of the "
                       "%llu drawn positions that "
                       "can come up, each has a turn to another one, and every other turn gives the other "
                       "side a win; these wins "
                       "were followed to the goal, one turn of the winner against every answer, through %llu "
                       "won and %llu lost "
                       "positions (boards turned round or mirrored counted once).",
                       (unsigned long long)proven->drawn, (unsigned long long)proven->won,
                       (unsigned long long)proven->lost);
  } else if (!proven->done) {
    report_add_recheck(
        out, "proof", false, false,
        "Given up after %d positions: that the position is drawn rests on the tables, which tauler "
        "verify proves.",
        MOST_PROVED);
  } else {
    char text[GAME_TEXT_BYTES];
    game_position position;
    const tauler_tables *tables = t->tables;
    tables->game->position_at(tables->rules, (game_place){board->slice, proven->wrong}, &position);
    tables->game->print(tables->rules, &position, text);
    report_add_recheck(out, "proof", true, false, "What the tables say of %s does not agree with its turns.",
                       text);
  }
}

static tauler_error prove(claim_tables *t, const phutball_board *board, report *out,
                          tauler_message *message) {
  bulk *values = NULL;
  bulk_slice hints = {.values = NULL};
  draw_proven proven;
  tauler_error error = bulk_open(t->tables, board->slice, t->job->threads, t->job->memory, &values, message);
  if (!error) error = bulk_load(values, board->slice, &hints, message);
  if (!error) {
    const draw_proof proof = {.game = t->tables->game,
                              .rules = t->tables->rules,
                              .slice = board->slice,
                              .hint = give_hint,
                              .user = &hints,
                              .memory = t->job->memory,
                              .most = MOST_PROVED};
    error = draw_prove(&proof, board->smallest, &proven, message);
  }
  if (!error) say_proven(t, board, &proven, out);
  bulk_close(values);
  if (error != TAULER_NO_MEMORY) return error;
  report_add_recheck(out, "proof", false, false, "Not done: %s", message->text);
  message->text[0] = '\0';
  return TAULER_OK;
}

tauler_error phutball_draw_witness(claim_tables *t, const phutball_board *board, report *out,
                                   tauler_message *message) {
  const tauler_tables *tables = t->tables;
  draw_graph graph = {.t = t};
  lasso play = {NULL, 0, 0};
  game_position start;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES], title[160];
  tables->game->position_at(tables->rules, (game_place){board->slice, board->smallest}, &start);
  tables->game->print(tables->rules, &start, text);
  tables->game->draw(tables->rules, &start, drawing);
  snprintf(title, sizeof title, "The smallest drawn position: on %s, %d men. Both sides make drawing turns.",
           board->name, board->fewest_men);
  tauler_error error = open_graph(&graph, &start, message);
  if (!error) error = open_lasso(&graph, &play, message);
  if (!error) {
    report_witness_begin(out, title, text, drawing);
    show_turns(&graph, &play, out);
    error = replay(t, play.repeats, graph.cut, out, message);
  }
  if (!error) error = prove(t, board, out, message);
  free(play.turns);
  close_graph(&graph);
  return error;
}
