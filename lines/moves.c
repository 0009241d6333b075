/* Reads the moves of a slice into memory and builds graphs of them for one threshold. */
#include "lines/moves.h"

#include <string.h>

enum { BATCH = 1024, EDGES = 8192 };

static const char *const what = "the moves of a slice";

static uint64_t index_of(const row_moves *moves, uint64_t place) {
  return moves->index ? moves->index[place] : place;
}

static uint64_t place_of(const row_moves *moves, uint64_t index) {
  if (!moves->index) return index;
  uint64_t low = 0, high = moves->n;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    *(moves->index[middle] <= index ? &low : &high) = middle;
  }
  return low;
}

static bool is_held(const row_moves *moves, uint64_t index) {
  return !moves->bounds || moves->bounds->cells[0][index] != moves->bounds->cells[1][index];
}

/* A pass over the moves of all held positions. The first pass counts quiet moves and evaluates the others,
 * the second stores the quiet moves. */
typedef struct {
  row_moves *moves;
  bool again;
  uint64_t index[BATCH];
  int16_t ended[BATCH];
  game_edge edges[EDGES];
} sweep;

/* Reads the bounds of a position that is not held, or zeros if the move ends the game. Errors:
 * TAULER_INTERNAL (the slice is not finished). */
static tauler_error read_bounds(const row_moves *moves, game_place place, int bounds[2]) {
  const own_row_job *job = moves->job;
  const bool own = place.slice == moves->slice;
  bounds[0] = bounds[1] = 0;
  if (place.slice == GAME_OVER) return TAULER_OK;
  if (!own && place.slice >= job->finished.room) return TAULER_INTERNAL;
  const solved_slice *of = own ? moves->bounds : &job->finished.list[place.slice];
  if (!of->cells[0]) return TAULER_INTERNAL;
  for (int plane = 0; plane < 2; plane++) bounds[plane] = of->cells[of->cells[1] ? plane : 0][place.index];
  return TAULER_OK;
}

static tauler_error evaluate_conversion(const row_moves *moves, const game_edge *edge, uint64_t place) {
  int bounds[2];
  const tauler_error error = read_bounds(moves, edge->to, bounds);
  if (error) return error;
  for (int most = 0; most < 2; most++) {
    const int worth = edge->gain - bounds[!most];
    if (worth > moves->gives[most][place]) moves->gives[most][place] = (int8_t)worth;
  }
  return TAULER_OK;
}

static tauler_error add_moves(void *user, const game_edge *edges, size_t n) {
  const sweep *s = user;
  row_moves *moves = s->moves;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++) {
    const uint64_t place = place_of(moves, s->index[edges[i].from]);
    const bool quiet = edges[i].to.slice == moves->slice && is_held(moves, edges[i].to.index);
    if (quiet && s->again)
      moves->child[moves->first[place]++] = (uint32_t)place_of(moves, edges[i].to.index);
    else if (quiet)
      moves->first[place + 1]++;
    else if (!s->again)
      error = evaluate_conversion(moves, &edges[i], place);
  }
  return error;
}

static void set_ended(row_moves *moves, uint64_t place, int value) {
  moves->ended[place] = value != GAME_NOT_ENDED;
  for (int most = 0; most < 2; most++)
    moves->gives[most][place] = moves->ended[place] ? (int8_t)value : INT8_MIN;
}

static tauler_error read_batch(sweep *s, uint64_t first, size_t n) {
  row_moves *moves = s->moves;
  const own_row_job *job = moves->job;
  for (size_t i = 0; i < n; i++) s->index[i] = index_of(moves, first + i);
  tauler_error error = TAULER_OK;
  if (!s->again) error = job->game->ended(job->rules, moves->slice, s->index, n, s->ended);
  size_t left = 0;
  for (size_t i = 0; i < n && !error; i++) {
    if (!s->again) set_ended(moves, first + i, s->ended[i]);
    if (!moves->ended[first + i]) s->index[left++] = index_of(moves, first + i);
  }
  game_sink sink = {.edges = s->edges, .room = EDGES, .flush = add_moves, .user = s};
  if (!error) error = job->game->expand(job->rules, moves->slice, s->index, left, &sink);
  return error ? error : game_sink_flush(&sink);
}

