/* Slices of Dou Shou Qi that memory does not hold are solved in parts on the disk: the same cells for any
 * parts and threads; memory and disk as planned; stops, taken up in other parts; and a full disk. */
#include "games/doushouqi/bitboards.h"
#include "games/doushouqi/doushouqi.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_doushouqi.h"
#include "tests/support/toy_disk.h"

static void *zeros(uint64_t count, size_t each) {
  void *block = calloc(count, each);
  if (!block) ck_abort_msg("no memory");
  return block;
}

CASE(a_cut_class_has_the_same_cells) {
  toy_class w = toy_class_open(toy_classes[_i].rules, toy_classes[_i].material);
  const uint32_t step = w.list.slices[w.list.used - 1].positions > 1000000 && !suite_is_long() ? 13 : 1;
  toy_class_solve_whole(&w);
  int cuts = 0;
  for (uint32_t parts = 2; toy_class_set_room(&w, parts); parts += step, cuts++) {
    bitboard_slice cut;
    w.job.work.threads = 1 + cuts % 3;
    toy_class_set_room(&w, parts);
    toy_class_solve(&w, w.slice, &cut);
    ck_assert_uint_gt(cut.cut.parts, 1);
    ck_assert_uint_le(cut.cut.parts, parts); /* a coarser one may take no more */
    ck_assert_ptr_nonnull(cut.disk);
    toy_class_compare(&w, &cut);
    bitboard_slice_close(&w.memory, &cut);
  }
  ck_assert_int_ge(cuts, 2);
  toy_class_close(&w);
}

CASE(a_cut_class_keeps_to_its_memory) {
  static const uint32_t parts_of[] = {2, 5, 20};
  toy_class w = toy_class_open("base", "Lrc");
  solve_effort effort = {0};
  bitboard_slice cut;
  uint32_t parts = 0;
  toy_class_solve_smaller(&w);
  ck_assert(toy_class_set_room(&w, parts_of[_i]));
  ck_assert_uint_eq(bitboard_slice_bytes(&w.job, w.slice), w.job.room);
  const uint64_t waiting = bitboard_slice_waiting(&w.job, w.slice, &parts);
  ck_assert_uint_eq(parts, parts_of[_i]);
  memory_budget tight;
  memory_budget_open(&tight, w.job.room);
  w.job.work.memory = &tight;
  toy_class_solve(&w, w.slice, &cut);
  ck_assert_uint_ge(memory_peak(&tight), w.job.room - w.job.room / 10);
  ck_assert_uint_eq(memory_allocated(&tight), bitboard_slice_finished_bytes(&w.job, w.slice));
  ck_assert_uint_le(toy_hidden_bytes(folder), waiting);
  ck_assert_uint_ge(toy_hidden_bytes(folder), waiting / 2); /* sets and depths are left */
  bitboard_slice_close(&tight, &cut);
  for (uint64_t nth = 1;; nth++) {
    memory_fail_allocation(&tight, nth, false);
    const tauler_error error = bitboard_slice_solve(&w.job, &w.finished, w.slice, &cut, &effort, NULL);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    ck_assert_uint_eq(memory_allocated(&tight), 0);
  }
  bitboard_slice_close(&tight, &cut);
  w.job.work.memory = &w.memory;
  toy_class_close(&w);
}

static bool now_and_then(void *user) {
  return ++*(int *)user % 3 == 0;
}

/* Blocks once lay in another order, and checkpoints of that are of no use. */
static void check_identity(const toy_class *w) {
  char path[GAME_TEXT_BYTES + 300], name[GAME_TEXT_BYTES], text[1000] = "";
  dsq_slice_name(w->rules, w->slice, name);
  snprintf(path, sizeof path, "%s/%s.words.checkpoint", folder, name);
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  const size_t n = fread(text, 1, sizeof text, file);
  fclose(file);
  ck_assert_ptr_nonnull(memmem(text, n, " order 2", strlen(" order 2")));
}

