/* A perfect hash for distinct pieces on a board, seen up to the left–right mirror.
 *
 * A board has an odd number of files and at most 63 squares, square = rank · files + file, bit = square.
 * Piece i stands on one of the squares of its set, which holds the set of the piece before it; all sets are
 * their own mirror images. Numbers are dense, 0 … placement_count − 1: mixed radix, the first piece most
 * significant, each piece among its squares that are still free. Of two mirror images, the one counts whose
 * first piece stands on the middle file or left of it; if it stands on the middle file, the second piece
 * decides; if both stand there, both images have a number. Placements with the first piece left of the middle
 * come first.
 *
 * A block is what the last piece makes of all others standing still: neighbouring numbers, first its squares
 * on which the sum of all ranks and files is odd, then the others, each kind by rising square. So the two
 * colours of a block, between which a step of one square changes, lie apart. With two pieces the last one is
 * the second one too, and a block whose first piece is on the middle file has no squares right of it.
 *
 * A placement_index is filled once and then only read, by any number of threads; nothing is owned.
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
  uint64_t left, middle;             /* files */
  uint64_t weight[PLACEMENT_PIECES]; /* of piece i's digit; of the first one's left of the middle */
  uint64_t middle_weight;            /* of the first one's digit on the middle file */
  uint64_t first_in_middle;          /* number of the first placement with the first piece there */
  uint64_t count;
} placement_index;

/* False if the sets are not as said above or a piece is left without a square. */
bool placement_open(placement_index *index, int files, int pieces, const uint64_t squares[]);

static inline uint64_t placement_count(const placement_index *index) {
  return index->count;
}

/* The mirror image of a square. */
int placement_mirror(int files, int square);

/* True if this image is one that has a number. */
bool placement_is_canonical(const placement_index *index, const uint8_t square[]);

/* The number of a placement or of its mirror image; pieces stand on squares of theirs, no two on one. */
uint64_t placement_rank(const placement_index *index, const uint8_t square[]);

/* number < count. */
void placement_unrank(const placement_index *index, uint64_t number, uint8_t square[]);

/* How many placements a number stands for: 1 where the first two pieces are on the middle file, else 2. */
int placement_copies(const placement_index *index, const uint8_t square[]);

/* A block: its numbers are first … first + (squares in both sets) − 1, those of `odd` before those of
 * `even`. */
typedef struct {
  uint64_t first;
  uint64_t odd, even; /* squares of the last piece by the sum of all ranks and files */
} placement_run;

/* The block in which all pieces but the last stand on `square`, canonical as far as it goes. */
placement_run placement_run_of(const placement_index *index, const uint8_t square[]);

/* The block of a number < count; `square` receives the squares of all pieces but the last. */
placement_run placement_unrank_block(const placement_index *index, uint64_t number, uint8_t square[]);

/* The squares of the last piece in the order of the numbers, `order` with room for PLACEMENT_SQUARES; returns
 * how many. */
size_t placement_order(placement_run run, uint8_t order[]);

#endif
