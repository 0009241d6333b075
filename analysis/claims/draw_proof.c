/* Proves that a position is drawn, by the moves alone. */
#include "analysis/claims/draw_proof.h"

#include <stdlib.h>

#include "base/memory.h"

enum { BATCH = 256, EDGES = 4096 };

/* The moves seen so far of the position under work. */
typedef struct {
  int8_t value;
  uint16_t depth;
  bool moves, scores, draws, wrong;
  bool loses_other; /* a move to a lost position of less depth: */
  uint16_t best_depth;
  uint64_t best;
} looked_at;

typedef struct {
  const draw_proof *proof;
  uint64_t positions;
  uint64_t *seen; /* a bit per position */
  uint64_t *waiting;
  size_t used, room;
  looked_at batch[BATCH];
} work;

static tauler_error add_waiting(work *w, uint64_t index) {
  uint64_t *word = &w->seen[index / 64];
  const uint64_t bit = UINT64_C(1) << (index % 64);
  if (*word & bit) return TAULER_OK;
  if (!memory_make_room(&w->waiting, &w->room, w->used + 1, sizeof *w->waiting)) return TAULER_NO_MEMORY;
  *word |= bit;
  w->waiting[w->used++] = index;
  return TAULER_OK;
}

static void add_end(looked_at *at, int gain) {
  if (gain > 0) at->scores = true;
  if (gain == 0 || (gain > 0 && at->value <= 0)) at->wrong = true;
}

/* Takes a move within the slice from a position hinted as lost or drawn: all such moves count. */
static tauler_error add_answer(work *w, looked_at *at, uint64_t child, int8_t value, uint16_t depth) {
  if (value == 0 && at->value == 0) at->draws = true;
  const bool fits = value > 0 ? at->value == 0 || depth < at->depth : value == 0 && at->value == 0;
  if (fits) return add_waiting(w, child);
  at->wrong = true;
  return TAULER_OK;
}

static void compare_choice(looked_at *at, uint64_t child, int8_t value, uint16_t depth) {
  if (value >= 0 || depth >= at->depth || (at->loses_other && depth >= at->best_depth)) return;
  at->loses_other = true;
  at->best_depth = depth;
  at->best = child;
}

static tauler_error receive_edges(void *user, const game_edge *edges, size_t n) {
  work *w = user;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++) {
    looked_at *at = &w->batch[edges[i].from];
    const game_place to = edges[i].to;
    at->moves = true;
    if (to.slice == GAME_OVER) {
      add_end(at, edges[i].gain);
      continue;
    }
    if (to.slice != w->proof->slice || edges[i].gain != 0 || to.index >= w->positions) {
      at->wrong = true;
      continue;
    }
    int8_t value = 0;
    uint16_t depth = 0;
    w->proof->hint(w->proof->user, to.index, &value, &depth);
    if (at->value > 0) {
      compare_choice(at, to.index, value, depth);
    } else {
      error = add_answer(w, at, to.index, value, depth);
    }
  }
  return error;
}

/* *holds: the moves of a position agree with its hint; from a won position one move is followed. */
static tauler_error settle_position(work *w, looked_at *at, bool *holds) {
  *holds = at->moves && !at->wrong;
  if (at->value > 0 && !at->scores) {
    *holds = at->loses_other;
    return *holds ? add_waiting(w, at->best) : TAULER_OK;
  }
  if (at->value == 0) *holds = *holds && at->draws;
  return TAULER_OK;
}

static void count(draw_proven *out, int8_t value) {
  if (value == 0) out->drawn++;
  if (value > 0) out->won++;
  if (value < 0) out->lost++;
}

static tauler_error look_at_batch(work *w, draw_proven *out) {
  uint64_t index[BATCH];
  int16_t ended[BATCH];
  game_edge edges[EDGES];
  size_t n = 0;
  for (; n < BATCH && w->used > 0; n++) {
    index[n] = w->waiting[--w->used];
    w->batch[n] = (looked_at){.value = 0};
    w->proof->hint(w->proof->user, index[n], &w->batch[n].value, &w->batch[n].depth);
    count(out, w->batch[n].value);
  }
  game_sink sink = {edges, 0, EDGES, receive_edges, w};
  tauler_error error = w->proof->game->ended(w->proof->rules, w->proof->slice, index, n, ended);
  if (!error) error = w->proof->game->expand(w->proof->rules, w->proof->slice, index, n, &sink);
  if (!error) error = game_sink_flush(&sink);
  for (size_t i = 0; i < n && !error; i++) {
    bool holds = false;
    error = settle_position(w, &w->batch[i], &holds);
    if ((holds && ended[i] == GAME_NOT_ENDED) || !out->holds) continue;
    out->holds = false;
    out->wrong = index[i];
  }
  return error;
}

tauler_error draw_prove(const draw_proof *proof, uint64_t index, draw_proven *out, tauler_message *message) {
  work *w = calloc(1, sizeof *w);
  *out = (draw_proven){.holds = true};
  if (!w) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to prove a draw");
  w->proof = proof;
  w->positions = proof->game->positions(proof->rules, proof->slice);
  int8_t value = 0;
  uint16_t depth = 0;
  tauler_error error = memory_allocate(proof->memory, (w->positions / 64 + 1) * sizeof *w->seen,
                                       "a proof of a draw", &w->seen, message);
  if (!error) {
    proof->hint(proof->user, index, &value, &depth);
    out->holds = value == 0;
    out->wrong = index;
    error = add_waiting(w, index);
  }
  while (!error && out->holds && w->used > 0 && out->drawn + out->won + out->lost < proof->most)
    error = look_at_batch(w, out);
  out->done = !out->holds || w->used == 0;
  if (error == TAULER_NO_MEMORY && w->seen)
    error = tauler_fail(message, error, "no memory for the positions of a proof of a draw");
  memory_free(proof->memory, w->seen);
  free(w->waiting);
  free(w);
  return error;
}
