/* Packets between ranks arrive, whatever their size and however late they come; ranks agree on one error; a
 * comm of one rank needs no other; a logical clock goes with the packets. Also the names of the launcher in
 * the environment. */
#include "analysis/bench/logical_clock.h"
#include "parallel/launcher.h"
#include "parallel/watchdog.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_comm_checks.h"

enum { MOST_RANKS = 5 };

static void check_rank(comm *comm, void *user) {
  comm_verdict *verdicts = user;
  verdicts[comm_rank(comm)] = comm_check_all(comm);
}

CASE(threads_reach_each_other) {
  const int ranks = _i;
  comm_verdict verdicts[MOST_RANKS] = {{""}};
  toy_comm_run(ranks, check_rank, verdicts);
  for (int rank = 0; rank < ranks; rank++) ck_assert_str_eq(verdicts[rank].text, "");
}

static void check_one(comm *alone) {
  ck_assert_int_eq(comm_rank(alone), 0);
  ck_assert_int_eq(comm_ranks(alone), 1);
  ck_assert(comm_is_root(alone));
  ck_assert_str_eq(comm_check_all(alone).text, "");
  ck_assert_uint_eq(comm_bytes_sent(alone), 0);
  ck_assert(!comm_is_broken(alone));
  tauler_message message = {"my own words"};
  ck_assert_int_eq(comm_agree(alone, TAULER_NO_SPACE, &message), TAULER_NO_SPACE);
  ck_assert_str_eq(message.text, "my own words");
  comm_note_progress(alone);
}

CASE(one_needs_nobody) {
  check_one(NULL);
  comm *alone = NULL;
  MUST(comm_open(NULL, &alone, NULL));
  check_one(alone);
  comm_close(alone);
  comm_close(NULL);
}

static void send_too_much(comm *comm, void *user) {
  char bytes[16];
  comm_buffer out[2] = {{bytes, 0}, {bytes, 0}}, in[2] = {{bytes, 0}, {bytes, 0}};
  int *refused = user;
  out[1 - comm_rank(comm)].n = 9;
  refused[comm_rank(comm)] = comm_alltoallv(comm, out, in, 8, NULL) == TAULER_INTERNAL;
  out[1 - comm_rank(comm)].n = 8;
  refused[comm_rank(comm)] += comm_alltoallv(comm, out, in, (size_t)INT32_MAX + 1, NULL) == TAULER_INTERNAL;
}

CASE(what_goes_to_a_rank_fits_into_its_room) {
  int refused[2] = {0};
  toy_comm_run(2, send_too_much, refused);
  ck_assert(refused[0] == 2 && refused[1] == 2);
}

/* Of three ranks the second loses the others in the third call. */
typedef struct {
  tauler_error first, lost[3], later, agreed, agreed_fine, agreed_own;
  tauler_message words, own_words;
  bool broken, broken_before;
} lost_rank;

static void lose(comm *comm, void *user) {
  lost_rank *rank = (lost_rank *)user + comm_rank(comm);
  uint64_t number = 1;
  char byte = 0;
  comm_buffer out[3] = {{0}}, in[3] = {{0}};
  rank->first = comm_allreduce(comm, COMM_SUM, &number, 1, NULL);
  rank->broken_before = comm_is_broken(comm);
  rank->lost[0] = comm_allreduce(comm, COMM_SUM, &number, 1, &rank->words);
  rank->broken = comm_is_broken(comm);
  rank->lost[1] = comm_bcast(comm, 0, &byte, 1, NULL);
  rank->lost[2] = comm_alltoallv(comm, out, in, 0, NULL);
  rank->agreed_fine = comm_agree(comm, TAULER_OK, NULL);
  rank->own_words = (tauler_message){"full"};
  rank->agreed_own = comm_agree(comm, TAULER_NO_SPACE, &rank->own_words);
}

CASE(a_broken_team_says_so_at_once) {
  lost_rank ranks[3];
  memset(ranks, 0, sizeof ranks);
  toy_comm_run_failing(3, 1, 1, lose, ranks);
  for (int r = 0; r < 3; r++) {
    ck_assert_int_eq(ranks[r].first, r == 1 ? TAULER_OK : ranks[r].first); /* a late one may miss it */
    ck_assert(!ranks[1].broken_before && ranks[r].broken);
    for (int i = 0; i < 3; i++) ck_assert_int_eq(ranks[r].lost[i], TAULER_IO);
    ck_assert_int_eq(ranks[r].agreed_fine, TAULER_IO);
    ck_assert_int_eq(ranks[r].agreed_own, TAULER_NO_SPACE);
    ck_assert_str_eq(ranks[r].own_words.text, "full");
  }
  ck_assert_ptr_nonnull(strstr(ranks[1].words.text, "rank 1 of 3"));
}

