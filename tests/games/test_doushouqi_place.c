/* Positions of Dou Shou Qi and their numbers: every position is found where one stands that is the same but
 * for names, colours and the mirror; what an index stands for; and what tables leave out. */
#include "games/doushouqi/moves.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { RULES = 6 };

static const char *const names[RULES] = {"base",
                                         "liacs",
                                         "base,lakes=drink",
                                         "base,lakes=plain",
                                         "base,leopard=wide",
                                         "base,wolf-over-dog,clearings,leopard=none"};

static uint64_t state = 88172645463325252u;

static uint32_t count_slices(const game_rules *rules) {
  uint32_t n = 0;
  while (dsq_slice_at(rules, n)) n++;
  return n;
}

static int piece_count(const dsq_position *position) {
  return __builtin_popcount(dsq_material_of(position));
}

static dsq_position any_position(const game_rules *rules, int pieces) {
  dsq_position position = {.side = (uint8_t)draw_below(&state, 2)};
  unsigned material;
  do {
    material = (unsigned)draw_below(&state, 1 << 16);
  } while (__builtin_popcount(material) != pieces || !(material & 0xFF) || !(material >> 8));
  memset(position.square, DSQ_NOWHERE, sizeof position.square);
  uint64_t taken = 0;
  for (int piece = 0; piece < 16; piece++) {
    if (!(material >> piece & 1)) continue;
    uint64_t square;
    do {
      square = draw_below(&state, DSQ_SQUARES);
    } while (!(rules->ground[piece % 8] >> square & 1) || (taken >> square & 1));
    taken |= UINT64_C(1) << square;
    position.square[piece / 8][piece % 8] = (uint8_t)square;
  }
  return position;
}

static game_place place_of_text(const game_rules *rules, const dsq_position *position) {
  game_position game;
  game_place place = {0};
  dsq_to_game(position, &game);
  if (!dsq_locate(rules, &game, &place)) ck_abort_msg("a position has no place");
  HOLDS(dsq_slice_of(rules, &game) == place.slice);
  HOLDS(place.index < dsq_positions(rules, place.slice));
  return place;
}

static dsq_position position_of(const game_rules *rules, game_place place) {
  game_position game;
  dsq_position_at(rules, place, &game);
  return dsq_from_game(&game);
}

/* --- the same but for names and symmetry --- */

static dsq_position mirror(const dsq_position *position) {
  dsq_position mirrored = *position;
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int square = position->square[side][animal];
      if (square != DSQ_NOWHERE)
        mirrored.square[side][animal] = (uint8_t)(square / DSQ_FILES * DSQ_FILES + 6 - square % DSQ_FILES);
    }
  }
  return mirrored;
}

static int animal_on(const dsq_position *position, int side, int square) {
  int animal = 0;
  while (animal < DSQ_ANIMALS && position->square[side][animal] != square) animal++;
  return animal;
}

/* Whether on the same squares men of the same side stand that move alike and take each other alike. */
static bool same_but_for_names(const game_rules *rules, const dsq_position *one, const dsq_position *other) {
  if (one->side != other->side || piece_count(one) != piece_count(other)) return false;
  int to[2][DSQ_ANIMALS];
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      to[side][animal] = DSQ_ANIMALS;
      if (one->square[side][animal] == DSQ_NOWHERE) continue;
      to[side][animal] = animal_on(other, side, one->square[side][animal]);
      if (to[side][animal] == DSQ_ANIMALS) return false;
      if (rules->movement[animal] != rules->movement[to[side][animal]]) return false;
    }
  }
  for (int white = 0; white < DSQ_ANIMALS; white++) {
    for (int black = 0; black < DSQ_ANIMALS; black++) {
      const int w = to[0][white], b = to[1][black];
      if (w == DSQ_ANIMALS || b == DSQ_ANIMALS) continue;
      if ((rules->takes[white] >> black & 1) != (rules->takes[w] >> b & 1)) return false;
      if ((rules->takes[black] >> white & 1) != (rules->takes[b] >> w & 1)) return false;
    }
  }
  return true;
}

typedef struct {
  size_t n;
  game_place to[DSQ_MOST_MOVES];
} successors;

static int compare_places(const void *one, const void *other) {
  const game_place *a = one, *b = other;
  if (a->slice != b->slice) return a->slice < b->slice ? -1 : 1;
  return a->index == b->index ? 0 : a->index < b->index ? -1 : 1;
}