static tauler_error read_all_batches(sweep *s, bool again, tauler_message *message) {
  tauler_error error = TAULER_OK;
  s->again = again;
  for (uint64_t first = 0; first < s->moves->n && !error; first += BATCH) {
    const uint64_t left = s->moves->n - first;
    error = read_batch(s, first, left < BATCH ? (size_t)left : BATCH);
  }
  return error ? tauler_fail(message, error, "the moves of slice %u cannot be read", s->moves->slice)
               : TAULER_OK;
}

static void find_values(row_moves *moves) {
  const own_row_job *job = moves->job;
  for (uint64_t i = 0; i < moves->n; i++) {
    job->game->repeated(job->rules, moves->slice, index_of(moves, i), 1, &moves->pays[i]);
    for (int most = 0; most < 2; most++)
      if (moves->gives[most][i] != INT8_MIN) moves->values[moves->gives[most][i] - INT8_MIN] = true;
    moves->values[moves->pays[i] - INT8_MIN] = true;
  }
}

static tauler_error read_moves(sweep *s, tauler_message *message) {
  row_moves *moves = s->moves;
  memory_budget *memory = moves->job->memory;
  tauler_error error = read_all_batches(s, false, message);
  uint64_t quiet = 0;
  for (uint64_t i = 1; i <= moves->n && !error; i++) {
    quiet += moves->first[i];
    if (quiet > UINT32_MAX / 2)
      return tauler_fail(message, TAULER_INTERNAL, "slice %u is too large for lines of play", moves->slice);
    moves->first[i] = (uint32_t)quiet;
  }
  if (!error)
    error = memory_allocate_array(memory, quiet, sizeof *moves->child, what, &moves->child, message);
  if (!error) error = read_all_batches(s, true, message);
  if (error) return error;
  memmove(moves->first + 1, moves->first, moves->n * sizeof *moves->first);
  moves->first[0] = 0;
  find_values(moves);
  return TAULER_OK;
}

static tauler_error list_held_positions(row_moves *moves, uint64_t positions, tauler_message *message) {
  moves->n = positions;
  if (!moves->bounds) return TAULER_OK;
  uint64_t held = 0;
  for (uint64_t i = 0; i < positions; i++) held += is_held(moves, i);
  const tauler_error error =
      memory_allocate_array(moves->job->memory, held, sizeof *moves->index, what, &moves->index, message);
  if (error) return error;
  moves->n = 0;
  for (uint64_t i = 0; i < positions; i++)
    if (is_held(moves, i)) moves->index[moves->n++] = (uint32_t)i;
  return TAULER_OK;
}

static void list_arrays(arena *a, void *of) {
  row_moves *moves = of;
  moves->first = arena_allocate(a, moves->n + 1, sizeof *moves->first);
  for (int most = 0; most < 2; most++) moves->gives[most] = arena_allocate(a, moves->n, 1);
  moves->pays = arena_allocate(a, moves->n, 1);
  moves->ended = arena_allocate(a, moves->n, 1);
}

tauler_error row_moves_open(row_moves *moves, const own_row_job *job, uint32_t slice,
                            const solved_slice *bounds, tauler_message *message) {
  *moves = (row_moves){.job = job, .slice = slice, .bounds = bounds};
  const uint64_t positions = job->game->positions(job->rules, slice);
  sweep *s = NULL;
  if (positions > UINT32_MAX / 4)
    return tauler_fail(message, TAULER_INTERNAL, "slice %u is too large for lines of play", slice);
  tauler_error error = memory_allocate(job->memory, sizeof *s, what, &s, message);
  if (!error) error = list_held_positions(moves, positions, message);
  if (!error) error = arena_fill(&moves->arrays, job->memory, what, list_arrays, moves, message);
  if (!error) {
    s->moves = moves;
    error = read_moves(s, message);
  }
  memory_free(job->memory, s);
  return error;
}

