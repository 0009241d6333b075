/* Packs and unpacks arrays that are laid out by slabs (layout.h) tile by tile, for the checkpointer.
 *
 * An engine lists the arrays of the loaded shard. The unit of a tile consists of the tile's part of each
 * array, one part after the other. The arrays belong to the engine, which lists them again for another shard.
 */
#ifndef SOLVER_CHECKPOINT_UNIT_ARRAYS_H
#define SOLVER_CHECKPOINT_UNIT_ARRAYS_H

#include "solver/checkpoint/checkpointer.h"

typedef enum {
  UNIT_CELLS,   /* items of item_bytes bytes, one per cell */
  UNIT_SPARSE,  /* items as in UNIT_CELLS. Unpacking expects an array of zeros and writes no zero page */
  UNIT_BOUNDS,  /* one byte per bound */
  UNIT_CHANGED, /* rows of bits, one row per block */
  UNIT_BITS,    /* 64-bit words with a bit per cell, in a layout of one block */
  UNIT_COUNTS   /* two bytes per cell. The high bytes are in a second array */
} unit_kind;

typedef struct {
  unit_kind kind;
  size_t item_bytes;
  void *array;   /* array, or NULL to pack zeros and to skip them while unpacking */
  uint8_t *high; /* [cells] high bytes of UNIT_COUNTS. Unpacking does not write zeros */
  /* [blocks] Set to 1 while unpacking if the block has nonzero bytes in the array. May be NULL. */
  uint8_t *dirty;
} unit_array;

enum { UNIT_ARRAYS = 24 };

typedef struct {
  const slice_layout *layout;
  bool in_slice; /* true if cells and changed cells are placed as in the whole slice, not as in the shard */
  size_t n;
  unit_array arrays[UNIT_ARRAYS];
  void *owner; /* pointer of the engine, for its functions that get a unit_arrays as `user` */
} unit_arrays;

/* Adds an array, which may be NULL. Returns its entry, in which the caller may set `high` and `dirty`. */
unit_array *unit_arrays_append(unit_arrays *arrays, unit_kind kind, void *array, size_t item_bytes);

size_t unit_arrays_bytes(void *user, uint64_t tile);
void unit_arrays_pack(void *user, uint64_t tile, void *bytes);
void unit_arrays_unpack(void *user, uint64_t tile, const void *bytes);

/* Returns units for shard 0 alone, always in memory. The caller sets the members that differ. */
checkpoint_units unit_arrays_checkpoint_units(unit_arrays *arrays, void *run, size_t run_bytes);

#endif
