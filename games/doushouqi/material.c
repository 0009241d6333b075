/* Names materials and slices of Dou Shou Qi, and lists the slices of a request and those that they need. */
#include "games/doushouqi/material.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "games/doushouqi/position.h"
#include "games/doushouqi/rules.h"

static uint16_t bit_of(int side, int animal) {
  return (uint16_t)(1 << (side * DSQ_ANIMALS + animal));
}

uint16_t dsq_flip_material(uint16_t material) {
  return (uint16_t)(material >> DSQ_ANIMALS | material << DSQ_ANIMALS);
}

const dsq_slice *dsq_slice_at(const game_rules *rules, uint32_t slice) {
  return slice < rules->materials->n_slices ? &rules->materials->slices[slice] : NULL;
}

bool dsq_view_of(const game_rules *rules, uint16_t material, dsq_view *out) {
  *out = rules->materials->views[material];
  return out->there;
}

bool dsq_view_without(const game_rules *rules, const dsq_piece piece[], int pieces, int taken, bool turned,
                      dsq_view *out, uint8_t from[DSQ_MOST_PIECES]) {
  unsigned material = 0;
  for (int i = 0; i < pieces; i++)
    if (i != taken) material |= bit_of(piece[i].side ^ turned, piece[i].animal);
  if (!dsq_view_of(rules, (uint16_t)material, out)) return false;
  for (int i = 0; i < rules->materials->slices[out->slice].pieces; i++) {
    for (int j = 0; j < pieces; j++) {
      const dsq_piece seen = out->pieces[i];
      if ((piece[j].side ^ turned) == seen.side && piece[j].animal == seen.animal) from[i] = (uint8_t)j;
    }
  }
  return true;
}

/* --- names --- */

void dsq_material_name(const game_rules *rules, uint16_t material, char name[2 * DSQ_ANIMALS + 1]) {
  size_t used = 0;
  for (int side = 0; side < 2; side++) {
    for (int strength = DSQ_ANIMALS; strength >= 1; strength--) {
      for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
        if (rules->strength[animal] != strength || !(material & bit_of(side, animal))) continue;
        name[used++] = dsq_letter(side, animal);
      }
    }
  }
  name[used] = '\0';
}

tauler_error dsq_material_read(const char *name, uint16_t *out, tauler_message *message) {
  uint16_t material = 0;
  for (const char *at = name; *at; at++) {
    int side, animal;
    if (!dsq_read_letter(*at, &side, &animal))
      return tauler_fail(message, TAULER_BAD_USAGE,
                         "'%c' in the material '%.40s' is no animal: they are R C W D P T L E, Black's in "
                         "lower case",
                         isprint((unsigned char)*at) ? *at : '?', name);
    const uint16_t piece = bit_of(side, animal);
    if (material & piece)
      return tauler_fail(message, TAULER_BAD_USAGE,
                         "'%c' stands twice in the material '%.40s': a side has each animal once", *at, name);
    material |= piece;
  }
  const bool white = material & 0xFF, black = material >> DSQ_ANIMALS;
  if (!white || !black)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the material '%.40s' has no piece of %s: write White's letters in upper case and "
                       "Black's in lower case, like Lr",
                       name,
                       white   ? "Black"
                       : black ? "White"
                               : "either side");
  *out = material;
  return TAULER_OK;
}

void dsq_slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  name[0] = '\0';
  const dsq_slice *known = dsq_slice_at(rules, slice);
  if (known) dsq_material_name(rules, known->material, name);
}

/* A slice has the name of its own material only, not those of other materials in it. */
bool dsq_slice_named(const game_rules *rules, const char *name, uint32_t *slice) {
  uint16_t material;
  dsq_view view;
  char own[GAME_TEXT_BYTES];
  if (dsq_material_read(name, &material, NULL) || !dsq_view_of(rules, material, &view)) return false;
  dsq_slice_name(rules, view.slice, own);
  if (strcmp(name, own) != 0) return false;
  *slice = view.slice;
  return true;
}

void dsq_slice_folder(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  const dsq_slice *known = dsq_slice_at(rules, slice);
  snprintf(name, GAME_TEXT_BYTES, "%d", known ? known->pieces : 0);
}

void dsq_size_text(const game_rules *rules, uint32_t slice, char text[GAME_TEXT_BYTES]) {
  char name[GAME_TEXT_BYTES];
  dsq_slice_name(rules, slice, name);
  snprintf(text, GAME_TEXT_BYTES, "--material %.*s", 2 * DSQ_ANIMALS, name);
}

