/* Finds all classes of materials when a rule set is opened. The pieces of a material are ordered by their
 * moves and captures alone. So all materials of a class have the same code, and their pieces correspond in
 * that order. */
#include "games/doushouqi/rules.h"

#include <stdlib.h>

enum {
  MOST_MATERIALS = 14400, /* sum of C(16, k) − 2 · C(8, k) for k = 2 … 6 pieces */
  ALL_MATERIALS = 1 << 2 * DSQ_ANIMALS,
  SETS = 1 << DSQ_ANIMALS,
  BUCKETS = 1 << 15
};
_Static_assert(DSQ_MOST_PIECES == 6, "the number of materials is for six pieces");

/* --- the order of materials --- */

/* Lists materials in the order of material.h, and returns their number. */
static size_t order_materials(const game_rules *rules, uint16_t out[MOST_MATERIALS]) {
  uint8_t animals[SETS] = {0}; /* [set of strengths] set of the animals with these strengths */
  for (unsigned set = 0; set < SETS; set++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++)
      animals[set] |= (uint8_t)((set >> (rules->strength[animal] - 1) & 1) << animal);
  }
  size_t used = 0;
  for (int pieces = 2; pieces <= DSQ_MOST_PIECES; pieces++) {
    for (int white = pieces - 1; white >= 1; white--) {
      for (unsigned w = SETS; w-- > 0;) {
        for (unsigned b = SETS; b-- > 0 && __builtin_popcount(w) == white;) {
          if (__builtin_popcount(b) != pieces - white) continue;
          out[used++] = (uint16_t)(animals[w] | animals[b] << DSQ_ANIMALS);
        }
      }
    }
  }
  return used;
}

/* --- the order of a material's pieces --- */

/* Properties of a piece on which the class of its material depends. Pieces of a side with the same `row` are
 * interchangeable. Pieces with different `kind` never correspond. */
typedef struct {
  uint32_t kind, row;
  uint8_t side, animal, movement;
} shape;

typedef struct {
  const game_rules *rules;
  uint8_t taken_by[DSQ_ANIMALS];
  int pieces, white;
  shape shapes[DSQ_MOST_PIECES];
  uint64_t code;                    /* least code so far */
  dsq_piece order[DSQ_MOST_PIECES]; /* pieces in the order with that code */
} ordering;

static void describe_piece(const ordering *o, uint16_t material, int side, int animal, shape *out) {
  const uint8_t others = (uint8_t)(side == DSQ_WHITE ? material >> DSQ_ANIMALS : material);
  const unsigned takes = o->rules->takes[animal] & others, taken = o->taken_by[animal] & others;
  const unsigned movement = o->rules->movement[animal];
  *out = (shape){.kind = (unsigned)side << 24 | movement << 16 | (unsigned)__builtin_popcount(takes) << 8 |
                         (unsigned)__builtin_popcount(taken),
                 .row = movement << 16 | takes << 8 | taken,
                 .side = (uint8_t)side,
                 .animal = (uint8_t)animal,
                 .movement = (uint8_t)movement};
}

/* Lists the pieces of a material by kind, so that White's come first. Pieces of one kind keep their order. */
static void describe_material(ordering *o, uint16_t material) {
  o->pieces = 0;
  o->white = __builtin_popcount(material & (SETS - 1));
  for (unsigned left = material; left; left &= left - 1) {
    const int piece = __builtin_ctz(left);
    shape made;
    describe_piece(o, material, piece / DSQ_ANIMALS, piece % DSQ_ANIMALS, &made);
    int at = o->pieces++;
    for (; at > 0 && o->shapes[at - 1].kind > made.kind; at--) o->shapes[at] = o->shapes[at - 1];
    o->shapes[at] = made;
  }
}

static uint64_t make_code(const ordering *o) {
  uint64_t code = (unsigned)o->pieces * UINT64_C(8) + (unsigned)o->white;
  for (int i = 0; i < o->pieces; i++) code = code << 3 | o->shapes[i].movement;
  for (int w = 0; w < o->white; w++) {
    const unsigned takes = o->rules->takes[o->shapes[w].animal], taken = o->taken_by[o->shapes[w].animal];
    for (int b = o->white; b < o->pieces; b++) {
      const int animal = o->shapes[b].animal;
      code = code << 2 | (takes >> animal & 1) << 1 | (taken >> animal & 1);
    }
  }
  return code;
}

static void swap_shapes(ordering *o, int i, int j) {
  const shape kept = o->shapes[i];
  o->shapes[i] = o->shapes[j];
  o->shapes[j] = kept;
}

static bool has_row(const ordering *o, int from, int to, uint32_t row) {
  for (int i = from; i < to; i++) {
    if (o->shapes[i].row == row) return true;
  }
  return false;
}

