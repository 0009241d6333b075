/* Slices in shards become the tables that a whole slice becomes, byte by byte, and come back from them. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "databases/folder.h"
#include "databases/names.h"
#include "games/registry.h"
#include "solver/engines/solve.h"
#include "solver/shards/store_parts.h"
#include "solver/tables/chunks_parts.h"
#include "solver/tables/slice_tables.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_store.h"

enum { MOST_SEEDS = 15, LEVEL = 1 };

/* A slice that one process holds whole, and the folder with its tables. */
typedef struct {
  game own; /* aualé, or one that leaves nothing out of its tables */
  const game *game;
  game_rules *rules;
  void *tables;
  memory_budget *memory;
  uint32_t seeds;
  solved_slice *list;
  slice_store *finished;
  solve_job solving;
  int8_t *lookups[SOLVE_PLANES];
  char whole[300], shared[300]; /* folders */
} world;

static build_job job_of(const world *w, const char *where, comm *comm, memory_budget *memory, int threads) {
  return (build_job){.problem.game = w->game,
                     .problem.rules = w->rules,
                     .folder = where,
                     .level = LEVEL,
                     .work.threads = threads,
                     .work.memory = memory,
                     .work.comm = comm};
}

static void make_folders(const char *above) {
  char command[900];
  snprintf(command, sizeof command, "mkdir -p %.300s/auale/awari/even %.300s/auale/abapa/forced", above,
           above);
  ck_assert_int_eq(system(command), 0);
}

static void open_world(world *w, const char *rules, const char *cycles, uint32_t seeds, bool depths,
                       bool leaves_out) {
  *w = (world){.own = *game_find("auale"), .game = &w->own, .seeds = seeds};
  if (!leaves_out) w->own.left_out = NULL;
  w->rules = suite_rules(w->game, rules, cycles);
  w->memory = suite_budget(0);
  w->finished = toy_store_open(w->memory, seeds + 1, &w->list);
  MUST(w->game->grid->prepare(w->rules, seeds, &w->tables));
  w->solving = toy_job(w->game, w->rules, 2, w->memory);
  w->solving.grid_tables = w->tables;
  w->solving.store = w->finished;
  for (uint32_t n = 0; n <= seeds; n++) {
    MUST(solve_alone(&w->solving, n, depths && n == seeds, &w->list[n], hear()));
  }
  toy_lookups(&w->solving, &w->list[seeds], w->lookups);
  snprintf(w->whole, sizeof w->whole, "%s/whole", folder);
  snprintf(w->shared, sizeof w->shared, "%s/shared", folder);
  make_folders(w->whole);
  make_folders(w->shared);
  const build_job job = job_of(w, w->whole, NULL, w->memory, 2);
  toy_write_values(&job, &w->solving, &w->list[seeds]);
  if (depths) toy_write_depths(&job, &w->solving, &w->list[seeds]);
}

static void close_world(world *w) {
  char command[400];
  for (int plane = 0; plane < SOLVE_PLANES; plane++) memory_free(w->memory, w->lookups[plane]);
  w->game->grid->release(w->tables);
  snprintf(command, sizeof command, "rm -rf %s/*", folder);
  ck_assert_int_eq(system(command), 0);
}

/* One way to shard a slice out. */
typedef struct {
  const world *w;
  uint32_t shards_per_rank;
  int threads;
  bool depths;
  tauler_error expected;
  uint64_t failing_take;
} sharing;

typedef struct {
  const void *whole;
  void *shard;
  size_t cell_bytes;
} shard_copy;

static void copy_to_shard(void *user, uint64_t index, uint64_t own, uint64_t n) {
  const shard_copy *copy = user;
  memcpy((char *)copy->shard + own * copy->cell_bytes, (const char *)copy->whole + index * copy->cell_bytes,
         n * copy->cell_bytes);
}

