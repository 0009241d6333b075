/* Questions and answers between ranks, in steps of bounded parcels: in a step every rank may ask every
 * other something, gets its answers, and answers what it was asked, until nobody asks any more. Parcels
 * are compressed where it pays. Private to the solver.
 */
#ifndef SOLVER_PACKED_TALK_H
#define SOLVER_PACKED_TALK_H

#include "base/memory.h"
#include "solver/team.h"

enum { PACKED_TALK_LEAST = 4096, PACKED_TALK_MOST = 1 << 20 };

/* Called by the team's thread, with bytes aligned to 64. Neither a question nor its answer may be longer
 * than `room`, a multiple of 64. */
typedef struct {
  void *user;
  size_t (*ask)(void *user, int to, uint8_t *question, size_t room); /* 0: nothing more for this rank */
  tauler_error (*answer)(void *user, const uint8_t *question, size_t n, uint8_t *answer, size_t room,
                         size_t *answer_n, tauler_message *message);
  tauler_error (*take)(void *user, int from, const uint8_t *answer, size_t n, tauler_message *message);
} packed_talk;

/* `error` is how the rank fared so far: a rank that failed asks nothing and still takes part. `most`: about
 * the most bytes that one question or answer of this rank could use. Collective. All ranks return the error
 * of the first that failed. */
tauler_error packed_talk_run(team *team, memory_budget *memory, int threads, uint64_t most,
                             const packed_talk *talk, tauler_error error, tauler_message *message);

/* Bytes that it takes, with such a `most`. */
uint64_t packed_talk_bytes(int ranks, uint64_t most);

/* Bytes as they travel: compressed if that makes them fewer. `to` has room for n + 1. */
size_t parcel_pack(const uint8_t *bytes, size_t n, uint8_t *to);
/* False when it is not a parcel of at most `room` bytes. */
bool parcel_unpack(const uint8_t *parcel, size_t n, uint8_t *to, size_t room, size_t *out_n);

/* Numbers of seven bits a byte, the least first. */
enum { VARINT_BYTES = 10 };
static inline size_t varint_put(uint8_t *to, uint64_t number) {
  size_t n = 0;
  for (; number >= 0x80; number >>= 7) to[n++] = (uint8_t)(number | 0x80);
  to[n++] = (uint8_t)number;
  return n;
}

/* *at never goes beyond end; what is cut off reads as it stands. */
static inline uint64_t varint_get(const uint8_t **at, const uint8_t *end) {
  uint64_t number = 0;
  for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
    const uint8_t byte = *(*at)++;
    number |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return number;
}

#endif