static successors successors_of(const game_rules *rules, const dsq_position *position) {
  dsq_move moves[DSQ_MOST_MOVES];
  successors all = {.n = dsq_list_moves(rules, position, moves)};
  for (size_t i = 0; i < all.n; i++) {
    all.to[i] = (game_place){GAME_OVER, 0};
    if (moves[i].wins) continue;
    dsq_position child = *position;
    dsq_play(&child, &moves[i]);
    all.to[i] = place_of_text(rules, &child);
  }
  qsort(all.to, all.n, sizeof *all.to, compare_places);
  return all;
}

static void expect_found_again(const game_rules *rules, const dsq_position *position) {
  const dsq_position by_white = position->side ? dsq_flip_position(position) : *position;
  const game_place place = place_of_text(rules, position);
  const dsq_position found = position_of(rules, place), mirrored = mirror(&found);
  HOLDS(found.side == DSQ_WHITE);
  HOLDS(same_but_for_names(rules, &by_white, &found) || same_but_for_names(rules, &by_white, &mirrored));
  const game_place again = place_of_text(rules, &found);
  HOLDS(compare_places(&place, &again) == 0);
  /* The same men and colours, and the moves lead to the same places but where both mirror images have one. */
  const successors here = successors_of(rules, position), there = successors_of(rules, &found);
  HOLDS(here.n == there.n);
  for (size_t i = 0; i < here.n; i++) HOLDS(here.to[i].slice == there.to[i].slice);
}

CASE(positions_are_found_where_their_like_stands) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  for (int pieces = 2; pieces <= DSQ_MOST_PIECES; pieces++) {
    for (int i = 0; i < 3000; i++) {
      const dsq_position position = any_position(rules, pieces);
      expect_found_again(rules, &position);
      /* The side to move in the other's colours is the same. */
      const dsq_position flipped = dsq_flip_position(&position);
      const game_place place = place_of_text(rules, &position), other = place_of_text(rules, &flipped);
      HOLDS(compare_places(&place, &other) == 0);
    }
  }
}

CASE(places_stand_for_positions_that_stand_there) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  const uint32_t n = count_slices(rules);
  for (uint32_t slice = 0; slice < n; slice++) {
    const uint64_t positions = dsq_positions(rules, slice);
    const uint64_t part = placement_count(&dsq_slice_at(rules, slice)->place);
    const bool small = dsq_slice_at(rules, slice)->pieces == 2;
    const uint64_t ends[] = {0, part - 1, part % positions, positions - 1};
    for (uint64_t i = 0; i < (small ? positions : 30); i++) {
      const game_place place = {slice, small ? i : i < 4 ? ends[i] : draw_below(&state, positions)};
      const dsq_position position = position_of(rules, place);
      const game_place back = place_of_text(rules, &position);
      HOLDS(compare_places(&place, &back) == 0);
      const dsq_slice *s = dsq_slice_at(rules, slice);
      HOLDS(dsq_material_of(&position) ==
            (place.index < part ? s->material : dsq_flip_material(s->material)));
      uint8_t square[DSQ_MOST_PIECES];
      for (int p = 0; p < s->pieces; p++)
        square[p] =
            position.square[place.index < part ? s->piece[p].side : !s->piece[p].side][s->piece[p].animal];
      HOLDS(dsq_index(s, place.index >= part, square) == place.index);
    }
  }
}

CASE(moves_lead_into_the_slice_or_to_what_it_needs) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  const uint32_t n = count_slices(rules);
  for (int round = 0; round < 4000; round++) {
    const uint32_t slice = (uint32_t)draw_below(&state, n);
    const dsq_position position =
        position_of(rules, (game_place){slice, draw_below(&state, dsq_positions(rules, slice))});
    const game_slices needs = suite_needs(&doushouqi_game, rules, slice);
    dsq_move moves[DSQ_MOST_MOVES];
    const size_t n_moves = dsq_list_moves(rules, &position, moves);
    for (size_t i = 0; i < n_moves; i++) {
      if (moves[i].wins) continue;
      dsq_position child = position;
      dsq_play(&child, &moves[i]);
      const uint32_t to = place_of_text(rules, &child).slice;
      bool listed = false;
      for (size_t k = 0; k < needs.used; k++) listed |= needs.slices[k].slice == to;
      HOLDS(moves[i].taken == DSQ_NOBODY ? to == slice : listed);
    }
  }
}