static void fill_part(sharded_slice *slice, uint32_t i, int part, const void *whole) {
  MUST(sharded_allocate(slice, i, part, hear()));
  shard_copy copy = {whole, slice->shards[i].parts[part], sharded_cell_bytes(part)};
  layout_visit_range(slice->layout, slice->first_shard + i, 0, slice->positions, copy_to_shard, &copy);
  sharded_unload(slice, i);
}

static void open_shards(const sharing *s, comm *comm, memory_budget *memory, sharded_slice *slice) {
  const world *w = s->w;
  slice_layout *layout;
  MUST(layout_open(w->game, w->rules, w->seeds, true, (uint32_t)comm_ranks(comm) * s->shards_per_rank,
                   s->shards_per_rank, &layout, hear()));
  MUST(sharded_open(slice, comm, memory, layout, w->list[w->seeds].planes,
                    s->shards_per_rank > 1 ? folder : NULL, hear()));
}

static void fill_shards(const world *w, sharded_slice *slice, bool lookups) {
  const solved_slice *whole = &w->list[w->seeds];
  for (uint32_t i = 0; i < slice->shards_here; i++) {
    for (int plane = 0; plane < slice->planes; plane++) {
      fill_part(slice, i, SHARD_CELLS + plane, whole->cells[plane]);
      if (lookups) fill_part(slice, i, SHARD_LOOKUPS + plane, w->lookups[plane]);
      if (whole->depths[plane]) fill_part(slice, i, SHARD_DEPTHS + plane, whole->depths[plane]);
    }
  }
}

static void compare_files(const world *w, const char *stream) {
  char names[2][FOLDER_PATH_BYTES];
  unsigned char *bytes[2];
  size_t n[2];
  for (int i = 0; i < 2; i++) {
    table_header header;
    names_header(w->game, w->rules, w->seeds, stream, &header);
    MUST(folder_table_path(i ? w->shared : w->whole, "", &header, names[i], NULL));
    bytes[i] = read_file(names[i], &n[i]);
  }
  ck_assert_msg(n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0, "%s is another file", names[1]);
}

static void compare_stored(const world *w, slice_store *store, bool depths) {
  const solved_slice *whole = &w->list[w->seeds];
  store_cells *cells;
  game_run run = {w->seeds, 0, whole->positions};
  MUST(store_gather(store, &run, 1, whole->planes, &cells, hear()));
  const game_finished finished = store_reader(cells);
  for (int plane = 0; plane < whole->planes; plane++)
    ck_assert(memcmp(finished.read(finished.user, w->seeds, plane, 0, whole->positions, NULL),
                     whole->cells[plane], whole->positions) == 0);
  store_cells_free(cells);
  enum { ASKED = 5000 };
  static _Thread_local game_place places[ASKED];
  static _Thread_local int8_t values[SOLVE_PLANES][ASKED];
  static _Thread_local uint16_t found[SOLVE_PLANES][ASKED];
  for (uint64_t i = 0; i < ASKED; i++)
    places[i] = (game_place){w->seeds, i * 0x9E3779B97F4A7C15u % whole->positions};
  int8_t *to[SOLVE_PLANES] = {values[0], values[1]};
  uint16_t *depths_to[SOLVE_PLANES] = {found[0], found[1]};
  MUST(store_ask(store, places, ASKED, whole->planes, to, depths ? depths_to : NULL, hear()));
  for (int plane = 0; plane < whole->planes && depths; plane++) {
    for (size_t i = 0; i < ASKED; i++) {
      const uint16_t depth = whole->depths[plane][places[i].index];
      if (found[plane][i] != (depth == SOLVE_NO_DEPTH ? 0 : depth)) ck_abort_msg("a stored depth is wrong");
    }
  }
}

static slice_store *open_store(const sharing *s, comm *comm, memory_budget *memory) {
  const store_settings settings = {.comm = comm, .threads = s->threads, .room = MOST_SEEDS + 1};
  slice_store *store;
  MUST(store_open(&settings, memory, &store, NULL));
  return store;
}