/* Tries the orders in which pieces of one kind, from `at` on, change places, and keeps the one with the least
 * code. Of interchangeable pieces one order is enough. */
static void try_orders(ordering *o, int at) {
  if (at == o->pieces) {
    const uint64_t code = make_code(o);
    if (code >= o->code) return;
    o->code = code;
    for (int i = 0; i < o->pieces; i++) o->order[i] = (dsq_piece){o->shapes[i].side, o->shapes[i].animal};
    return;
  }
  for (int i = at; i < o->pieces && o->shapes[i].kind == o->shapes[at].kind; i++) {
    if (has_row(o, at, i, o->shapes[i].row)) continue;
    if (i != at) swap_shapes(o, at, i);
    try_orders(o, at + 1);
    if (i != at) swap_shapes(o, at, i);
  }
}

static void order_pieces(ordering *o, uint16_t material) {
  describe_material(o, material);
  o->code = UINT64_MAX;
  try_orders(o, 0);
}

/* --- classes --- */

typedef struct {
  uint64_t code;
  uint32_t slice;
  bool flipped;
  uint8_t place[DSQ_MOST_PIECES]; /* place of each piece of the slice in the order of the class */
} class_entry;

typedef struct {
  dsq_materials *out;
  ordering ordering;
  uint16_t materials[MOST_MATERIALS];
  size_t n_materials;
  class_entry classes[MOST_MATERIALS];
  uint16_t n_classes;
  uint16_t buckets[BUCKETS]; /* class + 1, or 0 if free */
} opening;

/* Returns the bucket of a code, which is free if the code is new. */
static uint16_t *find_bucket(opening *o, uint64_t code) {
  uint32_t at = (uint32_t)(code * UINT64_C(0x9E3779B97F4A7C15) >> 49);
  while (o->buckets[at] && o->classes[o->buckets[at] - 1].code != code) at = (at + 1) % BUCKETS;
  return &o->buckets[at];
}

static class_entry *add_class(opening *o, uint16_t *bucket) {
  *bucket = (uint16_t)(o->n_classes + 1);
  return &o->classes[o->n_classes++];
}

static class_entry describe_class(const ordering *ordered, const dsq_slice *slice, bool flipped) {
  class_entry made = {.code = ordered->code, .slice = slice->slice, .flipped = flipped};
  for (int i = 0; i < slice->pieces; i++) {
    const dsq_piece piece = slice->piece[i];
    const int side = flipped ? !piece.side : piece.side;
    while (ordered->order[made.place[i]].side != side || ordered->order[made.place[i]].animal != piece.animal)
      made.place[i]++;
  }
  return made;
}

static bool is_before(const game_rules *rules, dsq_piece one, dsq_piece other) {
  const int squares = __builtin_popcountll(rules->ground[one.animal]);
  const int other_squares = __builtin_popcountll(rules->ground[other.animal]);
  if (squares != other_squares) return squares < other_squares;
  if (one.side != other.side) return one.side < other.side;
  return rules->strength[one.animal] > rules->strength[other.animal];
}

static void list_pieces(const game_rules *rules, dsq_slice *slice) {
  for (unsigned left = slice->material; left; left &= left - 1) {
    const int piece = __builtin_ctz(left);
    const dsq_piece made = {(uint8_t)(piece / DSQ_ANIMALS), (uint8_t)(piece % DSQ_ANIMALS)};
    int at = slice->pieces++;
    for (; at > 0 && is_before(rules, made, slice->piece[at - 1]); at--)
      slice->piece[at] = slice->piece[at - 1];
    slice->piece[at] = made;
  }
}

static bool open_placements(const game_rules *rules, dsq_slice *slice) {
  uint64_t squares[DSQ_MOST_PIECES];
  for (int i = 0; i < slice->pieces; i++) squares[i] = rules->ground[slice->piece[i].animal];
  return placement_open(&slice->place, DSQ_FILES, slice->pieces, squares);
}

/* Adds a slice for the material whose pieces o->ordering has; *bucket is the free bucket of its class.
 * Returns false if the sets of squares of its pieces do not nest. */
static bool add_slice(opening *o, uint16_t material, uint16_t *bucket) {
  const game_rules *rules = o->ordering.rules;
  dsq_slice *slice = &o->out->slices[o->out->n_slices];
  *slice = (dsq_slice){.slice = o->out->n_slices++, .material = material, .parts = 1};
  list_pieces(rules, slice);
  if (!open_placements(rules, slice)) return false;
  *add_class(o, bucket) = describe_class(&o->ordering, slice, false);
  ordering flipped = o->ordering;
  order_pieces(&flipped, dsq_flip_material(material));
  if (flipped.code == o->ordering.code) return true;
  slice->parts = 2;
  *add_class(o, find_bucket(o, flipped.code)) = describe_class(&flipped, slice, true);
  return true;
}