CASE(what_has_no_place) {
  game_rules *rules = suite_rules(&doushouqi_game, "base", NULL);
  game_position game;
  game_place place;
  for (int pieces = DSQ_MOST_PIECES + 1; pieces <= 16; pieces += 3) {
    const dsq_position many = any_position(rules, pieces);
    dsq_to_game(&many, &game);
    ck_assert(!dsq_locate(rules, &game, &place));
    ck_assert_uint_eq(dsq_slice_of(rules, &game), GAME_NO_SLICE);
  }
  dsq_position alone = {.side = DSQ_WHITE};
  memset(alone.square, DSQ_NOWHERE, sizeof alone.square);
  alone.square[DSQ_WHITE][DSQ_LION] = 10;
  dsq_to_game(&alone, &game);
  ck_assert(!dsq_locate(rules, &game, &place));
  alone.square[DSQ_BLACK][DSQ_RAT] = 20;
  dsq_to_game(&alone, &game);
  ck_assert(dsq_locate(rules, &game, &place));
  alone.square[DSQ_WHITE][DSQ_LION] = rules->den[DSQ_BLACK];
  dsq_to_game(&alone, &game);
  ck_assert(!dsq_locate(rules, &game, &place));
}

CASE(positions_are_called_after_their_own_material) {
  game_rules *rules = suite_rules(&doushouqi_game, "base", NULL);
  dsq_position position = {.side = DSQ_WHITE};
  memset(position.square, DSQ_NOWHERE, sizeof position.square);
  position.square[DSQ_WHITE][DSQ_RAT] = 10;
  position.square[DSQ_BLACK][DSQ_TIGER] = 20;
  char name[GAME_TEXT_BYTES];
  game_position game;
  dsq_to_game(&position, &game);
  dsq_position_slice(rules, &game, name);
  ck_assert_str_eq(name, "Rt");
  position.side = DSQ_BLACK;
  dsq_to_game(&position, &game);
  dsq_position_slice(rules, &game, name);
  ck_assert_str_eq(name, "Tr");
}

/* --- runs of cells --- */

typedef void cell_run(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);

/* Any run is what its cells are one by one. */
static void expect_same_in_runs(const game_rules *rules, uint32_t slice, cell_run *run) {
  const uint64_t positions = dsq_positions(rules, slice);
  const uint64_t part = placement_count(&dsq_slice_at(rules, slice)->place);
  uint8_t cells[400], one;
  const uint64_t from[] = {0, positions - 400, part > 200 ? part - 200 : 0,
                           draw_below(&state, positions - 400), draw_below(&state, positions - 400)};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
    const uint64_t first = from[i] + 400 <= positions ? from[i] : positions - 400;
    const size_t count = 1 + (size_t)draw_below(&state, 400);
    memset(cells, 0xEE, sizeof cells);
    run(rules, slice, first, count, cells);
    for (size_t c = 0; c < count; c++) {
      run(rules, slice, first + c, 1, &one);
      HOLDS(one == cells[c]);
    }
    for (size_t c = count; c < 400; c++) HOLDS(cells[c] == 0xEE);
  }
}

CASE(runs_are_their_cells) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  const uint32_t n = count_slices(rules);
  for (uint32_t i = 0; i < 60; i++) {
    const uint32_t slice = i < 20 && i < n ? i : (uint32_t)draw_below(&state, n);
    expect_same_in_runs(rules, slice, dsq_copies);
    expect_same_in_runs(rules, slice, dsq_left_out);
  }
}

CASE(copies_are_mirror_images) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  uint64_t total[4] = {0};
  const dsq_slice *slice;
  for (uint32_t i = 0; (slice = dsq_slice_at(rules, i)) && slice->pieces <= 3; i++) {
    const uint64_t positions = dsq_positions(rules, i), part = placement_count(&slice->place);
    uint8_t *copies = suite_zeros(positions, 1);
    dsq_copies(rules, i, 0, positions, copies);
    game_part row;
    for (size_t r = 0; dsq_part(rules, i, r, &row); r++) {
      for (uint64_t c = 0; c < row.count; c++) total[slice->pieces] += copies[row.first + c];
    }
    for (int k = 0; k < 300; k++) {
      const game_place place = {i, draw_below(&state, positions)};
      const dsq_position position = position_of(rules, place), mirrored = mirror(&position);
      const game_place other = place_of_text(rules, &mirrored);
      /* Two numbers for two images, or one for both; an image that is its own mirror counts once. */
      const bool own = memcmp(&position, &mirrored, sizeof position) == 0;
      HOLDS(copies[place.index] == (own || compare_places(&place, &other) != 0 ? 1 : 2));
      HOLDS(place.index < part || slice->parts == 2);
    }
  }
  if (_i == 0) { /* the pieces of the rule book */
    ck_assert_uint_eq(total[2], 160068);
    ck_assert_uint_eq(total[3], 54355896);
  }
}

/* --- what tables leave out --- */

static uint8_t left_out(const game_rules *rules, game_place place) {
  uint8_t out;
  dsq_left_out(rules, place.slice, place.index, 1, &out);
  return out;
}

