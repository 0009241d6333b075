/* Measures builds of Dou Shou Qi and counts its positions by material. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench_moves.h"
#include "analysis/bench/bench_trial.h"
#include "analysis/probe/tauler.h"
#include "games/registry.h"

/* By the base rules of the rule book: squares of animals that swim and of the others, and those of either on
 * the middle file; and positions over all ordered materials of 2, 3 and 4 pieces, White to move. */
enum { SWIMMERS = 61, WALKERS = 49, IN_THE_MIDDLE = 7, ANIMALS = 8, LEAST_PIECES = 2 };
static const uint64_t ordered_positions[] = {0, 0, 160068, 54355896, 9685376064};
enum { PUBLISHED = sizeof ordered_positions / sizeof *ordered_positions };

/* The same: values of two pieces. */
typedef struct {
  uint64_t wins, draws, losses;
} outcomes;
static const outcomes two_pieces = {82525, 13568, 63975};

/* The animals on the board, a bit for each of either side, and how many positions they have. */
typedef struct {
  uint64_t pieces;
  uint64_t positions; /* mirror images counted */
  uint64_t cells; /* up to the mirror: both images where the two pieces of fewest squares are in the middle */
} material;

enum { RATS = 1 | 1 << ANIMALS, ONE_SIDE = (1 << ANIMALS) - 1, MATERIALS = 1 << 2 * ANIMALS };

static material material_of(unsigned bits) {
  material of = {.pieces = (uint64_t)__builtin_popcount(bits), .positions = 1};
  const uint64_t walkers = of.pieces - (uint64_t)__builtin_popcount(bits & RATS);
  uint64_t central = IN_THE_MIDDLE * (IN_THE_MIDDLE - 1);
  for (uint64_t i = 0; i < of.pieces; i++) {
    const uint64_t squares = (i < walkers ? WALKERS : SWIMMERS) - i;
    of.positions *= squares;
    if (i >= 2) central *= squares;
  }
  of.cells = (of.positions + central) / 2;
  return of;
}

/* 0: this is no material. */
static unsigned read_material(const char *name) {
  static const char letters[] = "rcwdptle";
  unsigned bits = 0;
  for (; *name; name++) {
    const char *letter = strchr(letters, tolower((unsigned char)*name));
    if (!letter) return 0;
    bits |= 1u << (letter - letters + (isupper((unsigned char)*name) ? 0 : ANIMALS));
  }
  return bits;
}

/* Over all ordered materials of so many pieces, both sides with one at least. */
static void count_ordered(uint64_t pieces, uint64_t *materials, uint64_t *positions) {
  *materials = *positions = 0;
  for (unsigned bits = 0; bits < MATERIALS; bits++) {
    if (material_of(bits).pieces != pieces || !(bits & ONE_SIDE) || !(bits >> ANIMALS)) continue;
    ++*materials;
    *positions += material_of(bits).positions;
  }
}

/* Rows of statistics that were asked for: each ordered material once, with as many cells as it must have. */
typedef struct {
  bool seen[MATERIALS];
  uint64_t materials;
} census;

static tauler_error count_part(census *count, const game_part *part, uint64_t pieces,
                               tauler_message *message) {
  const unsigned bits = read_material(part->name);
  const material known = material_of(bits);
  if (known.pieces != pieces || known.cells != part->count || count->seen[bits])
    return tauler_fail(message, TAULER_NOT_PROVEN,
                       "the material %.20s has %llu cells, or should not be there at all", part->name,
                       (unsigned long long)part->count);
  count->seen[bits] = true;
  count->materials++;
  return TAULER_OK;
}

static tauler_error count_slice(census *count, const bench_built *built, const game_slice *slice,
                                uint64_t pieces, tauler_message *message) {
  game_part part;
  uint64_t end = 0;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; !error && built->game->part(built->rules, slice->slice, i, &part); i++) {
    error = count_part(count, &part, pieces, message);
    if (part.first + part.count > end) end = part.first + part.count;
  }
  if (error || end == slice->positions) return error;
  return tauler_fail(message, TAULER_NOT_PROVEN, "slice %u has %llu cells, but its materials have %llu",
                     slice->slice, (unsigned long long)slice->positions, (unsigned long long)end);
}

static tauler_error check_census(const census *count, uint64_t pieces, tauler_message *message) {
  uint64_t materials, positions;
  count_ordered(pieces, &materials, &positions);
  if (count->materials != materials)
    return tauler_fail(message, TAULER_NOT_PROVEN, "there are %llu materials of %llu pieces instead of %llu",
                       (unsigned long long)count->materials, (unsigned long long)pieces,
                       (unsigned long long)materials);
  if (pieces < PUBLISHED && positions != ordered_positions[pieces])
    return tauler_fail(message, TAULER_NOT_PROVEN, "there are %llu positions of %llu pieces instead of %llu",
                       (unsigned long long)positions, (unsigned long long)pieces,
                       (unsigned long long)ordered_positions[pieces]);
  return TAULER_OK;
}

static tauler_error count_outcomes(const bench_built *built, tauler_tables *tables, uint32_t slice,
                                   outcomes *found, tauler_message *message) {
  game_part part;
  tauler_error error = TAULER_OK;
  for (size_t p = 0; !error && built->game->part(built->rules, slice, p, &part); p++) {
    for (uint64_t i = part.first; !error && i < part.first + part.count; i++) {
      tauler_worth worth;
      uint8_t copies;
      built->game->copies(built->rules, slice, i, 1, &copies);
      error = tauler_value_at(tables, slice, i, &worth, message);
      if (error) break;
      *(worth.lower > 0 ? &found->wins : worth.lower < 0 ? &found->losses : &found->draws) += copies;
    }
  }
  return error;
}