static void write_shards(comm *comm, void *user) {
  const sharing *s = user;
  const world *w = s->w;
  memory_budget *memory = suite_budget(0);
  sharded_slice slice;
  const build_job job = job_of(w, w->shared, comm, memory, s->threads);
  slice_store *store = open_store(s, comm, memory);
  open_shards(s, comm, memory, &slice);
  fill_shards(w, &slice, true);
  const uint64_t held = memory_allocated(memory);
  void *before; /* room for some chunks that wait to be digested, in the memory that solving used */
  MUST(memory_allocate(memory, comm_ranks(comm) > 1 ? 6 << 20 : 0, "solving", &before, hear()));
  memory_free(memory, before);
  MUST(chunks_write(&job, &slice, false, store, hear()));
  ck_assert(memory_peak(memory) - held <= chunks_bytes(job.work.threads, slice.layout->shards,
                                                       slice.layout->shards_per_rank, UINT64_MAX, s->depths));
  if (s->depths) MUST(chunks_write(&job, &slice, true, store, hear()));
  for (uint32_t i = 0; i < slice.shards_here; i++)
    ck_assert(!slice.shards[i].parts[SHARD_LOOKUPS] && !slice.shards[i].stored[SHARD_LOOKUPS]);
  compare_stored(w, store, s->depths);
  store_drop(store, w->seeds, 0);
  MUST(chunks_pack(&job, &slice, false, store, hear()));
  compare_stored(w, store, s->depths);
  store_close(store);
  sharded_free(&slice);
}

static const struct {
  const char *rules, *cycles;
  uint32_t seeds;
  int ranks;
  uint32_t shards_per_rank;
  int threads;
  bool depths, leaves_out;
} ways[] = {{"awari", "even", 8, 1, 1, 1, true, true},   {"awari", "even", 9, 2, 3, 2, true, true},
            {"awari", "even", 11, 3, 1, 1, true, false}, {"abapa", "forced", 11, 2, 2, 1, true, true},
            {"awari", "even", 13, 2, 1, 1, false, true}, {"awari", "even", 14, 1, 2, 3, false, true},
            {"awari", "even", 15, 2, 1, 1, false, true}};

enum { WAYS = sizeof ways / sizeof *ways };

CASE(tables_are_those_of_a_slice_held_whole) {
  world w;
  open_world(&w, ways[_i].rules, ways[_i].cycles, ways[_i].seeds, ways[_i].depths, ways[_i].leaves_out);
  sharing s = {&w, ways[_i].shards_per_rank, ways[_i].threads, ways[_i].depths, TAULER_OK, 0};
  toy_comm_run(ways[_i].ranks, write_shards, &s);
  const slice_streams streams = slice_streams_of(&(solve_problem){.game = w.game, .rules = w.rules}, false);
  for (int plane = 0; plane < streams.planes; plane++) {
    compare_files(&w, streams.names[plane]);
    if (ways[_i].depths) compare_files(&w, streams.names[SOLVE_PLANES + plane]);
  }
  close_world(&w);
}

static void check_shard(const sharded_slice *slice, uint32_t i, int plane, const int8_t *stored) {
  const slice_shard *shard = &slice->shards[i];
  int8_t *right = suite_zeros(shard->n + 1, 1);
  shard_copy copy = {stored, right, 1};
  layout_visit_range(slice->layout, slice->first_shard + i, 0, slice->positions, copy_to_shard, &copy);
  ck_assert_msg(memcmp(right, shard->parts[SHARD_CELLS + plane], shard->n) == 0, "shard %u is wrong", i);
}

