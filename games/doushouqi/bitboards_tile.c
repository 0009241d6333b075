/* Opens tiles of Dou Shou Qi, and lists the quiet moves of a tile and its readers: the blocks that hold
 * predecessors. */
#include "games/doushouqi/bitboards.h"

static const int MIDDLE = DSQ_FILES / 2;

static int inner_piece(const dsq_bits_tables *t) {
  return t->layout.pieces - 2;
}

/* Sets *first to the first block of the tile with these fixed pieces. Returns when its blocks are mirrored,
 * one of MIRRORS_…. */
static uint8_t find_tile(const dsq_bits_tables *t, int part, const uint8_t square[], uint64_t *first) {
  const dsq_bits_layout *layout = &t->layout;
  const int inner = inner_piece(t), file = square[0] % DSQ_FILES;
  uint8_t mirrors = MIRRORS_NEVER;
  if (file > MIDDLE) {
    mirrors = MIRRORS_ALWAYS;
  } else if (file == MIDDLE && inner == 1) {
    mirrors = MIRRORS_RIGHT;
  } else if (file == MIDDLE && dsq_is_right(square[1])) {
    mirrors = MIRRORS_ALWAYS;
  }
  *first = part ? layout->turn : 0;
  for (int i = 0; i < inner; i++) {
    const int at = mirrors == MIRRORS_ALWAYS ? placement_mirror(DSQ_FILES, square[i]) : square[i];
    *first += layout->ordinal[i][at] * layout->stride[i];
  }
  return mirrors;
}

bool dsq_bits_tile_open(const dsq_bits_tables *tables, uint64_t tile, dsq_bits_tile *out) {
  const dsq_bits_layout *layout = &tables->layout;
  const int inner = inner_piece(tables);
  out->tables = tables;
  out->first = tile * layout->count[inner];
  out->part = (int)(out->first / layout->turn % 2);
  out->other = out->part ? out->first - layout->turn : out->first + layout->turn;
  out->taken = out->rats = out->drinkers = 0;
  out->moves_used = out->readers_used = -1;
  uint64_t rest = out->first - (out->part ? layout->turn : 0);
  for (int i = 0; i < inner; i++) {
    const int square = layout->square[i][rest / layout->stride[i]];
    rest %= layout->stride[i];
    if (out->taken >> square & 1) return false;
    out->square[i] = (uint8_t)square;
    out->taken |= dsq_bit(square);
    *(tables->piece[i].animal == DSQ_RAT ? &out->rats : &out->drinkers) |= dsq_bit(square);
  }
  const bool middle = inner > 0 && out->square[0] % DSQ_FILES == MIDDLE;
  out->inner_left = inner == 0 || (inner == 1 && middle);
  return !(inner > 1 && middle && dsq_is_right(out->square[1]));
}

dsq_bits_block dsq_bits_block_at(const dsq_bits_tile *tile, int ordinal) {
  const dsq_bits_tables *t = tile->tables;
  const int inner = inner_piece(t), square = t->layout.square[inner][ordinal];
  dsq_bits_block at = {.block = tile->first + (uint64_t)ordinal, .inner = square};
  if ((tile->taken >> square & 1) || (tile->inner_left && dsq_is_right(square))) return at;
  const bool rat = t->piece[inner].animal == DSQ_RAT;
  at.valid = t->layout.ground[inner + 1] & ~tile->taken & ~dsq_bit(square);
  at.rats = tile->rats | (rat ? dsq_bit(square) : 0);
  at.drinkers = tile->drinkers | (rat ? 0 : dsq_bit(square));
  return at;
}

static void add_target(dsq_bits_tile *tile, int piece, const dsq_target *target) {
  const dsq_bits_tables *t = tile->tables;
  if (dsq_bits_is_closed(tile, target)) return;
  const int inner = inner_piece(t);
  dsq_bits_entry *entry = &tile->moves[tile->moves_used++];
  uint8_t square[DSQ_MOST_PIECES] = {0};
  for (int i = 0; i < inner; i++) square[i] = i == piece ? target->to : tile->square[i];
  entry->mirrors = find_tile(t, !tile->part, square, &entry->first);
  entry->bar_inner = dsq_bit(target->to) | dsq_bits_barring(t, inner, target);
  entry->open_last = ~(dsq_bit(target->to) | dsq_bits_barring(t, inner + 1, target));
}

