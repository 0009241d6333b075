/* What ranks that share one task ask of each other, whoever carries it: message passing in the program,
 * threads in tests.
 *
 * Whoever works on a part of the task takes such a set of calls and knows nothing of how they are carried.
 * NULL stands for one rank, which agrees with itself. All calls but ranks_note are collective: every rank
 * makes the same ones in the same order, from one thread. Errors: TAULER_IO, after which all later calls
 * fail; what the calls say of their arguments.
 */
#ifndef BASE_RANKS_H
#define BASE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct {
  void *bytes;
  size_t n;
} rank_buffer;

typedef struct {
  void *carrier;
  int rank, ranks;
  tauler_error (*agree)(void *carrier, tauler_error error, tauler_message *message);
  tauler_error (*sum)(void *carrier, uint64_t *numbers, size_t n, tauler_message *message);
  tauler_error (*most)(void *carrier, uint64_t *numbers, size_t n, tauler_message *message);
  tauler_error (*share)(void *carrier, int from, void *bytes, size_t n, tauler_message *message);
  tauler_error (*exchange)(void *carrier, const rank_buffer *out, rank_buffer *in, size_t room,
                           tauler_message *message);
  void (*note)(void *carrier);
} rank_calls;

static inline int ranks_self(const rank_calls *calls) {
  return calls ? calls->rank : 0;
}
static inline int ranks_used(const rank_calls *calls) {
  return calls ? calls->ranks : 1;
}

/* Every rank says how it fared; all get the error and the message of the lowest rank that failed. */
tauler_error ranks_agree(const rank_calls *calls, tauler_error error, tauler_message *message);
/* Each number becomes its sum over all ranks, or the greatest. */
tauler_error ranks_sum(const rank_calls *calls, uint64_t *numbers, size_t n, tauler_message *message);
tauler_error ranks_most(const rank_calls *calls, uint64_t *numbers, size_t n, tauler_message *message);
/* The bytes of rank `from` reach all others. */
tauler_error ranks_share(const rank_calls *calls, int from, void *bytes, size_t n, tauler_message *message);
/* The same of the lowest rank that has something; *has says whether any does. */
tauler_error ranks_share_first(const rank_calls *calls, bool *has, void *bytes, size_t n,
                               tauler_message *message);
/* out[r] goes to rank r; what it sends arrives in in[r], which has room for `room` bytes. in[rank].n becomes
 * 0. */
tauler_error ranks_exchange(const rank_calls *calls, const rank_buffer *out, rank_buffer *in, size_t room,
                            tauler_message *message);
/* Work goes on here: from any thread, cheap. */
void ranks_note(const rank_calls *calls);

#endif
