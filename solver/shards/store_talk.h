/* Questions and answers between ranks, in steps. In a step each rank may ask every other rank, answers what
 * it was asked, and takes the answers to its own questions. Steps end when no rank asks any more. Messages
 * are bounded, and compressed where that makes them shorter. Private to the solver.
 */
#ifndef SOLVER_SHARDS_STORE_TALK_H
#define SOLVER_SHARDS_STORE_TALK_H

#include "base/memory.h"
#include "parallel/comm.h"
#include "parallel/varint.h"

enum { STORE_TALK_LEAST = 4096, STORE_TALK_MOST = 1 << 20 };

/* Called by the comm's thread, with bytes aligned to 64. Neither a question nor its answer may be longer
 * than `room`, a multiple of 64. */
typedef struct {
  void *user;
  size_t (*ask)(void *user, int to, uint8_t *question, size_t room); /* 0: nothing more for this rank */
  tauler_error (*answer)(void *user, const uint8_t *question, size_t n, uint8_t *answer, size_t room,
                         size_t *answer_n, tauler_message *message);
  tauler_error (*take)(void *user, int from, const uint8_t *answer, size_t n, tauler_message *message);
} store_talk;

/* `error` is the rank's error so far: a rank that failed asks nothing and still takes part. `most`: about
 * the most bytes that one question or answer of this rank could use. Collective. All ranks return the error
 * of the first that failed. */
tauler_error store_talk_run(comm *comm, memory_budget *memory, int threads, uint64_t most,
                            const store_talk *talk, tauler_error error, tauler_message *message);

/* Bytes that it takes, with such a `most`. */
uint64_t store_talk_bytes(int ranks, uint64_t most);

/* Bytes as they travel: compressed if that makes them fewer. `to` has room for n + 1. */
size_t store_talk_compress(const uint8_t *bytes, size_t n, uint8_t *to);
/* False when `bytes` are not from store_talk_compress, or the result is longer than `room`. */
bool store_talk_decompress(const uint8_t *bytes, size_t n, uint8_t *to, size_t room, size_t *out_n);

#endif
