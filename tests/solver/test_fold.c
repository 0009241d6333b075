/* Ranks of one node fold into the lowest; what that one takes is the union of what all have, within what its
 * own control groups allow. And the pulse that goes around among ranks that fold. */
#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "parallel/comm.h"
#include "parallel/fold.h"
#include "tests/support/suite.h"

static fold_rank rank_on(const char *host, const char *boot, uint64_t network, int processor) {
  fold_rank rank = {.network = network, .memory = 3 << 20, .threads = 2};
  snprintf(rank.host, sizeof rank.host, "%s", host);
  snprintf(rank.boot, sizeof rank.boot, "%s", boot);
  CPU_SET((size_t)processor, &rank.processors);
  return rank;
}

CASE(ranks_of_one_node_have_one_leader) {
  const fold_rank ranks[] = {rank_on("n1", "boot1", 7, 0), rank_on("n2", "boot2", 7, 0),
                             rank_on("n1", "boot1", 7, 1), rank_on("n2", "boot2", 7, 1),
                             rank_on("n1", "boot1", 7, 2)};
  static const int leaders[] = {0, 1, 0, 1, 0};
  for (int rank = 0; rank < 5; rank++) ck_assert_int_eq(fold_leader(ranks, rank), leaders[rank]);
  ck_assert_int_eq(fold_join_resources(ranks, 5, 0).ranks, 3);
  ck_assert_int_eq(fold_join_resources(ranks, 5, 1).ranks, 2);
}

CASE(hosts_that_differ_in_anything_stay_apart) {
  const fold_rank others[] = {rank_on("n2", "boot1", 7, 0), rank_on("n1", "boot2", 7, 0),
                              rank_on("n1", "boot1", 8, 0), rank_on("", "boot1", 7, 0),
                              rank_on("n1", "", 7, 0),      rank_on("n1", "boot1", 0, 0)};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const fold_rank pair[] = {rank_on("n1", "boot1", 7, 0), others[i]};
    ck_assert_int_eq(fold_leader(pair, 1), 1);
    ck_assert_int_eq(fold_join_resources(pair, 2, 0).ranks, 1);
    const fold_rank same[] = {others[i], others[i]}; /* unknown nodes are not the same */
    ck_assert_int_eq(fold_leader(same, 1), i < 3 ? 0 : 1);
    ck_assert_int_eq(fold_join_resources(same, 2, 0).ranks, i < 3 ? 2 : 1);
  }
}

CASE(a_process_knows_its_node) {
  fold_rank pair[2];
  fold_describe_self(&pair[0]);
  fold_describe_self(&pair[1]);
  ck_assert(*pair[0].host && strlen(pair[0].boot) >= 36 && pair[0].network != 0);
  ck_assert_int_gt(CPU_COUNT(&pair[0].processors), 0);
  ck_assert_int_eq(fold_leader(pair, 1), 0);
}

CASE(what_ranks_have_is_added_up) {
  fold_rank ranks[] = {rank_on("n1", "b", 7, 0), rank_on("n1", "b", 7, 5), rank_on("n2", "c", 7, 9),
                       rank_on("n1", "b", 7, 5), rank_on("n1", "b", 7, 700)};
  fold_union all = fold_join_resources(ranks, 5, 0);
  ck_assert_int_eq(all.ranks, 4);
  ck_assert_uint_eq(all.memory, 12 << 20);
  ck_assert_int_eq(CPU_COUNT(&all.processors), 3);
  ck_assert(CPU_ISSET(0, &all.processors) && CPU_ISSET(5, &all.processors) &&
            CPU_ISSET(700, &all.processors));
  ck_assert_int_eq(all.threads, 0); /* nobody said --threads */
  ranks[3].threads_given = 1;
  ranks[4].threads = 3;
  all = fold_join_resources(ranks, 5, 0);
  ck_assert_int_eq(all.threads, 9);
  all = fold_join_resources(ranks, 5, 2);
  ck_assert(all.ranks == 1 && all.threads == 0 && all.memory == 3 << 20 && CPU_ISSET(9, &all.processors));
}

