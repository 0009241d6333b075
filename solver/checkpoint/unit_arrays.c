/* Packs the arrays of a slice into checkpoint units tile by tile, and unpacks them. */
#include "solver/checkpoint/unit_arrays.h"

#include <assert.h>
#include <string.h>

unit_array *unit_arrays_append(unit_arrays *arrays, unit_kind kind, void *array, size_t item_bytes) {
  assert(arrays->n < UNIT_ARRAYS);
  unit_array *added = &arrays->arrays[arrays->n++];
  *added = (unit_array){.kind = kind, .item_bytes = item_bytes, .array = array};
  return added;
}

typedef struct {
  const game_grid_group *group;
  game_grid_slab slab;
  uint64_t column, columns; /* first column in the slab, and number of columns */
} tile_place;

static tile_place find_tile(const unit_arrays *arrays, uint64_t tile) {
  const slice_layout *layout = arrays->layout;
  const size_t i =
      memory_find_last(&layout->groups->first_tile, sizeof *layout->groups, layout->groups_n, tile);
  const game_grid_group *group = &layout->groups[i];
  const game_grid_slab *slab = &layout_slabs(layout, layout_owner_of_tile(layout, tile))[i];
  const uint64_t from = (tile - group->first_tile) * group->tile_columns, rest = group->columns - from;
  return (tile_place){.group = group,
                      .slab = arrays->in_slice ? layout_place_in_slice(group, slab) : *slab,
                      .column = from - slab->from,
                      .columns = rest < group->tile_columns ? rest : group->tile_columns};
}

/* The rows of an array that belong to a tile: `rows` rows of `bytes` packed bytes. The first begins at byte
 * `first` of the array, and each begins `stride` bytes after the one before. */
typedef struct {
  uint64_t first, rows, bytes, stride;
} tile_rows;

static tile_rows find_rows(const unit_array *array, const tile_place *place) {
  const game_grid_group *group = place->group;
  const game_grid_slab *slab = &place->slab;
  const uint64_t blocks = group->blocks, item = array->item_bytes;
  switch (array->kind) {
  case UNIT_CELLS:
  case UNIT_SPARSE:
    return (tile_rows){(slab->first_cell + place->column) * item, blocks, place->columns * item,
                       slab->width * item};
  case UNIT_BOUNDS:
    return (tile_rows){slab->first_bound + place->column * group->bounds, 1, place->columns * group->bounds,
                       0};
  case UNIT_CHANGED:
    return (tile_rows){slab->first_changed + place->column / 8, blocks, (place->columns + 7) / 8,
                       slab->changed_width};
  case UNIT_COUNTS:
    return (tile_rows){slab->first_cell + place->column, blocks, place->columns * sizeof(uint16_t),
                       slab->width};
  default:
    return (tile_rows){(slab->first_cell + place->column) / 64 * 8, 1, (place->columns + 63) / 64 * 8, 0};
  }
}

size_t unit_arrays_bytes(void *user, uint64_t tile) {
  const unit_arrays *arrays = user;
  const tile_place place = find_tile(arrays, tile);
  size_t bytes = 0;
  for (size_t i = 0; i < arrays->n; i++) {
    const tile_rows rows = find_rows(&arrays->arrays[i], &place);
    bytes += rows.rows * rows.bytes;
  }
  return bytes;
}

static void pack_row(const unit_array *array, uint64_t at, uint64_t bytes, char *to) {
  if (!array->array) {
    memset(to, 0, bytes);
    return;
  }
  const char *from = (const char *)array->array + at;
  if (array->kind == UNIT_COUNTS) {
    for (uint64_t i = 0; i < bytes / 2; i++) {
      to[2 * i] = from[i];
      to[2 * i + 1] = (char)array->high[at + i];
    }
  } else {
    memcpy(to, from, bytes);
  }
}

void unit_arrays_pack(void *user, uint64_t tile, void *bytes) {
  const unit_arrays *arrays = user;
  const tile_place place = find_tile(arrays, tile);
  char *to = bytes;
  for (size_t i = 0; i < arrays->n; i++) {
    const tile_rows rows = find_rows(&arrays->arrays[i], &place);
    for (uint64_t row = 0; row < rows.rows; row++, to += rows.bytes)
      pack_row(&arrays->arrays[i], rows.first + row * rows.stride, rows.bytes, to);
  }
}

static bool has_nonzero_byte(const char *row, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i++)
    if (row[i]) return true;
  return false;
}

static void copy_nonzero_pages(char *to, const char *from, uint64_t bytes) {
  enum { PAGE = 4096 };
  for (uint64_t at = 0, n; at < bytes; at += n) {
    n = PAGE - (uintptr_t)(to + at) % PAGE;
    if (n > bytes - at) n = bytes - at;
    if (has_nonzero_byte(from + at, n)) memcpy(to + at, from + at, n);
  }
}

static void unpack_row(const unit_array *array, uint64_t at, uint64_t bytes, const char *from) {
  if (!array->array) return;
  char *to = (char *)array->array + at;
  if (array->kind == UNIT_SPARSE) {
    copy_nonzero_pages(to, from, bytes);
  } else if (array->kind == UNIT_COUNTS) {
    for (uint64_t i = 0; i < bytes / 2; i++) {
      to[i] = from[2 * i];
      if (from[2 * i + 1]) array->high[at + i] = (uint8_t)from[2 * i + 1];
    }
  } else {
    memcpy(to, from, bytes);
  }
}

void unit_arrays_unpack(void *user, uint64_t tile, const void *bytes) {
  const unit_arrays *arrays = user;
  const tile_place place = find_tile(arrays, tile);
  const char *from = bytes;
  for (size_t i = 0; i < arrays->n; i++) {
    const unit_array *array = &arrays->arrays[i];
    const tile_rows rows = find_rows(array, &place);
    for (uint64_t row = 0; row < rows.rows; row++, from += rows.bytes) {
      unpack_row(array, rows.first + row * rows.stride, rows.bytes, from);
      if (array->dirty && has_nonzero_byte(from, rows.bytes))
        array->dirty[place.group->first_block + row] = 1;
    }
  }
}

checkpoint_units unit_arrays_checkpoint_units(unit_arrays *arrays, void *run, size_t run_bytes) {
  return (checkpoint_units){.user = arrays,
                            .layout = arrays->layout,
                            .shards_here = 1,
                            .run = run,
                            .run_bytes = run_bytes,
                            .unit_bytes = unit_arrays_bytes,
                            .pack = unit_arrays_pack,
                            .unpack = unit_arrays_unpack};
}
