/* Describes the endgame book of the engine Aalina: exact values of abapa right after a capture
 * (docs/endgame-book.md). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "games/auale/notations.h"
#include "indexers/rows.h"

enum { MOST_SEEDS = 15, RIGHT_AFTER_CAPTURE = 1 };

static bool has_book_values(const game_rules *rules) {
  return rules->grand_slam == GRAND_SLAM_KEEPS && rules->cycles == CYCLES_OWN_ROW;
}

static uint64_t count_boards(uint32_t seeds) {
  return binomial(seeds + AUALE_PITS, AUALE_PITS);
}

static uint64_t number_of_board(const int8_t *pits) {
  uint64_t sum = 0;
  unsigned seeds = 0;
  for (unsigned pit = 0; pit < AUALE_PITS; pit++) {
    seeds += (unsigned)pits[pit];
    sum += binomial(seeds + pit, pit + 1);
  }
  return sum;
}

/* Returns the byte of a value: four times the seeds that the mover captures from now on, plus
 * RIGHT_AFTER_CAPTURE. At the end of play all seeds are captured. */
static uint8_t byte_of_value(uint32_t seeds, int value) {
  const unsigned captures = (unsigned)((int)seeds + value) / 2;
  return (uint8_t)(captures << 2 | RIGHT_AFTER_CAPTURE);
}

/* Writes the header in UTF-16, the high byte first, with an empty line at the end. Returns its length in
 * bytes. */
static size_t write_header(uint32_t seeds, const char *author, char out[GAME_DRAWING_BYTES]) {
  char text[GAME_DRAWING_BYTES / 2];
  const int n = snprintf(text, sizeof text,
                         "Oware Endgames 2.0\nPositions: %" PRIu64
                         "\nName: Exact values of abapa, up to %u seeds\nAuthor: %.80s\n\n",
                         count_boards(seeds), (unsigned)seeds, author);
  for (int i = 0; i < n; i++) {
    out[2 * i] = '\0';
    out[2 * i + 1] = text[i];
  }
  return 2 * (size_t)n;
}

const game_book auale_book = {.format = "aalina",
                              .file = "oware-leaves.bin",
                              .needs = "--rules abapa --cycles own-row",
                              .largest = MOST_SEEDS,
                              .fits = has_book_values,
                              .positions = count_boards,
                              .number = number_of_board,
                              .byte = byte_of_value,
                              .header = write_header};
