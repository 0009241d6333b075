/* Writes the moves of slices as a list of edges. */
#include "analysis/export/export.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* PIECE and NODES are numbers of positions whose moves are listed at once, SINK is a number of edges. */
enum { PIECE = 1 << 16, NODES = 512, SINK = 4096 };

/* --- files --- */

tauler_error graph_file_open(graph_file *f, const char *folder, const char *name, tauler_message *message) {
  f->message = message;
  if (snprintf(f->path, sizeof f->path, "%s/%s", folder, name) >= (int)sizeof f->path)
    return tauler_fail(message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s", folder);
  return durable_file_create(f->path, &f->file, message);
}

static void write_buffer(graph_file *f) {
  if (!f->error) f->error = durable_file_write(f->file, f->text, f->used, f->message);
  f->bytes += f->used;
  f->used = 0;
}

void graph_file_print(graph_file *f, const char *format, ...) {
  if (f->used + GRAPH_FILE_LINE > GRAPH_FILE_ROOM) write_buffer(f);
  if (f->error) return;
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(f->text + f->used, GRAPH_FILE_LINE, format, arguments);
  va_end(arguments);
  f->used += n < GRAPH_FILE_LINE ? (size_t)n : GRAPH_FILE_LINE - 1;
}

tauler_error graph_file_close(graph_file *f, tauler_error error) {
  if (!f->file) return error;
  if (!error) write_buffer(f);
  if (!error) error = f->error;
  if (!error) return durable_file_commit(f->file, f->message);
  durable_file_abandon(f->file);
  return error;
}

/* --- games without dice --- */

static void put_moves(const graph *g, graph_file *f, uint64_t number, const tauler_moves *moves) {
  for (uint64_t i = 0; i < moves->positions; i++) {
    for (uint64_t m = moves->offsets[i]; m < moves->offsets[i + 1]; m++) {
      if (moves->slices[m] == TAULER_OVER)
        graph_file_print(f, "%" PRIu64 ",,%d\n", number + i, moves->gains[m]);
      else
        graph_file_print(f, "%" PRIu64 ",%" PRIu64 ",%d\n", number + i,
                         graph_number(g, (game_place){moves->slices[m], moves->indexes[m]}), moves->gains[m]);
    }
    if (moves->ended[i] != TAULER_NOT_ENDED)
      graph_file_print(f, "%" PRIu64 ",,%d\n", number + i, moves->ended[i]);
  }
}

static tauler_error put_slice(const graph *g, graph_file *f, uint32_t slice, uint64_t positions) {
  tauler_error error = TAULER_OK;
  for (uint64_t first = 0; first < positions && !error; first += PIECE) {
    const uint64_t left = positions - first, n = left < PIECE ? left : PIECE;
    tauler_moves *moves;
    error = tauler_moves_at(g->job->tables, slice, first, (size_t)n, TAULER_MOVES_BATCHES, g->job->threads,
                            &moves, g->message);
    if (!error) put_moves(g, f, graph_number(g, (game_place){slice, first}), moves);
    if (!error) error = f->error;
    tauler_moves_free(moves);
    if (g->job->shown) progress_add(g->job->shown, n);
  }
  return error;
}

static tauler_error put_edges(const graph *g, graph_file *f) {
  graph_file_print(f, "from,to,gain\n");
  if (g->job->shown) progress_start(g->job->shown, "moves", "positions", g->positions, 0);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < g->job->slices->used && !error; i++) {
    const game_slice *slice = &g->job->slices->slices[i];
    error = put_slice(g, f, slice->slice, slice->positions);
  }
  if (g->job->shown) progress_abandon(g->job->shown);
  return error;
}

/* --- games of dice --- */

double graph_chance(const graph *g, const chance_edge *edge) {
  return edge->roll == CHANCE_CERTAIN ? 1 : g->rolls[edge->roll].weight / g->weights;
}

double graph_gain(const graph *g, game_place from, const chance_edge *edge, int quantity) {
  const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
  g->game->chance->gains(g->rules, from.slice, &rows);
  const chance_gain gain = rows[edge->gain][quantity];
  return (double)gain.numerator / gain.denominator;
}

typedef struct {
  chance_edge *edges;
  size_t used, room;
} edge_list;

static tauler_error add_edges(void *user, const chance_edge *edges, size_t n) {
  edge_list *list = user;
  if (!memory_make_room(&list->edges, &list->room, list->used + n, sizeof *edges)) return TAULER_NO_MEMORY;
  memcpy(list->edges + list->used, edges, n * sizeof *edges);
  list->used += n;
  return TAULER_OK;
}

static tauler_error visit_piece(const graph *g, game_place place, size_t n, edge_list *list,
                                graph_visit *visit, void *user) {
  uint64_t index[NODES];
  int8_t aim[NODES];
  chance_edge room[SINK];
  chance_sink sink = {room, 0, SINK, add_edges, list};
  list->used = 0;
  for (size_t i = 0; i < n; i++) index[i] = place.index + i;
  g->game->chance->aims(g->rules, place.slice, index, n, aim);
  tauler_error error = g->game->chance->expand(g->rules, place.slice, index, n, &sink);
  if (!error) error = chance_sink_flush(&sink);
  if (error) return tauler_fail(g->message, error, "the moves of %s cannot be listed", g->game->name);
  size_t at = 0;
  for (size_t i = 0; i < n && !error; i++) {
    graph_node node = {{place.slice, index[i]}, aim[i], at < list->used ? list->edges + at : NULL, 0};
    for (; at < list->used && list->edges[at].from == i; at++) node.used++;
    error = visit(user, &node);
  }
  return error;
}

