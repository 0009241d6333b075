/* Follows the moves of a game of dice from its start, and marks all stored positions to which they lead. */
#include "analysis/slices/reached.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/failure.h"

/* Numbers of positions that are expanded at once, and of edges that are collected before they are marked. */
enum { WORD = 64, BLOCK_WORDS = 16, BLOCK = BLOCK_WORDS * WORD, SINK = 2048 };

typedef struct {
  const reached_job *job;
  const reached *marks;
  const reached_slice *from;
  /* A bit for each position whose moves are marked. One thread writes the words of a block. */
  uint64_t *followed;
} follower;

static reached_slice *find_slice(const reached *r, uint32_t slice) {
  for (size_t i = 0; i < r->used; i++)
    if (r->slices[i].slice == slice) return &r->slices[i];
  return NULL;
}

static uint64_t count_words(uint64_t positions) {
  return positions / WORD + (positions % WORD != 0);
}

bool reached_has(const reached *r, game_place place) {
  const reached_slice *of = find_slice(r, place.slice);
  const uint64_t word = atomic_load_explicit(&of->bits[place.index / WORD], memory_order_relaxed);
  return word >> place.index % WORD & 1;
}

uint64_t reached_count(const reached *r, uint32_t slice) {
  return find_slice(r, slice)->count;
}

static tauler_error mark_position(const reached *r, game_place place) {
  const reached_slice *to = find_slice(r, place.slice);
  if (!to || place.index >= to->positions) return TAULER_INTERNAL;
  const uint64_t bit = UINT64_C(1) << place.index % WORD;
  _Atomic uint64_t *word = &to->bits[place.index / WORD];
  if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
    atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
  return TAULER_OK;
}

static tauler_error mark_edges(void *user, const chance_edge *edges, size_t n) {
  const follower *f = user;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++)
    if (edges[i].to.slice != GAME_OVER) error = mark_position(f->marks, edges[i].to);
  return error;
}

static size_t collect_marked_positions(const follower *f, uint64_t block, uint64_t index[BLOCK]) {
  const uint64_t words = count_words(f->from->positions);
  size_t used = 0;
  for (uint64_t w = block * BLOCK_WORDS; w < (block + 1) * BLOCK_WORDS && w < words; w++) {
    uint64_t left = atomic_load_explicit(&f->from->bits[w], memory_order_relaxed) & ~f->followed[w];
    f->followed[w] |= left;
    for (; left; left &= left - 1) index[used++] = w * WORD + (uint64_t)__builtin_ctzll(left);
  }
  return used;
}

static tauler_error follow_block(const follower *f, uint64_t block, bool *any) {
  uint64_t index[BLOCK];
  chance_edge edges[SINK];
  chance_sink sink = {edges, 0, SINK, mark_edges, (void *)(uintptr_t)f};
  const size_t used = collect_marked_positions(f, block, index);
  if (!used) return TAULER_OK;
  *any = true;
  const tauler_error error = f->job->game->chance->expand(f->job->rules, f->from->slice, index, used, &sink);
  return error ? error : chance_sink_flush(&sink);
}

static tauler_error follow_slice(const follower *f) {
  const uint64_t words = count_words(f->from->positions), blocks = (words + BLOCK_WORDS - 1) / BLOCK_WORDS;
  failure failed = {0};
  bool any = true;
  while (any && !failed.error) {
    any = false;
#pragma omp parallel for num_threads(f->job->threads) schedule(dynamic, 4) reduction(|| : any)
    for (uint64_t block = 0; block < blocks; block++) {
      bool here = false;
      failure_note(&failed, follow_block(f, block, &here), NULL);
      any = any || here;
    }
  }
  return failure_outcome(&failed, NULL);
}

static void count_bits(reached_slice *of) {
  for (uint64_t w = 0; w < count_words(of->positions); w++)
    of->count += (uint64_t)__builtin_popcountll(atomic_load_explicit(&of->bits[w], memory_order_relaxed));
}

