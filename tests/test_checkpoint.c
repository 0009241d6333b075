/* Checkpoints are whole or not there, are taken up by whoever asks for the same solve and by nobody
 * else, and a solve that was stopped anywhere ends with the same cells, whatever the threads. */
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/registry.h"
#include "solver/checkpoint.h"
#include "solver/solve.h"

enum { BIG = 3 * (1 << 20) + 17, SMALL = 40 };

typedef struct {
  char folder[64], path[128];
  unsigned char *big, *small, *big_back, *small_back;
  checkpoint_part parts[2], back[2];
} fixture;

static fixture *make_fixture(void) {
  fixture *f = calloc(1, sizeof *f);
  strcpy(f->folder, "tauler-checkpoint-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(f->folder));
  snprintf(f->path, sizeof f->path, "%s/12.values.checkpoint", f->folder);
  f->big = malloc(BIG);
  f->small = malloc(SMALL);
  f->big_back = calloc(1, BIG);
  f->small_back = calloc(1, SMALL);
  for (size_t i = 0; i < BIG; i++) f->big[i] = (unsigned char)(i * 31 + i / 1000);
  for (size_t i = 0; i < SMALL; i++) f->small[i] = (unsigned char)(200 - i);
  f->parts[0] = (checkpoint_part){f->small, SMALL};
  f->parts[1] = (checkpoint_part){f->big, BIG};
  f->back[0] = (checkpoint_part){f->small_back, SMALL};
  f->back[1] = (checkpoint_part){f->big_back, BIG};
  return f;
}

static void free_fixture(fixture *f) {
  char command[96];
  snprintf(command, sizeof command, "rm -rf %s", f->folder);
  ck_assert_int_eq(system(command), 0);
  free(f->big);
  free(f->small);
  free(f->big_back);
  free(f->small_back);
  free(f);
}

static void save(const fixture *f, const char *identity) {
  checkpoint_file *file;
  ck_assert_int_eq(checkpoint_begin(f->path, identity, f->parts, 2, &file, NULL), TAULER_OK);
  ck_assert_int_ne(access(f->path, F_OK), 0);
  for (uint64_t piece = checkpoint_pieces(file); piece-- > 0;) {
    ck_assert_int_eq(checkpoint_store(file, piece, NULL), TAULER_OK);
  }
  ck_assert_int_eq(checkpoint_commit(file, NULL), TAULER_OK);
}

static tauler_error load(const fixture *f, const char *identity) {
  tauler_message message = {""};
  const tauler_error error = checkpoint_load(f->path, identity, f->back, 2, &message);
  ck_assert_int_eq(!error, !message.text[0]);
  return error;
}

START_TEST(what_was_saved_comes_back) {
  fixture *f = make_fixture();
  ck_assert_int_eq(load(f, "a"), TAULER_TABLE_MISSING);
  save(f, "a");
  ck_assert_int_eq(load(f, "a"), TAULER_OK);
  ck_assert_int_eq(memcmp(f->big, f->big_back, BIG), 0);
  ck_assert_int_eq(memcmp(f->small, f->small_back, SMALL), 0);
  free_fixture(f);
}
END_TEST

START_TEST(another_solve_is_refused) {
  fixture *f = make_fixture();
  save(f, "auale awari even slice 12 values");
  ck_assert_int_eq(load(f, "auale abapa even slice 12 values"), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(load(f, "auale awari even slice 12 value"), TAULER_DAMAGED_FILE);
  f->back[1].n--;
  ck_assert_int_eq(load(f, "auale awari even slice 12 values"), TAULER_DAMAGED_FILE);
  free_fixture(f);
}
END_TEST

START_TEST(an_abandoned_checkpoint_leaves_the_one_before) {
  fixture *f = make_fixture();
  save(f, "a");
  checkpoint_file *file;
  f->big[5]++;
  ck_assert_int_eq(checkpoint_begin(f->path, "a", f->parts, 2, &file, NULL), TAULER_OK);
  ck_assert_int_eq(checkpoint_store(file, 0, NULL), TAULER_OK);
  checkpoint_abandon(file);
  ck_assert_int_eq(load(f, "a"), TAULER_OK);
  ck_assert_int_eq((unsigned char)(f->big_back[5] + 1), f->big[5]);
  free_fixture(f);
}
END_TEST

static void write_byte(const char *path, off_t at, unsigned char flip) {
  const int file = open(path, O_RDWR);
  unsigned char byte;
  ck_assert_int_eq(pread(file, &byte, 1, at), 1);
  byte ^= flip;
  ck_assert_int_eq(pwrite(file, &byte, 1, at), 1);
  close(file);
}

START_TEST(flipped_and_missing_bytes_are_found) {
  fixture *f = make_fixture();
  save(f, "a");
  struct stat about;
  ck_assert_int_eq(stat(f->path, &about), 0);
  const off_t step = about.st_size / 97 + 1;
  int refused = 0;
  for (off_t at = 0; at < about.st_size; at += at < 100 ? 1 : step) {
    write_byte(f->path, at, 0x10);
    /* zstd has bits that change nothing; what is taken up must be what was saved. */
    const bool same = load(f, "a") == TAULER_OK && memcmp(f->big, f->big_back, BIG) == 0 &&
                      memcmp(f->small, f->small_back, SMALL) == 0;
    ck_assert_msg(same || load(f, "a") == TAULER_DAMAGED_FILE, "byte %ld", (long)at);
    refused += !same;
    if (!same) ck_assert_msg(f->big_back[1] == 0 && f->small_back[0] == 0, "filled before it was checked");
    memset(f->big_back, 0, BIG);
    memset(f->small_back, 0, SMALL);
    write_byte(f->path, at, 0x10);
  }
  ck_assert_int_gt(refused, 150);
  ck_assert_int_eq(load(f, "a"), TAULER_OK);
  ck_assert_int_eq(truncate(f->path, about.st_size + 1), 0);
  ck_assert_int_eq(load(f, "a"), TAULER_DAMAGED_FILE);
  for (off_t size = about.st_size - 1; size > 0; size = size * 2 / 3) {
    ck_assert_int_eq(truncate(f->path, size), 0);
    ck_assert_int_eq(load(f, "a"), TAULER_DAMAGED_FILE);
  }
  free_fixture(f);
}
END_TEST

/* A solve that is stopped after every few rounds, by other numbers of threads each time. */
typedef struct {
  int asked, every;
} stopper;

static bool stop_now(void *user) {
  stopper *s = user;
  return ++s->asked % s->every == 0;
}

static tauler_error solve_once(const char *folder, const char *cycles, int threads, bool general, stopper *s,
                               finished_slices *finished, uint32_t slice, memory_budget *memory) {
  const game *game = game_find("auale");
  game_rules *rules;
  void *tables;
  ck_assert_int_eq(game->open("abapa", cycles, &rules, NULL), TAULER_OK);
  ck_assert_int_eq(game->grid->prepare(rules, slice, &tables), TAULER_OK);
  const solve_checkpoints checkpoints = {folder, 0, s ? stop_now : NULL, s};
  const solve_job job = {.game = game,
                         .rules = rules,
                         .threads = threads,
                         .general = general,
                         .memory = memory,
                         .grid_tables = tables,
                         .finished = finished,
                         .checkpoints = &checkpoints};
  solve_effort effort = {0};
  tauler_error error = solve_slice(&job, slice, general, &finished->list[slice], &effort, NULL);
  if (!error && !general) error = solve_slice(&job, slice, true, &finished->list[slice], &effort, NULL);
  if (error) solved_slice_free(memory, &finished->list[slice]);
  game->grid->release(tables);
  game->close(rules);
  return error;
}

static void solve_in_pieces(const char *cycles, bool general, int every) {
  enum { SLICE = 5 };
  char folder[] = "tauler-checkpoint-XXXXXX", command[64];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  memory_budget memory;
  memory_budget_open(&memory, 0);
  finished_slices finished = {calloc(SLICE + 1, sizeof(solved_slice)), SLICE + 1};
  finished_slices again = {calloc(SLICE + 1, sizeof(solved_slice)), SLICE + 1};
  for (uint32_t n = 0; n <= SLICE; n++) {
    ck_assert_int_eq(solve_once(folder, cycles, 1, general, NULL, &finished, n, &memory), TAULER_OK);
    stopper s = {0, every};
    int stops = 0;
    tauler_error error;
    while ((error = solve_once(folder, cycles, 1 + stops % 3, general, &s, &again, n, &memory)) ==
           TAULER_STOPPED)
      stops++;
    ck_assert_int_eq(error, TAULER_OK);
    if (n == SLICE) ck_assert_int_gt(stops, 3);
    for (int plane = 0; plane < finished.list[n].planes; plane++) {
      const uint64_t size = finished.list[n].positions;
      ck_assert_int_eq(memcmp(finished.list[n].cells[plane], again.list[n].cells[plane], size), 0);
      ck_assert_int_eq(memcmp(finished.list[n].depths[plane], again.list[n].depths[plane], 2 * size), 0);
    }
  }
  for (uint32_t n = 0; n <= SLICE; n++) {
    solved_slice_free(&memory, &finished.list[n]);
    solved_slice_free(&memory, &again.list[n]);
  }
  ck_assert_uint_eq(memory_taken(&memory), 0);
  free(finished.list);
  free(again.list);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
}

START_TEST(stopped_grid_solves_end_alike) {
  solve_in_pieces("even", false, 5);
  solve_in_pieces("forced", false, 7);
}
END_TEST
START_TEST(stopped_general_solves_end_alike) {
  solve_in_pieces("even", true, 11);
  solve_in_pieces("forced", true, 23);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("checkpoint");
  TCase *files = tcase_create("files"), *solves = tcase_create("solves");
  tcase_set_timeout(files, 60);
  tcase_set_timeout(solves, 60);
  tcase_add_test(files, what_was_saved_comes_back);
  tcase_add_test(files, another_solve_is_refused);
  tcase_add_test(files, an_abandoned_checkpoint_leaves_the_one_before);
  tcase_add_test(files, flipped_and_missing_bytes_are_found);
  tcase_add_test(solves, stopped_grid_solves_end_alike);
  tcase_add_test(solves, stopped_general_solves_end_alike);
  suite_add_tcase(suite, files);
  suite_add_tcase(suite, solves);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
