/* Finds the bounds of positions of games of dice, from tables or from their moves. */
#include "analysis/probe/chance_worth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/rounded.h"

/* A position without an index is valued by its moves. MOST_STEPS bounds this recursion: a pass takes one
 * step, a roll STEPS_OF_ROLL. */
enum { MOST_STEPS = 64, STEPS_OF_ROLL = 32 };

/* --- sides --- */

/* True if there is a single quantity, that of seat 1, from which that of seat 2 follows. */
static bool has_shared_quantity(const chance_quantities *quantities) {
  const char *name = quantities->list[0].name;
  const size_t n = strlen(name);
  return quantities->used == 1 && quantities->seats == 0 && isfinite(quantities->list[0].most) && n > 2 &&
         strcmp(name + n - 2, "-1") == 0;
}

chance_side chance_side_of(const tauler_tables *tables, const chance_quantities *quantities,
                           const game_position *position) {
  const game *g = tables->game;
  const int aim = g->chance->aim(tables->rules, position);
  const long seat = strtol(g->turn(tables->rules, position), NULL, 10) - 1;
  if (quantities->seats)
    return (chance_side){g->chance->first_seat(tables->rules, position), false, quantities->seats};
  if (has_shared_quantity(quantities)) return (chance_side){0, aim ? aim < 0 : seat == 1, 2};
  if (quantities->used == 1 || aim) return (chance_side){0, aim < 0, 1};
  const bool is_seat = seat >= 0 && seat < quantities->used;
  return (chance_side){is_seat ? (int)seat : 0, false, quantities->used};
}

/* Returns `most` less the worth, or the negated worth if `most` is infinite. */
static tauler_worth worth_for_other_side(tauler_worth worth, double most) {
  const double whole = isfinite(most) ? most : 0;
  return worth_between(rounded_sum(whole, -worth.upper, ROUND_BELOW),
                       rounded_sum(whole, -worth.lower, ROUND_ABOVE));
}

tauler_worth chance_worth_from_values(const chance_quantities *quantities, chance_side side,
                                      const chance_values *values) {
  if (!values->known || side.quantity >= values->used) return worth_unknown;
  const tauler_worth worth = worth_between(values->lower[side.quantity], values->upper[side.quantity]);
  return side.falling ? worth_for_other_side(worth, quantities->list[side.quantity].most) : worth;
}

/* Percentages are shown with one decimal, so 50.0 % is neither a win nor a loss. */
tauler_category chance_category(tauler_worth worth, double most, chance_side side) {
  if (!worth.known || side.seats != 2 || !isfinite(most)) return TAULER_UNKNOWN;
  if (worth.lower >= most * 0.5005) return TAULER_WIN;
  if (worth.upper < most * 0.4995) return TAULER_LOSS;
  return worth.lower == most / 2 && worth.upper == most / 2 ? TAULER_DRAW : TAULER_UNKNOWN;
}

/* Returns how many of the shown quantities belong to one seat each: those that rotate or, if none rotates,
 * all if their names end with the numbers of the seats, otherwise 0. */
static int count_seats(const chance_quantities *quantities) {
  if (has_shared_quantity(quantities)) return 2;
  for (int i = 0; !quantities->seats && i < quantities->used; i++) {
    const char *dash = strrchr(quantities->list[i].name, '-');
    if (!dash || strtol(dash + 1, NULL, 10) != i + 1) return 0;
  }
  return quantities->seats ? quantities->seats : quantities->used;
}

shown_quantities chance_show_quantities(const chance_quantities *quantities, const chance_values *values) {
  shown_quantities out = {.used = quantities->used + has_shared_quantity(quantities),
                          .seats = count_seats(quantities)};
  for (int i = 0; i < out.used; i++) {
    const bool other = i == quantities->used; /* the quantity of seat 2, computed from that of seat 1 */
    char *name = out.list[i].name;
    memcpy(name, quantities->list[other ? 0 : i].name, CHANCE_NAME_BYTES);
    if (other) name[strlen(name) - 1] = '2';
    out.list[i].worth = chance_worth_from_values(quantities, (chance_side){other ? 0 : i, other, 0}, values);
  }
  return out;
}

/* --- quantities --- */

