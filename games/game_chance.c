/* Flushes the edges of games of dice, names their streams, and computes common multiples. */
#include "games/game_chance.h"

#include <stdio.h>

tauler_error chance_sink_flush(chance_sink *sink) {
  const size_t n = sink->used;
  sink->used = 0;
  return n ? sink->flush(sink->user, sink->edges, n) : TAULER_OK;
}

uint64_t chance_common_multiple(uint64_t a, uint64_t b) {
  uint64_t divisor = a, smaller = b;
  while (smaller) {
    const uint64_t rest = divisor % smaller;
    divisor = smaller;
    smaller = rest;
  }
  return a / divisor * b;
}

void chance_stream_name(const chance_quantities *quantities, int quantity, bool upper,
                        char name[CHANCE_STREAM_BYTES]) {
  const bool alone = quantities->used == 1;
  snprintf(name, CHANCE_STREAM_BYTES, "%s%s%.*s", upper ? "upper" : "lower", alone ? "" : "-",
           alone ? 0 : CHANCE_NAME_BYTES - 1, quantities->list[quantity].name);
}
