/* A perfect hash for distinct pieces on a board, up to the left–right mirror.
 *
 * A board has an odd number of files and at most 63 squares, square = rank · files + file, bit = square. Each
 * piece has a set of squares, which contains the set of the piece before it; all sets are their own mirror
 * images. Numbers are dense, 0 … placement_count − 1. They have mixed radix: a digit for each piece among its
 * free squares, the first piece's most significant. Of two mirror images, the one whose first piece is left
 * of the middle file has a number. If the first piece is on the middle file, the second piece decides in the
 * same way; if both are on it, both images have a number. Placements whose first piece is left of the middle
 * come first.
 *
 * A block is the placements that differ only in the last piece. Their numbers are neighbours: first the
 * squares on which the sum of all ranks and files is odd, then the others, both by rising square. So the two
 * colours of a block are apart; a step of one square leads from one to the other. With two pieces the last
 * piece is also the second, and a block whose first piece is on the middle file has no squares right of it.
 *
 * A placement_index is filled once and then only read, by any threads.
 */
#ifndef INDEXERS_PLACEMENT_H
#define INDEXERS_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLACEMENT_PIECES = 8, PLACEMENT_SQUARES = 63 };

typedef struct {
  int pieces; /* 2 … PLACEMENT_PIECES */
  int files;
  uint32_t per_square; /* rank of a square = square · per_square >> 16 */
  uint64_t squares[PLACEMENT_PIECES];
  uint64_t left, middle;             /* squares left of the middle file, and on it */
  uint64_t weight[PLACEMENT_PIECES]; /* weights of digits, weight[0] for a first piece left of the middle */
  uint64_t middle_weight;            /* weight of the digit of a first piece on the middle file */
  uint64_t first_in_middle; /* number of the first placement whose first piece is on the middle file */
  uint64_t count;
} placement_index;

/* Fills the index. Returns false if an argument is not as described, or a piece may have no free square. */
bool placement_open(placement_index *index, int files, int pieces, const uint64_t squares[]);

static inline uint64_t placement_count(const placement_index *index) {
  return index->count;
}

int placement_mirror(int files, int square);

bool placement_is_canonical(const placement_index *index, const uint8_t square[]);

/* Returns the number of a placement or of its mirror image. Pieces are on distinct squares of their sets. */
uint64_t placement_rank(const placement_index *index, const uint8_t square[]);

void placement_unrank(const placement_index *index, uint64_t number, uint8_t square[]); /* number < count */

/* Returns how many placements have the same number: 1 if the first two pieces are on the middle file,
 * otherwise 2. */
int placement_copies(const placement_index *index, const uint8_t square[]);

/* A block. Its numbers begin with `first`, those of `odd` before those of `even`. */
typedef struct {
  uint64_t first;
  uint64_t odd, even; /* squares of the last piece by the parity of the sum of all ranks and files */
} placement_run;

/* Returns the block of the placements with all pieces but the last on `square`. If these pieces decide which
 * of two mirror images has a number, they must stand as in that image. */
placement_run placement_run_of(const placement_index *index, const uint8_t square[]);

/* Returns the block of a number < count; `square` receives the squares of all pieces but the last. */
placement_run placement_unrank_block(const placement_index *index, uint64_t number, uint8_t square[]);

/* Lists the squares of a block, at most PLACEMENT_SQUARES, in the order of the numbers. Returns how many. */
size_t placement_order(placement_run run, uint8_t order[]);

#endif
