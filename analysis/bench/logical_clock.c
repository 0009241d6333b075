/* Advances a logical clock with the collective calls of the ranks. */
#include "analysis/bench/logical_clock.h"

#include <stdlib.h>
#include <string.h>

struct logical_clock {
  comm *below;
  logical_network network;
  logical_work work;
  double now;
  double between; /* seconds of work between calls, which `now` contains */
  double worked;  /* seconds of work at the last reading: the end of a call, or logical_clock_now */
  uint64_t exchanges;
  double sent;       /* time at which the present exchange was started */
  uint64_t clocks[]; /* [ranks] clocks in nanoseconds */
};

double logical_clock_now(logical_clock *clock) {
  const double worked = clock->work.seconds(clock->work.user);
  clock->now += worked - clock->worked;
  clock->between += worked - clock->worked;
  clock->worked = worked;
  return clock->now;
}

double logical_clock_work_seconds(const logical_clock *clock) {
  return clock->between;
}

uint64_t logical_clock_exchanges(const logical_clock *clock) {
  return clock->exchanges;
}

/* The processor time of a call does not count. Returns `error`. */
static tauler_error end_call(logical_clock *clock, tauler_error error) {
  clock->worked = clock->work.seconds(clock->work.user);
  return error;
}

/* Gathers the clocks of all ranks in clock->clocks; `shown` is that of this rank. */
static tauler_error gather_clocks(logical_clock *clock, double shown) {
  const size_t ranks = (size_t)comm_ranks(clock->below);
  memset(clock->clocks, 0, ranks * sizeof *clock->clocks);
  clock->clocks[comm_rank(clock->below)] = (uint64_t)(1e9 * shown);
  return comm_allreduce(clock->below, COMM_MAX, clock->clocks, ranks, NULL);
}

static void advance_clock(logical_clock *clock, uint64_t sent, double packets, size_t bytes) {
  const logical_network *network = &clock->network;
  const double there = (double)sent / 1e9 + packets * (network->latency + (double)bytes / network->bandwidth);
  if (there > clock->now) clock->now = there;
}

/* Notes the time of the clock at which packets leave. finish_exchange sends them. */
static tauler_error note_start(void *link, const comm_buffer *out, comm_buffer *in, size_t room) {
  logical_clock *clock = link;
  clock->sent = logical_clock_now(clock);
  return end_call(clock, TAULER_OK);
}

static tauler_error finish_exchange(void *link, const comm_buffer *out, comm_buffer *in, size_t room,
                                    bool wait) {
  logical_clock *clock = link;
  if (!wait) return TAULER_OK;
  logical_clock_now(clock);
  tauler_error error = gather_clocks(clock, clock->sent);
  if (!error) error = comm_alltoallv(clock->below, out, in, room, NULL);
  for (int from = 0; !error && from < comm_ranks(clock->below); from++)
    if (from != comm_rank(clock->below)) advance_clock(clock, clock->clocks[from], 1, in[from].n);
  clock->exchanges++;
  return end_call(clock, error);
}

static tauler_error advance_to_latest(logical_clock *clock, size_t bytes) {
  const tauler_error error = gather_clocks(clock, logical_clock_now(clock));
  uint64_t largest = 0;
  int steps = 0;
  for (int rank = 0; rank < comm_ranks(clock->below); rank++)
    if (clock->clocks[rank] > largest) largest = clock->clocks[rank];
  while (1 << steps < comm_ranks(clock->below)) steps++;
  advance_clock(clock, largest, steps, bytes);
  return error;
}

static tauler_error allreduce(void *link, comm_operation operation, uint64_t *numbers, size_t n) {
  logical_clock *clock = link;
  tauler_error error = advance_to_latest(clock, n * sizeof *numbers);
  if (!error) error = comm_allreduce(clock->below, operation, numbers, n, NULL);
  return end_call(clock, error);
}

static tauler_error bcast(void *link, int from, void *bytes, size_t n) {
  logical_clock *clock = link;
  tauler_error error = advance_to_latest(clock, n);
  if (!error) error = comm_bcast(clock->below, from, bytes, n, NULL);
  return end_call(clock, error);
}

tauler_error logical_clock_open(comm *below, const logical_network *network, logical_work work,
                                logical_clock **clock, comm **out, tauler_message *message) {
  *out = NULL;
  *clock = calloc(1, sizeof **clock + (size_t)comm_ranks(below) * sizeof *(*clock)->clocks);
  if (!*clock) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a clock");
  **clock = (logical_clock){.below = below, .network = *network, .work = work};
  (*clock)->worked = work.seconds(work.user);
  const comm_link link = {.link = *clock,
                          .rank = comm_rank(below),
                          .ranks = comm_ranks(below),
                          .neighbours = comm_ranks_on_host(below),
                          .bandwidth = network->bandwidth,
                          .start = note_start,
                          .finish = finish_exchange,
                          .allreduce = allreduce,
                          .bcast = bcast,
                          .close = free};
  const tauler_error error = comm_open(&link, out, message);
  if (error) {
    free(*clock);
    *clock = NULL;
  }
  return error;
}
