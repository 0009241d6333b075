#include "tests/support/toy/toy_levels.h"

#include "tests/support/suite.h"

/* Slices that moves lead to; 7 stands behind larger ones of higher levels. */
static const struct {
  uint32_t used, slices[3];
} needs_of[TOY_LEVELS_SLICES] = {{0, {0}},    {0, {0}},       {2, {0, 1}}, {0, {0}},    {1, {2}},
                                 {2, {1, 3}}, {3, {2, 4, 5}}, {0, {0}},    {2, {5, 7}}, {2, {3, 7}}};

bool toy_levels_needs(const toy_game *toy, uint32_t slice, uint32_t other) {
  const toy_slice *of = &toy->slices[slice];
  for (uint64_t e = 0; e < of->first[of->positions]; e++) {
    if (of->edges[e].to.slice == other) return true;
  }
  return false;
}

void toy_levels_need_all(const toy_game *toy, uint32_t slice, bool needs[TOY_LEVELS_SLICES]) {
  for (uint32_t s = 0; s < slice; s++) {
    if (!toy_levels_needs(toy, slice, s)) continue;
    needs[s] = true;
    toy_levels_need_all(toy, s, needs);
  }
}

static tauler_error needs(const game_rules *rules, uint32_t slice, game_slices *out,
                          tauler_message *message) {
  const toy_game *toy = toy_of(rules);
  *out = (game_slices){calloc(toy->used, sizeof *out->slices), 0};
  if (!out->slices) abort();
  for (uint32_t s = 0; s < slice; s++) {
    if (toy_levels_needs(toy, slice, s))
      out->slices[out->used++] = (game_slice){s, false, toy->slices[s].positions};
  }
  return TAULER_OK;
}

static void slice_folder(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  name[0] = '\0';
  if (slice % 3) snprintf(name, GAME_TEXT_BYTES, "folder-%u", slice % 3);
}

static void add_moves(toy_game *toy, uint32_t s, uint64_t index, uint64_t *seed) {
  const size_t first_move = toy->moves_used;
  const uint64_t wanted = 1 + toy_draw(seed) % 3;
  for (uint64_t m = 0; m < wanted; m++) {
    const uint64_t lot = toy_draw(seed) % 100;
    game_place to = {s, toy_draw(seed) % toy->slices[s].positions};
    if (lot < 3) {
      to = (game_place){GAME_OVER, 0};
    } else if (lot < 15 && needs_of[s].used > 0) {
      to.slice = needs_of[s].slices[toy_draw(seed) % needs_of[s].used];
      to.index = toy_draw(seed) % toy->slices[to.slice].positions;
    }
    if (!toy_leads(toy, first_move, to)) toy_convert(toy, s, index, lot < 2, to.slice, to.index);
  }
}

toy_game *toy_levels_random(uint64_t positions, uint64_t seed) {
  uint64_t sizes[TOY_LEVELS_SLICES];
  for (uint32_t s = 0; s < TOY_LEVELS_SLICES; s++)
    sizes[s] = positions / 2 + toy_draw(&seed) % positions + (s > 5 ? positions : 0);
  toy_game *toy = toy_new(SOLVE_OUTCOMES, TOY_LEVELS_SLICES, sizes);
  for (uint32_t s = 0; s < TOY_LEVELS_SLICES; s++) {
    for (uint64_t i = 0; i < sizes[s]; i++) {
      if (toy_draw(&seed) % 100 < 4)
        toy_end(toy, s, i, toy_draw(&seed) % 4 ? -1 : 0);
      else
        add_moves(toy, s, i, &seed);
    }
  }
  toy_seal(toy, true);
  const toy_bitboards_shape shape = {.cells = 13, .tile_blocks = 7, .run = 5, .left_out_percent = 60};
  toy_bitboards_add(toy, &shape, seed);
  toy->game.needs = needs;
  toy->game.slice_folder = slice_folder;
  toy->game.size_option = "size";
  return toy;
}

void toy_levels_free(toy_game *toy) {
  toy_bitboards_free(toy);
}
