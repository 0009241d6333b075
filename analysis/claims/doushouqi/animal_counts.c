#include "analysis/claims/doushouqi/animal_counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/slices/bulk.h"
#include "analysis/stats/tally.h"

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

void animal_material_name(animal_material m, char name[2 * ANIMALS + 1]) {
  size_t used = 0;
  for (int animal = ANIMALS - 1; animal >= 0; animal--)
    if (m.white >> animal & 1) name[used++] = (char)(letters[animal] - 'a' + 'A');
  for (int animal = ANIMALS - 1; animal >= 0; animal--)
    if (m.black >> animal & 1) name[used++] = letters[animal];
  name[used] = '\0';
}

/* --- cells --- */

typedef struct {
  claim_tables *t;
  bulk *values;
  animal_counts *counts;
  uint32_t largest_slice; /* 0: of those that are read */
} reader;

/* What the cells of a part say; materials that play alike share them. */
typedef struct {
  uint64_t first;
  bool known;
  animal_count count;
  animal_lengths plies; /* without places */
} part_count;

static tauler_error bad_depth(tauler_message *message) {
  return tauler_fail(message, TAULER_INTERNAL, "a play of Dou Shou Qi longer than can be counted");
}

static void add_length(animal_lengths *plies, int value, int depth, uint64_t count) {
  int *longest = value > 0 ? &plies->longest_win : &plies->longest_loss;
  plies->lengths[depth] += count;
  if (depth > *longest) *longest = depth;
  if (depth > plies->longest) plies->longest = depth;
}

static tauler_error count_part(reader *r, uint32_t slice, const bulk_slice *loaded, const game_part *part,
                               part_count *out, tauler_message *message) {
  const tally_settings settings = {.with_depths = true, .threads = r->t->job->threads};
  tally counted = {0};
  *out = (part_count){.first = part->first, .known = true};
  tauler_error error =
      tally_part(r->t->tables, slice, loaded, part->first, part->count, &settings, &counted, message);
  if (!error) tally_sort(&counted);
  for (size_t i = 0; i < counted.used && !error; i++) {
    const tally_row *row = &counted.slots[i];
    const int depth = row->cell.depth_lower;
    *(row->cell.lower > 0   ? &out->count.wins
      : row->cell.lower < 0 ? &out->count.losses
                            : &out->count.draws) += row->count;
    if (row->cell.lower == 0) continue;
    if (depth < 0 || depth > ANIMAL_MOST_PLIES) error = bad_depth(message);
    if (!error) add_length(&out->plies, row->cell.lower, depth, row->count);
  }
  tally_free(&counted);
  return error;
}

/* The first cell of a part with that depth, which is there. */
static uint64_t find_depth(const bulk_slice *loaded, const game_part *part, int depth) {
  int8_t values[PIECE];
  uint16_t depths[PIECE];
  for (uint64_t first = part->first; first < part->first + part->count; first += PIECE) {
    const uint64_t left = part->first + part->count - first;
    const size_t n = left < PIECE ? (size_t)left : PIECE;
    bulk_outcomes(loaded, first, n, values, depths);
    for (size_t i = 0; i < n; i++)
      if (values[i] && depths[i] == depth) return first + i;
  }
  return part->first;
}

static void take_place(const bulk_slice *loaded, const game_part *part, int depth, int *longest,
                       game_place *place) {
  if (depth <= *longest) return;
  *longest = depth;
  *place = (game_place){loaded->slice, find_depth(loaded, part, depth)};
}

static void take_part(reader *r, const bulk_slice *loaded, const game_part *part, const part_count *own,
                      animal_material material) {
  const int pieces = animal_pieces(material);
  if (pieces > r->counts->pieces) return;
  animal_lengths *plies = &r->counts->total[pieces].plies;
  r->counts->of[animal_number(material)] = own->count;
  r->counts->total[pieces].wins += own->count.wins;
  r->counts->total[pieces].draws += own->count.draws;
  r->counts->total[pieces].losses += own->count.losses;
  for (int i = 0; i <= ANIMAL_MOST_PLIES; i++) plies->lengths[i] += own->plies.lengths[i];
  take_place(loaded, part, own->plies.longest, &plies->longest, &plies->place);
  take_place(loaded, part, own->plies.longest_win, &plies->longest_win, &plies->win_place);
  take_place(loaded, part, own->plies.longest_loss, &plies->longest_loss, &plies->loss_place);
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
    if (!error) take_part(r, &loaded, &part, own, material);
  }
  return error;
}

static tauler_error open_counts(int pieces, animal_counts *out, tauler_message *message) {
  const size_t materials = (size_t)1 << (2 * ANIMALS);
  *out = (animal_counts){.pieces = pieces, .of = calloc(materials, sizeof *out->of)};
  return out->of ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for counts of materials");
}

