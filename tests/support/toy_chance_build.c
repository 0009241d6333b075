#include "tests/support/toy_chance_build.h"
#include "tests/support/rules.h"

#include <unistd.h>

#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

enum { NEVER = 1 << 30 };

toy_chance *chance_toy;

void chance_build_set_up(void) {
  make_folder();
  chance_toy = toy_chance_new(300, 5);
}

void chance_build_tear_down(void) {
  toy_chance_free(chance_toy);
}

void chance_build_empty_folder(void) {
  make_folder();
}

typedef struct {
  chance_build *a;
  int rank;
} rank_call;

static void note_line(void *user, const build_table *table) {
  const rank_call *call = user;
  chance_build *a = call->a;
  ck_assert_int_eq(call->rank, 0);
  ck_assert_uint_lt(a->used, TOY_CHANCE_TABLES);
  chance_build_line *to = &a->lines[a->used++];
  *to = (chance_build_line){.digest = table->digest, .built = table->built};
  snprintf(to->slice, sizeof to->slice, "%s", table->slice);
  snprintf(to->stream, sizeof to->stream, "%s", table->stream);
  ck_assert_uint_eq(table->positions, chance_toy->positions[atoi(table->slice)]);
}

static bool stops(void *user) {
  const rank_call *call = user;
  char path[300];
  snprintf(path, sizeof path, "%s/toy/toy/0.chance.checkpoint", folder);
  if (call->rank == 0 && call->a->interval > 0) call->a->kept += access(path, F_OK) == 0;
  return ++call->a->asked[call->rank] == call->a->stops_at && call->rank == call->a->stopping_rank;
}

static void build_as_rank(comm *comm, void *user) {
  chance_build *a = user;
  rank_call call = {a, comm_rank(comm)};
  memory_budget *memory = suite_budget(a->limit ? a->limit : UINT64_C(1) << 30);
  if (a->fail_take) memory_fail_allocation(memory, a->fail_take, false);
  FILE *out = call.rank == 0 ? fmemopen(a->said, sizeof a->said - 1, "w") : fopen("/dev/null", "w");
  progress shown;
  progress_open(&shown, out, PROGRESS_BAR);
  const game_request request = {0};
  const build_job job = {.problem.game = &chance_toy->game,
                         .problem.rules = chance_toy->rules,
                         .request = &request,
                         .folder = folder,
                         .width = a->width,
                         .level = 1,
                         .work.threads = a->threads,
                         .work.memory = memory,
                         .work.comm = comm,
                         .work.shown = &shown,
                         .checkpoint_interval = a->interval,
                         .stop = stops,
                         .report = note_line,
                         .user = &call};
  build_cost cost;
  a->errors[call.rank] = build_tables(&job, &cost, &a->messages[call.rank]);
  a->peak[call.rank] = memory_peak(memory);
  fclose(out);
  if (call.rank != 0) return;
  a->cost = cost;
  const game_slices slices = suite_slices(&chance_toy->game, chance_toy->rules, &request);
  ck_assert_int_eq(build_plan_for(&job, &slices, NULL, comm_ranks(comm), &a->plan, NULL), TAULER_OK);
}

chance_build chance_build_of(int ranks, int threads) {
  return (chance_build){.ranks = ranks, .threads = threads, .width = 1e-9, .stops_at = NEVER};
}

tauler_error chance_build_try(chance_build *a) {
  toy_comm_run(a->ranks, build_as_rank, a);
  for (int r = 1; r < a->ranks; r++) {
    ck_assert_int_eq(a->errors[r], a->errors[0]);
    if (a->errors[0]) ck_assert_str_eq(a->messages[r].text, a->messages[0].text);
  }
  return a->errors[0];
}

chance_build chance_build_to(int ranks, int threads, double width) {
  chance_build a = chance_build_of(ranks, threads);
  a.width = width;
  const tauler_error error = chance_build_try(&a);
  ck_assert_msg(!error, "%s", a.messages[0].text);
  ck_assert_uint_eq(a.used, TOY_CHANCE_TABLES);
  return a;
}

chance_build chance_build_well(int ranks, int threads) {
  return chance_build_to(ranks, threads, 1e-9);
}

bool chance_build_same_table(const chance_build_line *a, const chance_build_line *b) {
  return strcmp(a->slice, b->slice) == 0 && strcmp(a->stream, b->stream) == 0 &&
         a->digest.low == b->digest.low && a->digest.high == b->digest.high;
}

size_t chance_build_count(const chance_build *a) {
  size_t built = 0;
  for (size_t i = 0; i < a->used; i++) built += a->lines[i].built;
  return built;
}

/* Those that were there are listed first. */
static const chance_build_line *find_line(const chance_build *a, const chance_build_line *like) {
  for (size_t i = 0; i < a->used; i++) {
    if (strcmp(a->lines[i].slice, like->slice) == 0 && strcmp(a->lines[i].stream, like->stream) == 0)
      return &a->lines[i];
  }
  ck_abort_msg("no table %s.%s", like->slice, like->stream);
  return NULL;
}

void chance_build_check_same(const chance_build *found, const chance_build *right) {
  ck_assert_uint_eq(found->used, right->used);
  for (size_t i = 0; i < right->used; i++) {
    const chance_build_line *wanted = &right->lines[i];
    if (!chance_build_same_table(find_line(found, wanted), wanted))
      ck_abort_msg("%s.%s has other cells", wanted->slice, wanted->stream);
  }
}

void chance_build_path(uint32_t slice, const char *stream, char path[FOLDER_PATH_BYTES]) {
  suite_table_path(&chance_toy->game, chance_toy->rules, slice, stream, NULL, path);
}

table_header chance_build_header(uint32_t slice, const char *stream) {
  table_header header;
  chance_build_read(slice, stream, &header);
  return header;
}

double *chance_build_read(uint32_t slice, const char *stream, table_header *header) {
  char path[FOLDER_PATH_BYTES];
  chance_build_path(slice, stream, path);
  return suite_read_table(path, header);
}

void chance_build_copy(const char *from, const char *to) {
  char command[2 * FOLDER_PATH_BYTES + 16];
  snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
  ck_assert_int_eq(system(command), 0);
}
