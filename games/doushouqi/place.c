/* Names squares and animals of Dou Shou Qi, exchanges the sides of a position, and converts positions to
 * indexes and back. */
#include "games/doushouqi/position.h"

#include <ctype.h>
#include <string.h>

uint16_t dsq_material_of(const dsq_position *position) {
  unsigned material = 0;
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const bool there = position->square[side][animal] != DSQ_NOWHERE;
      material |= (unsigned)there << (side * DSQ_ANIMALS + animal);
    }
  }
  return (uint16_t)material;
}

dsq_position dsq_flip_position(const dsq_position *position) {
  dsq_position flipped = {.side = !position->side};
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int square = position->square[!side][animal];
      flipped.square[side][animal] = (uint8_t)(square == DSQ_NOWHERE ? DSQ_NOWHERE : dsq_flip(square));
    }
  }
  return flipped;
}

void dsq_square_name(int square, char name[3]) {
  name[0] = (char)('a' + square % DSQ_FILES);
  name[1] = (char)('1' + square / DSQ_FILES);
  name[2] = '\0';
}

static const char letters[DSQ_ANIMALS + 1] = "rcwdptle";

char dsq_letter(int side, int animal) {
  return (char)(side == DSQ_WHITE ? toupper((unsigned char)letters[animal]) : letters[animal]);
}

bool dsq_read_letter(char letter, int *side, int *animal) {
  const char *found = letter ? strchr(letters, tolower((unsigned char)letter)) : NULL;
  if (!found) return false;
  *side = isupper((unsigned char)letter) ? DSQ_WHITE : DSQ_BLACK;
  *animal = (int)(found - letters);
  return true;
}

/* --- the index --- */

static dsq_position seen_by_white(const game_position *game) {
  const dsq_position position = dsq_from_game(game);
  return position.side == DSQ_WHITE ? position : dsq_flip_position(&position);
}

uint32_t dsq_slice_of(const game_rules *rules, const game_position *game) {
  const dsq_position position = seen_by_white(game);
  dsq_view view;
  return dsq_view_of(rules, dsq_material_of(&position), &view) ? view.slice : GAME_NO_SLICE;
}

void dsq_position_slice(const game_rules *rules, const game_position *game, char name[GAME_TEXT_BYTES]) {
  const dsq_position position = seen_by_white(game);
  dsq_material_name(rules, dsq_material_of(&position), name);
}

uint64_t dsq_index(const dsq_slice *slice, int part, const uint8_t square[]) {
  return (uint64_t)part * placement_count(&slice->place) + placement_rank(&slice->place, square);
}

bool dsq_locate(const game_rules *rules, const game_position *game, game_place *out) {
  const dsq_position position = seen_by_white(game);
  dsq_view view;
  if (!dsq_view_of(rules, dsq_material_of(&position), &view)) return false;
  const dsq_slice *slice = dsq_slice_at(rules, view.slice);
  uint8_t square[DSQ_MOST_PIECES];
  for (int i = 0; i < slice->pieces; i++) {
    square[i] = position.square[view.pieces[i].side][view.pieces[i].animal];
    /* A position with a piece in the other den is won and has no index. */
    if (!(rules->ground[view.pieces[i].animal] >> square[i] & 1)) return false;
  }
  *out = (game_place){view.slice, dsq_index(slice, view.flipped, square)};
  return true;
}

/* Splits an index: returns its part, 0 or 1, and sets *index to the number in the part. */
static int split_index(const dsq_slice *slice, uint64_t *index) {
  const uint64_t count = placement_count(&slice->place);
  if (*index < count) return 0;
  *index -= count;
  return 1;
}

void dsq_position_at(const game_rules *rules, game_place place, game_position *out) {
  const dsq_slice *slice = dsq_slice_at(rules, place.slice);
  uint64_t number = place.index;
  const int part = split_index(slice, &number);
  uint8_t square[DSQ_MOST_PIECES];
  placement_unrank(&slice->place, number, square);
  dsq_position position = {.side = DSQ_WHITE};
  memset(position.square, DSQ_NOWHERE, sizeof position.square);
  for (int i = 0; i < slice->pieces; i++)
    position.square[slice->piece[i].side ^ part][slice->piece[i].animal] = square[i];
  dsq_to_game(&position, out);
}

