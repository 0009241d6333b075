/* Materials of Dou Shou Qi: classes against the rule book and against trying all bijections, slices, their
 * names, needs and rows. */
#include <ctype.h>

#include "games/doushouqi/rules.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { RULES = 7, ALL_MATERIALS = 1 << 16 };

static const char *const names[RULES] = {"base",
                                         "liacs",
                                         "base,lakes=drink",
                                         "base,lakes=plain",
                                         "base,leopard=wide",
                                         "base,wolf-over-dog,clearings",
                                         "base,leopard=none"};

static uint64_t state = 88172645463325252u;

static int pieces_of(unsigned material) {
  return __builtin_popcount(material);
}

static bool is_solved(unsigned material) {
  return (material & 0xFF) && material >> 8 && pieces_of(material) <= DSQ_MOST_PIECES;
}

/* --- what a class is, word by word --- */

typedef struct {
  int n, side[DSQ_MOST_PIECES], animal[DSQ_MOST_PIECES];
} crowd;

static crowd crowd_of(unsigned material) {
  crowd all = {0};
  for (int piece = 0; piece < 16; piece++) {
    if (!(material >> piece & 1)) continue;
    all.side[all.n] = piece / 8;
    all.animal[all.n++] = piece % 8;
  }
  return all;
}

static bool takes(const game_rules *rules, int attacker, int victim) {
  return rules->takes[attacker] >> victim & 1;
}

/* Whether pieces i and j of one correspond to those of the other as far as these two are concerned. */
static bool agree(const game_rules *rules, const crowd *one, const crowd *other, int i, int j, int to_i,
                  int to_j) {
  if (one->side[i] == one->side[j]) return true;
  return takes(rules, one->animal[i], one->animal[j]) ==
             takes(rules, other->animal[to_i], other->animal[to_j]) &&
         takes(rules, one->animal[j], one->animal[i]) ==
             takes(rules, other->animal[to_j], other->animal[to_i]);
}

static bool extend(const game_rules *rules, const crowd *one, const crowd *other, int *to, int n) {
  if (n == one->n) return true;
  for (int piece = 0; piece < other->n; piece++) {
    bool fits = one->side[n] == other->side[piece] &&
                rules->movement[one->animal[n]] == rules->movement[other->animal[piece]];
    for (int i = 0; fits && i < n; i++) fits = to[i] != piece && agree(rules, one, other, n, i, piece, to[i]);
    if (!fits) continue;
    to[n] = piece;
    if (extend(rules, one, other, to, n + 1)) return true;
  }
  return false;
}

static bool same_class(const game_rules *rules, unsigned one, unsigned other) {
  const crowd a = crowd_of(one), b = crowd_of(other);
  int to[DSQ_MOST_PIECES];
  return a.n == b.n && extend(rules, &a, &b, to, 0);
}

/* Which part of which slice a material is, as one number; UINT32_MAX: none. */
static uint32_t class_of(const game_rules *rules, unsigned material) {
  dsq_view view;
  if (!dsq_view_of(rules, (uint16_t)material, &view)) return UINT32_MAX;
  return view.slice * 2 + view.flipped;
}

CASE(classes_are_as_many_as_published) {
  static const int published[4] = {503, 261, 821, 30};
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  int materials = 0, classes = 0;
  uint32_t last = UINT32_MAX;
  for (unsigned material = 0; material < ALL_MATERIALS; material++) {
    if (!is_solved(material) || pieces_of(material) != 4) continue;
    dsq_view view;
    ck_assert(dsq_view_of(rules, (uint16_t)material, &view));
    materials++;
    if (last == UINT32_MAX || view.slice > last) last = view.slice;
  }
  const dsq_slice *slice;
  for (uint32_t i = 0; i <= last && (slice = dsq_slice_at(rules, i)); i++) {
    if (slice->pieces == 4) classes += slice->parts;
  }
  ck_assert_int_eq(materials, 1680);
  ck_assert_int_eq(classes, published[_i]);
}

CASE(classes_are_those_of_bijections) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  /* All of two and three pieces against each other, some of more against all. */
  for (unsigned one = 0; one < ALL_MATERIALS; one++) {
    if (!is_solved(one)) continue;
    const int pieces = pieces_of(one);
    if (pieces > 3 && draw_below(&state, pieces == 4 ? 40 : 150) != 0) continue;
    for (unsigned other = 0; other < ALL_MATERIALS; other++) {
      if (pieces_of(other) != pieces || !is_solved(other)) continue;
      const bool same = same_class(rules, one, other);
      if (same != (class_of(rules, one) == class_of(rules, other)))
        ck_abort_msg("%s: %04x and %04x", names[_i], one, other);
    }
  }
}