static dsq_view make_view(const class_entry *class, const dsq_piece order[], int pieces) {
  dsq_view view = {.slice = class->slice, .flipped = class->flipped, .there = true};
  for (int i = 0; i < pieces; i++) view.pieces[i] = order[class->place[i]];
  return view;
}

static bool find_classes(opening *o) {
  dsq_materials *out = o->out;
  int pieces = 0;
  for (size_t i = 0; i < o->n_materials; i++) {
    const uint16_t material = o->materials[i];
    while (pieces < __builtin_popcount(material)) out->first_of[++pieces] = out->n_slices;
    order_pieces(&o->ordering, material);
    uint16_t *bucket = find_bucket(o, o->ordering.code);
    if (!*bucket && !add_slice(o, material, bucket)) return false;
    out->views[material] = make_view(&o->classes[*bucket - 1], o->ordering.order, pieces);
  }
  while (pieces <= DSQ_MOST_PIECES) out->first_of[++pieces] = out->n_slices;
  return true;
}

/* --- members and far squares --- */

/* Counts the members of slice s in first[s + 2]. While members are listed, first[s + 1] is the next place in
 * slice s; it ends as the first place in slice s + 1. */
static bool list_members(opening *o) {
  dsq_materials *out = o->out;
  uint32_t *first = out->first_member = calloc(out->n_slices + 2, sizeof *first);
  out->members = malloc(o->n_materials * sizeof *out->members);
  if (!out->members || !first) return false;
  for (size_t i = 0; i < o->n_materials; i++) first[out->views[o->materials[i]].slice + 2]++;
  for (uint32_t slice = 0; slice < out->n_slices; slice++) first[slice + 2] += first[slice + 1];
  for (unsigned flipped = 0; flipped < 2; flipped++) {
    for (size_t i = 0; i < o->n_materials; i++) {
      const dsq_view *view = &out->views[o->materials[i]];
      if (view->flipped == flipped) out->members[first[view->slice + 1]++] = o->materials[i];
    }
  }
  return true;
}

static void find_far_squares(const game_rules *rules, uint64_t far[DSQ_ANIMALS]) {
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
    for (int from = 0; from < DSQ_SQUARES; from++) {
      for (int t = 0; t < rules->targets_used[DSQ_WHITE][animal][from]; t++) {
        /* On seven files the parity of rank + file is that of the square's number. */
        if ((rules->targets[DSQ_WHITE][animal][from][t].to - from) % 2 == 0)
          far[animal] |= UINT64_C(1) << from;
      }
    }
  }
}

static void prepare_ordering(const game_rules *rules, ordering *out) {
  out->rules = rules;
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
    for (int other = 0; other < DSQ_ANIMALS; other++)
      out->taken_by[animal] |= (uint8_t)((rules->takes[other] >> animal & 1) << other);
  }
}

/* Frees the memory behind the last slice. */
static void trim_slices(dsq_materials *materials) {
  dsq_slice *trimmed = realloc(materials->slices, materials->n_slices * sizeof *trimmed);
  if (trimmed) materials->slices = trimmed;
}

static tauler_error fill_materials(opening *o, const game_rules *rules, tauler_message *message) {
  o->out->slices = malloc(MOST_MATERIALS * sizeof *o->out->slices);
  o->out->views = calloc(ALL_MATERIALS, sizeof *o->out->views);
  if (!o->out->slices || !o->out->views)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the materials of dou shou qi");
  prepare_ordering(rules, &o->ordering);
  o->n_materials = order_materials(rules, o->materials);
  if (!find_classes(o)) return tauler_fail(message, TAULER_INTERNAL, "pieces whose squares do not nest");
  trim_slices(o->out);
  find_far_squares(rules, o->out->far);
  if (!list_members(o))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the materials of dou shou qi");
  return TAULER_OK;
}

tauler_error dsq_materials_open(const game_rules *rules, dsq_materials **out, tauler_message *message) {
  *out = NULL;
  opening *o = calloc(1, sizeof *o);
  dsq_materials *materials = calloc(1, sizeof *materials);
  if (!o || !materials) {
    free(o);
    free(materials);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the materials of dou shou qi");
  }
  o->out = materials;
  const tauler_error error = fill_materials(o, rules, message);
  free(o);
  if (error) {
    dsq_materials_close(materials);
    return error;
  }
  *out = materials;
  return TAULER_OK;
}

void dsq_materials_close(dsq_materials *materials) {
  if (!materials) return;
  free(materials->slices);
  free(materials->views);
  free(materials->members);
  free(materials->first_member);
  free(materials);
}
