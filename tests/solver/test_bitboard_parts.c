/* Slices in words that memory does not hold are solved in parts on the disk: the same cells for any parts and
 * threads; memory and disk as planned; stops, taken up in other parts; and a full disk. */
#include "solver/checkpoint/checkpointer.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_words.h"
#include "tests/support/toy_disk.h"

static bool is_phutball(const toy_words *w) {
  return strcmp(w->game->name, "phutball") == 0;
}

/* How many ways there are to cut the slice. */
static uint32_t count_cuts(toy_words *w) {
  uint32_t cuts = 0, parts;
  while (toy_words_set_room(w, cuts, &parts)) cuts++;
  return cuts;
}

CASE(a_cut_slice_has_the_same_cells) {
  toy_words *w = toy_words_open_solved(toy_words_names[_i]);
  const uint32_t cuts = count_cuts(w);
  const uint32_t step = w->right.positions > 1000000 && cuts > 3 && !suite_is_long() ? 13 : 1;
  ck_assert_uint_gt(cuts, 1);
  for (uint32_t fineness = 0; fineness < cuts; fineness += step) {
    const int first = 1 + (int)(fineness / step) % 3;
    for (int more = 0; more < (cuts == 3 ? SOME(1, 3) : 1); more++) {
      bitboard_slice cut;
      uint32_t parts;
      w->job.work.threads = 1 + (first + more) % 3;
      toy_words_set_room(w, fineness, &parts);
      MUST(toy_words_try(w, &cut));
      ck_assert_uint_gt(cut.cut.parts, 0);
      ck_assert_uint_le(cut.cut.parts, parts); /* a coarser one may take no more */
      ck_assert(is_phutball(w) ? !cut.depth : cut.disk != NULL);
      toy_words_compare(w, w->memory, &cut);
      bitboard_slice_close(w->memory, &cut);
    }
  }
}

/* Of slices in 2, 5 and 20 parts, and in 1, 3 and 10. */
static const struct {
  toy_words_name name;
  uint32_t fineness, parts;
  int threads;
} kept[] = {{{"doushouqi", "base", "Lrc"}, 0, 2, 2},   {{"doushouqi", "base", "Lrc"}, 3, 5, 2},
            {{"doushouqi", "base", "Lrc"}, 18, 20, 2}, {{"phutball", "base", "4x5"}, 0, 1, 1},
            {{"phutball", "base", "4x5"}, 1, 3, 2},    {{"phutball", "base", "4x5"}, 2, 10, 1},
            {{"phutball", "base", "7x3"}, 0, 1, 2},    {{"phutball", "base", "7x3"}, 1, 3, 1},
            {{"phutball", "base", "7x3"}, 2, 10, 2}};

CASE(a_cut_slice_keeps_to_its_memory) {
  toy_words *w = toy_words_open(kept[_i].name);
  bitboard_slice cut;
  uint32_t parts = 0;
  w->job.work.threads = kept[_i].threads;
  ck_assert(toy_words_set_room(w, kept[_i].fineness, &parts));
  ck_assert_uint_eq(parts, kept[_i].parts);
  ck_assert_uint_eq(bitboard_slice_bytes(&w->job, w->slice), w->job.room);
  const uint64_t waiting = bitboard_slice_waiting_bytes(&w->job, w->slice, &parts);
  ck_assert_uint_eq(parts, kept[_i].parts);
  memory_budget *tight = suite_budget(w->job.room);
  w->job.work.memory = tight;
  MUST(toy_words_try(w, &cut));
  ck_assert_uint_eq(cut.cut.parts, parts);
  ck_assert_uint_ge(memory_peak(tight), w->job.room - w->job.room / 10);
  ck_assert_uint_eq(memory_allocated(tight), bitboard_slice_finished_bytes(&w->job, w->slice));
  ck_assert_uint_gt(waiting, 0);
  if (!is_phutball(w)) {
    ck_assert_uint_le(toy_hidden_bytes(folder), waiting);
    ck_assert_uint_ge(toy_hidden_bytes(folder), waiting / 2); /* sets and depths are left */
  }
  bitboard_slice_close(tight, &cut);
  for (uint64_t nth = 1;; nth++) {
    memory_fail_allocation(tight, nth, false);
    const tauler_error error = toy_words_try(w, &cut);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    ck_assert_uint_eq(memory_allocated(tight), 0);
  }
  bitboard_slice_close(tight, &cut);
}

