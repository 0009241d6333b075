/* All slices of a game solved in shards by ranks (threads of this process), gathered into whole ones and
 * compared with slices that one process holds. Failures outside the engine end the test. */
#ifndef TESTS_TOY_SHARDS_H
#define TESTS_TOY_SHARDS_H

#include "solver/engines/engine.h"
#include "tests/support/suite.h"

enum { TOY_SHARDS_SLICES = 10, TOY_SHARDS_RANKS = 8 };

/* How a game is solved in shards. */
typedef struct {
  int ranks, shards_per_rank, threads;
  size_t packet_bytes;
} toy_cut;

typedef struct toy_shards toy_shards;

struct toy_shards {
  const engine *engine; /* one with cells, whose shards are ranges of indexes */
  const game *game;
  const game_rules *rules;
  uint32_t slices;
  toy_cut cut;
  bool depths;
  /* A further step for each slice after it is gathered; NULL: none. */
  tauler_error (*then)(toy_shards *a, const solve_job *job, sharded_slice *slice, tauler_message *message);
  void *user;         /* argument of `then` */
  uint64_t fail_take; /* ordinal of the allocation that fails on the last rank in the last slice, or 0 */
  bool by_plan;       /* no more memory than was planned */
  uint64_t planned[TOY_SHARDS_RANKS], peak[TOY_SHARDS_RANKS]; /* bytes of each rank in the last slice */
  solve_checkpoints *checkpoints;
  solved_slice found[TOY_SHARDS_SLICES];
  uint64_t bytes_sent[TOY_SHARDS_SLICES][TOY_SHARDS_RANKS];
  tauler_error error[TOY_SHARDS_RANKS];
  tauler_message message[TOY_SHARDS_RANKS];
};

/* The first slices of a game, none solved yet. */
toy_shards *toy_shards_new(const engine *engine, const game *game, const game_rules *rules, uint32_t slices);

/* Makes slices of the same sizes, with cells and depths of zero. */
void toy_shards_make_slices(const toy_shards *a, solved_slice *slices);

/* All ranks come to the same end, which is returned. */
tauler_error toy_shards_solve(toy_shards *a, toy_cut cut);
/* The link breaks at rank 1 in a call of that number. */
tauler_error toy_shards_solve_failing(toy_shards *a, toy_cut cut, uint64_t call);
/* Stops at each of so many questions and goes on with every step-th next cut; returns how often it began. */
int toy_shards_solve_stopped(toy_shards *a, const toy_cut *cuts, int n, int step, uint64_t every);

/* Copies a part of the shards here to its place in the whole slice, or back. */
tauler_error toy_shards_copy(sharded_slice *slice, int part, void *whole, bool back, tauler_message *message);
/* Puts a plane of a whole slice into the store, each rank its chunks. */
tauler_error toy_shards_pack(const solve_job *job, const solved_slice *slice, int plane,
                             tauler_message *message);

/* The same slices held whole by one process. */
typedef struct {
  memory_budget *memory;
  solved_slice *list;
  slice_store *finished;
  solve_job job;
} toy_whole;

void toy_whole_solve(const toy_shards *a, toy_whole *whole);
void toy_shards_compare(const toy_shards *a, const toy_whole *whole);
/* Solves both ways and compares. */
void toy_shards_check(toy_shards *a, toy_cut cut);

#endif