CASE(threads_keep_to_what_the_groups_allow) {
  fold_union all = {.ranks = 4};
  for (size_t processor = 0; processor < 8; processor++) CPU_SET(processor, &all.processors);
  ck_assert_int_eq(fold_threads(&all, 8), 8); /* one for each processor */
  ck_assert_int_eq(fold_threads(&all, 3), 3);
  ck_assert_int_eq(fold_threads(&all, 0), 1);
  all.threads = 4;
  ck_assert_int_eq(fold_threads(&all, 8), 4);
  ck_assert_int_eq(fold_threads(&all, 6), 4);
  ck_assert_int_eq(fold_threads(&all, 2), 2); /* a quota, or a set of its own */
  all.threads = 16;
  ck_assert_int_eq(fold_threads(&all, 8), 16); /* as asked for */
  ck_assert_int_eq(fold_threads(&all, 7), 7);
}

/* --- the pulse --- */

typedef struct {
  int begun, looks, lasts; /* looks that a pulse lasts */
  uint64_t own, others;
} toy_pulse;

static tauler_error beat(void *user, uint64_t own, bool wait, uint64_t *all) {
  toy_pulse *pulse = user;
  if (pulse->looks == 0) {
    pulse->begun++;
    pulse->own = own;
  }
  if (!wait && ++pulse->looks < pulse->lasts) return TAULER_OK;
  pulse->looks = 0;
  *all = pulse->own | pulse->others;
  return TAULER_OK;
}

static void sleep_a_period(void) {
  nanosleep(&(struct timespec){0, 60000000}, NULL);
}

static void *note_progress(void *user) {
  comm_note_progress(user);
  return NULL;
}

/* A thousand notes within less than the time of a pulse; false if the machine was too busy for that. */
static bool note_often(comm *working, toy_pulse *pulse, comm *waiting) {
  const double start = clock_wall();
  for (int i = 0; i < 1000; i++) comm_note_progress(working);
  if (clock_wall() - start > 0.04) return false;
  ck_assert(pulse->begun == 1 && pulse->own == COMM_ALIVE && comm_pulse_bits(waiting) == 0);
  return true;
}

CASE(progress_sends_a_pulse_now_and_then) {
  toy_pulse pulse = {.lasts = 2};
  const comm_link link = {.link = &pulse, .ranks = 2, .pulse = beat};
  comm *working = NULL, *waiting = NULL;
  pthread_t other;
  MUST(comm_open(NULL, &working, NULL));
  MUST(comm_open(&link, &waiting, NULL));
  comm_set_waiting_ranks(working, waiting);
  ck_assert_int_eq(pthread_create(&other, NULL, note_progress, working), 0);
  pthread_join(other, NULL);
  ck_assert_int_eq(pulse.begun, 0); /* messages are passed by one thread */
  for (int tries = 0; !note_often(working, &pulse, waiting); tries++) {
    ck_assert_int_lt(tries, 100);
    comm_close(working);
    comm_close(waiting);
    pulse = (toy_pulse){.lasts = 2};
    MUST(comm_open(NULL, &working, NULL));
    MUST(comm_open(&link, &waiting, NULL));
    comm_set_waiting_ranks(working, waiting);
  }
  pulse.others = 6;
  sleep_a_period();
  comm_note_progress(working);
  ck_assert_int_eq(pulse.begun, 1);
  ck_assert_uint_eq(comm_pulse_bits(waiting), 7);
  pulse.others = 0;
  sleep_a_period();
  comm_note_progress(working);
  ck_assert_int_eq(pulse.begun, 2);
  uint64_t all = 0;
  MUST(comm_pulse(waiting, 4, true, &all, NULL));
  ck_assert_uint_eq(all, COMM_ALIVE); /* result of the pulse under way */
  ck_assert_uint_eq(comm_pulse_bits(waiting), 7);
  comm_close(working);
  comm_close(waiting);
}

SUITE("fold") {
  TESTS(ranks_of_one_node_have_one_leader, hosts_that_differ_in_anything_stay_apart, a_process_knows_its_node,
        what_ranks_have_is_added_up, threads_keep_to_what_the_groups_allow,
        progress_sends_a_pulse_now_and_then);
}
