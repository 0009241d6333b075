/* Opens a slice in shards, and loads, unloads and frees its arrays. */
#include "solver/shards/slice.h"

tauler_error sharded_open(sharded_slice *out, comm *comm, memory_budget *memory, slice_layout *layout,
                          int planes, const char *spill_folder, tauler_message *message) {
  const uint32_t here = layout->shards_per_rank;
  *out = (sharded_slice){.slice = layout->slice,
                         .positions = layout->positions,
                         .planes = planes,
                         .comm = comm,
                         .memory = memory,
                         .layout = layout,
                         .first_shard = (uint32_t)comm_rank(comm) * here};
  tauler_error error =
      memory_allocate_array(memory, here, sizeof *out->shards, "list of shards", &out->shards, message);
  for (uint32_t i = 0; i < here && !error; i++)
    out->shards[i].n = layout_shard_size(layout, out->first_shard + i).cells;
  if (!error) out->shards_here = here;
  if (!error && spill_folder) error = mapped_open(spill_folder, memory, &out->mapped, message);
  if (error) sharded_free(out);
  return error;
}

void sharded_free(sharded_slice *slice) {
  for (uint32_t i = 0; i < slice->shards_here && !slice->mapped; i++)
    for (int part = 0; part < SHARD_PARTS; part++) memory_free(slice->memory, slice->shards[i].parts[part]);
  if (slice->memory) memory_free(slice->memory, slice->shards);
  mapped_close(slice->mapped);
  if (slice->layout) layout_close(slice->layout);
  *slice = (sharded_slice){0};
}

solved_slice sharded_release(sharded_slice *slice) {
  solved_slice out = {.slice = slice->slice, .positions = slice->positions, .planes = slice->planes};
  void **parts = slice->shards[0].parts;
  for (int plane = 0; plane < slice->planes; plane++) {
    out.cells[plane] = parts[SHARD_CELLS + plane];
    out.depths[plane] = parts[SHARD_DEPTHS + plane];
    parts[SHARD_CELLS + plane] = parts[SHARD_DEPTHS + plane] = NULL;
  }
  sharded_free(slice);
  return out;
}

static uint32_t shard_number(const sharded_slice *slice, uint32_t i) {
  return slice->first_shard + i;
}

static tauler_error map_part(sharded_slice *slice, uint32_t i, int part, tauler_message *message) {
  slice_shard *shard = &slice->shards[i];
  const uint64_t bytes = shard->n * sharded_cell_bytes(part), charged = slice->shards_here > 1 ? bytes : 0;
  return mapped_map(slice->mapped, shard_number(slice, i), (uint32_t)part, bytes, charged,
                    &shard->parts[part], message);
}

tauler_error sharded_allocate(sharded_slice *slice, uint32_t i, int part, tauler_message *message) {
  slice_shard *shard = &slice->shards[i];
  sharded_drop(slice, i, part);
  if (!slice->mapped)
    return memory_allocate_array(slice->memory, shard->n, sharded_cell_bytes(part), "cells of a shard",
                                 &shard->parts[part], message);
  tauler_error error = map_part(slice, i, part, message);
  if (!error)
    error = mapped_reserve(slice->mapped, shard_number(slice, i), (uint32_t)part, 0,
                           shard->n * sharded_cell_bytes(part), message);
  shard->stored[part] = true;
  if (error) sharded_drop(slice, i, part);
  return error;
}

tauler_error sharded_load(sharded_slice *slice, uint32_t i, int part, tauler_message *message) {
  slice_shard *shard = &slice->shards[i];
  if (shard->parts[part]) return TAULER_OK;
  if (!shard->stored[part])
    return tauler_fail(message, TAULER_INTERNAL, "part %d of shard %u was never taken", part,
                       shard_number(slice, i));
  return map_part(slice, i, part, message);
}

void sharded_unload(sharded_slice *slice, uint32_t i) {
  for (int part = 0; part < SHARD_PARTS && slice->mapped; part++) {
    mapped_unmap(slice->mapped, shard_number(slice, i), (uint32_t)part);
    slice->shards[i].parts[part] = NULL;
  }
}

void sharded_drop_pages(const sharded_slice *slice) {
  if (slice->mapped) mapped_drop_pages(slice->mapped);
}

uint64_t sharded_next_piece(const sharded_slice *slice, uint64_t at, uint64_t n) {
  sharded_drop_pages(slice);
  return n - at < SHARDED_PIECE ? n : at + SHARDED_PIECE;
}

void sharded_drop(sharded_slice *slice, uint32_t i, int part) {
  slice_shard *shard = &slice->shards[i];
  if (slice->mapped) {
    mapped_unmap(slice->mapped, shard_number(slice, i), (uint32_t)part);
    if (shard->stored[part]) mapped_clear(slice->mapped, shard_number(slice, i), (uint32_t)part);
  } else {
    memory_free(slice->memory, shard->parts[part]);
  }
  shard->parts[part] = NULL;
  shard->stored[part] = false;
}