/* Stopped at every third wave, and each time gone on with in another way. */
CASE(a_cut_class_goes_on_after_a_stop) {
  toy_class w = toy_class_open(toy_classes[_i].rules, toy_classes[_i].material);
  bitboard_slice cut;
  solve_effort effort = {0};
  int asked = 0, stops = 0;
  toy_class_solve_whole(&w);
  const solve_checkpoints checkpoints = {folder, 0, now_and_then, &asked};
  w.job.checkpoints = &checkpoints;
  for (;; stops++) {
    w.job.work.threads = 1 + stops % 2;
    toy_class_set_room(&w, 2 + 3 * ((uint32_t)stops % 4));
    if (stops % 3 == 2) w.job.room = 0;
    const tauler_error error = bitboard_slice_solve(&w.job, &w.finished, w.slice, &cut, &effort, NULL);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_STOPPED);
    check_identity(&w);
  }
  ck_assert_int_gt(stops, 4);
  toy_class_compare(&w, &cut);
  bitboard_slice_close(&w.memory, &cut);
  checkpointer_remove(&w.job, w.slice, true);
  w.job.checkpoints = NULL;
  toy_class_close(&w);
}

/* A disk that takes so many bytes and no more. */
CASE(a_full_disk_is_an_error) {
  toy_class w = toy_class_open("base", "Lrc");
  solve_effort effort = {0};
  tauler_message message = {""};
  bitboard_slice cut;
  toy_class_solve_smaller(&w);
  ck_assert(toy_class_set_room(&w, 3));
  uint32_t parts;
  const uint64_t waiting = bitboard_slice_waiting(&w.job, w.slice, &parts);
  toy_limit_files(waiting / 4 * (uint64_t)(_i + 1));
  ck_assert_int_eq(bitboard_slice_solve(&w.job, &w.finished, w.slice, &cut, &effort, &message),
                   TAULER_NO_SPACE);
  toy_limit_files(0);
  ck_assert_ptr_nonnull(strstr(message.text, folder));
  ck_assert_ptr_null(cut.won);
  toy_class_close(&w);
}

/* --- parts --- */

typedef struct {
  game_bitboards_plan plan;
  game_bitboards_state state;
  void *scratch;
} arrays;

static arrays open_arrays(const toy_class *w) {
  arrays a = {0};
  dsq_bitboards.plan(w->rules, w->slice, &a.plan);
  const uint64_t blocks = a.plan.blocks;
  a.state = (game_bitboards_state){.won = zeros(blocks, 8),
                                   .lost = zeros(blocks, 8),
                                   .depth = zeros(blocks, a.plan.columns),
                                   .held = zeros(blocks, 8),
                                   .gaining = zeros(blocks, 8),
                                   .due = zeros(blocks, 1),
                                   .marked = {zeros(blocks, 1), zeros(blocks, 1)},
                                   .finished = w->finished.cells};
  a.scratch = zeros(1, a.plan.scratch_bytes);
  return a;
}

enum { STATE_ARRAYS = 8, MARKS = 6 };

static size_t list_arrays(const arrays *a, int i, uint8_t **bytes) {
  const game_bitboards_state *s = &a->state;
  void *const all[STATE_ARRAYS] = {s->won,   s->lost, s->held,      s->gaining,
                                   s->depth, s->due,  s->marked[0], s->marked[1]};
  *bytes = all[i];
  return i < 4 ? 8 : i == 4 ? a->plan.columns : 1;
}

static void close_arrays(arrays *a) {
  for (int i = 0; i < STATE_ARRAYS; i++) {
    uint8_t *bytes;
    list_arrays(a, i, &bytes);
    free(bytes);
  }
  free(a->scratch);
}

static void mark_run(void *user, uint64_t first, uint64_t blocks) {
  memset((uint8_t *)user + first, 1, blocks);
}

/* The same state, but with nonsense in all blocks that a part does not say it reads. */
static void copy_seen(const arrays *from, arrays *to, const uint8_t *read) {
  to->state.wave = from->state.wave;
  for (int i = 0; i < STATE_ARRAYS; i++) {
    uint8_t *a, *b;
    const size_t each = list_arrays(from, i, &a);
    list_arrays(to, i, &b);
    for (uint64_t block = 0; block < from->plan.blocks; block++) {
      memcpy(b + block * each, a + block * each, each);
      if (!read[block]) memset(b + block * each, 0x5A, each);
    }
  }
}

