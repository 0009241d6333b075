/* Visits all positions of endings of Dou Shou Qi, for claims that count them. */
#include "analysis/claims/doushouqi/animal_survey.h"

#include <stdlib.h>

enum { MATERIALS = 1 << (2 * DSQ_ANIMALS) };

typedef struct {
  json_writer *json;
  size_t kinds;
  animal_visit *visit;
} animal_survey_out;

int animal_worth(const animal_surveyed *at, const dsq_move *move) {
  dsq_position child = at->position;
  dsq_view view;
  uint8_t square[DSQ_MOST_PIECES];
  if (move->wins) return 1;
  dsq_play(&child, move);
  child = dsq_flip_position(&child);
  dsq_view_of(at->rules, dsq_material_of(&child), &view);
  const dsq_slice *slice = dsq_slice_at(at->rules, view.slice);
  for (int i = 0; i < slice->pieces; i++)
    square[i] = child.square[view.pieces[i].side][view.pieces[i].animal];
  return -at->values[view.slice][dsq_index(slice, view.flipped, square)];
}

unsigned animal_find_threatened(const animal_surveyed *at, const dsq_position *position,
                                uint8_t by[DSQ_ANIMALS]) {
  dsq_position other = *position;
  dsq_move moves[DSQ_MOST_MOVES];
  unsigned all = 0;
  other.side = DSQ_BLACK;
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) by[animal] = 0;
  const size_t n = dsq_list_moves(at->rules, &other, moves);
  for (size_t i = 0; i < n; i++) {
    if (moves[i].taken == DSQ_NOBODY) continue;
    all |= 1U << moves[i].taken;
    by[moves[i].taken] |= (uint8_t)(1 << moves[i].animal);
  }
  return all;
}

typedef struct {
  animal_surveyed at;
  uint64_t begin;
  animal_visit *visit;
} part_survey;

static void visit_piece(const void *user, uint64_t first, size_t count, counted *counts) {
  const part_survey *part = user;
  animal_surveyed at = part->at;
  uint8_t copies[COUNTING_PIECE];
  const int8_t *values = at.values[at.slice->slice];
  dsq_copies(at.rules, at.slice->slice, part->begin + first, count, copies);
  for (int side = 0; side < 2; side++)
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) at.position.square[side][animal] = DSQ_NOWHERE;
  for (size_t i = 0; i < count; i++) {
    at.place = (game_place){at.slice->slice, part->begin + first + i};
    at.copies = copies[i];
    at.value = values[at.place.index];
    placement_unrank(&at.slice->place, first + i, at.square);
    for (int k = 0; k < at.slice->pieces; k++)
      at.position.square[at.piece[k].side][at.piece[k].animal] = at.square[k];
    part->visit(&at, counts);
  }
}

static void print_material(const claim_tables *t, const animal_survey_out *out, uint32_t slice,
                           const dsq_piece *pieces, int used, const counted *counts) {
  char name[DSQ_MOST_PIECES + 1] = "";
  for (int i = 0; i < used; i++) name[i] = dsq_letter(pieces[i].side, pieces[i].animal);
  json_begin_object(out->json);
  json_field_string(out->json, "pieces", name);
  json_field_string(out->json, "found",
                    counts->most ? claim_print_at(t, (game_place){slice, counts->place}).text : NULL);
  json_field_array(out->json, "counts");
  for (int i = 0; i < used; i++)
    for (size_t k = 0; k < out->kinds; k++) json_unsigned(out->json, counts->of[i * ANIMAL_COUNTS + (int)k]);
  json_end_array(out->json);
  json_end_object(out->json);
}

static void print_materials(const claim_tables *t, const animal_survey_out *out, const animal_surveyed *at,
                            int part, const counted *counts) {
  for (unsigned material = 0; material < MATERIALS; material++) {
    dsq_view view;
    if (!dsq_view_of(at->rules, (uint16_t)material, &view)) continue;
    if (view.slice == at->slice->slice && view.flipped == (part == 1))
      print_material(t, out, view.slice, view.pieces, at->slice->pieces, counts);
  }
}

static void visit_slice(claim_tables *t, int8_t *const *values, uint32_t slice,
                        const animal_survey_out *out) {
  part_survey own = {.at = {.rules = t->rules, .values = values, .slice = dsq_slice_at(t->rules, slice)},
                     .visit = out->visit};
  const uint64_t total = placement_count(&own.at.slice->place);
  own.at.position.side = DSQ_WHITE;
  for (int part = 0; part < own.at.slice->parts; part++) {
    dsq_piece piece[DSQ_MOST_PIECES];
    counted counts;
    for (int i = 0; i < own.at.slice->pieces; i++) {
      piece[i] = own.at.slice->piece[i];
      piece[i].side ^= (uint8_t)part;
    }
    own.at.piece = piece;
    own.begin = (uint64_t)part * total;
    counting_visit_all(t, total, visit_piece, &own, &counts);
    print_materials(t, out, &own.at, part, &counts);
  }
}

/* The slices that are asked for have the most pieces, so no other slice needs them: drops each after its
 * visit. */
static void visit_slices(claim_tables *t, const game_slices *slices, bulk *all, int8_t **values,
                         const animal_survey_out *to) {
  for (size_t i = 0; i < slices->used && !t->kept->error; i++) {
    const uint32_t slice = slices->slices[i].slice;
    values[slice] = counting_read_values(t, all, slice);
    if (values[slice]) visit_slice(t, values, slice, to);
    if (!slices->slices[i].asked) continue;
    memory_free(t->job->memory, values[slice]);
    values[slice] = NULL;
    bulk_drop(all, slice);
  }
}

void animal_survey(claim_tables *t, json_writer *json, size_t kinds, animal_visit *visit) {
  claim_error *out = t->kept;
  const animal_survey_out to = {json, kinds, visit};
  game_slices slices = {0};
  bulk *all = NULL;
  if (!claim_tables_slices_up_to(t, t->job->pieces, &slices)) return;
  const uint32_t last = game_slices_largest(&slices);
  int8_t **values = claim_calloc(out, (size_t)last + 1, sizeof *values);
  json_field_array(json, "materials");
  if (values &&
      !CLAIM_CATCH(out, bulk_open(t->tables, last, t->job->threads, t->job->memory, &all, &out->message)))
    visit_slices(t, &slices, all, values, &to);
  json_end_array(json);
  for (uint32_t slice = 0; values && slice <= last; slice++) memory_free(t->job->memory, values[slice]);
  free(values);
  bulk_close(all);
  free(slices.slices);
}
