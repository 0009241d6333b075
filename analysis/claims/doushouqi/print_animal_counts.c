/* The figures animal-counts and animal-counts-equal: results and lengths of materials of Dou Shou Qi. */
#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/figures.h"

enum { LEAST_PIECES = 2 };

static void print_place(const claim_tables *t, json_writer *json, const char *key, bool there,
                        game_place place) {
  game_position position;
  if (there) position = claim_position_at(t, place);
  json_field_string(json, key, there ? claim_print(t, &position).text : NULL);
}

static void print_pieces(const claim_tables *t, json_writer *json, const animal_counts *counts, int pieces) {
  const animal_count *results = &counts->total[pieces].results;
  const animal_lengths *plies = &counts->total[pieces].plies;
  json_begin_object(json);
  json_field_integer(json, "pieces", pieces);
  json_field_unsigned(json, "wins", results->wins);
  json_field_unsigned(json, "draws", results->draws);
  json_field_unsigned(json, "losses", results->losses);
  json_field_integer(json, "longest", plies->longest);
  json_field_integer(json, "longest_win", plies->longest_win);
  json_field_integer(json, "longest_loss", plies->longest_loss);
  print_place(t, json, "position", plies->longest > 0, plies->place);
  print_place(t, json, "win", plies->longest_win > 0, plies->win_place);
  print_place(t, json, "loss", plies->longest_loss > 0, plies->loss_place);
  json_key(json, "lengths");
  json_begin_array(json);
  for (int depth = 0; depth <= plies->longest; depth++) json_unsigned(json, plies->lengths[depth]);
  json_end_array(json);
  json_end_object(json);
}

static void print_materials(json_writer *json, const animal_counts *counts) {
  json_key(json, "materials");
  json_begin_object(json);
  for (unsigned number = 0; number < 1U << (2 * ANIMALS); number++) {
    const animal_material m = {(uint8_t)number, (uint8_t)(number >> ANIMALS)};
    const animal_count *own = &counts->of[number];
    char name[2 * ANIMALS + 1];
    if (own->wins + own->draws + own->losses == 0) continue;
    animal_material_name(m, name);
    json_key(json, name);
    json_begin_array(json);
    json_unsigned(json, own->wins);
    json_unsigned(json, own->draws);
    json_unsigned(json, own->losses);
    json_end_array(json);
  }
  json_end_object(json);
}

static void print_counts(claim_tables *t, json_writer *json,
                         void (*read)(claim_tables *t, int pieces, animal_counts *out)) {
  animal_counts counts;
  read(t, t->job->pieces, &counts);
  if (!t->kept->error) {
    json_key(json, "totals");
    json_begin_array(json);
    for (int pieces = LEAST_PIECES; pieces <= counts.pieces; pieces++) print_pieces(t, json, &counts, pieces);
    json_end_array(json);
    print_materials(json, &counts);
  }
  animal_counts_free(&counts);
}

static void print_all(claim_tables *t, json_writer *json) {
  print_counts(t, json, animal_counts_read);
}

static void print_equal(claim_tables *t, json_writer *json) {
  print_counts(t, json, animal_counts_read_equal);
}

extern const figures figures_animal_counts, figures_animal_counts_equal;
const figures figures_animal_counts = {"animal-counts", "doushouqi", print_all};
const figures figures_animal_counts_equal = {"animal-counts-equal", "doushouqi", print_equal};