void dsq_bits_tile_list_moves(dsq_bits_tile *tile) {
  const dsq_bits_tables *t = tile->tables;
  tile->moves_used = 0;
  for (int i = 0; i < inner_piece(t); i++) {
    const dsq_piece piece = t->piece[i];
    if (piece.side != tile->part) continue;
    const int from = tile->square[i];
    for (int k = 0; k < t->rules->targets_used[piece.side][piece.animal][from]; k++)
      add_target(tile, i, &t->rules->targets[piece.side][piece.animal][from][k]);
  }
}

static void add_reader(dsq_bits_tile *tile, int piece, int from, bool other_image) {
  const dsq_bits_tables *t = tile->tables;
  const int inner = inner_piece(t);
  dsq_bits_entry *entry = &tile->readers[tile->readers_used++];
  uint8_t square[DSQ_MOST_PIECES] = {0};
  for (int i = 0; i < inner; i++) {
    const int at = i == piece ? from : tile->square[i];
    square[i] = (uint8_t)(other_image ? placement_mirror(DSQ_FILES, at) : at);
  }
  entry->mirrors = find_tile(t, !tile->part, square, &entry->first);
  if (other_image) entry->mirrors = MIRRORS_ALWAYS;
  entry->bar_inner = dsq_bit(from);
}

/* True if both images of a predecessor, with the piece on `from`, are stored because the first two pieces
 * stand on the middle file. If the move leaves that file, one image leads to this tile, the other one to its
 * mirror image. */
static bool keeps_both_images(const dsq_bits_tile *tile, int piece, int from) {
  if (inner_piece(tile->tables) < 2 || piece > 1) return false;
  return from % DSQ_FILES == MIDDLE && tile->square[!piece] % DSQ_FILES == MIDDLE;
}

static void list_readers(dsq_bits_tile *tile) {
  const dsq_bits_tables *t = tile->tables;
  const int side = !tile->part;
  tile->readers_used = 0;
  for (int i = 0; i < inner_piece(t); i++) {
    if (t->piece[i].side != side) continue;
    const int to = tile->square[i];
    for (int k = 0; k < t->rules->sources_used[side][t->piece[i].animal][to]; k++) {
      const int from = t->rules->sources[side][t->piece[i].animal][to][k].from;
      if (tile->taken >> from & 1) continue;
      add_reader(tile, i, from, false);
      if (keeps_both_images(tile, i, from)) add_reader(tile, i, from, true);
    }
  }
}

void dsq_bits_mark_readers(const game_bitboards_state *state, dsq_bits_tile *tile, const dsq_bits_block *at) {
  const dsq_bits_tables *t = tile->tables;
  const int odd = (state->wave + 1) & 1, inner = inner_piece(t), mover = tile->part;
  bool mirrored;
  if (tile->readers_used < 0) list_readers(tile);
  for (int i = 0; i < tile->readers_used; i++) {
    const dsq_bits_entry *entry = &tile->readers[i];
    if (entry->bar_inner >> at->inner & 1) continue;
    bitboards_mark(state, odd, dsq_bits_entry_block(&t->layout, entry, at->inner, &mirrored));
  }
  if (t->piece[inner].side != mover) {
    const int animal = t->piece[inner].animal;
    for (int k = 0; k < t->rules->sources_used[!mover][animal][at->inner]; k++) {
      const int from = t->rules->sources[!mover][animal][at->inner][k].from;
      if (!(tile->taken >> from & 1)) bitboards_mark(state, odd, dsq_bits_inner_block(tile, from, &mirrored));
    }
  }
  if (t->piece[inner + 1].side != mover) {
    bitboards_mark(state, odd, tile->other + t->layout.ordinal[inner][at->inner]);
  }
}
