/* Counts positions by value in games without dice, slice by slice. */
#include "analysis/stats/stats.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/slices/bulk.h"
#include "base/memory.h"

/* Neighbouring cells that are counted together, those of one or more parts of a slice. */
typedef struct {
  uint64_t first, count;
  tally counted;
} counted_run;

typedef struct {
  counted_run *runs;
  size_t used, room;
} counted_runs;

typedef struct {
  stats_job *job;
  tally total;
  counted_runs *slices; /* runs of each slice of the job's list */
  size_t at;            /* place of the present slice in the list */
} counting;

/* A row of a tally as ranks send it. */
typedef struct {
  uint64_t slice, run; /* places in counting.slices and in its runs */
  tally_row row;
} sent_row;

/* Least number of positions of a slice that is divided among ranks. One rank counts each smaller slice. */
enum { LEAST_CUT = 1 << 20 };

static bool reads_cells(const stats_job *j) {
  return !tally_is_in_headers(j->tables, &j->settings) || tally_has_batches(j->tables, &j->settings);
}

static tauler_error open_streams(const stats_job *j, uint32_t slice, tauler_message *message) {
  slice_entry *entry = slice_entry_of(j->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  for (int plane = 0; plane < j->tables->planes; plane++) {
    const table *opened;
    tauler_error error = slice_table(j->tables, entry, STREAMS_VALUE, plane, &opened, message);
    if (!error && (j->settings.with_depths || bulk_has_depths(j->tables))) {
      error = slice_table(j->tables, entry, STREAMS_DEPTH, plane, &opened, message);
    }
    if (error) return error;
  }
  return TAULER_OK;
}

/* Opens the needed tables before counts are printed. If cells are read, smaller slices are needed, too, since
 * tables may leave cells out. */
static tauler_error open_all_tables(const stats_job *j, tauler_message *message) {
  for (size_t i = 0; i < j->slices->used; i++) {
    const game_slice *slice = &j->slices->slices[i];
    if (!slice->asked && !reads_cells(j)) continue;
    const tauler_error error = open_streams(j, slice->slice, message);
    if (error != TAULER_TABLE_MISSING) {
      if (error) return error;
      continue;
    }
    return fail_slice_missing(j->tables, j->request, slice->slice, j->settings.with_depths, message);
  }
  return TAULER_OK;
}

/* True if all bounds in the slices asked for are equal. Their tables are open. */
static bool all_are_exact(const stats_job *j, tauler_message *message) {
  bool exact = j->tables->may_be_exact;
  for (size_t i = 0; i < j->slices->used && exact; i++) {
    const slice_entry *entry = slice_entry_of(j->tables, j->slices->slices[i].slice, message);
    exact = !j->slices->slices[i].asked || (entry && slice_is_exact(entry));
  }
  return exact;
}

/* Finds the i-th part of a slice, which is the whole slice in games without parts. Returns false after the
 * last part. */
static bool find_part(const stats_job *j, uint32_t slice, size_t i, game_part *out) {
  const game *g = j->tables->game;
  if (g->part) return g->part(j->tables->rules, slice, i, out);
  g->slice_name(j->tables->rules, slice, out->name);
  out->first = 0;
  out->count = g->positions(j->tables->rules, slice);
  return i == 0;
}

static bool is_part_asked(const stats_job *j, const game_part *part) {
  const game *g = j->tables->game;
  return !g->part_asked || g->part_asked(j->tables->rules, j->request, part);
}

static counted_run *find_run(const counted_runs *runs, const game_part *part) {
  for (size_t i = 0; i < runs->used; i++) {
    counted_run *run = &runs->runs[i];
    if (run->first == part->first && run->count == part->count) return run;
  }
  return NULL;
}

/* --- counting --- */

static tauler_error list_runs(const stats_job *j, uint32_t slice, counted_runs *runs,
                              tauler_message *message) {
  game_part part;
  for (size_t i = 0; find_part(j, slice, i, &part); i++) {
    if (!is_part_asked(j, &part) || find_run(runs, &part)) continue;
    if (!memory_make_room(&runs->runs, &runs->room, runs->used + 1, sizeof *runs->runs))
      return tauler_fail(message, TAULER_NO_MEMORY, "no memory to count positions");
    runs->runs[runs->used++] = (counted_run){.first = part.first, .count = part.count};
  }
  return TAULER_OK;
}

static tauler_error finish_slice(counting *c, size_t at, tauler_message *message) {
  const stats_job *j = c->job;
  const counted_runs *runs = &c->slices[at];
  game_part part;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < runs->used; i++) tally_sort(&runs->runs[i].counted);
  for (size_t i = 0; !error && find_part(j, j->slices->slices[at].slice, i, &part); i++) {
    if (!is_part_asked(j, &part)) continue;
    const tally *counted = &find_run(runs, &part)->counted;
    if (j->with_total) error = tally_add_all(&c->total, counted, message);
    if (!error) print_counts(c->job, part.name, counted);
    if (!error && j->plot) error = stats_plot_add(j->plot, part.name, counted, message);
  }
  for (size_t i = 0; i < runs->used; i++) tally_free(&runs->runs[i].counted);
  return error;
}

