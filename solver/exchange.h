/* How updates reach the owner of their target.
 *
 * A slice is cut into shards, contiguous ranges of indexes of the same power of two. In a round every
 * member of the crew pushes updates for any position; after exchange_advance each shard is pulled by
 * one member, who alone changes that shard's state. What is pulled may come in any order, so nothing
 * that a round computes may depend on it. This is the implementation in memory; the calls are those
 * that message passing and spilling to disk need: nobody reads another member's buffers, and a push
 * never waits.
 *
 * An exchange owns its buffers, which grow within the memory budget and are used again in each
 * round. push is called by the member named, pull by one member per shard, advance by all.
 */
#ifndef SOLVER_EXCHANGE_H
#define SOLVER_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/tauler_error.h"
#include "solver/crew.h"

/* What a settled quiet child means for a parent: eight bytes. */
typedef struct {
  uint64_t index : 48;
  int64_t worth : 8; /* for the parent's mover */
  uint64_t role : 8; /* which of the parent's bounds it concerns */
} exchange_update;

_Static_assert(sizeof(exchange_update) == 8, "an update is eight bytes");

typedef struct exchange exchange;

/* For `positions` positions and a crew of `members`. Errors: TAULER_NO_MEMORY. */
tauler_error exchange_new(memory_budget *memory, uint64_t positions, int members, exchange **out,
                          tauler_message *message);
void exchange_free(exchange *exchange);

/* What its buffers take before they have to grow, all of them in use. */
uint64_t exchange_least_bytes(uint64_t positions, int members);

uint64_t exchange_shards(const exchange *exchange);
/* First index of a shard; of the shard behind the last, the number of positions. */
uint64_t exchange_shard_start(const exchange *exchange, uint64_t shard);

/* Errors: TAULER_NO_MEMORY. */
tauler_error exchange_push(exchange *exchange, int member, exchange_update update);

/* Ends the pushing of a round for all members; everything pushed can then be pulled. */
void exchange_advance(exchange *exchange, crew_member *member);

/* The updates for a shard, part by part: `part` counts from 0; false when there are no more. */
bool exchange_pull(exchange *exchange, uint64_t shard, int part, const exchange_update **updates, size_t *n);

/* Forgets what was pulled for a shard. */
void exchange_forget(exchange *exchange, uint64_t shard);

#endif