/* Returns the place of quantity s in chance_values: its seat if it rotates, otherwise s. */
static int slot_of_quantity(const chance_quantities *quantities, int first_seat, int s) {
  return s < quantities->seats ? (first_seat + s) % quantities->seats : s;
}

tauler_error chance_set_bounds(const tauler_tables *tables, const chance_quantities *quantities,
                               int first_seat, int s, double lower, double upper, chance_values *values,
                               tauler_message *message) {
  const int at = slot_of_quantity(quantities, first_seat, s);
  values->lower[at] = lower;
  values->upper[at] = upper;
  if (lower <= upper) return TAULER_OK; /* this also excludes NaN */
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "the tables of %s in %.300s contradict each other: a lower bound is above its upper "
                     "one; check them with tauler verify, or build them again",
                     tables->game->name, tables->db->folder);
}

static tauler_worth worth_for_mover(const tauler_tables *tables, const chance_quantities *quantities,
                                    const game_position *position, const chance_values *values) {
  return chance_worth_from_values(quantities, chance_side_of(tables, quantities, position), values);
}

static tauler_error read_quantities(tauler_tables *tables, game_place place, int first_seat,
                                    chance_values *out, tauler_message *message) {
  slice_entry *entry = slice_entry_of(tables, place.slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  tauler_error error = TAULER_OK;
  out->used = entry->quantities.used;
  for (int s = 0; s < out->used && !error; s++) {
    double cells[2];
    for (int bound = 0; bound < 2 && !error; bound++) {
      const table *from;
      error = slice_table(tables, entry, bound ? STREAMS_UPPER : STREAMS_LOWER, s, &from, message);
      if (!error) error = table_get_real(from, tables->db->cache, place.index, &cells[bound], message);
    }
    if (!error)
      error = chance_set_bounds(tables, &entry->quantities, first_seat, s, cells[0], cells[1], out, message);
  }
  out->known = !error;
  return error;
}

static tauler_error values_within_steps(tauler_tables *tables, const game_position *position, int steps,
                                        chance_values *out, tauler_message *message);

/* Adds the gains of a move, a row of the game's table. Rotating quantities are first in a row, beginning with
 * that of the seat to roll. */
static tauler_error add_gain(const tauler_tables *tables, const game_position *position,
                             const chance_quantities *quantities, const game_move *move,
                             chance_values *values, tauler_message *message) {
  const game_chance *chance = tables->game->chance;
  const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
  const size_t n = chance->gains(tables->rules, tables->game->slice_of(tables->rules, position), &rows);
  if (move->gain == 0) return TAULER_OK;
  if (move->gain < 0 || (size_t)move->gain >= n) {
    return tauler_fail(message, TAULER_INTERNAL, "a move of %s gains by a row that there is not",
                       tables->game->name);
  }
  const int first = chance->first_seat(tables->rules, position);
  for (int s = 0; s < quantities->used; s++) {
    const chance_gain gain = rows[move->gain][s];
    const int at = slot_of_quantity(quantities, first, s);
    values->lower[at] = rounded_sum(
        values->lower[at], rounded_quotient(gain.numerator, gain.denominator, ROUND_BELOW), ROUND_BELOW);
    values->upper[at] = rounded_sum(
        values->upper[at], rounded_quotient(gain.numerator, gain.denominator, ROUND_ABOVE), ROUND_ABOVE);
  }
  return TAULER_OK;
}

/* *child becomes the quantities after the move, all 0 if the game is over, and *out these with the gains of
 * the move added. */
static tauler_error values_of_move(tauler_tables *tables, const game_position *position,
                                   const chance_quantities *quantities, const game_move *move, int steps,
                                   chance_values *child, chance_values *out, tauler_message *message) {
  tauler_error error = TAULER_OK;
  *child = (chance_values){.known = move->over, .used = quantities->used};
  if (!move->over) error = values_within_steps(tables, &move->child, steps, child, message);
  *out = *child;
  return error ? error : add_gain(tables, position, quantities, move, out, message);
}

static void update_best_bounds(int aim, bool first, const chance_values *choice, chance_values *best) {
  if (first) *best = *choice;
  if (first || aim == 0) return;
  best->lower[0] = aim > 0 ? fmax(best->lower[0], choice->lower[0]) : fmin(best->lower[0], choice->lower[0]);
  best->upper[0] = aim > 0 ? fmax(best->upper[0], choice->upper[0]) : fmin(best->upper[0], choice->upper[0]);
}

static tauler_error values_under_roll(tauler_tables *tables, const game_position *position,
                                      const chance_quantities *quantities, size_t roll, int steps,
                                      chance_values *out, tauler_message *message) {
  const game_chance *chance = tables->game->chance;
  const int aim = chance->aim(tables->rules, position);
  game_moves moves = {0};
  tauler_error error = chance->moves(tables->rules, position, roll, &moves);
  if (error) error = tauler_fail(message, error, "the moves of a position could not be listed");
  if (!error && moves.used == 0)
    error = tauler_fail(message, TAULER_INTERNAL, "%s has a roll without moves", tables->game->name);
  for (size_t i = 0; i < moves.used && !error; i++) {
    chance_values child, choice;
    error = values_of_move(tables, position, quantities, &moves.moves[i], steps, &child, &choice, message);
    if (!error) update_best_bounds(aim, i == 0, &choice, out);
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error values_of_rolls(tauler_tables *tables, const game_position *position,
                                    const chance_quantities *quantities, int steps, chance_values *out,
                                    tauler_message *message) {
  const chance_roll *rolls;
  const size_t n = tables->game->chance->rolls(tables->rules, &rolls);
  uint32_t weights = 0;
  for (size_t roll = 0; roll < n; roll++) {
    chance_values under;
    const tauler_error error = values_under_roll(tables, position, quantities, roll, steps, &under, message);
    if (error) return error;
    weights += rolls[roll].weight;
    for (int s = 0; s < quantities->used; s++) {
      const double weight = rolls[roll].weight;
      out->lower[s] =
          rounded_sum(out->lower[s], rounded_product(weight, under.lower[s], ROUND_BELOW), ROUND_BELOW);
      out->upper[s] =
          rounded_sum(out->upper[s], rounded_product(weight, under.upper[s], ROUND_ABOVE), ROUND_ABOVE);
    }
  }
  for (int s = 0; s < quantities->used; s++) {
    out->lower[s] = rounded_quotient(out->lower[s], weights, ROUND_BELOW);
    out->upper[s] = rounded_quotient(out->upper[s], weights, ROUND_ABOVE);
  }
  return TAULER_OK;
}

static tauler_error values_through_moves(tauler_tables *tables, const game_position *position, int steps,
                                         chance_values *out, tauler_message *message) {
  const slice_entry *entry = slice_entry_of(tables, tables->game->slice_of(tables->rules, position), message);
  if (!entry) return TAULER_NO_MEMORY;
  const bool passes = tables->game->chance->must_pass(tables->rules, position);
  steps -= passes ? 1 : STEPS_OF_ROLL;
  if (steps < 0) {
    return tauler_fail(message, TAULER_INTERNAL, "%s has positions without index that go on for too long",
                       tables->game->name);
  }
  *out = (chance_values){.used = entry->quantities.used};
  const tauler_error error =
      passes ? values_under_roll(tables, position, &entry->quantities, CHANCE_CERTAIN, steps, out, message)
             : values_of_rolls(tables, position, &entry->quantities, steps, out, message);
  out->known = !error;
  return error;
}

static tauler_error values_within_steps(tauler_tables *tables, const game_position *position, int steps,
                                        chance_values *out, tauler_message *message) {
  const game *g = tables->game;
  game_place place;
  int value;
  *out = (chance_values){.known = false};
  const uint32_t slice = g->slice_of(tables->rules, position);
  if (slice == GAME_NO_SLICE) return fail_beyond_tables(tables, position, message);
  slice_entry *entry = slice_entry_of(tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  /* The table is looked for before the index, since laying out the index of a slice that is too large to
   * build may take hours or fail. */
  const table *from;
  const tauler_error missing = slice_table(tables, entry, STREAMS_LOWER, 0, &from, message);
  if (missing && !g->position_ended(tables->rules, position, &value)) return missing;
  if (!missing && g->locate(tables->rules, position, &place))
    return read_quantities(tables, place, g->chance->first_seat(tables->rules, position), out, message);
  if (!g->position_ended(tables->rules, position, &value))
    return values_through_moves(tables, position, steps, out, message);
  *out = (chance_values){.known = true, .used = entry->quantities.used};
  return TAULER_OK;
}

tauler_error chance_values_of(tauler_tables *tables, const game_position *position, chance_values *out,
                              tauler_message *message) {
  return values_within_steps(tables, position, MOST_STEPS, out, message);
}

tauler_error chance_worth_of(tauler_tables *tables, const game_position *position, bool with_depths,
                             tauler_worth *worth, tauler_message *message) {
  (void)with_depths; /* games of dice have none */
  chance_values values;
  *worth = worth_unknown;
  const tauler_error error = chance_values_of(tables, position, &values, message);
  if (error) return error;
  const slice_entry *entry = slice_entry_of(tables, tables->game->slice_of(tables->rules, position), message);
  if (!entry) return TAULER_NO_MEMORY;
  *worth = worth_for_mover(tables, &entry->quantities, position, &values);
  return TAULER_OK;
}

tauler_error chance_worth_at(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                             tauler_message *message) {
  (void)with_depths;
  game_position position;
  chance_values values;
  const slice_entry *entry = slice_entry_of(tables, place.slice, message);
  *worth = worth_unknown;
  if (!entry) return TAULER_NO_MEMORY;
  tables->game->position_at(tables->rules, place, &position);
  const int first_seat = tables->game->chance->first_seat(tables->rules, &position);
  const tauler_error error = read_quantities(tables, place, first_seat, &values, message);
  if (!error) *worth = worth_for_mover(tables, &entry->quantities, &position, &values);
  return error;
}

/* --- moves under a roll --- */

static int compare_numbers(double a, double b) {
  return (a > b) - (a < b);
}

static int compare_by_bounds(const void *left, const void *right) {
  const ranked_move *l = &((const chance_move *)left)->ranked, *r = &((const chance_move *)right)->ranked;
  if (l->worth.known != r->worth.known) return l->worth.known ? -1 : 1;
  int order = 0;
  if (l->worth.known) {
    order = compare_numbers(r->worth.lower, l->worth.lower);
    if (!order) order = compare_numbers(r->worth.upper, l->worth.upper);
  }
  return order ? order : (l->order > r->order) - (l->order < r->order);
}

static tauler_worth child_worth(tauler_tables *tables, const game_move *move, const chance_values *child) {
  if (move->over || !child->known) return worth_unknown;
  const slice_entry *entry =
      slice_entry_of(tables, tables->game->slice_of(tables->rules, &move->child), NULL);
  if (!entry) return worth_unknown; /* cannot happen: the entry was added when `child` was computed */
  return worth_for_mover(tables, &entry->quantities, &move->child, child);
}

tauler_error chance_rank_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                               chance_move *ranked, tauler_message *message) {
  const uint32_t slice = tables->game->slice_of(tables->rules, position);
  static const chance_quantities none = {0};
  const slice_entry *entry = NULL;
  if (slice != GAME_NO_SLICE && !(entry = slice_entry_of(tables, slice, message))) return TAULER_NO_MEMORY;
  const chance_quantities *quantities = entry ? &entry->quantities : &none;
  tauler_error result = entry ? TAULER_OK : fail_beyond_tables(tables, position, message);
  for (size_t i = 0; i < moves->used; i++) {
    const game_move *move = &moves->moves[i];
    chance_move *to = &ranked[i];
    *to = (chance_move){{i, move->converts || move->over, worth_unknown, worth_unknown}, false};
    if (!entry) continue;
    chance_values child, values;
    const tauler_error error =
        values_of_move(tables, position, quantities, move, MOST_STEPS, &child, &values, message);
    if (error && error != TAULER_TABLE_MISSING) return error;
    if (error) result = error;
    if (error) continue;
    to->ranked.worth = worth_for_mover(tables, quantities, position, &values);
    to->ranked.child = child_worth(tables, move, &child);
  }
  if (moves->used) qsort(ranked, moves->used, sizeof *ranked, compare_by_bounds);
  for (size_t i = 0; i < moves->used && !result; i++)
    ranked[i].best = ranked[i].ranked.worth.upper >= ranked[0].ranked.worth.lower;
  return result;
}