static tauler_error visit_slice(void *user, uint32_t slice, const bulk_slice *loaded,
                                tauler_message *message) {
  counting *c = user;
  const stats_job *j = c->job;
  const int ranks = comm_ranks(j->ranks);
  if (print_is_lost(j->ranks)) return TAULER_OK;
  while (j->slices->slices[c->at].slice != slice) c->at++;
  tally_settings settings = j->settings;
  settings.shown = j->shown;
  if (j->slices->slices[c->at].positions >= LEAST_CUT) {
    settings.share = (unsigned)comm_rank(j->ranks);
    settings.shares = (unsigned)ranks;
  }
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < c->slices[c->at].used && !error; i++) {
    counted_run *run = &c->slices[c->at].runs[i];
    error = j->tables->game->part ? tally_part(j->tables, slice, loaded, run->first, run->count, &settings,
                                               &run->counted, message)
                                  : tally_slice(j->tables, slice, loaded, &settings, &run->counted, message);
    comm_note_progress(j->ranks);
  }
  progress_abandon(j->shown);
  return error || ranks > 1 ? error : finish_slice(c, c->at, message);
}

static bulk_walk make_walk(counting *c, const game_slices *slices) {
  const stats_job *j = c->job;
  return (bulk_walk){.tables = j->tables,
                     .slices = slices,
                     .in_memory = reads_cells(j),
                     .threads = j->settings.threads,
                     .memory = j->memory,
                     .visit = visit_slice,
                     .user = c,
                     .shown = j->shown};
}

/* --- ranks --- */

static tauler_error drop_unneeded_slices(const stats_job *j, game_slices *own, tauler_message *message) {
  bool *needed = calloc(game_slices_largest(own) + 1, sizeof *needed);
  if (!needed) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  tauler_error error = TAULER_OK;
  size_t first = own->used; /* index of the first slice that stays */
  for (size_t i = own->used; i-- > 0 && !error;) {
    const game_slice slice = own->slices[i];
    game_slices needs = {0};
    if (!slice.asked && !needed[slice.slice]) continue;
    own->slices[--first] = slice;
    error = j->tables->game->needs(j->tables->rules, slice.slice, &needs, message);
    for (size_t n = 0; n < needs.used; n++) needed[needs.slices[n].slice] = true;
    free(needs.slices);
  }
  own->used -= first;
  memmove(own->slices, own->slices + first, own->used * sizeof *own->slices);
  free(needed);
  return error;
}

/* Lists the slices that this rank counts and those that they need. A slice below LEAST_CUT goes to the rank
 * that has the fewest positions so far; every rank counts a share of each larger one. */
static tauler_error deal_slices(const stats_job *j, game_slices *own, tauler_message *message) {
  const game *g = j->tables->game;
  const size_t n = j->slices->used;
  uint64_t *dealt = calloc((size_t)comm_ranks(j->ranks), sizeof *dealt);
  own->slices = calloc(n + 1, sizeof *own->slices);
  tauler_error error = TAULER_OK;
  if (!dealt || !own->slices)
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  for (size_t i = 0; i < n && !error; i++) {
    own->slices[i] = j->slices->slices[i];
    if (!own->slices[i].asked || own->slices[i].positions >= LEAST_CUT) continue;
    int least = 0;
    for (int rank = 1; rank < comm_ranks(j->ranks); rank++)
      if (dealt[rank] < dealt[least]) least = rank;
    dealt[least] += own->slices[i].positions + 1;
    own->slices[i].asked = least == comm_rank(j->ranks);
  }
  free(dealt);
  own->used = n;
  return error || !g->needs ? error : drop_unneeded_slices(j, own, message);
}

/* Lists the rows of this rank, unless `out` is NULL, and returns their number. */
static size_t list_rows(const counting *c, sent_row *out) {
  size_t n = 0;
  for (size_t at = 0; at < c->job->slices->used; at++) {
    for (size_t run = 0; run < c->slices[at].used; run++) {
      const tally *counted = &c->slices[at].runs[run].counted;
      for (size_t i = 0; i < counted->room; i++) {
        if (counted->slots[i].count == 0) continue;
        if (out) out[n] = (sent_row){at, run, counted->slots[i]};
        n++;
      }
    }
  }
  return n;
}

