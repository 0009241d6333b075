/* Arrays that lie by slabs (layout.h), packed tile by tile for the checkpointer.
 *
 * An engine names the arrays of the shard that is in memory; a tile's unit is its part of each, one after
 * the other. The arrays stay the engine's, who points them elsewhere when another shard is visited.
 */
#ifndef SOLVER_CHECKPOINT_UNIT_ARRAYS_H
#define SOLVER_CHECKPOINT_UNIT_ARRAYS_H

#include "solver/checkpoint/checkpointer.h"

typedef enum {
  UNIT_CELLS,   /* items of so many bytes, one per cell */
  UNIT_SPARSE,  /* the same in an array of zeros, in which pages that hold nothing are to stay untouched */
  UNIT_BOUNDS,  /* a byte per bound */
  UNIT_CHANGED, /* rows of bits, one per block */
  UNIT_BITS     /* 64-bit words of a bit per cell, of a layout of one block */
} unit_kind;

typedef struct {
  unit_kind kind;
  size_t item_bytes;
  void *array;
  uint8_t *dirty; /* or NULL: a byte per block, set while unpacking where there are changed cells */
} unit_array;

enum { UNIT_ARRAYS = 24 };

typedef struct {
  const slice_layout *layout;
  bool in_slice; /* cells and changed cells stand where the whole slice has them */
  size_t n;
  unit_array arrays[UNIT_ARRAYS];
} unit_arrays;

/* An array that is NULL is not there; whether it is must not change between saving and resuming. */
void unit_arrays_add(unit_arrays *arrays, unit_kind kind, void *array, size_t item_bytes);
void unit_arrays_add_changed(unit_arrays *arrays, uint8_t *changed, uint8_t *dirty);

/* For checkpoint_units; `user` is the unit_arrays. */
size_t unit_arrays_bytes(void *user, uint64_t tile);
void unit_arrays_pack(void *user, uint64_t tile, void *bytes);
void unit_arrays_unpack(void *user, uint64_t tile, const void *bytes);

/* For a slice held whole: a layout of one shard, always in memory. */
checkpoint_units unit_arrays_keep(unit_arrays *arrays, void *run, size_t run_bytes);

#endif
