#include <stdlib.h>

#include "solver/exchange.h"

enum { MOST_SHARDS = 64, LEAST_SHARD_BITS = 12, FIRST_ROOM = 512 };

typedef struct {
  exchange_update *updates;
  size_t used, room;
} buffer;

struct exchange {
  memory_budget *memory;
  uint64_t positions, shards;
  unsigned shard_bits;
  int members;
  buffer *buffers; /* [member][shard] */
};

static buffer *buffer_of(const exchange *exchange, int member, uint64_t shard) {
  return &exchange->buffers[(uint64_t)member * exchange->shards + shard];
}

static unsigned shard_bits_for(uint64_t positions) {
  unsigned bits = LEAST_SHARD_BITS;
  while (positions >> bits >= MOST_SHARDS) bits++;
  return bits;
}

uint64_t exchange_least_bytes(uint64_t positions, int members) {
  const uint64_t shards = (positions >> shard_bits_for(positions)) + 1;
  return (uint64_t)members * shards * (sizeof(buffer) + FIRST_ROOM * sizeof(exchange_update));
}

tauler_error exchange_new(memory_budget *memory, uint64_t positions, int members, exchange **out,
                          tauler_message *message) {
  *out = NULL;
  exchange *made = calloc(1, sizeof *made);
  if (!made) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the exchange of updates");
  *made = (exchange){.memory = memory, .positions = positions, .members = members};
  made->shard_bits = shard_bits_for(positions);
  made->shards = (positions >> made->shard_bits) + 1;
  const tauler_error error =
      memory_take_array(memory, (uint64_t)members * made->shards, sizeof *made->buffers,
                        "the exchange of updates", &made->buffers, message);
  if (error) {
    free(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

void exchange_free(exchange *exchange) {
  if (!exchange) return;
  for (uint64_t i = 0; i < (uint64_t)exchange->members * exchange->shards; i++) {
    memory_give(exchange->memory, exchange->buffers[i].updates);
  }
  memory_give(exchange->memory, exchange->buffers);
  free(exchange);
}

uint64_t exchange_shards(const exchange *exchange) {
  return exchange->shards;
}

uint64_t exchange_shard_start(const exchange *exchange, uint64_t shard) {
  const uint64_t start = shard << exchange->shard_bits;
  return start < exchange->positions ? start : exchange->positions;
}

tauler_error exchange_push(exchange *exchange, int member, exchange_update update) {
  buffer *to = buffer_of(exchange, member, update.index >> exchange->shard_bits);
  if (to->used == to->room) {
    const size_t room = to->room ? 2 * to->room : FIRST_ROOM;
    const tauler_error error = memory_resize(exchange->memory, room * sizeof *to->updates,
                                             "a buffer of updates", &to->updates, NULL);
    if (error) return error;
    to->room = room;
  }
  to->updates[to->used++] = update;
  return TAULER_OK;
}

void exchange_advance(exchange *exchange, crew_member *member) {
  (void)exchange;
  crew_meet(member, NULL, NULL);
}

bool exchange_pull(exchange *exchange, uint64_t shard, int part, const exchange_update **updates, size_t *n) {
  if (part >= exchange->members) return false;
  const buffer *from = buffer_of(exchange, part, shard);
  *updates = from->updates;
  *n = from->used;
  return true;
}

void exchange_forget(exchange *exchange, uint64_t shard) {
  for (int member = 0; member < exchange->members; member++) buffer_of(exchange, member, shard)->used = 0;
}
