/* Writes and reads numbers with seven bits per byte, the least significant first. */
#ifndef PARALLEL_VARINT_H
#define PARALLEL_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VARINT_BYTES = 10 }; /* most bytes of a number */
/* Returns the number of bytes written. */
static inline size_t varint_put(uint8_t *to, uint64_t number) {
  size_t n = 0;
  for (; number >= 0x80; number >>= 7) to[n++] = (uint8_t)(number | 0x80);
  to[n++] = (uint8_t)number;
  return n;
}

/* Reads a number and moves *at past it, at most to `end`. If the number does not end before `end` or within
 * ten bytes, returns false and sets *number to the part that was read. */
static inline bool varint_read(const uint8_t **at, const uint8_t *end, uint64_t *number) {
  *number = 0;
  for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
    const uint8_t byte = *(*at)++;
    *number |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

static inline uint64_t varint_get(const uint8_t **at, const uint8_t *end) {
  uint64_t number;
  varint_read(at, end, &number);
  return number;
}

#endif