static void read_shards(comm *comm, void *user) {
  const sharing *s = user;
  const world *w = s->w;
  memory_budget *memory = suite_budget(0);
  sharded_slice slice;
  const build_job job = job_of(w, w->whole, comm, memory, s->threads);
  open_shards(s, comm, memory, &slice);
  MUST(chunks_read(&job, &slice, false, hear()));
  const slice_streams streams = slice_streams_of(&(solve_problem){.game = w->game, .rules = w->rules}, false);
  int8_t *stored = suite_zeros(slice.positions, 1);
  for (int plane = 0; plane < slice.planes; plane++) {
    table *from;
    MUST(slice_table_find(&job, w->seeds, streams.names[plane], &from, hear()));
    MUST(table_read(from, 0, slice.positions, stored, hear()));
    table_close(from);
    for (uint32_t i = 0; i < slice.shards_here; i++) {
      MUST(sharded_load(&slice, i, SHARD_CELLS + plane, hear()));
      check_shard(&slice, i, plane, stored);
      sharded_unload(&slice, i);
    }
  }
  slice_store *store = open_store(s, comm, memory);
  if (s->depths) {
    MUST(chunks_read(&job, &slice, true, hear()));
    MUST(chunks_pack(&job, &slice, true, store, hear()));
    sharded_free(&slice);
    open_shards(s, comm, memory, &slice);
    fill_shards(w, &slice, false);
    MUST(chunks_pack(&job, &slice, false, store, hear()));
    compare_stored(w, store, true);
  }
  store_close(store);
  sharded_free(&slice);
}

CASE(shards_are_filled_with_what_tables_hold) {
  world w;
  open_world(&w, ways[_i].rules, ways[_i].cycles, ways[_i].seeds, ways[_i].depths, ways[_i].leaves_out);
  sharing s = {
      &w, ways[_i].shards_per_rank, ways[_i].threads, ways[_i].depths && !w.game->left_out, TAULER_OK, 0};
  toy_comm_run(ways[_i].ranks, read_shards, &s);
  close_world(&w);
}

static void write_in_vain(comm *comm, void *user) {
  sharing *s = user;
  memory_budget *memory = suite_budget(0);
  sharded_slice slice;
  const build_job job = job_of(s->w, s->w->shared, comm, memory, s->threads);
  slice_store *store = open_store(s, comm, memory);
  open_shards(s, comm, memory, &slice);
  fill_shards(s->w, &slice, true);
  if (s->expected == TAULER_NO_MEMORY && comm_rank(comm) == comm_ranks(comm) - 1)
    memory_fail_allocation(memory, s->failing_take, true);
  const tauler_error error = chunks_write(&job, &slice, false, store, hear());
  memory_fail_allocation(memory, 0, false);
  ck_assert_msg(error == s->expected, "error %d: %s", (int)error, said.text);
  ck_assert(said.text[0] && !store_find_plane(store, s->w->seeds, 0));
  store_close(store);
  sharded_free(&slice);
}

static void must_leave_nothing(const world *w) {
  char command[400];
  snprintf(command, sizeof command, "test -z \"$(find %s -type f)\"", w->shared);
  ck_assert_msg(system(command) == 0, "a file was left");
}