/* --- runs of cells, block by block --- */

enum { BLOCK = 64 };

typedef struct {
  const dsq_slice *slice;
  const game_rules *rules;
  int part;
  uint8_t square[DSQ_MOST_PIECES]; /* squares of all pieces but the last */
  placement_run run;
} block;

/* Writes a byte for each cell of a block, in the order of the cells' numbers. */
typedef void block_writer(const block *b, uint8_t out[BLOCK]);

static void write_cells(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out,
                        block_writer *write) {
  block b = {.slice = dsq_slice_at(rules, slice), .rules = rules};
  while (count > 0) {
    uint64_t number = first;
    b.part = split_index(b.slice, &number);
    b.run = placement_unrank_block(&b.slice->place, number, b.square);
    const size_t size = (size_t)__builtin_popcountll(b.run.odd | b.run.even);
    const size_t skipped = (size_t)(number - b.run.first);
    const size_t taken = size - skipped < count ? size - skipped : count;
    uint8_t cells[BLOCK];
    write(&b, cells);
    memcpy(out, cells + skipped, taken);
    out += taken;
    first += taken;
    count -= taken;
  }
}

/* Sets to `to` the cells of a block whose last piece stands on one of `squares`. The cells of `all`, the
 * squares of one parity, begin at cells[from]. */
static void set_cells(uint8_t cells[BLOCK], int from, uint64_t all, uint64_t squares, uint8_t to) {
  for (squares &= all; squares; squares &= squares - 1) {
    const uint64_t below = (squares & -squares) - 1;
    cells[from + __builtin_popcountll(all & below)] = to;
  }
}

static void write_copies(const block *b, uint8_t out[BLOCK]) {
  const placement_index *place = &b->slice->place;
  if (place->pieces > 2) {
    memset(out, placement_copies(place, b->square), BLOCK);
    return;
  }
  memset(out, 2, BLOCK);
  if (!(place->middle >> b->square[0] & 1)) return;
  set_cells(out, 0, b->run.odd, place->middle, 1);
  set_cells(out, __builtin_popcountll(b->run.odd), b->run.even, place->middle, 1);
}

size_t dsq_numbers(const game_rules *rules, const game_position *game, int8_t *out) {
  const dsq_position position = seen_by_white(game);
  if (out) memset(out, 0, DSQ_SQUARES);
  for (int side = 0; out && side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int square = position.square[side][animal];
      if (square != DSQ_NOWHERE) out[square] = (int8_t)(side == DSQ_WHITE ? animal + 1 : -animal - 1);
    }
  }
  return DSQ_SQUARES;
}

void dsq_copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  const dsq_slice *known = dsq_slice_at(rules, slice);
  uint64_t number = first;
  (void)split_index(known, &number);
  if (number + count <= known->place.first_in_middle) {
    memset(out, 2, count);
  } else {
    write_cells(rules, slice, first, count, out, write_copies);
  }
}

/* Returns the squares from which a piece of the mover may keep the parity of the sum of ranks and files; none
 * if the piece is the other side's. */
static uint64_t parity_keeping_squares(const block *b, int piece) {
  const dsq_piece p = b->slice->piece[piece];
  return (p.side ^ b->part) == DSQ_WHITE ? b->rules->materials->far[p.animal] : 0;
}

/* Writes 1 for each cell that is left out: an even cell in which no piece of the mover stands where a far
 * jump begins, so that quiet moves lead only to odd cells. */
static void write_left_out(const block *b, uint8_t out[BLOCK]) {
  memset(out, 0, BLOCK);
  const int last = b->slice->pieces - 1;
  for (int i = 0; i < last; i++) {
    if (parity_keeping_squares(b, i) >> b->square[i] & 1) return;
  }
  const int odd = __builtin_popcountll(b->run.odd);
  memset(out + odd, 1, (size_t)__builtin_popcountll(b->run.even));
  set_cells(out, odd, b->run.even, parity_keeping_squares(b, last), 0);
}

void dsq_left_out(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  write_cells(rules, slice, first, count, out, write_left_out);
}
