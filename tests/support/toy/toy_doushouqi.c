/* Makes positions, rule sets and solved classes of Dou Shou Qi. */
#include "tests/support/toy/toy_doushouqi.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/doushouqi/bitboards.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"

game_rules *toy_dsq_open(const char *text) {
  game_rules *rules;
  tauler_message message = {""};
  if (dsq_rules_open(text, &rules, &message)) ck_abort_msg("%s: %s", text, message.text);
  return rules;
}

dsq_position toy_dsq_read(const game_rules *rules, const char *text) {
  game_position game;
  tauler_message message = {""};
  if (dsq_parse(rules, text, &game, &message)) ck_abort_msg("%s", message.text);
  return dsq_from_game(&game);
}

/* Water: 3 ways of the leopard, 6 other flags; drinking: 3 ways, 7 flags; plain lakes: 4 flags. */
void toy_dsq_rule_set(int number, char text[DSQ_RULES_BYTES]) {
  static const char *const switches[] = {",wolf-over-dog",      ",clearings",       ",stalemate=loss",
                                         ",elephant-takes-rat", ",jump-block=path", ",rat-shore=liacs",
                                         ",drinkers=block"};
  static const char *const leopards[] = {"", ",leopard=wide", ",leopard=none"};
  const char *lakes = ",lakes=plain", *leopard = "";
  int bits = number;
  if (number >= 16 + 3 * 64) {
    bits = number - 16 - 3 * 64;
    lakes = ",lakes=drink";
    leopard = leopards[bits / 128];
    bits %= 128;
  } else if (number >= 16) {
    bits = number - 16;
    lakes = "";
    leopard = leopards[bits / 64];
    bits %= 64;
  }
  int used = snprintf(text, DSQ_RULES_BYTES, "base%s", lakes);
  for (int i = 6; i >= 0; i--) {
    if (bits >> i & 1) used += snprintf(text + used, (size_t)(DSQ_RULES_BYTES - used), "%s", switches[i]);
  }
  snprintf(text + used, (size_t)(DSQ_RULES_BYTES - used), "%s", leopard);
}

uint64_t toy_dsq_any(uint64_t *state, uint64_t below) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state % below;
}

dsq_position toy_dsq_position(const game_rules *rules, uint64_t *state) {
  dsq_position position = {.side = (uint8_t)toy_dsq_any(state, 2)};
  uint64_t taken = 0;
  const uint64_t crowd = 1 + toy_dsq_any(state, 8);
  memset(position.square, DSQ_NOWHERE, sizeof position.square);
  for (int side = 0; side < 2; side++) {
    const int always = (int)toy_dsq_any(state, DSQ_ANIMALS);
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      if (animal != always && toy_dsq_any(state, 8) >= crowd) continue;
      int square;
      do {
        square = (int)toy_dsq_any(state, DSQ_SQUARES);
      } while (!((rules->ground[animal] & ~taken) >> square & 1));
      taken |= UINT64_C(1) << square;
      position.square[side][animal] = (uint8_t)square;
    }
  }
  return position;
}

dsq_position toy_dsq_mirror(const dsq_position *position) {
  dsq_position mirrored = *position;
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int square = position->square[side][animal];
      if (square == DSQ_NOWHERE) continue;
      mirrored.square[side][animal] = (uint8_t)(square / 7 * 7 + 6 - square % 7);
    }
  }
  return mirrored;
}

static int by_name(const void *one, const void *other) {
  return strcmp(one, other);
}

void toy_dsq_moves(const game_rules *rules, const dsq_position *position, char text[TOY_DSQ_MOVES_BYTES]) {
  dsq_move moves[DSQ_MOST_MOVES];
  char names[DSQ_MOST_MOVES][5];
  const size_t n = dsq_list_moves(rules, position, moves);
  for (size_t i = 0; i < n; i++) {
    names[i][0] = (char)('a' + moves[i].from % 7);
    names[i][1] = (char)('1' + moves[i].from / 7);
    names[i][2] = (char)('a' + moves[i].to % 7);
    names[i][3] = (char)('1' + moves[i].to / 7);
    names[i][4] = '\0';
  }
  qsort(names, n, sizeof *names, by_name);
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, TOY_DSQ_MOVES_BYTES - used, "%s%s", i ? " " : "", names[i]);
}

