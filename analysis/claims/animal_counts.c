#include "analysis/claims/animal_counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bulk.h"
#include "analysis/tally.h"

enum { PIECE = 1 << 12 };

const char *const animal_names[ANIMALS] = {"rat",     "cat",   "wolf", "dog",
                                           "leopard", "tiger", "lion", "elephant"};
static const char letters[] = "rcwdptle";

static int count_bits(unsigned bits) {
  int n = 0;
  for (; bits; bits &= bits - 1) n++;
  return n;
}

int animal_pieces(animal_material m) {
  return count_bits(m.white) + count_bits(m.black);
}

/* "ELcr"; false if it is something else. */
static bool read_material(const char *name, animal_material *out) {
  *out = (animal_material){0, 0};
  for (; *name; name++) {
    const bool white = *name >= 'A' && *name <= 'Z';
    const char *at = strchr(letters, white ? *name - 'A' + 'a' : *name);
    if (!at) return false;
    *(white ? &out->white : &out->black) |= (uint8_t)(1 << (at - letters));
  }
  return out->white && out->black;
}

/* --- cells --- */

typedef struct {
  claim_tables *t;
  bulk *values;
  animal_counts *counts;
} reader;

/* What the cells of a part say; materials that play alike share them. */
typedef struct {
  uint64_t first;
  bool known;
  animal_count count;
  int longest;
} part_count;

static tauler_error count_part(reader *r, uint32_t slice, const bulk_slice *loaded, const game_part *part,
                               part_count *out, tauler_message *message) {
  const tally_settings settings = {.with_depths = true, .threads = r->t->job->threads};
  tally counted = {0};
  *out = (part_count){.first = part->first, .known = true};
  const tauler_error error =
      tally_part(r->t->tables, slice, loaded, part->first, part->count, &settings, &counted, message);
  if (!error) tally_sort(&counted);
  for (size_t i = 0; i < counted.used && !error; i++) {
    const tally_row *row = &counted.slots[i];
    const int depth = row->cell.depth_lower;
    *(row->cell.lower > 0   ? &out->count.wins
      : row->cell.lower < 0 ? &out->count.losses
                            : &out->count.draws) += row->count;
    if (row->cell.lower && depth > out->longest) out->longest = depth;
  }
  tally_free(&counted);
  return error;
}

/* The first cell of a part with that depth, which is there. */
static uint64_t find_depth(const reader *r, const bulk_slice *loaded, const game_part *part, int depth) {
  int8_t values[PIECE];
  uint16_t depths[PIECE];
  for (uint64_t first = part->first; first < part->first + part->count; first += PIECE) {
    const uint64_t left = part->first + part->count - first;
    const size_t n = left < PIECE ? (size_t)left : PIECE;
    bulk_outcomes(r->t->tables, loaded, first, n, values, depths);
    for (size_t i = 0; i < n; i++)
      if (values[i] && depths[i] == depth) return first + i;
  }
  return part->first;
}

static void take_part(reader *r, uint32_t slice, const bulk_slice *loaded, const game_part *part,
                      const part_count *own, animal_material material) {
  const int pieces = animal_pieces(material);
  if (pieces > r->counts->pieces) return;
  r->counts->of[animal_number(material)] = own->count;
  r->counts->total[pieces].wins += own->count.wins;
  r->counts->total[pieces].draws += own->count.draws;
  r->counts->total[pieces].losses += own->count.losses;
  if (own->longest <= r->counts->total[pieces].longest) return;
  r->counts->total[pieces].longest = own->longest;
  r->counts->total[pieces].place = (game_place){slice, find_depth(r, loaded, part, own->longest)};
}

static tauler_error count_slice(reader *r, uint32_t slice, tauler_message *message) {
  const game *g = r->t->tables->game;
  part_count known[2] = {{.known = false}, {.known = false}};
  bulk_slice loaded;
  game_part part;
  tauler_error error = bulk_load(r->values, slice, &loaded, message);
  for (size_t i = 0; !error && g->part(r->t->tables->rules, slice, i, &part); i++) {
    part_count *own = &known[part.first > 0];
    animal_material material;
    if (!read_material(part.name, &material))
      return tauler_fail(message, TAULER_INTERNAL, "'%.40s' is no material", part.name);
    if (!own->known) error = count_part(r, slice, &loaded, &part, own, message);
    if (!error) take_part(r, slice, &loaded, &part, own, material);
  }
  return error;
}

static tauler_error open_counts(int pieces, animal_counts *out, tauler_message *message) {
  const size_t materials = (size_t)1 << (2 * ANIMALS);
  *out = (animal_counts){.pieces = pieces, .of = calloc(materials, sizeof *out->of)};
  return out->of ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for counts of materials");
}

tauler_error animal_counts_read(claim_tables *t, int pieces, animal_counts *out, tauler_message *message) {
  char largest[16];
  snprintf(largest, sizeof largest, "%d", pieces);
  const game_request request = {.largest = largest};
  game_slices slices = {0};
  reader r = {.t = t, .counts = out};
  tauler_error error = open_counts(pieces, out, message);
  if (!error) error = claim_tables_need(t, &request, message);
  if (!error) error = t->tables->game->slices(t->tables->rules, &request, &slices, message);
  if (!error)
    error = bulk_open(t->tables, game_slices_largest(&slices), t->job->threads, t->job->memory, &r.values,
                      message);
  for (size_t i = 0; i < slices.used && !error; i++) {
    error = count_slice(&r, slices.slices[i].slice, message);
    if (slices.slices[i].asked) bulk_drop(r.values, slices.slices[i].slice); /* nothing needs it */
  }
  bulk_close(r.values);
  free(slices.slices);
  if (error) animal_counts_free(out);
  return error;
}

void animal_counts_free(animal_counts *counts) {
  free(counts->of);
  counts->of = NULL;
}

double animal_score(const animal_counts *counts, animal_material m) {
  const animal_count *own = &counts->of[animal_number(m)];
  const animal_count *other = &counts->of[animal_number((animal_material){m.black, m.white})];
  const double all =
      (double)(own->wins + own->draws + own->losses + other->wins + other->draws + other->losses);
  const double halves = (double)(2 * (own->wins + other->losses) + own->draws + other->draws);
  return halves / (2 * all);
}