void row_moves_close(row_moves *moves) {
  memory_free(moves->job->memory, moves->index);
  memory_free(moves->job->memory, moves->child);
  arena_close(&moves->arrays);
}

static bool wins_with_result(row_question question, bool other, int gets) {
  return other ? gets > -question.threshold : gets >= question.threshold;
}

bool row_moves_is_exact(const row_moves *moves, int threshold) {
  const row_question question = {.threshold = threshold};
  for (uint64_t i = 0; i < moves->n; i++) {
    for (int other = 0; other < 2; other++) {
      if (wins_with_result(question, other, moves->gives[0][i]) !=
          wins_with_result(question, other, moves->gives[1][i]))
        return false;
    }
  }
  return true;
}

/* Returns the state of a node before its quiet moves are looked at: won by a conversion, decided because play
 * has ended, or open. */
static node_state row_moves_node_state(const row_moves *moves, row_question question, uint32_t node) {
  const bool other = node % 2;
  const int gets = moves->gives[question.most != other][node / 2];
  if (gets != INT8_MIN && wins_with_result(question, other, gets)) return NODE_WON;
  return moves->ended[node / 2] ? NODE_LOST : NODE_OPEN;
}

bool row_moves_pays(const row_moves *moves, row_question question, uint32_t node) {
  const int pays = moves->pays[node / 2];
  return (node % 2 ? -pays : pays) >= question.threshold;
}

/* True if a move to the node `to` outside the graph wins for the side that makes it. */
static bool move_wins(const row_moves *moves, row_question question, uint32_t to, uint8_t fate) {
  if (fate == FATE_MET) return row_moves_pays(moves, question, to) == (to % 2 == 1);
  return fate == FATE_LOST;
}

bool row_moves_graph(const row_moves *moves, row_question question, const uint32_t *list, uint32_t n,
                     const uint8_t *fate, uint32_t *place, arena *a, row_graph *out) {
  uint64_t quiet = 0;
  for (uint32_t i = 0; i < n; i++) {
    place[list[i]] = i;
    quiet += moves->first[list[i] / 2 + 1] - moves->first[list[i] / 2];
  }
  const bool made = row_graph_new(out, a, n, quiet);
  for (uint32_t i = 0, edge = 0; i < n && made; i++) {
    const uint32_t node = list[i], index = node / 2;
    out->id[i] = node;
    out->traits[i] =
        (uint8_t)((node % 2 ? 0 : TRAIT_SIDE) | (row_moves_pays(moves, question, node) ? TRAIT_PAYS : 0));
    out->state[i] = (uint8_t)row_moves_node_state(moves, question, node);
    out->first[i] = edge;
    for (uint32_t e = moves->first[index]; e < moves->first[index + 1]; e++) {
      const uint32_t to = 2 * moves->child[e] + !(node % 2);
      if (place[to] != ROW_GRAPH_NONE) {
        out->child[edge++] = place[to];
      } else if (move_wins(moves, question, to, fate[to])) {
        out->state[i] = NODE_WON;
      }
    }
    out->first[i + 1] = edge;
  }
  if (made && n == 0) out->first[0] = 0;
  if (made) row_graph_seal(out);
  for (uint32_t i = 0; i < n; i++) place[list[i]] = ROW_GRAPH_NONE;
  return made;
}

uint32_t row_moves_reach(const row_moves *moves, row_question question, uint32_t from, const uint8_t *fate,
                         uint32_t *place, uint32_t *list) {
  uint32_t used = 0;
  list[used++] = from;
  place[from] = 0;
  for (uint32_t i = 0; i < used; i++) {
    if (row_moves_node_state(moves, question, list[i]) != NODE_OPEN) continue;
    const uint32_t index = list[i] / 2;
    for (uint32_t e = moves->first[index]; e < moves->first[index + 1]; e++) {
      const uint32_t to = 2 * moves->child[e] + !(list[i] % 2);
      if (place[to] != ROW_GRAPH_NONE || fate[to] != FATE_OPEN) continue;
      place[to] = used;
      list[used++] = to;
    }
  }
  for (uint32_t i = 0; i < used; i++) place[list[i]] = ROW_GRAPH_NONE;
  return used;
}