CASE(views_keep_who_moves_how_and_takes_whom) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  for (unsigned material = 0; material < ALL_MATERIALS; material++) {
    dsq_view view;
    const bool seen = dsq_view_of(rules, (uint16_t)material, &view);
    HOLDS(seen == is_solved(material));
    if (!seen) continue;
    const dsq_slice *slice = dsq_slice_at(rules, view.slice);
    HOLDS(slice && slice->slice == view.slice && slice->pieces == pieces_of(material));
    HOLDS(!view.flipped || slice->parts == 2);
    unsigned covered = 0;
    for (int i = 0; i < slice->pieces; i++) {
      const dsq_piece here = view.pieces[i], there = slice->piece[i];
      covered |= 1u << (here.side * 8 + here.animal);
      HOLDS((here.side != there.side) == view.flipped);
      HOLDS(rules->movement[here.animal] == rules->movement[there.animal]);
      HOLDS(rules->ground[here.animal] == rules->ground[there.animal]);
      for (int j = 0; j < slice->pieces; j++) {
        if (slice->piece[j].side == there.side) continue;
        HOLDS(takes(rules, here.animal, view.pieces[j].animal) ==
              takes(rules, there.animal, slice->piece[j].animal));
      }
    }
    HOLDS(covered == material);
  }
}

CASE(a_flip_is_in_the_same_slice) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  for (unsigned material = 0; material < ALL_MATERIALS; material++) {
    dsq_view view, flipped;
    if (!dsq_view_of(rules, (uint16_t)material, &view)) continue;
    const uint16_t flip = dsq_flip_material((uint16_t)material);
    HOLDS(flip == (uint16_t)(material << 8 | material >> 8));
    HOLDS(dsq_view_of(rules, flip, &flipped));
    HOLDS(flipped.slice == view.slice);
    const dsq_slice *slice = dsq_slice_at(rules, view.slice);
    HOLDS((view.flipped != flipped.flipped) == (slice->parts == 2));
    HOLDS(same_class(rules, material, flip) == (slice->parts == 1));
  }
}

/* Pieces; White's number; then both sides from the strongest down. */
static int compare_materials(const game_rules *rules, unsigned one, unsigned other) {
  if (pieces_of(one) != pieces_of(other)) return pieces_of(one) - pieces_of(other);
  if (pieces_of(one & 0xFF) != pieces_of(other & 0xFF))
    return pieces_of(other & 0xFF) - pieces_of(one & 0xFF);
  for (int side = 0; side < 2; side++) {
    for (int strength = 8; strength >= 1; strength--) {
      for (int animal = 0; animal < 8; animal++) {
        if (rules->strength[animal] != strength) continue;
        const unsigned bit = 1u << (8 * side + animal);
        if ((one & bit) != (other & bit)) return one & bit ? -1 : 1;
      }
    }
  }
  return 0;
}

CASE(slices_are_ordered_and_called_after_their_first_material) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  const dsq_slice *slice;
  for (uint32_t i = 0; (slice = dsq_slice_at(rules, i)); i++) {
    if (i > 0) HOLDS(compare_materials(rules, dsq_slice_at(rules, i - 1)->material, slice->material) < 0);
    HOLDS(class_of(rules, slice->material) == i * 2);
    uint64_t before = 0;
    for (int p = 0; p < slice->pieces; p++) {
      const uint64_t ground = rules->ground[slice->piece[p].animal];
      HOLDS(slice->place.squares[p] == ground && !(before & ~ground));
      if (p > 0 && before == ground) {
        const dsq_piece one = slice->piece[p - 1], other = slice->piece[p];
        HOLDS(one.side < other.side ||
              (one.side == other.side && rules->strength[one.animal] > rules->strength[other.animal]));
      }
      before = ground;
    }
  }
  for (unsigned material = 0; material < ALL_MATERIALS; material++) {
    dsq_view view;
    if (!dsq_view_of(rules, (uint16_t)material, &view)) continue;
    HOLDS(compare_materials(rules, dsq_slice_at(rules, view.slice)->material, material) <= 0);
  }
}

/* --- names --- */

CASE(names_are_read_back) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  for (unsigned material = 0; material < ALL_MATERIALS; material++) {
    if (!is_solved(material)) continue;
    char name[17], own[GAME_TEXT_BYTES];
    uint16_t back = 0;
    uint32_t slice = UINT32_MAX;
    dsq_view view;
    dsq_material_name(rules, (uint16_t)material, name);
    HOLDS((int)strlen(name) == pieces_of(material));
    HOLDS(!dsq_material_read(name, &back, NULL) && back == material);
    HOLDS(dsq_view_of(rules, (uint16_t)material, &view));
    dsq_slice_name(rules, view.slice, own);
    HOLDS(dsq_slice_named(rules, name, &slice) == (strcmp(name, own) == 0));
    if (strcmp(name, own) == 0) HOLDS(slice == view.slice);
    const size_t i = draw_below(&state, strlen(name)), j = draw_below(&state, strlen(name));
    const char kept = name[i];
    name[i] = name[j];
    name[j] = kept;
    HOLDS(!dsq_material_read(name, &back, NULL) && back == material);
  }
}