/* All slices of up to so many pieces; those asked for stay in memory if `kept`. */
static tauler_error read_up_to(reader *r, int pieces, bool kept, tauler_message *message) {
  char largest[16];
  snprintf(largest, sizeof largest, "%d", pieces);
  const game_request request = {.largest = largest};
  game_slices slices = {0};
  claim_tables *t = r->t;
  tauler_error error = claim_tables_need(t, &request, message);
  if (!error) error = t->tables->game->slices(t->tables->rules, &request, &slices, message);
  if (!error && !r->values)
    error = bulk_open(t->tables, r->largest_slice ? r->largest_slice : game_slices_largest(&slices),
                      t->job->threads, t->job->memory, &r->values, message);
  for (size_t i = 0; i < slices.used && !error; i++) {
    error = count_slice(r, slices.slices[i].slice, message);
    if (slices.slices[i].asked && !kept) bulk_drop(r->values, slices.slices[i].slice); /* nothing needs it */
  }
  free(slices.slices);
  return error;
}

tauler_error animal_counts_read(claim_tables *t, int pieces, animal_counts *out, tauler_message *message) {
  reader r = {.t = t, .counts = out};
  tauler_error error = open_counts(pieces, out, message);
  if (!error) error = read_up_to(&r, pieces, false, message);
  bulk_close(r.values);
  if (error) animal_counts_free(out);
  return error;
}

/* --- equal materials alone --- */

/* The slice of a material, its tables built; *largest becomes the greatest of all. */
static tauler_error find_slice(claim_tables *t, animal_material m, uint32_t *slice, uint32_t *largest,
                               tauler_message *message) {
  char name[2 * ANIMALS + 1];
  animal_material_name(m, name);
  const game_request request = {.material = name};
  game_slices slices = {0};
  tauler_error error = claim_tables_need(t, &request, message);
  if (!error) error = t->tables->game->slices(t->tables->rules, &request, &slices, message);
  for (size_t i = 0; i < slices.used && !error; i++)
    if (slices.slices[i].asked) *slice = slices.slices[i].slice;
  if (!error && game_slices_largest(&slices) > *largest) *largest = game_slices_largest(&slices);
  free(slices.slices);
  return error;
}

typedef struct {
  uint32_t slices[1 << ANIMALS];
  size_t used;
  uint32_t largest;
} slice_list;

static tauler_error list_equal(claim_tables *t, int pieces, slice_list *list, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (unsigned side = 1; side < 1U << ANIMALS && !error; side++) {
    const animal_material m = {(uint8_t)side, (uint8_t)side};
    uint32_t slice = 0;
    size_t at = 0;
    if (animal_pieces(m) != pieces) continue;
    error = find_slice(t, m, &slice, &list->largest, message);
    while (at < list->used && list->slices[at] != slice) at++;
    if (at == list->used) list->slices[list->used++] = slice;
  }
  return error;
}

tauler_error animal_counts_read_equal(claim_tables *t, int pieces, animal_counts *out,
                                      tauler_message *message) {
  slice_list list = {.used = 0};
  reader r = {.t = t, .counts = out};
  tauler_error error = open_counts(pieces, out, message);
  if (!error && pieces > 2) error = list_equal(t, pieces, &list, message);
  r.largest_slice = list.largest;
  if (!error) error = read_up_to(&r, pieces > 2 ? pieces - 1 : pieces, true, message);
  for (size_t i = 0; i < list.used && !error; i++) {
    error = count_slice(&r, list.slices[i], message);
    bulk_drop(r.values, list.slices[i]);
  }
  bulk_close(r.values);
  if (error) animal_counts_free(out);
  return error;
}

void animal_counts_free(animal_counts *counts) {
  free(counts->of);
  counts->of = NULL;
}

double animal_mean_length(const animal_lengths *plies) {
  uint64_t positions = 0, all = 0;
  for (uint64_t depth = 0; depth <= ANIMAL_MOST_PLIES; depth++) {
    positions += plies->lengths[depth];
    all += depth * plies->lengths[depth];
  }
  return positions ? (double)all / (double)positions : 0;
}

double animal_score(const animal_counts *counts, animal_material m) {
  const animal_count *own = &counts->of[animal_number(m)];
  const animal_count *other = &counts->of[animal_number((animal_material){m.black, m.white})];
  const double all =
      (double)(own->wins + own->draws + own->losses + other->wins + other->draws + other->losses);
  const double halves = (double)(2 * (own->wins + other->losses) + own->draws + other->draws);
  return halves / (2 * all);
}
