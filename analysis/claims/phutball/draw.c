/* The witness of phutball-small-boards: a drawn position, play of both sides that comes back to a position,
 * and the ways to check it again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/draw_proof.h"
#include "analysis/claims/phutball/boards.h"
#include "analysis/slices/bulk.h"
#include "base/memory.h"

enum { MOST_NODES = 4096, NONE = -1, MOST_PROVED = 20000000 };

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
  int turns_used;
  size_t turns_room;
  bool cut; /* there are more */
} draw_graph;

static void close_graph(draw_graph *g) {
  for (int i = 0; i < g->turns_used; i++) free(g->turns[i].move);
  free(g->turns);
  free(g->nodes);
}

/* The node of a position, a new one if there is room; NONE if not. */
static int node_of(draw_graph *g, const game_position *position) {
  for (int i = 0; i < g->nodes_used; i++)
    if (memcmp(&g->nodes[i].position, position, sizeof *position) == 0) return i;
  if (g->nodes_used == MOST_NODES) return NONE;
  g->nodes[g->nodes_used] = (draw_node){.position = *position};
  return g->nodes_used++;
}

static bool is_drawn(claim_tables *t, const game_position *position) {
  game_place place;
  return t->game->locate(t->rules, position, &place) && claim_tables_ask(t, place, NULL) == 0;
}

static void add_turn(draw_graph *g, int from, const game_move *move) {
  if (!is_drawn(g->t, &move->child)) return;
  const int to = node_of(g, &move->child);
  g->cut = g->cut || to == NONE;
  if (to == NONE) return;
  char *name = strdup(move->name);
  if (name && memory_make_room(&g->turns, &g->turns_room, (size_t)g->turns_used + 1, sizeof *g->turns)) {
    g->turns[g->turns_used++] = (draw_turn){from, to, name};
  } else {
    free(name);
    report_keep(g->t->out, TAULER_NO_MEMORY);
  }
}

static void expand_node(draw_graph *g, int node) {
  game_moves moves;
  g->nodes[node].first_turn = g->turns_used;
  claim_moves(g->t, &g->nodes[node].position, &moves);
  for (size_t i = 0; i < moves.used && !g->t->out->error; i++)
    if (!moves.moves[i].over) add_turn(g, node, &moves.moves[i]);
  game_moves_free(&moves);
  g->nodes[node].turns = g->turns_used - g->nodes[node].first_turn;
}