/* Agreeing is itself a call that may fail: the rank that knows more keeps what it knows. */
static void agree_in_vain(comm *comm, void *user) {
  tauler_error *errors = user;
  tauler_message message = {"full"};
  const tauler_error own = comm_rank(comm) == 0 ? TAULER_NO_SPACE : TAULER_OK;
  errors[comm_rank(comm)] = comm_agree(comm, own, &message);
  if (comm_rank(comm) == 0 && strcmp(message.text, "full") != 0) errors[0] = TAULER_INTERNAL;
}

CASE(an_error_is_not_lost_in_agreeing) {
  for (uint64_t call = 0; call < 2; call++) {
    tauler_error errors[2] = {TAULER_OK, TAULER_OK};
    toy_comm_run_failing(2, 1, call, agree_in_vain, errors);
    ck_assert_int_eq(errors[0], TAULER_NO_SPACE);
    ck_assert_int_eq(errors[1], TAULER_IO);
  }
}

static tauler_error always_fine(void *link, comm_operation operation, uint64_t *numbers, size_t n) {
  return TAULER_OK;
}

static void count_close(void *link) {
  ++*(int *)link;
}

CASE(a_team_owns_its_link) {
  int closed = 0;
  const comm_link link = {
      .link = &closed, .rank = 1, .ranks = 2, .allreduce = always_fine, .close = count_close};
  comm *two = NULL;
  MUST(comm_open(&link, &two, NULL));
  ck_assert_int_eq(closed, 0);
  comm_close(two);
  ck_assert_int_eq(closed, 1);
}

/* Three ranks that have worked 1, 2 and 3 seconds exchange packets, and then combine a number. */
typedef struct {
  double worked[3], exchanged[3], combined[3], later[3], worked_in_all[3], meanwhile[3];
  uint64_t exchanges[3];
  comm_verdict verdicts[3];
} clock_readings;

static double faked_work(void *user) {
  return *(double *)user;
}

static void exchange_by_clock(comm *below, void *user) {
  const logical_network network = {.latency = 0.25, .bandwidth = 1000};
  static const size_t sizes[3][3] = {{0, 125, 4000}, {500, 0, 0}, {250, 0, 0}}; /* from, to */
  const int self = comm_rank(below);
  clock_readings *read = user;
  char bytes[4000] = {0}, received[3][4000];
  comm_buffer out[3], in[3];
  uint64_t one = 1;
  logical_clock *clock = NULL;
  comm *over = NULL;
  read->worked[self] = 100; /* before the clock starts */
  (void)logical_clock_open(below, &network, (logical_work){faked_work, &read->worked[self]}, &clock, &over,
                           NULL);
  for (int rank = 0; rank < 3; rank++) {
    out[rank] = (comm_buffer){bytes, sizes[self][rank]};
    in[rank] = (comm_buffer){received[rank], 0};
  }
  read->worked[self] += 1 + self;
  (void)comm_alltoallv(over, out, in, sizeof bytes, NULL);
  read->exchanged[self] = logical_clock_now(clock);
  (void)comm_allreduce(over, COMM_SUM, &one, 1, NULL);
  read->combined[self] = logical_clock_now(clock);
  read->worked[self] += 1 + self;
  read->later[self] = logical_clock_now(clock);
  read->worked_in_all[self] = logical_clock_work_seconds(clock);
  read->exchanges[self] = logical_clock_exchanges(clock);
  (void)comm_allreduce(over, COMM_SUM, &one, 1, NULL);
  const double start = logical_clock_now(clock);
  (void)comm_start_alltoallv(over, out, in, sizeof bytes, NULL);
  read->worked[self] += 4;
  (void)comm_finish_alltoallv(over, NULL);
  read->meanwhile[self] = logical_clock_now(clock) - start;
  read->verdicts[self] = comm_check_all(over);
  comm_close(over);
}

