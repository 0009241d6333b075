/* Counts wins, draws and losses of every slice in a folder, with several threads:
 *
 *   count_values FOLDER [THREADS]
 *
 * Prints one line per slice: game, rules, cycles, slice, and the numbers of indexes, of wins, draws and
 * losses of the side to move, and of positions whose bounds leave the result open. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <tauler.h>

enum { PIECE = 1 << 16, MOST_THREADS = 64 };

/* Each thread counts the next piece of the slice, until none is left. */
typedef struct {
  const tauler_slice *slice;
  tauler_tables *tables;
  _Atomic uint64_t next;
  pthread_mutex_t lock; /* protects the members below */
  uint64_t counts[TAULER_WIN + 1];
  tauler_error error;
  tauler_message message;
} counting;

static void add_counts(counting *c, const uint64_t *counts) {
  pthread_mutex_lock(&c->lock);
  for (int i = 0; i <= TAULER_WIN; i++) c->counts[i] += counts[i];
  pthread_mutex_unlock(&c->lock);
}

static void note_error(counting *c, tauler_error error, const tauler_message *message) {
  pthread_mutex_lock(&c->lock);
  if (!c->error) c->message = *message;
  c->error = error;
  pthread_mutex_unlock(&c->lock);
}

static void *count_pieces(void *user) {
  counting *c = user;
  tauler_worth *worths = malloc(PIECE * sizeof *worths);
  uint64_t counts[TAULER_WIN + 1] = {0}, first;
  tauler_message message = {"no memory for a piece of a slice"};
  tauler_error error = worths ? TAULER_OK : TAULER_NO_MEMORY;
  while (!error && (first = atomic_fetch_add(&c->next, PIECE)) < c->slice->positions) {
    const uint64_t left = c->slice->positions - first;
    const size_t n = left < PIECE ? (size_t)left : PIECE;
    error = tauler_values_at(c->tables, c->slice->slice_number, first, n, worths, &message);
    for (size_t i = 0; i < n && !error; i++) counts[tauler_category_of(worths[i])]++;
  }
  if (error) note_error(c, error, &message);
  add_counts(c, counts);
  free(worths);
  return NULL;
}

static tauler_error count_slice(tauler *db, const tauler_slice *slice, int threads, tauler_message *message) {
  counting c = {.slice = slice, .lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t started[MOST_THREADS];
  int used = 0;
  const tauler_error error = tauler_select(db, slice->game, slice->rules, slice->cycles, &c.tables, message);
  if (error) return error;
  while (used < threads - 1 && pthread_create(&started[used], NULL, count_pieces, &c) == 0) used++;
  count_pieces(&c);
  while (used > 0) pthread_join(started[--used], NULL);
  if (c.error)
    *message = c.message;
  else
    printf("%s %s %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", slice->game,
           slice->rules, slice->cycles[0] ? slice->cycles : "-", slice->slice, slice->positions,
           c.counts[TAULER_WIN], c.counts[TAULER_DRAW], c.counts[TAULER_LOSS], c.counts[TAULER_UNKNOWN]);
  return c.error;
}

int main(int count, char **arguments) {
  const int threads = count == 3 ? atoi(arguments[2]) : 2;
  tauler *db;
  tauler_contents *contents = NULL;
  tauler_message message;
  if (count < 2 || count > 3 || threads < 1 || threads > MOST_THREADS) {
    fprintf(stderr, "usage: %s FOLDER [THREADS]\n", arguments[0]);
    return tauler_exit_code(TAULER_BAD_USAGE);
  }
  tauler_error error = tauler_open(arguments[1], NULL, &db, &message);
  if (!error) error = tauler_list(db, &contents, &message);
  for (size_t i = 0; !error && i < contents->slices_used; i++) {
    error = count_slice(db, &contents->slices[i], threads, &message);
  }
  if (!error && contents->passed_over) {
    fprintf(stderr, "files of the folder that are no tables of this version: %zu; tauler verify says more\n",
            contents->passed_over);
  }
  if (error) fprintf(stderr, "%s: %s\n", tauler_error_name(error), message.text);
  tauler_contents_free(contents);
  tauler_close(db);
  return tauler_exit_code(error);
}
