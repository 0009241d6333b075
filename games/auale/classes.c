/* Sorts boards of aualé into classes by the captures that each side threatens with sowings of at most eleven
 * seeds.
 *
 * Such a sowing captures if its last seed lands in a pit of the other side that had one or two seeds. Bits
 * 0–5 of a class are the mover's pits in which such a capture would begin if the opponent were to move. Bit 7
 * is set if the mover can capture in this way, bit 6 if one sowing can capture several pits. Classes ignore
 * the rules of grand slams. Boards that tables leave out are in class 0.
 */
#include <stdlib.h>
#include <string.h>

#include "games/auale/position.h"
#include "indexers/row_pair.h"

enum { CLASSES_VERSION = 1, USED_FROM_SEEDS = 13, CAPTURES = 0x80, WORD = 8 };

/* The threats of a row, as bits 0–5: pits of the other side in which a sowing from the row ends, and pits of
 * the row with one or two seeds. */
typedef struct {
  uint8_t ends, exposed;
} row_threats;

static row_threats threats_of(const uint8_t row[ROW_PITS]) {
  row_threats found = {0, 0};
  for (int pit = 0; pit < ROW_PITS; pit++) {
    const int end = pit + row[pit] - ROW_PITS;
    if (row[pit] && end >= 0 && end < ROW_PITS) found.ends |= (uint8_t)(1u << end);
    if (row[pit] == 1 || row[pit] == 2) found.exposed |= (uint8_t)(1u << pit);
  }
  return found;
}

/* The threats of all open rows that an opponent has on boards that are not left out: [seeds][open rank]. */
typedef struct {
  unsigned seeds;
  row_pair_groups groups;
  uint8_t *ends[AUALE_MAX_SEEDS / 2 + 1], *exposed[AUALE_MAX_SEEDS / 2 + 1];
  uint8_t bytes[];
} board_classes;

static size_t row_list_bytes(unsigned seeds) {
  return open_row_count(seeds) + WORD; /* the last word is read beyond the end */
}

static void *open_classes(const game_rules *rules, uint32_t slice) {
  size_t room = 0;
  for (unsigned s = 0; s <= slice / 2; s++) room += 2 * row_list_bytes(s);
  board_classes *classes = calloc(1, sizeof *classes + room);
  if (!classes) return NULL;
  classes->seeds = slice;
  row_pair_lay_out(slice, &classes->groups);
  uint8_t *at = classes->bytes, row[ROW_PITS];
  for (unsigned s = 0; s <= slice / 2; s++) {
    classes->ends[s] = at;
    classes->exposed[s] = at + row_list_bytes(s);
    at += 2 * row_list_bytes(s);
    open_row_unrank(s, 0, row);
    for (size_t z = 0; z < open_row_count(s); z++, open_row_next(row)) {
      const row_threats found = threats_of(row);
      classes->ends[s][z] = found.ends;
      classes->exposed[s][z] = found.exposed;
    }
  }
  return classes;
}

static uint64_t repeat_byte(uint8_t byte) {
  return byte * UINT64_C(0x0101010101010101);
}

/* Returns a word with bit 7 set in each byte that is not 0 in `bytes`. A byte is at most 63. */
static uint64_t flag_nonzero_bytes(uint64_t bytes) {
  return (bytes + repeat_byte(CAPTURES - 1)) & repeat_byte(CAPTURES);
}

/* Finds the classes of `count` boards with the same own row and consecutive opponent's rows, eight at a
 * time. */
static void find_row_classes(row_threats own, const uint8_t *ends, const uint8_t *exposed, size_t count,
                             uint8_t *out) {
  const uint64_t own_ends = repeat_byte(own.ends), own_exposed = repeat_byte(own.exposed);
  for (size_t i = 0; i < count; i += WORD) {
    uint64_t threats, prey;
    memcpy(&threats, ends + i, WORD);
    memcpy(&prey, exposed + i, WORD);
    const uint64_t taken = prey & own_ends, several = taken & prey << 1;
    const uint64_t found =
        (threats & own_exposed) | flag_nonzero_bytes(taken) | flag_nonzero_bytes(several) >> 1;
    memcpy(out + i, &found, count - i < WORD ? count - i : WORD);
  }
}

static void find_classes(const void *opened, uint64_t first, size_t count, uint8_t *out) {
  const board_classes *classes = opened;
  const uint64_t *groups = classes->groups.first, stored = groups[(classes->seeds + 1) / 2];
  size_t done = first >= stored ? 0 : stored - first < count ? (size_t)(stored - first) : count;
  memset(out, 0, done);
  unsigned k = (classes->seeds + 1) / 2;
  uint8_t own[ROW_PITS];
  for (bool begins = true; done < count; begins = false) {
    while (first + done >= groups[k + 1]) k++;
    const unsigned s = classes->seeds - k;
    const uint64_t width = open_row_count(s), at = first + done - groups[k], z = at % width;
    if (begins || at == 0) row_unrank(k, at / width, own);
    const size_t n = width - z < count - done ? (size_t)(width - z) : count - done;
    find_row_classes(threats_of(own), classes->ends[s] + z, classes->exposed[s] + z, n, out + done);
    row_next(own);
    done += n;
  }
}

static bool are_used(const game_rules *rules, uint32_t slice) {
  return slice >= USED_FROM_SEEDS;
}

const game_classes auale_classes = {CLASSES_VERSION, are_used, open_classes, free, find_classes};