/* Keeps the list in the order of numbers. A slice needs only slices with smaller numbers. */
static tauler_error insert_slice(game_slices *list, game_slice slice) {
  size_t at = 0;
  while (at < list->used && list->slices[at].slice < slice.slice) at++;
  if (at < list->used && list->slices[at].slice == slice.slice) return TAULER_OK;
  game_slice *grown = realloc(list->slices, (list->used + 1) * sizeof *grown);
  if (!grown) return TAULER_NO_MEMORY;
  list->slices = grown;
  memmove(grown + at + 1, grown + at, (list->used++ - at) * sizeof *grown);
  grown[at] = slice;
  return TAULER_OK;
}

/* Inserts needed slices before the slice that needs them, so its distance from the end does not change. */
static tauler_error add_needed_slices(const game *game, const game_rules *rules, game_slices *list,
                                      tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t from_end = 1; from_end <= list->used && !error; from_end++) {
    game_slices needed;
    error = game->needs(rules, list->slices[list->used - from_end].slice, &needed, message);
    for (size_t i = 0; !error && i < needed.used; i++) error = insert_slice(list, needed.slices[i]);
    free(needed.slices);
  }
  return error;
}

tauler_error reached_slices(const game *game, const game_rules *rules, uint32_t slice, game_slices *out,
                            tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  if (game->chance->origin) slice = game->chance->origin(rules, slice);
  game->slice_name(rules, slice, name);
  tauler_error error = game_slices_under(game, rules, name, out, message);
  if (!error && game->needs) error = add_needed_slices(game, rules, out, message);
  if (!error) return TAULER_OK;
  free(out->slices);
  *out = (game_slices){0};
  return tauler_fail(message, error, "the slices of %s cannot be listed", game->name);
}

static tauler_error mark_start(const reached_job *job, const reached *r, uint32_t slice) {
  const game_chance *chance = job->game->chance;
  game_position start;
  game_place place;
  if (chance->origin && chance->origin(job->rules, slice) != slice) return TAULER_OK;
  chance->start(job->rules, slice, &start);
  return job->game->locate(job->rules, &start, &place) ? mark_position(r, place) : TAULER_INTERNAL;
}

static tauler_error follow_and_count(const reached_job *job, reached *r, reached_slice *from,
                                     tauler_message *message) {
  follower f = {.job = job, .marks = r, .from = from};
  tauler_error error = memory_allocate_array(job->memory, count_words(from->positions), sizeof *f.followed,
                                             "positions that were followed", &f.followed, message);
  if (error) return error;
  error = mark_start(job, r, from->slice);
  if (!error) error = follow_slice(&f);
  if (error)
    error = tauler_fail(message, error, "the moves of %s cannot be followed from the start", job->game->name);
  memory_free(job->memory, f.followed);
  count_bits(from);
  return error;
}

static tauler_error allocate_bits(const reached_job *job, reached *out, tauler_message *message) {
  static const char what[] = "positions that play reaches";
  tauler_error error =
      memory_allocate_array(job->memory, job->slices->used, sizeof *out->slices, what, &out->slices, message);
  for (; out->used < job->slices->used && !error; out->used++) {
    reached_slice *of = &out->slices[out->used];
    of->slice = job->slices->slices[out->used].slice;
    of->positions = job->game->positions(job->rules, of->slice);
    error = memory_allocate_array(job->memory, count_words(of->positions), sizeof *of->bits, what, &of->bits,
                                  message);
  }
  return error;
}

tauler_error reached_open(const reached_job *job, reached *out, tauler_message *message) {
  *out = (reached){.memory = job->memory};
  tauler_error error = allocate_bits(job, out, message);
  if (job->shown && !error) progress_start(job->shown, "positions that play reaches", "slices", out->used, 0);
  for (size_t i = out->used; i-- > 0 && !error;) {
    error = follow_and_count(job, out, &out->slices[i], message);
    if (job->shown) progress_add(job->shown, 1);
  }
  if (error && job->shown) progress_abandon(job->shown);
  if (!error && job->shown) progress_finish(job->shown);
  if (error) reached_close(out);
  return error;
}

void reached_close(reached *r) {
  for (size_t i = 0; i < r->used; i++) memory_free(r->memory, (void *)r->slices[i].bits);
  memory_free(r->memory, r->slices);
  *r = (reached){.memory = r->memory};
}