/* All else stands on the slices of two pieces, whose values are known. */
static tauler_error check_two_pieces(const bench_trial *trial, const bench_built *built,
                                     tauler_message *message) {
  const game_request request = {.largest = "2"};
  game_slices slices = {0};
  outcomes found = {0, 0, 0};
  tauler *db = NULL;
  tauler_tables *tables = NULL;
  tauler_error error = built->game->slices(built->rules, &request, &slices, message);
  if (!error) error = tauler_open(built->folder, NULL, &db, message);
  if (!error) error = tauler_select(db, trial->game->name, trial->rules, trial->cycles, &tables, message);
  for (size_t i = 0; i < slices.used && !error; i++)
    error = count_outcomes(built, tables, slices.slices[i].slice, &found, message);
  tauler_close(db);
  free(slices.slices);
  if (error) return error;
  if (found.wins == two_pieces.wins && found.draws == two_pieces.draws && found.losses == two_pieces.losses)
    return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN,
                     "two pieces have %llu wins, %llu draws and %llu losses, not what is published",
                     (unsigned long long)found.wins, (unsigned long long)found.draws,
                     (unsigned long long)found.losses);
}

static tauler_error check_animals(const bench_trial *trial, const bench_built *built,
                                  tauler_message *message) {
  census *count = calloc(1, sizeof *count);
  if (!count) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of materials");
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < built->slices->used && !error; i++) {
    const game_slice *slice = &built->slices->slices[i];
    if (slice->asked) error = count_slice(count, built, slice, trial->size, message);
  }
  if (!error) error = check_census(count, trial->size, message);
  free(count);
  return error ? error : check_two_pieces(trial, built, message);
}

/* Base rules, values with distances. */
static bench_trial animals_trial(const bench *bench, uint64_t pieces, int threads) {
  return (bench_trial){.game = game_find("doushouqi"),
                       .rules = "base",
                       .size = bench_size_or(bench->pieces, pieces),
                       .level = 9,
                       .threads = threads,
                       .depths = true,
                       .check = check_animals};
}

static uint64_t ordered_of(uint64_t pieces) {
  uint64_t materials, positions;
  count_ordered(pieces, &materials, &positions);
  return positions;
}

static double bits_per_ordered(const bench_trial *trial, const bench_result *result) {
  return 8 * (double)result->asked_bytes / (double)ordered_of(trial->size);
}

/* Reports counts by ordered material, mirror images included, as others count; `solved` sums them up to
 * trial->size pieces.
 */
static tauler_error build_animals(bench *bench, const bench_trial *trial, bench_result *result,
                                  tauler_message *message) {
  const tauler_error error = bench_build_and_report(bench, trial, result, message);
  if (error) return error;
  uint64_t solved = 0;
  for (uint64_t pieces = LEAST_PIECES; pieces <= trial->size; pieces++) solved += ordered_of(pieces);
  json_field_unsigned(bench->json, "ordered_positions", ordered_of(trial->size));
  json_field_unsigned(bench->json, "ordered_positions_solved", solved);
  bench_number(bench, "ordered_positions_per_cpu_second", (double)solved / bench_solving(result));
  bench_number(bench, "table_bits_per_ordered_position", bits_per_ordered(trial, result));
  return TAULER_OK;
}

static tauler_error bench_animals(bench *bench, tauler_message *message) {
  bench_trial trial = animals_trial(bench, 3, 1);
  bench_result result, small;
  tauler_error error = build_animals(bench, &trial, &result, message);
  if (error) return error;
  trial.level = 19;
  trial.threads = bench->threads;
  error = bench_build(bench, bench->scratch, &trial, &small, message);
  if (error) return error;
  bench_number(bench, "table_bits_per_ordered_position_at_level_19", bits_per_ordered(&trial, &small));
  if (strcmp(result.digest_of_all, small.digest_of_all) == 0) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "the tables differ from those of another compression level");
}

static tauler_error bench_animals_four(bench *bench, tauler_message *message) {
  const bench_trial trial = animals_trial(bench, 4, 1);
  bench_result result;
  return build_animals(bench, &trial, &result, message);
}

static tauler_error bench_animals_large(bench *bench, tauler_message *message) {
  const bench_trial trial = animals_trial(bench, 4, bench->threads);
  bench_result result;
  return build_animals(bench, &trial, &result, message);
}

static tauler_error bench_moves(bench *bench, tauler_message *message) {
  static const uint64_t published[] = {24, 576, 12240, 260099, 5112638};
  const bench_walk walk = {game_find("doushouqi"),
                           "base",
                           "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w",
                           7,
                           published,
                           sizeof published / sizeof *published};
  return bench_count_lines(bench, &walk, message);
}

const benchmark bench_of_doushouqi[] = {
    {"animals", "dou shou qi, values and depths of all materials, one thread", false, bench_animals},
    {"moves", "dou shou qi, lines of play from the start, one thread", false, bench_moves},
    {"animals-four", "dou shou qi, materials of up to 4 pieces, one thread", true, bench_animals_four},
    {"animals-large", "dou shou qi, materials of up to 4 pieces, all threads", true, bench_animals_large},
    {NULL, NULL, false, NULL}};
