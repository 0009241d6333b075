/* Counts wins, draws and losses of each material of Dou Shou Qi, and finds the longest play. */
#include "analysis/claims/doushouqi/animal_counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/slices/bulk.h"
#include "analysis/stats/tally.h"

enum { PIECE = 1 << 12 };

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

/* The counts of the cells of a part; materials that play alike share them. */
typedef struct {
  uint64_t first;
  bool known;
  animal_count count;
  animal_lengths plies; /* without places */
} part_count;

static void add_length(animal_lengths *plies, int value, int depth, uint64_t count) {
  int *longest = value > 0 ? &plies->longest_win : &plies->longest_loss;
  plies->lengths[depth] += count;
  if (depth > *longest) *longest = depth;
  if (depth > plies->longest) plies->longest = depth;
}

static void count_part(reader *r, uint32_t slice, const bulk_slice *loaded, const game_part *part,
                       part_count *own) {
  claim_error *out = r->t->kept;
  const tally_settings settings = {.with_depths = true, .threads = r->t->job->threads};
  tally counted = {0};
  *own = (part_count){.first = part->first, .known = true};
  if (!CLAIM_CATCH(out, tally_part(r->t->tables, slice, loaded, part->first, part->count, &settings, &counted,
                                   &out->message)))
    tally_sort(&counted);
  for (size_t i = 0; i < counted.used && !out->error; i++) {
    const tally_row *row = &counted.slots[i];
    const int depth = row->cell.depth_lower;
    *(row->cell.lower > 0   ? &own->count.wins
      : row->cell.lower < 0 ? &own->count.losses
                            : &own->count.draws) += row->count;
    if (row->cell.lower == 0) continue;
    if (depth < 0 || depth > ANIMAL_MOST_PLIES) {
      claim_fail(out, TAULER_INTERNAL, "a play of Dou Shou Qi longer than can be counted");
    } else {
      add_length(&own->plies, row->cell.lower, depth, row->count);
    }
  }
  tally_free(&counted);
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

static void note_longest(const bulk_slice *loaded, const game_part *part, int depth, int *longest,
                         game_place *place) {
  if (depth <= *longest) return;
  *longest = depth;
  *place = (game_place){loaded->slice, find_depth(loaded, part, depth)};
}

static void add_material(reader *r, const bulk_slice *loaded, const game_part *part, const part_count *own,
                         animal_material material) {
  const int pieces = animal_pieces(material);
  if (pieces > r->counts->pieces) return;
  animal_lengths *plies = &r->counts->total[pieces].plies;
  r->counts->of[animal_number(material)] = own->count;
  animal_count *total = &r->counts->total[pieces].results;
  total->wins += own->count.wins;
  total->draws += own->count.draws;
  total->losses += own->count.losses;
  for (int i = 0; i <= ANIMAL_MOST_PLIES; i++) plies->lengths[i] += own->plies.lengths[i];
  note_longest(loaded, part, own->plies.longest, &plies->longest, &plies->place);
  note_longest(loaded, part, own->plies.longest_win, &plies->longest_win, &plies->win_place);
  note_longest(loaded, part, own->plies.longest_loss, &plies->longest_loss, &plies->loss_place);
}

static void count_slice(reader *r, uint32_t slice) {
  const claim_tables *t = r->t;
  part_count known[2] = {{.known = false}, {.known = false}};
  bulk_slice loaded;
  game_part part;
  if (CLAIM_CATCH(t->kept, bulk_load(r->values, slice, &loaded, &t->kept->message))) return;
  for (size_t i = 0; !t->kept->error && t->game->part(t->rules, slice, i, &part); i++) {
    part_count *own = &known[part.first > 0];
    animal_material material;
    if (!read_material(part.name, &material)) {
      claim_fail(t->kept, TAULER_INTERNAL, "'%.40s' is no material", part.name);
      return;
    }
    if (!own->known) count_part(r, slice, &loaded, &part, own);
    if (!t->kept->error) add_material(r, &loaded, &part, own, material);
  }
}

/* All slices of up to so many pieces; those asked for stay in memory if `kept`. */
static void read_up_to(reader *r, int pieces, bool kept) {
  claim_tables *t = r->t;
  claim_error *out = t->kept;
  char largest[16];
  snprintf(largest, sizeof largest, "%d", pieces);
  const game_request request = {.largest = largest};
  game_slices slices = {0};
  if (claim_tables_need(t, &request) &&
      !CLAIM_CATCH(out, t->game->slices(t->rules, &request, &slices, &out->message)) && !r->values)
    CLAIM_CATCH(out, bulk_open(t->tables, r->largest_slice ? r->largest_slice : game_slices_largest(&slices),
                               t->job->threads, t->job->memory, &r->values, &out->message));
  for (size_t i = 0; i < slices.used && !out->error; i++) {
    count_slice(r, slices.slices[i].slice);
    if (slices.slices[i].asked && !kept) bulk_drop(r->values, slices.slices[i].slice); /* nothing needs it */
  }
  free(slices.slices);
}

static reader open_reader(claim_tables *t, int pieces, animal_counts *out) {
  const size_t materials = (size_t)1 << (2 * ANIMALS);
  *out = (animal_counts){.pieces = pieces, .of = claim_calloc(t->kept, materials, sizeof *out->of)};
  return (reader){.t = t, .counts = out};
}

void animal_counts_read(claim_tables *t, int pieces, animal_counts *out) {
  reader r = open_reader(t, pieces, out);
  read_up_to(&r, pieces, false);
  bulk_close(r.values);
}

/* --- equal materials alone --- */

typedef struct {
  uint32_t slices[1 << ANIMALS];
  size_t used;
  uint32_t largest;
} slice_list;

/* Adds the slice of a material, its tables built. */
static void add_slice(claim_tables *t, animal_material m, slice_list *list) {
  char name[2 * ANIMALS + 1];
  animal_material_name(m, name);
  const game_request request = {.material = name};
  game_slices slices = {0};
  size_t at = 0;
  if (claim_tables_need(t, &request))
    CLAIM_CATCH(t->kept, t->game->slices(t->rules, &request, &slices, &t->kept->message));
  for (size_t i = 0; i < slices.used; i++) {
    if (!slices.slices[i].asked) continue;
    while (at < list->used && list->slices[at] != slices.slices[i].slice) at++;
    if (at == list->used) list->slices[list->used++] = slices.slices[i].slice;
  }
  if (game_slices_largest(&slices) > list->largest) list->largest = game_slices_largest(&slices);
  free(slices.slices);
}

void animal_counts_read_equal(claim_tables *t, int pieces, animal_counts *out) {
  slice_list list = {.used = 0};
  reader r = open_reader(t, pieces, out);
  for (unsigned side = 1; side < 1U << ANIMALS && pieces > 2 && !t->kept->error; side++) {
    const animal_material m = {(uint8_t)side, (uint8_t)side};
    if (animal_pieces(m) == pieces) add_slice(t, m, &list);
  }
  r.largest_slice = list.largest;
  read_up_to(&r, pieces > 2 ? pieces - 1 : pieces, true);
  for (size_t i = 0; i < list.used && !t->kept->error; i++) {
    count_slice(&r, list.slices[i]);
    bulk_drop(r.values, list.slices[i]);
  }
  bulk_close(r.values);
}

void animal_counts_free(animal_counts *counts) {
  free(counts->of);
  counts->of = NULL;
}