static tauler_error share_rows(counting *c, tauler_message *message) {
  comm *ranks = c->job->ranks;
  const size_t own = list_rows(c, NULL);
  uint64_t most = own;
  tauler_error error = comm_allreduce(ranks, COMM_MAX, &most, 1, message);
  sent_row *mine = calloc(own + 1, sizeof *mine), *rows = calloc(most + 1, sizeof *rows);
  if (!error && (!mine || !rows))
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to count positions");
  error = comm_agree(ranks, error, message);
  if (!error) list_rows(c, mine);
  for (int rank = 1; rank < comm_ranks(ranks) && !error; rank++) {
    const bool sends = rank == comm_rank(ranks);
    uint64_t n = own;
    error = comm_bcast(ranks, rank, &n, sizeof n, message);
    if (!error && n) error = comm_bcast(ranks, rank, sends ? mine : rows, n * sizeof *rows, message);
    for (uint64_t i = 0; i < n && !error && comm_is_root(ranks); i++)
      error = tally_add(&c->slices[rows[i].slice].runs[rows[i].run].counted, rows[i].row.cell,
                        rows[i].row.count, message);
  }
  free(mine);
  free(rows);
  return comm_agree(ranks, error, message);
}

/* Returns on all ranks the error of the first slice that has one, as a single rank would. */
static tauler_error agree_on_first_error(const counting *c, tauler_error error, tauler_message *message) {
  struct {
    tauler_error error;
    tauler_message message;
  } first = {error, {""}};
  if (error && message) first.message = *message;
  const uint64_t own = error ? UINT64_MAX - c->at : 0;
  uint64_t least = own;
  const tauler_error lost = comm_allreduce(c->job->ranks, COMM_MAX, &least, 1, message);
  if (lost || least == 0) return lost;
  bool has = own == least;
  error = comm_bcast_first(c->job->ranks, &has, &first, sizeof first, message);
  return error ? error : tauler_fail(message, first.error, "%s", first.message.text);
}

static tauler_error count_across_ranks(counting *c, tauler_message *message) {
  const stats_job *j = c->job;
  game_slices own = {0};
  tauler_error error = comm_agree(j->ranks, deal_slices(j, &own, message), message);
  size_t done = 0;
  bulk_walk walk = make_walk(c, &own);
  walk.done = &done;
  if (!error) {
    error = bulk_walk_slices(&walk, message);
    for (c->at = 0; error && j->slices->slices[c->at].slice != own.slices[done].slice;) c->at++;
    error = agree_on_first_error(c, error, message);
  }
  free(own.slices);
  if (!error) error = share_rows(c, message);
  for (size_t at = 0; at < j->slices->used && !error && comm_is_root(j->ranks); at++)
    if (j->slices->slices[at].asked) error = finish_slice(c, at, message);
  return error;
}

/* --- the whole job --- */

static tauler_error count_and_print(counting *c, tauler_message *message) {
  const stats_job *j = c->job;
  const bulk_walk walk = make_walk(c, j->slices);
  tauler_error error = TAULER_OK;
  for (size_t at = 0; at < j->slices->used && !error; at++)
    if (j->slices->slices[at].asked)
      error = list_runs(j, j->slices->slices[at].slice, &c->slices[at], message);
  error = comm_agree(j->ranks, error ? error : open_all_tables(j, message), message);
  if (error) return error;
  c->job->exact = all_are_exact(j, message);
  print_counts_header(c->job);
  error = comm_ranks(j->ranks) > 1 ? count_across_ranks(c, message) : bulk_walk_slices(&walk, message);
  if (!error && j->with_total) {
    tally_sort(&c->total);
    print_counts_total(c->job, &c->total);
  }
  if (!error && j->plot) error = stats_plot_draw(j->plot, j->tables, message);
  return comm_agree(j->ranks, error, message);
}

tauler_error stats_print_counts(stats_job *j, tauler_message *message) {
  counting c = {.job = j, .slices = calloc(j->slices->used + 1, sizeof *c.slices)};
  tauler_error error =
      c.slices ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory to count positions");
  error = comm_agree(j->ranks, error, message);
  if (c.slices && !error) error = count_and_print(&c, message);
  for (size_t at = 0; c.slices && at < j->slices->used; at++) {
    for (size_t i = 0; i < c.slices[at].used; i++) tally_free(&c.slices[at].runs[i].counted);
    free(c.slices[at].runs);
  }
  free(c.slices);
  tally_free(&c.total);
  return error;
}
