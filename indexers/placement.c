/* Ranks and unranks placements of pieces up to the mirror. */
#include "indexers/placement.h"

/* If the number of files is odd, the parity of rank + file is that of the square's number. */
static const uint64_t ODD_SQUARES = UINT64_C(0xAAAAAAAAAAAAAAAA);
static const uint64_t EACH_BYTE = UINT64_C(0x0101010101010101);

/* Puts the number of bits of each byte into that byte. */
static inline uint64_t count_in_bytes(uint64_t set) {
  set -= set >> 1 & UINT64_C(0x5555555555555555);
  set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
  return (set + (set >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
}

/* Portable builds have no instruction for this, and the compiler's own routine is a call. */
static inline unsigned count_bits(uint64_t set) {
#ifdef __POPCNT__
  return (unsigned)__builtin_popcountll(set);
#else
  return (unsigned)(count_in_bytes(set) * EACH_BYTE >> 56);
#endif
}

static inline uint64_t bit_of(unsigned square) {
  return UINT64_C(1) << square;
}

static inline unsigned count_below(uint64_t set, unsigned square) {
  return count_bits(set & (bit_of(square) - 1));
}

/* Returns the number of bytes of `sums` that are at most `n` < 128. */
static inline unsigned count_bytes_up_to(uint64_t sums, unsigned n) {
  const uint64_t high = EACH_BYTE << 7;
  return (unsigned)(((((EACH_BYTE * n | high) - sums) & high) >> 7) * EACH_BYTE >> 56);
}

/* Returns the square of the set that has `n` squares of the set below it. Has no branches, since they would
 * be mispredicted: finds first the byte, then the bit in a word with a byte for each bit. */
static inline unsigned select_square(uint64_t set, unsigned n) {
  const uint64_t up_to_byte =
      count_in_bytes(set) * EACH_BYTE; /* each byte has the number of squares in it and the lower bytes */
  const unsigned byte = 8 * count_bytes_up_to(up_to_byte, n);
  n -= (unsigned)(up_to_byte << 8 >> byte & 0xFF);
  const uint64_t apart = (set >> byte & 0xFF) * EACH_BYTE & UINT64_C(0x8040201008040201);
  const uint64_t ones = (apart + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7 & EACH_BYTE;
  return byte + count_bytes_up_to(ones * EACH_BYTE, n);
}

static uint64_t squares_of_file(int files, int file) {
  uint64_t set = 0;
  for (int square = file; square < PLACEMENT_SQUARES; square += files) set |= bit_of((unsigned)square);
  return set;
}

int placement_mirror(int files, int square) {
  return square + files - 1 - 2 * (square % files);
}

static uint64_t placement_mirror_set(int files, uint64_t squares) {
  const int middle = files / 2;
  uint64_t mirrored = squares & squares_of_file(files, middle);
  for (int file = 0; file < middle; file++) {
    const int apart = files - 1 - 2 * file;
    mirrored |= (squares & squares_of_file(files, file)) << apart;
    mirrored |= (squares & squares_of_file(files, files - 1 - file)) >> apart;
  }
  return mirrored;
}

static bool are_valid_sets(int files, int pieces, const uint64_t squares[]) {
  for (int i = 0; i < pieces; i++) {
    if (squares[i] >> PLACEMENT_SQUARES) return false;
    if (count_bits(squares[i]) <= (unsigned)i) return false;
    if (i > 0 && squares[i] == squares[i - 1]) continue;
    if (i > 0 && (squares[i - 1] & ~squares[i])) return false;
    if (placement_mirror_set(files, squares[i]) != squares[i]) return false;
  }
  return true;
}

bool placement_open(placement_index *index, int files, int pieces, const uint64_t squares[]) {
  *index = (placement_index){.pieces = pieces, .files = files};
  if (pieces < 2 || pieces > PLACEMENT_PIECES || files < 1 || files > PLACEMENT_SQUARES || files % 2 == 0)
    return false;
  if (!are_valid_sets(files, pieces, squares)) return false;
  index->per_square = (uint32_t)((1 << 16) / files + 1);
  for (int file = 0; file < files / 2; file++) index->left |= squares_of_file(files, file);
  index->middle = squares_of_file(files, files / 2);
  for (int i = 0; i < pieces; i++) index->squares[i] = squares[i];

  uint64_t weight = 1; /* less than 2^48, since eight pieces have at most 63 squares each */
  for (int i = pieces - 1; i >= 1; i--) {
    index->weight[i] = weight;
    weight *= count_bits(squares[i]) - (unsigned)i;
  }
  index->weight[0] = weight;
  index->first_in_middle = count_bits(squares[0] & index->left) * weight;
  /* A first piece on the middle file occupies one of the second piece's squares up to that file. */
  const uint64_t first_middle = count_bits(squares[0] & index->middle);
  const uint64_t up_to_middle = count_bits(squares[1] & (index->left | index->middle));
  index->middle_weight = first_middle ? (up_to_middle - 1) * index->weight[1] : 0;
  index->count = index->first_in_middle + first_middle * index->middle_weight;
  return true;
}

static inline bool has_square(uint64_t set, unsigned square) {
  return set >> square & 1;
}

bool placement_is_canonical(const placement_index *index, const uint8_t square[]) {
  if (has_square(index->left, square[0])) return true;
  return has_square(index->middle, square[0]) && has_square(index->left | index->middle, square[1]);
}

int placement_copies(const placement_index *index, const uint8_t square[]) {
  return has_square(index->middle, square[0]) && has_square(index->middle, square[1]) ? 1 : 2;
}

/* The squares taken so far, and a sum with the parity of all ranks and files. */
typedef struct {
  uint64_t taken;
  unsigned sum;
} ranking_state;

static inline void put_piece(ranking_state *others, unsigned square) {
  others->taken |= bit_of(square);
  others->sum ^= square;
}

/* Returns the free squares of piece i. `in_middle` is true if the first piece is on the middle file. */
static inline uint64_t free_squares(const placement_index *index, int i, bool in_middle,
                                    const ranking_state *others) {
  const uint64_t set = index->squares[i] & ~others->taken;
  return in_middle && i == 1 ? set & (index->left | index->middle) : set;
}

static inline uint64_t odd_squares(uint64_t set, const ranking_state *others) {
  return others->sum & 1 ? set & ~ODD_SQUARES : set & ODD_SQUARES;
}

static inline uint64_t rank_first_piece(const placement_index *index, unsigned square) {
  if (has_square(index->left, square))
    return count_below(index->squares[0] & index->left, square) * index->weight[0];
  return index->first_in_middle +
         count_below(index->squares[0] & index->middle, square) * index->middle_weight;
}

static inline uint64_t rank_other_pieces(const placement_index *index, const uint8_t square[],
                                         ranking_state *others) {
  const bool in_middle = has_square(index->middle, square[0]);
  uint64_t number = rank_first_piece(index, square[0]);
  *others = (ranking_state){0};
  put_piece(others, square[0]);
  for (int i = 1; i < index->pieces - 1; i++) {
    number += count_below(free_squares(index, i, in_middle, others), square[i]) * index->weight[i];
    put_piece(others, square[i]);
  }
  return number;
}

static inline uint64_t free_last_squares(const placement_index *index, const uint8_t square[],
                                         const ranking_state *others) {
  return free_squares(index, index->pieces - 1, has_square(index->middle, square[0]), others);
}

static inline uint64_t rank_canonical(const placement_index *index, const uint8_t square[]) {
  ranking_state others;
  const uint64_t number = rank_other_pieces(index, square, &others);
  const unsigned last = square[index->pieces - 1];
  const uint64_t set = free_last_squares(index, square, &others);
  const uint64_t odd = odd_squares(set, &others);
  if (has_square(odd, last)) return number + count_below(odd, last);
  return number + count_bits(odd) + count_below(set ^ odd, last);
}

uint64_t placement_rank(const placement_index *index, const uint8_t square[]) {
  if (placement_is_canonical(index, square)) return rank_canonical(index, square);
  uint8_t mirrored[PLACEMENT_PIECES] = {0};
  const unsigned files = (unsigned)index->files;
  for (int i = 0; i < index->pieces; i++) {
    const unsigned begins = (square[i] * index->per_square >> 16) * files;
    mirrored[i] = (uint8_t)(2 * begins + files - 1 - square[i]);
  }
  return rank_canonical(index, mirrored);
}

placement_run placement_unrank_block(const placement_index *index, uint64_t number, uint8_t square[]) {
  const uint64_t asked = number;
  const bool in_middle = number >= index->first_in_middle;
  const uint64_t weight = in_middle ? index->middle_weight : index->weight[0];
  const uint64_t set = index->squares[0] & (in_middle ? index->middle : index->left);
  if (in_middle) number -= index->first_in_middle;
  ranking_state others = {0};
  square[0] = (uint8_t)select_square(set, (unsigned)(number / weight));
  number %= weight;
  put_piece(&others, square[0]);
  for (int i = 1; i < index->pieces - 1; i++) {
    const uint64_t digit = number / index->weight[i];
    number -= digit * index->weight[i];
    square[i] = (uint8_t)select_square(free_squares(index, i, in_middle, &others), (unsigned)digit);
    put_piece(&others, square[i]);
  }
  const uint64_t last = free_squares(index, index->pieces - 1, in_middle, &others);
  const uint64_t odd = odd_squares(last, &others);
  return (placement_run){asked - number, odd, last ^ odd};
}

void placement_unrank(const placement_index *index, uint64_t number, uint8_t square[]) {
  const placement_run run = placement_unrank_block(index, number, square);
  const unsigned n_odd = count_bits(run.odd), digit = (unsigned)(number - run.first);
  square[index->pieces - 1] =
      (uint8_t)(digit < n_odd ? select_square(run.odd, digit) : select_square(run.even, digit - n_odd));
}

placement_run placement_run_of(const placement_index *index, const uint8_t square[]) {
  ranking_state others;
  const uint64_t first = rank_other_pieces(index, square, &others);
  const uint64_t set = free_last_squares(index, square, &others);
  const uint64_t odd = odd_squares(set, &others);
  return (placement_run){first, odd, set ^ odd};
}

size_t placement_order(placement_run run, uint8_t order[]) {
  size_t n = 0;
  for (uint64_t set = run.odd; set; set &= set - 1) order[n++] = (uint8_t)__builtin_ctzll(set);
  for (uint64_t set = run.even; set; set &= set - 1) order[n++] = (uint8_t)__builtin_ctzll(set);
  return n;
}