static void expect_seconds(const double found[3], double first, double second, double third) {
  const double expected[3] = {first, second, third};
  for (int rank = 0; rank < 3; rank++) ck_assert_double_eq_tol(found[rank], expected[rank], 1e-6);
}

CASE(packets_carry_a_clock) {
  clock_readings read = {.worked = {0}};
  toy_comm_run(3, exchange_by_clock, &read);
  /* Rank 0 waits for that of rank 2: 3 + 0.25 + 0.25, rank 1 for an empty one, rank 2 for 4000 bytes. */
  expect_seconds(read.exchanged, 3.5, 3.25, 5.25);
  /* The largest, and a tree of three ranks has two steps of 8 bytes. */
  const double all = 5.25 + 2 * (0.25 + 0.008);
  expect_seconds(read.combined, all, all, all);
  expect_seconds(read.worked_in_all, 2, 4, 6);
  expect_seconds(read.later, all + 1, all + 2, all + 3);
  /* Packets travel while ranks work: 4 seconds, of which that of 4000 bytes takes 4.25. */
  expect_seconds(read.meanwhile, 4, 4, 4.25);
  for (int rank = 0; rank < 3; rank++) {
    ck_assert_uint_eq(read.exchanges[rank], 1);
    ck_assert_str_eq(read.verdicts[rank].text, "");
  }
}

CASE(a_clock_of_one_counts_work_alone) {
  const logical_network network = {.latency = 1, .bandwidth = 1};
  double worked = 5;
  uint64_t one = 1;
  logical_clock *clock = NULL;
  comm *alone = NULL;
  MUST(logical_clock_open(NULL, &network, (logical_work){faked_work, &worked}, &clock, &alone, NULL));
  worked += 2;
  MUST(comm_allreduce(alone, COMM_SUM, &one, 1, NULL));
  ck_assert_double_eq_tol(logical_clock_now(clock), 2, 1e-9);
  check_one(alone);
  comm_close(alone);
}

static void clear_launchers(void) {
  static const char *const names[] = {
      "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",   "PMIX_NAMESPACE", "PMI_RANK", "PMI_SIZE",
      "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",         "SLURM_NTASKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
}

static void expect_launcher(bool is_there, int rank, int ranks) {
  const launcher found = launcher_find();
  ck_assert_int_eq(found.is_there, is_there);
  ck_assert_int_eq(found.rank, rank);
  ck_assert_int_eq(found.ranks, ranks);
  clear_launchers();
}

CASE(launchers_are_known) {
  clear_launchers();
  expect_launcher(false, 0, 1);
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1); /* Open MPI */
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  setenv("PMIX_RANK", "3", 1);
  expect_launcher(true, 3, 4);
  setenv("PMI_SIZE", "2", 1); /* MPICH */
  setenv("PMI_RANK", "1", 1);
  expect_launcher(true, 1, 2);
  setenv("PMIX_RANK", "5", 1); /* srun --mpi=pmix */
  setenv("SLURM_STEP_NUM_TASKS", "8", 1);
  expect_launcher(true, 5, 8);
  setenv("PMIX_NAMESPACE", "job", 1);
  expect_launcher(true, 0, 1);
  setenv("SLURM_STEP_NUM_TASKS", "8", 1); /* srun --mpi=none */
  setenv("SLURM_PROCID", "6", 1);
  expect_launcher(true, 6, 8);
  setenv("SLURM_STEP_NUM_TASKS", "1", 1); /* srun bash */
  setenv("SLURM_PROCID", "0", 1);
  expect_launcher(false, 0, 1);
  setenv("SLURM_NTASKS", "8", 1); /* a batch script */
  setenv("SLURM_PROCID", "0", 1);
  expect_launcher(false, 0, 1);
  setenv("OMPI_COMM_WORLD_SIZE", "many", 1);
  setenv("OMPI_COMM_WORLD_RANK", "-1", 1);
  expect_launcher(false, 0, 1);
}

SUITE("comm") {
  LOOP_FROM(threads_reach_each_other, 1, MOST_RANKS + 1);
  TESTS(one_needs_nobody, what_goes_to_a_rank_fits_into_its_room, a_broken_team_says_so_at_once,
        an_error_is_not_lost_in_agreeing, a_team_owns_its_link, packets_carry_a_clock,
        a_clock_of_one_counts_work_alone, launchers_are_known);
}