static void run_part(const dsq_bits_tables *t, arrays *a, uint32_t part) {
  const uint64_t first = part ? dsq_bitboards.group_end(t, part - 1) : 0;
  uint64_t changed = 0;
  uint32_t latest = 0;
  for (uint64_t tile = first; tile < dsq_bitboards.group_end(t, part); tile++)
    (void)(a->state.wave ? dsq_bitboards.relax : dsq_bitboards.begin)(t, &a->state, tile, a->scratch,
                                                                      &changed, &latest);
}

/* Outside of what a part reads nothing has changed; outside of what it writes only marks have. */
static void check_part(const arrays *before, const arrays *a, const arrays *seen, const uint8_t *read,
                       const uint8_t *own) {
  for (int i = 0; i < STATE_ARRAYS; i++) {
    uint8_t *old, *all, *some;
    const size_t each = list_arrays(a, i, &all);
    list_arrays(before, i, &old);
    list_arrays(seen, i, &some);
    for (uint64_t block = 0; block < a->plan.blocks; block++) {
      for (size_t k = block * each; k < (block + 1) * each; k++) {
        if (read[block])
          EXPECT(all[k] == some[k], "array %d, block %lu depends on others", i, (unsigned long)block);
        else
          EXPECT(some[k] == 0x5A && all[k] == old[k], "array %d, block %lu is written", i,
                 (unsigned long)block);
      }
      EXPECT(own[block] || i >= MARKS || memcmp(all + block * each, old + block * each, each) == 0,
             "array %d, block %lu is another part's", i, (unsigned long)block);
    }
  }
}

CASE(parts_read_and_write_what_they_say) {
  toy_class w = toy_class_open(toy_classes[_i].rules, toy_classes[_i].material);
  void *tables;
  toy_class_solve_smaller(&w);
  MUST(dsq_bitboards.open(w.rules, w.slice, &tables));
  arrays a = open_arrays(&w), seen = open_arrays(&w), before = open_arrays(&w);
  uint8_t *const every = zeros(a.plan.blocks, 1);
  memset(every, 1, a.plan.blocks);
  const uint64_t blocks = a.plan.blocks;
  for (; a.state.wave < 30; a.state.wave++) {
    game_bitboards_cut cut;
    if (!dsq_bitboards.parts->plan(w.rules, w.slice, a.state.wave % 27, &cut))
      ck_assert(dsq_bitboards.parts->plan(w.rules, w.slice, 0, &cut));
    dsq_bitboards.parts->order(tables, &cut);
    uint64_t all = 0;
    for (uint32_t part = 0; part < cut.parts; part++) {
      uint8_t *read = zeros(blocks, 1), *own = zeros(blocks, 1);
      uint64_t reads = 0, writes = 0;
      dsq_bits_visit_read(tables, part, mark_run, read);
      dsq_bitboards.parts->visit(tables, UINT64_C(1) << part, mark_run, own);
      for (uint64_t i = 0; i < blocks; i++) reads += read[i], writes += own[i];
      ck_assert_uint_le(reads, cut.read_units * bitboards_unit(blocks));
      ck_assert_uint_le(writes, cut.part_units * bitboards_unit(blocks));
      all += writes;
      copy_seen(&a, &before, every);
      copy_seen(&a, &seen, read);
      run_part(tables, &a, part);
      run_part(tables, &seen, part);
      check_part(&before, &a, &seen, read, own);
      free(read);
      free(own);
    }
    ck_assert_uint_eq(all, blocks);
  }
  close_arrays(&a);
  close_arrays(&seen);
  close_arrays(&before);
  free(every);
  dsq_bitboards.close(tables);
  toy_class_close(&w);
}

SUITE("dou shou qi in parts") {
  TIMEOUT(1800);
  LOOP(a_cut_class_has_the_same_cells, SOME(3, TOY_CLASSES));
  LOOP(a_cut_class_keeps_to_its_memory, 3);
  LOOP(a_cut_class_goes_on_after_a_stop, SOME(1, 5));
  LOOP(a_full_disk_is_an_error, 4);
  LOOP(parts_read_and_write_what_they_say, SOME(2, 4));
}