CASE(a_full_disk_ends_the_write_at_all_ranks) {
  world w;
  open_world(&w, "awari", "even", 12, false, true);
  sharing s = {&w, 1, 1, false, TAULER_NO_SPACE, 0};
  struct rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = (struct rlimit){100000, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  toy_comm_run(1 + _i, write_in_vain, &s);
  setrlimit(RLIMIT_FSIZE, &before);
  must_leave_nothing(&w);
  close_world(&w);
}

static enum { SPOIL_NOTHING, SPOIL_FIRST, SPOIL_LAST } spoils;

/* Stands before the function of the library: a disk on which four bytes of frames become others. */
int fsync(int file) {
  struct stat status;
  if (spoils && fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    ck_assert(pwrite(file, "\0\0\0", 4, spoils == SPOIL_FIRST ? TABLE_FRAMES_AT : status.st_size - 4) == 4);
  return (int)syscall(SYS_fsync, file);
}

CASE(frames_that_do_not_read_back_end_the_write_at_all_ranks) {
  world w;
  open_world(&w, "awari", "even", 12, false, true);
  sharing s = {&w, 1, 1, false, TAULER_IO, 0};
  spoils = _i % 2 ? SPOIL_FIRST : SPOIL_LAST;
  toy_comm_run(2 + _i / 2, write_in_vain, &s);
  spoils = SPOIL_NOTHING;
  must_leave_nothing(&w);
  close_world(&w);
}

/* Frames, and what others sent, wait in a hidden file. */
static void write_changed_frames(comm *comm, void *user) {
  const sharing *s = user;
  memory_budget *memory = suite_budget(0);
  sharded_slice slice;
  open_shards(s, comm, memory, &slice);
  const build_job job = job_of(s->w, s->w->shared, comm, memory, 1);
  chunk_batch b = {.job = &job, .slice = &slice};
  frame_hold hold = {0};
  char path[400];
  snprintf(path, sizeof path, "%s/table", folder);
  MUST(chunks_open(&b, hear()));
  MUST(frame_hold_open(&hold, &b, path, hear()));
  const uint32_t sizes[] = {700, 300};
  unsigned char bytes[1000] = {1, 2, 3}, back[1000];
  const table_frames frames = {.used = 2, .sizes = sizes, .bytes = bytes, .n = sizeof bytes};
  b.batch = 0;
  MUST(frame_hold_put(&hold, &b, 0, 0, &frames, hear()));
  MUST(frame_hold_get(&hold, &hold.pieces[0], back, hear()));
  ck_assert(memcmp(back, bytes, sizeof bytes) == 0);
  MUST(unnamed_file_write(hold.file, hold.pieces[0].at + 999, "\1", 1, hear()));
  ck_assert_int_eq(frame_hold_get(&hold, &hold.pieces[0], back, hear()), TAULER_IO);
  uint8_t *end;
  MUST(mail_reserve(&b.mail, &b.mail.in[1], sizeof bytes, &end, hear()));
  memcpy(end, bytes, b.mail.in[1].n = sizeof bytes);
  MUST(frame_hold_keep(&hold, &b, hear()));
  MUST(frame_hold_load(&hold, &b, hear()));
  ck_assert(b.mail.in[1].n == sizeof bytes && memcmp(b.mail.in[1].bytes, bytes, sizeof bytes) == 0);
  MUST(unnamed_file_write(hold.file, hold.sent[0] + 500, "\1", 1, hear()));
  ck_assert_int_eq(frame_hold_load(&hold, &b, hear()), TAULER_IO);
  frame_hold_close(&hold, &b);
  chunks_close(&b);
  sharded_free(&slice);
}

CASE(what_changes_while_it_waits_is_refused) {
  world w;
  open_world(&w, "awari", "even", 12, false, true);
  sharing s = {&w, 1, 1, false, TAULER_OK, 0};
  toy_comm_run(2, write_changed_frames, &s);
  close_world(&w);
}

CASE(missing_memory_at_one_rank_ends_the_write_at_all) {
  world w;
  open_world(&w, "awari", "even", 10, false, true);
  for (uint64_t nth = 1; nth <= 9; nth++) {
    sharing s = {&w, 1, 1, false, TAULER_NO_MEMORY, nth};
    toy_comm_run(1 + _i, write_in_vain, &s);
    must_leave_nothing(&w);
  }
  close_world(&w);
}

SUITE("chunks") {
  table_fixture(suite);
  LOOP(tables_are_those_of_a_slice_held_whole, SOME(4, WAYS));
  LOOP(shards_are_filled_with_what_tables_hold, SOME(4, WAYS));
  LOOP(a_full_disk_ends_the_write_at_all_ranks, SOME(2, 3));
  LOOP(frames_that_do_not_read_back_end_the_write_at_all_ranks, SOME(2, 4));
  TEST(what_changes_while_it_waits_is_refused);
  LOOP(missing_memory_at_one_rank_ends_the_write_at_all, 2);
}
