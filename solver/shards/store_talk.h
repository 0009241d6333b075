/* Exchanges questions and answers between ranks in steps. In a step each rank sends at most one question to
 * every other rank, answers the questions that it received, and receives the answers to its own. The steps
 * end when no rank has a question. Messages have a largest size and are compressed if that makes them
 * shorter. Private to the solver. */
#ifndef SOLVER_SHARDS_STORE_TALK_H
#define SOLVER_SHARDS_STORE_TALK_H

#include "parallel/mail.h"
#include "parallel/varint.h"

enum { STORE_TALK_LEAST = 4096, STORE_TALK_MOST = 1 << 20 };

/* The thread of the communicator calls these functions, with bytes aligned to 64. A question and an answer
 * have at most `room` bytes, a multiple of 64. */
typedef struct {
  void *user;
  /* Writes the next question for a rank. Returns its bytes, or 0 if no question is left. */
  size_t (*ask)(void *user, int to, uint8_t *question, size_t room);
  tauler_error (*answer)(void *user, const uint8_t *question, size_t n, uint8_t *answer, size_t room,
                         size_t *answer_n, tauler_message *message);
  tauler_error (*receive)(void *user, int from, const uint8_t *answer, size_t n, tauler_message *message);
} store_talk;

/* Runs steps until no rank has a question. `error` is the error of this rank so far: if a rank has one, no
 * rank asks. `most` is about the largest number of bytes that a question or answer of this rank could use.
 * Collective. All ranks return the error of the first rank that failed. */
tauler_error store_talk_run(comm *comm, memory_budget *memory, int threads, uint64_t most,
                            const store_talk *talk, tauler_error error, tauler_message *message);

/* Returns the bytes that store_talk_run charges to the budget. */
uint64_t store_talk_bytes(int ranks, uint64_t most);

/* Compresses bytes, or copies them if compression does not make them fewer. `to` has room for n + 1. Returns
 * the bytes written. */
size_t store_talk_compress(const uint8_t *bytes, size_t n, uint8_t *to);
/* Restores bytes that store_talk_compress wrote. Returns false if they are damaged or exceed `room`. */
bool store_talk_decompress(const uint8_t *bytes, size_t n, uint8_t *to, size_t room, size_t *out_n);

#endif