typedef struct {
  int asked, period;
} stopping;

static bool now_and_then(void *user) {
  stopping *s = user;
  return ++s->asked % s->period == 0;
}

/* Blocks once lay in another order, and checkpoints of that are of no use. */
static void check_identity(const toy_words *w) {
  char path[GAME_TEXT_BYTES + 300], name[GAME_TEXT_BYTES], text[1000] = "";
  w->game->slice_name(w->rules, w->slice, name);
  snprintf(path, sizeof path, "%s/%s.words.checkpoint", folder, name);
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  const size_t n = fread(text, 1, sizeof text, file);
  fclose(file);
  ck_assert_ptr_nonnull(memmem(text, n, " order 2", strlen(" order 2")));
}

/* Stopped every few waves, and each time gone on with in another way, whole among them. */
CASE(a_cut_slice_goes_on_after_a_stop) {
  toy_words *w = toy_words_open_solved(toy_words_names[_i]);
  const bool board = is_phutball(w);
  bitboard_slice cut;
  int stops = 0;
  uint32_t parts;
  stopping asked = {0, board ? 2 : 3};
  const solve_checkpoints checkpoints = {folder, 0, now_and_then, &asked};
  w->job.checkpoints = &checkpoints;
  for (;; stops++) {
    w->job.work.threads = 1 + stops % 2;
    toy_words_set_room(w, (board ? 1u : 3u) * ((uint32_t)stops % (board ? 3 : 4)), &parts);
    if (stops % (board ? 4 : 3) == (board ? 3 : 2)) w->job.room = 0;
    const tauler_error error = toy_words_try(w, &cut);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_STOPPED);
    if (!board) check_identity(w);
  }
  ck_assert_int_gt(stops, board ? 3 : 4);
  toy_words_compare(w, w->memory, &cut);
  bitboard_slice_close(w->memory, &cut);
  checkpointer_remove(&w->job, w->slice, true);
}

/* A disk that takes so many bytes, or quarters of what is planned, and no more. */
static const struct {
  toy_words_name name;
  uint32_t fineness;
  uint64_t quarters, bytes;
} full[] = {{{"doushouqi", "base", "Lrc"}, 1, 1, 0},      {{"doushouqi", "base", "Lrc"}, 1, 2, 0},
            {{"doushouqi", "base", "Lrc"}, 1, 3, 0},      {{"doushouqi", "base", "Lrc"}, 1, 4, 0},
            {{"phutball", "base", "5x4"}, 0, 0, 3 << 14}, {{"phutball", "base", "5x4"}, 1, 0, 3 << 14},
            {{"phutball", "base", "5x4"}, 2, 0, 3 << 14}};

CASE(a_full_disk_is_an_error) {
  toy_words *w = toy_words_open(full[_i].name);
  bitboard_slice cut;
  uint32_t parts;
  ck_assert(toy_words_set_room(w, full[_i].fineness, &parts));
  const uint64_t waiting = bitboard_slice_waiting_bytes(&w->job, w->slice, &parts);
  toy_limit_files(full[_i].bytes ? full[_i].bytes : waiting / 4 * full[_i].quarters);
  REFUSED(TAULER_NO_SPACE, folder, toy_words_try(w, &cut));
  toy_limit_files(0);
  ck_assert_ptr_null(cut.won);
}

SUITE("slices in parts") {
  TIMEOUT(1800);
  LOOP(a_cut_slice_has_the_same_cells, SOME(3, TOY_WORDS_MATERIALS));
  LOOP_FROM(a_cut_slice_has_the_same_cells, TOY_WORDS_MATERIALS,
            TOY_WORDS - (suite_is_long()    ? 0
                         : suite_is_check() ? 1
                                            : 4));
  LOOP(a_cut_slice_keeps_to_its_memory, SOME(6, ROWS(kept)));
  LOOP(a_cut_slice_goes_on_after_a_stop, SOME(1, 5));
  LOOP_FROM(a_cut_slice_goes_on_after_a_stop, TOY_WORDS_MATERIALS, TOY_WORDS_MATERIALS + SOME(1, 6));
  LOOP(a_full_disk_is_an_error, ROWS(full));
}