static void expect_name(const game_rules *rules, const char *read, const char *own, const char *slice) {
  uint16_t material;
  char name[17], called[GAME_TEXT_BYTES];
  dsq_view view;
  ck_assert(!dsq_material_read(read, &material, NULL));
  dsq_material_name(rules, material, name);
  ck_assert_str_eq(name, own);
  ck_assert(dsq_view_of(rules, material, &view));
  dsq_slice_name(rules, view.slice, called);
  ck_assert_str_eq(called, slice);
}

CASE(names_of_some) {
  game_rules *rules = suite_rules(&doushouqi_game, names[0], NULL),
             *wolf = suite_rules(&doushouqi_game, names[5], NULL);
  expect_name(rules, "Lr", "Lr", "Lr");
  expect_name(rules, "rL", "Lr", "Lr");
  expect_name(rules, "Tr", "Tr", "Lr");
  expect_name(rules, "tR", "Rt", "Lr");
  expect_name(rules, "rcLE", "ELcr", "ELdr");
  expect_name(rules, "RCle", "CRel", "ELdr");
  expect_name(rules, "DWcr", "DWcr", "DWcr");
  expect_name(wolf, "DWcr", "WDcr", "WDcr");
  uint16_t material;
  static const char *const wrong[] = {"", "L", "r", "LL", "LLr", "Lrr", "Lx", "L r", "Lr ", "L-r", "1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_msg(dsq_material_read(wrong[i], &material, NULL), "'%s' is read", wrong[i]);
  ck_assert(!dsq_material_read("RCWDPTLErcwdptle", &material, NULL));
  ck_assert_uint_eq(material, 0xFFFF);
  uint32_t slice;
  ck_assert(!dsq_slice_named(rules, "ELTPDWcr", &slice));
  ck_assert(!dsq_slice_named(rules, "ELcr", &slice));
  char text[GAME_TEXT_BYTES];
  ck_assert(dsq_slice_named(rules, "ELdr", &slice));
  dsq_size_text(rules, slice, text);
  ck_assert_str_eq(text, "--material ELdr");
  dsq_slice_folder(rules, slice, text);
  ck_assert_str_eq(text, "4");
}

/* --- rows and sizes --- */

static uint64_t placements_of(const game_rules *rules, unsigned material, bool alone) {
  /* Animals on few squares first: how many placements there are, or of those with the first two pieces on the
   * seven squares of the middle file. */
  uint64_t all = 1;
  int pieces = 0;
  for (int squares = 1; squares <= DSQ_SQUARES; squares++) {
    for (int piece = 0; piece < 16; piece++) {
      if (!(material >> piece & 1) || __builtin_popcountll(rules->ground[piece % 8]) != squares) continue;
      all *= (uint64_t)((alone && pieces < 2 ? 7 : squares) - pieces);
      pieces++;
    }
  }
  return all;
}

CASE(every_material_has_one_row) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  uint8_t *seen = suite_zeros(ALL_MATERIALS, 1);
  uint64_t total[DSQ_MOST_PIECES + 1] = {0};
  const dsq_slice *slice;
  for (uint32_t i = 0; (slice = dsq_slice_at(rules, i)); i++) {
    const uint64_t count = placement_count(&slice->place);
    ck_assert_uint_eq(dsq_positions(rules, i), count * (uint64_t)slice->parts);
    game_part row;
    uint64_t before = 0;
    unsigned last = 0;
    size_t n = 0;
    for (; dsq_part(rules, i, n, &row); n++) {
      uint16_t material;
      HOLDS(!dsq_material_read(row.name, &material, NULL));
      HOLDS(!seen[material]);
      seen[material] = 1;
      HOLDS(class_of(rules, material) == 2 * i + (row.first != 0));
      HOLDS(row.first == 0 || row.first == count);
      HOLDS(row.count == count && row.first >= before);
      if (n > 0 && row.first == before) HOLDS(compare_materials(rules, last, material) < 0);
      before = row.first;
      last = material;
      const uint64_t all = placements_of(rules, material, false),
                     alone = placements_of(rules, material, true);
      HOLDS(count == (all + alone) / 2);
      total[slice->pieces] += all;
    }
    HOLDS(n > 0 && !dsq_part(rules, i, n + 1, &row));
  }
  for (unsigned material = 0; material < ALL_MATERIALS; material++)
    HOLDS(seen[material] == is_solved(material));
  if (_i == 0) {
    ck_assert_uint_eq(total[2], 160068);
    ck_assert_uint_eq(total[3], 54355896);
    ck_assert_uint_eq(total[4], 9685376064);
    ck_assert_uint_eq(total[5] / 10000000000, 114); /* 1.14 · 10^12 */
  }
}