tauler_error graph_walk(const graph *g, const char *step, graph_visit *visit, void *user) {
  edge_list list = {0};
  tauler_error error = TAULER_OK;
  if (g->job->shown) progress_start(g->job->shown, step, "positions", g->positions, 0);
  for (size_t i = 0; i < g->job->slices->used && !error; i++) {
    const game_slice *slice = &g->job->slices->slices[i];
    for (uint64_t first = 0; first < slice->positions && !error; first += NODES) {
      const uint64_t left = slice->positions - first, n = left < NODES ? left : NODES;
      error = visit_piece(g, (game_place){slice->slice, first}, (size_t)n, &list, visit, user);
      if (g->job->shown) progress_add(g->job->shown, n);
    }
  }
  if (g->job->shown) progress_abandon(g->job->shown);
  free(list.edges);
  return error;
}

typedef struct {
  const graph *g;
  graph_file *file;
} rolled;

static tauler_error put_rolls(void *user, const graph_node *node) {
  const rolled *r = user;
  const graph *g = r->g;
  for (size_t i = 0; i < node->used; i++) {
    const chance_edge *edge = &node->edges[i];
    graph_file_print(r->file, "%" PRIu64 ",%d,%s,%.17g,", graph_number(g, node->place), node->aim,
                     edge->roll == CHANCE_CERTAIN ? "pass" : g->rolls[edge->roll].name,
                     graph_chance(g, edge));
    if (edge->to.slice != GAME_OVER) graph_file_print(r->file, "%" PRIu64, graph_number(g, edge->to));
    graph_file_print(r->file, ",%d", edge->turn);
    for (int q = 0; q < g->quantities.used; q++)
      graph_file_print(r->file, ",%.17g", graph_gain(g, node->place, edge, q));
    graph_file_print(r->file, "\n");
  }
  return r->file->error;
}

static tauler_error put_dice_edges(const graph *g, graph_file *f) {
  rolled r = {g, f};
  graph_file_print(f, "from,aim,roll,chance,to,turn");
  for (int q = 0; q < g->quantities.used; q++) graph_file_print(f, ",%s", g->quantities.list[q].name);
  graph_file_print(f, "\n");
  return graph_walk(g, "moves", put_rolls, &r);
}

/* --- all games --- */

static tauler_error put_slices(const graph *g, graph_file *f) {
  graph_file_print(f, "slice,number,first,positions\n");
  for (size_t i = 0; i < g->job->slices->used; i++) {
    const game_slice *slice = &g->job->slices->slices[i];
    char name[GAME_TEXT_BYTES];
    g->game->slice_name(g->rules, slice->slice, name);
    graph_file_print(f, "%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\n", name, slice->slice,
                     g->first[slice->slice], slice->positions);
  }
  return f->error;
}

static tauler_error write_file(const graph *g, const char *name, const char *what,
                               tauler_error (*put)(const graph *g, graph_file *f)) {
  graph_file *f;
  tauler_error error = memory_allocate(g->job->memory, sizeof *f, "a file of a graph", &f, g->message);
  if (error) return error;
  error = graph_file_open(f, g->job->folder, name, g->message);
  if (!error) error = put(g, f);
  error = graph_file_close(f, error);
  if (!error) export_report(g->job, what, f->path, g->positions, f->bytes);
  memory_free(g->job->memory, f);
  return error;
}

/* Refuses slices with different numbers of quantities, since one list has columns for all. */
static tauler_error find_rolls_and_quantities(graph *g) {
  const game_slices *slices = g->job->slices;
  const size_t n = g->game->chance->rolls(g->rules, &g->rolls);
  for (size_t i = 0; i < n; i++) g->weights += g->rolls[i].weight;
  for (size_t i = 0; i < slices->used; i++) {
    chance_quantities own;
    g->game->chance->quantities(g->rules, slices->slices[i].slice, &own);
    if (i && (own.used != g->quantities.used || own.seats != g->quantities.seats))
      return tauler_fail(g->message, TAULER_BAD_USAGE,
                         "these slices differ in what is expected, and one graph cannot hold them all; ask "
                         "for one of them");
    g->quantities = own;
  }
  return TAULER_OK;
}

static tauler_error number_slices(graph *g) {
  const game_slices *slices = g->job->slices;
  const tauler_error error =
      memory_allocate_array(g->job->memory, (uint64_t)game_slices_largest(slices) + 1, sizeof *g->first,
                            "numbers of slices", &g->first, g->message);
  for (size_t i = 0; i < slices->used && !error; i++) {
    g->first[slices->slices[i].slice] = g->positions;
    g->positions += slices->slices[i].positions;
  }
  return error;
}

static tauler_error write_moves(const graph *g) {
  if (g->job->form == EXPORT_CSV)
    return write_file(g, "edges.csv", "edges", g->game->chance ? put_dice_edges : put_edges);
  if (g->game->chance) return graph_model(g);
  return tauler_fail(g->message, TAULER_BAD_USAGE,
                     "%s has no dice, so it is no model for a checker of chances; use --graph csv",
                     g->game->name);
}

tauler_error export_graph(const export_job *job, tauler_message *message) {
  graph g = {.job = job, .game = job->tables->game, .rules = job->tables->rules, .message = message};
  tauler_error error = number_slices(&g);
  if (!error && g.game->chance) error = find_rolls_and_quantities(&g);
  if (!error) error = durable_folder_create(job->folder, message);
  if (!error) error = write_moves(&g);
  if (!error) error = write_file(&g, "slices.csv", "slices", put_slices);
  memory_free(job->memory, g.first);
  return error;
}