/* --- a class --- */

enum { SLICES = 1 << 16 };

const toy_class_name toy_classes[TOY_CLASSES] = {
    {"base", "Lrc"},  {"liacs", "RTr"},           {"base,lakes=drink,stalemate=loss", "Rcr"},
    {"liacs", "Lel"}, {"base", "LRlr"},           {"liacs", "TCer"},
    {"base", "RLe"},  {"base,lakes=drink", "LEt"}};

static void *zeros(uint64_t count, size_t each) {
  void *block = calloc(count, each);
  if (!block) ck_abort_msg("no memory");
  return block;
}

void toy_class_solve(const toy_class *w, uint32_t slice, bitboard_slice *out) {
  solve_effort effort = {0};
  tauler_message message = {""};
  const tauler_error error = bitboard_slice_solve(&w->job, &w->finished, slice, out, &effort, &message);
  ck_assert_msg(!error, "%s", message.text);
}

toy_class toy_class_open(const char *rules, const char *material) {
  toy_class w = {.rules = toy_dsq_open(rules)};
  const game_request request = {.material = material};
  MUST(dsq_slices(w.rules, &request, &w.list, NULL));
  w.finished = (bitboard_slices){zeros(SLICES, sizeof *w.finished.cells),
                                 zeros(SLICES, sizeof *w.finished.slices), SLICES};
  memory_budget_open(&w.memory, 0);
  w.job = (solve_job){.problem.game = &doushouqi_game, .problem.rules = w.rules, .work.threads = 2};
  make_folder();
  w.slice = w.list.slices[w.list.used - 1].slice;
  return w;
}

void toy_class_solve_smaller(toy_class *w) {
  w->job.work.memory = &w->memory;
  for (size_t i = 0; i + 1 < w->list.used; i++) {
    const uint32_t slice = w->list.slices[i].slice;
    bitboard_slice *of = &w->finished.slices[slice];
    toy_class_solve(w, slice, of);
    w->finished.cells[slice] = (game_bitboards_finished){of->won, of->lost, of->depth};
  }
}

void toy_class_solve_whole(toy_class *w) {
  bitboard_slice whole;
  toy_class_solve_smaller(w);
  toy_class_solve(w, w->slice, &whole);
  ck_assert_uint_eq(whole.cut.parts, 0);
  w->longest = whole.longest;
  toy_gather(&w->memory, &whole, &w->right);
  bitboard_slice_close(&w->memory, &whole);
}

void toy_class_close(toy_class *w) {
  solved_slice_free(&w->memory, &w->right);
  for (size_t i = 0; i < w->list.used; i++)
    bitboard_slice_close(&w->memory, &w->finished.slices[w->list.slices[i].slice]);
  ck_assert_uint_eq(memory_allocated(&w->memory), 0);
  free(w->finished.cells);
  free(w->finished.slices);
  free(w->list.slices);
  dsq_rules_close(w->rules);
  remove_empty_folder();
}

bool toy_class_set_room(toy_class *w, uint32_t parts) {
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  dsq_bitboards.plan(w->rules, w->slice, &plan);
  if (!dsq_bitboards.parts->plan(w->rules, w->slice, parts - 2, &cut)) return false;
  ck_assert_uint_eq(cut.parts, parts);
  w->job.work.spill_folder = folder;
  w->job.room = bitboard_cut_bytes(&w->job.work, &plan, &cut) +
                bitboard_scratch_bytes(&plan, bitboard_threads(&w->job.work, &plan));
  return true;
}

void toy_class_compare(toy_class *w, const bitboard_slice *slice) {
  solved_slice found;
  toy_gather(&w->memory, slice, &found);
  ck_assert_uint_eq(slice->longest, w->longest);
  ck_assert_mem_eq(found.cells[0], w->right.cells[0], w->right.positions);
  ck_assert_mem_eq(found.depths[0], w->right.depths[0], w->right.positions * sizeof *w->right.depths[0]);
  solved_slice_free(&w->memory, &found);
}