uint64_t dsq_positions(const game_rules *rules, uint32_t slice) {
  const dsq_slice *known = dsq_slice_at(rules, slice);
  return known ? (uint64_t)known->parts * placement_count(&known->place) : 0;
}

bool dsq_part(const game_rules *rules, uint32_t slice, size_t i, game_part *out) {
  const dsq_slice *known = dsq_slice_at(rules, slice);
  if (!known) return false;
  const dsq_materials *materials = rules->materials;
  const uint32_t first = materials->first_member[slice];
  if (i >= materials->first_member[slice + 1] - first) return false;
  const uint16_t material = materials->members[first + i];
  const uint64_t count = placement_count(&known->place);
  dsq_material_name(rules, material, out->name);
  out->first = materials->views[material].flipped * count;
  out->count = count;
  return true;
}

/* --- the slices of a request and those that they need --- */

enum { NOT_WANTED, NEEDED, ASKED };

/* Marks the slices to which one capture leads. Any piece can be captured, since each can stand in an enemy
 * trap. If the last piece of a side is captured, the game is over, so no slice is marked. */
static void mark_needs(const game_rules *rules, const dsq_slice *slice, uint8_t *wanted) {
  for (int i = 0; i < slice->pieces; i++) {
    const uint16_t taken = bit_of(slice->piece[i].side, slice->piece[i].animal);
    dsq_view view;
    if (!dsq_view_of(rules, slice->material & (uint16_t)~taken, &view)) continue;
    if (wanted[view.slice] == NOT_WANTED) wanted[view.slice] = NEEDED;
  }
}

static tauler_error list_wanted(const game_rules *rules, const uint8_t *wanted, uint32_t n, game_slices *out,
                                tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t slice = 0; slice < n && !error; slice++) {
    if (wanted[slice] == NOT_WANTED) continue;
    error = game_slices_add(out, (game_slice){slice, wanted[slice] == ASKED, dsq_positions(rules, slice)},
                            message);
  }
  return error;
}

tauler_error dsq_needs(const game_rules *rules, uint32_t slice, game_slices *out, tauler_message *message) {
  *out = (game_slices){0};
  const dsq_slice *known = dsq_slice_at(rules, slice);
  if (!known) return tauler_fail(message, TAULER_INTERNAL, "there is no slice %u", slice);
  uint8_t *wanted = calloc(slice + 1, 1);
  if (!wanted) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  mark_needs(rules, known, wanted);
  const tauler_error error = list_wanted(rules, wanted, slice, out, message);
  free(wanted);
  return error;
}

/* Finds the slices that the request names, *first … *end − 1. */
static tauler_error read_request(const game_rules *rules, const game_request *request, uint32_t *first,
                                 uint32_t *end, tauler_message *message) {
  if (!request->largest == !request->material)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "dou shou qi needs %s--pieces K with K from 2 to %d or --material with the pieces of "
                       "both sides, like ELr%s",
                       request->largest ? "" : "either ", DSQ_MOST_PIECES,
                       request->largest ? ", not both" : "");
  if (request->largest) {
    uint64_t pieces;
    if (!text_read_unsigned(request->largest, 2, DSQ_MOST_PIECES, &pieces))
      return tauler_fail(message, TAULER_BAD_USAGE,
                         "dou shou qi needs --pieces K with K from 2 to %d, not %.40s", DSQ_MOST_PIECES,
                         request->largest);
    *first = rules->materials->first_of[pieces];
    *end = rules->materials->first_of[pieces + 1];
    return TAULER_OK;
  }
  uint16_t material;
  dsq_view view;
  const tauler_error error = dsq_material_read(request->material, &material, message);
  if (error) return error;
  if (!dsq_view_of(rules, material, &view))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the material '%.40s' has %d pieces: no more than %d can be solved", request->material,
                       __builtin_popcount(material), DSQ_MOST_PIECES);
  *first = view.slice;
  *end = view.slice + 1;
  return TAULER_OK;
}

tauler_error dsq_slices(const game_rules *rules, const game_request *request, game_slices *out,
                        tauler_message *message) {
  *out = (game_slices){0};
  uint32_t first = 0, end = 0;
  tauler_error error = read_request(rules, request, &first, &end, message);
  if (error) return error;
  uint8_t *wanted = calloc(end, 1);
  if (!wanted) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  for (uint32_t slice = end; slice-- > 0;) {
    if (slice >= first) wanted[slice] = ASKED;
    if (wanted[slice] != NOT_WANTED) mark_needs(rules, dsq_slice_at(rules, slice), wanted);
  }
  error = list_wanted(rules, wanted, end, out, message);
  free(wanted);
  return error;
}