static void open_graph(draw_graph *g, const game_position *start) {
  g->nodes = report_calloc(g->t->out, MOST_NODES, sizeof *g->nodes);
  if (!g->nodes) return;
  node_of(g, start);
  for (int i = 0; i < g->nodes_used && !g->t->out->error; i++) expand_node(g, i);
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

static void open_lasso(const draw_graph *g, lasso *play) {
  report *out = g->t->out;
  const size_t n = (size_t)g->nodes_used;
  int *ints = report_calloc(out, 5 * n, sizeof *ints);
  *play = (lasso){.turns = report_calloc(out, 2 * n + 1, sizeof *play->turns)};
  if (ints && play->turns) {
    const search_room room = {ints, ints + n, ints + 2 * n, ints + 3 * n, ints + 4 * n};
    find_lasso(g, &room, play);
  }
  free(ints);
}

/* --- what is shown of it --- */

static void show_turns(const draw_graph *g, const lasso *play) {
  const claim_tables *t = g->t;
  for (int i = 0; i < play->used; i++) {
    const draw_turn *turn = &g->turns[play->turns[i]];
    const bool last = i + 1 == play->used;
    char remark[64] = "the first position again";
    if (play->repeats > 0) snprintf(remark, sizeof remark, "the position after turn %d again", play->repeats);
    report_add_step(t->out, t->game->turn(t->rules, &g->nodes[turn->from].position), turn->move,
                    claim_print(t, &g->nodes[turn->to].position).text, last ? remark : NULL);
  }
}

/* True if the line of the first n turns can be read, and leads to the text of that step. */
static bool replay_part(const claim_tables *t, const report_witness *w, size_t n) {
  size_t bytes = strlen(w->position) + sizeof " moves";
  for (size_t i = 0; i < n; i++) bytes += strlen(w->steps[i].move) + 1;
  char *line = report_calloc(t->out, bytes, 1);
  if (!line) return false;
  size_t used = (size_t)snprintf(line, bytes, "%s%s", w->position, n ? " moves" : "");
  for (size_t i = 0; i < n; i++) used += (size_t)snprintf(line + used, bytes - used, " %s", w->steps[i].move);
  game_position position;
  tauler_message why;
  const tauler_error error = t->game->parse(t->rules, line, &position, &why);
  free(line);
  if (error && error != TAULER_BAD_POSITION) report_fail(t->out, error, "%s", why.text);
  if (error) return false;
  return strcmp(claim_print(t, &position).text, n ? w->steps[n - 1].position : w->position) == 0;
}

/* With the rules alone: every turn is legal, the positions are those shown, and the last is an earlier one.
 */
static void replay(const claim_tables *t, int repeats, bool cut) {
  report *out = t->out;
  if (out->error || out->witnesses_used == 0) return;
  const report_witness *w = &out->witnesses[out->witnesses_used - 1];
  const size_t n = w->steps_used;
  bool all = n > 0;
  for (size_t i = 0; i <= n && all; i++) all = replay_part(t, w, i);
  const char *earlier = repeats ? w->steps[repeats - 1].position : w->position;
  const bool comes_back = all && strcmp(w->steps[n - 1].position, earlier) == 0;
  report_add_recheck(out, "replay", n > 0 || !cut, comes_back, "%s",
                     comes_back
                         ? "Read by the rules alone, every turn is legal, the positions are those shown, "
                           "and the last one was there before, with the same side to move."
                     : n == 0 ? "No play of drawing turns was found that comes back to a position."
                              : "Read by the rules alone, the line is not what is shown.");
}

/* --- the proof --- */

static void give_hint(void *user, uint64_t index, int8_t *value, uint16_t *depth) {
  bulk_outcomes(user, index, 1, value, depth);
}

static void say_proven(const claim_tables *t, const phutball_board *board, const draw_proven *proven) {
  if (proven->holds && proven->done) {
    report_add_recheck(t->out, "proof", true, true,
                       "By the moves of the rules, with the tables as hints that are not believed: of the "
                       "%" PRIu64 " drawn positions that can come up, each has a turn to another one, and "
                       "every other turn gives the other side a win; these wins were followed to the goal, "
                       "one turn of the winner against every answer, through %" PRIu64 " won and %" PRIu64
                       " lost positions (boards turned round or mirrored counted once).",
                       proven->drawn, proven->won, proven->lost);
  } else if (!proven->done) {
    report_add_recheck(
        t->out, "proof", false, false,
        "Given up after %d positions: that the position is drawn rests on the tables, which tauler "
        "verify proves.",
        MOST_PROVED);
  } else {
    const game_position wrong = claim_position_at(t, (game_place){board->slice, proven->wrong});
    report_add_recheck(t->out, "proof", true, false,
                       "What the tables say of %s does not agree with its turns.",
                       claim_print(t, &wrong).text);
  }
}

/* Without memory for it there is a report all the same. */
static void prove(claim_tables *t, const phutball_board *board) {
  bulk *values = NULL;
  bulk_slice hints = {.all = NULL};
  draw_proven proven = {.done = false};
  tauler_message why = {""};
  if (t->out->error) return;
  tauler_error error = bulk_open(t->tables, board->slice, t->job->threads, t->job->memory, &values, &why);
  if (!error) error = bulk_load(values, board->slice, &hints, &why);
  const draw_proof proof = {.game = t->game,
                            .rules = t->rules,
                            .slice = board->slice,
                            .hint = give_hint,
                            .user = &hints,
                            .memory = t->job->memory,
                            .most = MOST_PROVED};
  if (!error) error = draw_prove(&proof, board->smallest, &proven, &why);
  bulk_close(values);
  if (error == TAULER_NO_MEMORY) {
    report_add_recheck(t->out, "proof", false, false, "Not done: %s", why.text);
  } else if (error) {
    report_fail(t->out, error, "%s", why.text);
  } else {
    say_proven(t, board, &proven);
  }
}

void phutball_draw_witness(claim_tables *t, const phutball_board *board) {
  draw_graph graph = {.t = t};
  lasso play = {NULL, 0, 0};
  const game_position start = claim_position_at(t, (game_place){board->slice, board->smallest});
  open_graph(&graph, &start);
  if (!t->out->error) open_lasso(&graph, &play);
  if (!t->out->error) {
    claim_show(t, &start, "The smallest drawn position: on %s, %d men. Both sides make drawing turns.",
               board->name, board->fewest_men);
    show_turns(&graph, &play);
    replay(t, play.repeats, graph.cut);
    prove(t, board);
  }
  free(play.turns);
  close_graph(&graph);
}
