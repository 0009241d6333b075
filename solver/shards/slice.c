/* Opens a slice in shards, and loads, unloads and frees its arrays. */
#include "solver/shards/slice.h"

tauler_error spread_open(spread_slice *out, team *team, memory_budget *memory, slice_layout *layout,
                         int planes, const char *spill_folder, tauler_message *message) {
  const uint32_t here = layout->shares_per_rank;
  *out = (spread_slice){.slice = layout->slice,
                        .positions = layout->positions,
                        .planes = planes,
                        .team = team,
                        .memory = memory,
                        .layout = layout,
                        .first_share = (uint32_t)team_rank(team) * here};
  tauler_error error =
      memory_take_array(memory, here, sizeof *out->shares, "list of shares", &out->shares, message);
  for (uint32_t i = 0; i < here && !error; i++)
    out->shares[i].n = layout_share_size(layout, out->first_share + i).cells;
  if (!error) out->shares_here = here;
  if (!error && spill_folder && here > 1) error = mapped_open(spill_folder, memory, &out->mapped, message);
  if (error) spread_free(out);
  return error;
}

void spread_free(spread_slice *slice) {
  for (uint32_t i = 0; i < slice->shares_here && !slice->mapped; i++)
    for (int part = 0; part < SPREAD_PARTS; part++) memory_give(slice->memory, slice->shares[i].parts[part]);
  if (slice->memory) memory_give(slice->memory, slice->shares);
  mapped_close(slice->mapped);
  if (slice->layout) layout_close(slice->layout);
  *slice = (spread_slice){0};
}

solved_slice spread_release(spread_slice *slice) {
  solved_slice out = {.slice = slice->slice, .positions = slice->positions, .planes = slice->planes};
  void **parts = slice->shares[0].parts;
  for (int plane = 0; plane < slice->planes; plane++) {
    out.cells[plane] = parts[SPREAD_CELLS + plane];
    out.depths[plane] = parts[SPREAD_DEPTHS + plane];
    parts[SPREAD_CELLS + plane] = parts[SPREAD_DEPTHS + plane] = NULL;
  }
  spread_free(slice);
  return out;
}

void spread_adopt(spread_slice *slice, const solved_slice *cells) {
  void **parts = slice->shares[0].parts;
  for (int plane = 0; plane < slice->planes; plane++) {
    parts[SPREAD_CELLS + plane] = cells->cells[plane];
    parts[SPREAD_DEPTHS + plane] = cells->depths[plane];
  }
}

static uint32_t number_of(const spread_slice *slice, uint32_t i) {
  return slice->first_share + i;
}

static tauler_error map_part(spread_slice *slice, uint32_t i, int part, tauler_message *message) {
  spread_share *share = &slice->shares[i];
  const uint64_t bytes = share->n * spread_cell_bytes(part);
  return mapped_take(slice->mapped, number_of(slice, i), (uint32_t)part, bytes, bytes, &share->parts[part],
                     message);
}

tauler_error spread_take(spread_slice *slice, uint32_t i, int part, tauler_message *message) {
  spread_share *share = &slice->shares[i];
  spread_drop(slice, i, part);
  if (!slice->mapped)
    return memory_take_array(slice->memory, share->n, spread_cell_bytes(part), "cells of a share",
                             &share->parts[part], message);
  tauler_error error = map_part(slice, i, part, message);
  if (!error)
    error = mapped_reserve(slice->mapped, number_of(slice, i), (uint32_t)part, 0,
                           share->n * spread_cell_bytes(part), message);
  share->stored[part] = true;
  if (error) spread_drop(slice, i, part);
  return error;
}

tauler_error spread_load(spread_slice *slice, uint32_t i, int part, tauler_message *message) {
  spread_share *share = &slice->shares[i];
  if (share->parts[part]) return TAULER_OK;
  if (!share->stored[part])
    return tauler_fail(message, TAULER_INTERNAL, "part %d of share %u was never taken", part,
                       number_of(slice, i));
  return map_part(slice, i, part, message);
}

tauler_error spread_unload(spread_slice *slice, uint32_t i, int part, tauler_message *message) {
  (void)message;
  if (!slice->mapped || !slice->shares[i].parts[part]) return TAULER_OK;
  mapped_give(slice->mapped, number_of(slice, i), (uint32_t)part);
  slice->shares[i].parts[part] = NULL;
  return TAULER_OK;
}

void spread_drop(spread_slice *slice, uint32_t i, int part) {
  spread_share *share = &slice->shares[i];
  if (slice->mapped) {
    mapped_give(slice->mapped, number_of(slice, i), (uint32_t)part);
    if (share->stored[part]) mapped_clear(slice->mapped, number_of(slice, i), (uint32_t)part);
  } else {
    memory_give(slice->memory, share->parts[part]);
  }
  share->parts[part] = NULL;
  share->stored[part] = false;
}