/* By the rule book: an animal of the mover that crosses lakes the long way, on a square beside their upper or
 * lower end. */
static bool could_cross(const game_rules *rules, const dsq_position *position) {
  if (rules->base.flag[DSQ_LAKES] == LAKES_PLAIN) return false;
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
    const int square = position->square[DSQ_WHITE][animal];
    if (square == DSQ_NOWHERE) continue;
    const bool far = animal == DSQ_LION || animal == DSQ_TIGER ||
                     (animal == DSQ_LEOPARD && rules->base.flag[DSQ_LEOPARD_JUMPS] == LEOPARD_WIDE);
    const int rank = square / DSQ_FILES + 1;
    const char file = (char)('a' + square % DSQ_FILES);
    if (far && (rank == 3 || rank == 7) && strchr("bcef", file)) return true;
  }
  return false;
}

static bool is_even(const dsq_position *position) {
  int sum = 0;
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int square = position->square[side][animal];
      if (square != DSQ_NOWHERE) sum += square / DSQ_FILES + square % DSQ_FILES;
    }
  }
  return sum % 2 == 0;
}

static void expect_comes_back(const game_rules *rules, game_place place) {
  const dsq_position position = position_of(rules, place);
  const bool out = left_out(rules, place);
  HOLDS(out == (is_even(&position) && !could_cross(rules, &position)));
  if (!out) return;
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, &position, moves);
  for (size_t i = 0; i < n; i++) {
    if (moves[i].wins || moves[i].taken != DSQ_NOBODY) continue;
    dsq_position child = position;
    dsq_play(&child, &moves[i]);
    HOLDS(!left_out(rules, place_of_text(rules, &child)));
  }
}

/* All flags that go together. */
enum { COMBINATIONS = 3 * 3 * 2 * 2 * 2 * 2 * 2 };

static bool name_combination(int i, char name[200]) {
  static const char *const leopard[] = {"", ",leopard=wide", ",leopard=none"};
  static const char *const lakes[] = {"", ",lakes=drink", ",lakes=plain"};
  const int cats = i % 3, lake = i / 3 % 3;
  i /= 9;
  const bool path = i & 1, block = i & 2, wolf = i & 4, clear = i & 8, shore = i & 16;
  if (lake == 2 && (path || block || shore || cats != 0)) return false;
  if (lake != 1 && block) return false;
  snprintf(name, 200, "base%s%s%s%s%s%s%s", leopard[cats], lakes[lake], path ? ",jump-block=path" : "",
           block ? ",drinkers=block" : "", wolf ? ",wolf-over-dog,stalemate=loss" : "",
           clear ? ",clearings,elephant-takes-rat" : "", shore ? ",rat-shore=liacs" : "");
  return true;
}

/* Two pieces: every cell, with other flags than those of jumps as they come; more: some. */
CASE(what_is_left_out_comes_back) {
  char name[200];
  if (!name_combination(_i, name)) return;
  game_rules *rules = suite_rules(&doushouqi_game, name, NULL);
  const bool all = suite_is_long() || _i % 5 == 0;
  uint32_t of_three = 0, of_four = 0, of_five = 0;
  while (dsq_slice_at(rules, of_three)->pieces < 3) of_three++;
  of_four = of_three;
  while (dsq_slice_at(rules, of_four)->pieces < 4) of_four++;
  of_five = of_four;
  while (dsq_slice_at(rules, of_five)->pieces < 5) of_five++;
  for (uint32_t slice = 0; all && slice < of_three; slice++) {
    for (uint64_t i = 0; i < dsq_positions(rules, slice); i++)
      expect_comes_back(rules, (game_place){slice, i});
  }
  for (int i = 0; i < 1500; i++) {
    const uint32_t slice = i % 2 ? of_three + (uint32_t)draw_below(&state, of_four - of_three)
                                 : of_four + (uint32_t)draw_below(&state, of_five - of_four);
    expect_comes_back(rules, (game_place){slice, draw_below(&state, dsq_positions(rules, slice))});
  }
}

SUITE("doushouqi_place") {
  LOOP(positions_are_found_where_their_like_stands, RULES);
  LOOP(places_stand_for_positions_that_stand_there, RULES);
  LOOP(moves_lead_into_the_slice_or_to_what_it_needs, RULES);
  TESTS(what_has_no_place, positions_are_called_after_their_own_material);
  LOOP(runs_are_their_cells, RULES);
  LOOP(copies_are_mirror_images, RULES);
  LOOP(what_is_left_out_comes_back, COMBINATIONS);
}