/* --- requests and needs --- */

CASE(needs_are_one_capture_away) {
  game_rules *rules = suite_rules(&doushouqi_game, names[_i], NULL);
  const dsq_slice *slice;
  for (uint32_t i = 0; (slice = dsq_slice_at(rules, i)); i++) {
    const game_slices needs = suite_needs(&doushouqi_game, rules, i);
    for (size_t n = 0; n < needs.used; n++) {
      HOLDS(needs.slices[n].slice < i);
      HOLDS(dsq_slice_at(rules, needs.slices[n].slice)->pieces == slice->pieces - 1);
      HOLDS(n == 0 || needs.slices[n - 1].slice < needs.slices[n].slice);
      HOLDS(needs.slices[n].positions == dsq_positions(rules, needs.slices[n].slice));
      HOLDS(!needs.slices[n].asked);
    }
    /* Each piece of either part may be the one that is taken, and none of the needs comes otherwise. */
    uint32_t used = 0;
    for (int part = 0; part < slice->parts; part++) {
      const uint16_t material = part ? dsq_flip_material(slice->material) : slice->material;
      for (int piece = 0; piece < 16; piece++) {
        dsq_view view;
        if (!(material >> piece & 1) || !dsq_view_of(rules, (uint16_t)(material ^ 1 << piece), &view))
          continue;
        size_t at = 0;
        while (at < needs.used && needs.slices[at].slice != view.slice) at++;
        HOLDS(at < needs.used);
        used |= 1u << at;
      }
    }
    HOLDS(used == (1u << needs.used) - 1);
  }
}

static void expect_request(const game_rules *rules, game_request request, int pieces, const char *material) {
  const game_slices all = suite_slices(&doushouqi_game, rules, &request);
  uint8_t *there = suite_zeros(1 << 20, 1);
  size_t asked = 0;
  for (size_t i = 0; i < all.used; i++) {
    const dsq_slice *slice = dsq_slice_at(rules, all.slices[i].slice);
    ck_assert_uint_eq(all.slices[i].positions, dsq_positions(rules, slice->slice));
    ck_assert_int_eq(all.slices[i].asked, slice->pieces == pieces);
    ck_assert_int_le(slice->pieces, pieces);
    asked += all.slices[i].asked;
    ck_assert(!there[slice->slice]);
    there[slice->slice] = 1;
    const game_slices needs = suite_needs(&doushouqi_game, rules, slice->slice);
    for (size_t n = 0; n < needs.used; n++) ck_assert(there[needs.slices[n].slice]);
  }
  const dsq_slice *slice;
  for (uint32_t i = 0; !material && (slice = dsq_slice_at(rules, i)); i++)
    ck_assert_int_eq(there[i], slice->pieces <= pieces);
  if (material) {
    char name[GAME_TEXT_BYTES];
    dsq_slice_name(rules, all.slices[all.used - 1].slice, name);
    ck_assert_str_eq(name, material);
    ck_assert_uint_eq(asked, 1);
  }
}

CASE(requests_list_what_they_need_first) {
  game_rules *rules = suite_rules(&doushouqi_game, names[0], NULL);
  expect_request(rules, (game_request){.largest = "2"}, 2, NULL);
  expect_request(rules, (game_request){.largest = "3"}, 3, NULL);
  expect_request(rules, (game_request){.largest = "4"}, 4, NULL);
  expect_request(rules, (game_request){.largest = "6"}, 6, NULL);
  expect_request(rules, (game_request){.material = "rT"}, 2, "Lr");
  expect_request(rules, (game_request){.material = "Dplr"}, 4, "LPRd");
  expect_request(rules, (game_request){.material = "ELrlec"}, 6, "ELDRel");
  const game_slices all = suite_slices(&doushouqi_game, rules, &(game_request){.material = "ELr"});
  ck_assert_uint_eq(all.used, 3); /* Er, Lr, ELr */
}

SUITE("doushouqi_material") {
  LOOP(classes_are_as_many_as_published, 4);
  LOOP(classes_are_those_of_bijections, RULES);
  LOOP(views_keep_who_moves_how_and_takes_whom, RULES);
  LOOP(a_flip_is_in_the_same_slice, RULES);
  LOOP(slices_are_ordered_and_called_after_their_first_material, RULES);
  LOOP(names_are_read_back, RULES);
  TEST(names_of_some);
  LOOP(every_material_has_one_row, RULES);
  LOOP(needs_are_one_capture_away, RULES);
  TEST(requests_list_what_they_need_first);
}
