/* Finds the ways from a position of a game of dice to the next ones, through rolls, choices and passes. */
#include "analysis/verify/verify_chance.h"

#include <stdlib.h>

#include "base/memory.h"

/* The most passes in a row, and the largest unit. Both are far more than any game needs, and small enough for
 * sums of gains in 64 bits. */
enum { MOST_PASSES = 1024, MOST_UNIT = 65536 };

typedef const chance_gain (*gain_rows)[CHANCE_MOST_QUANTITIES];

/* Moves and passes lead to no slices but this one and those whose cells are loaded. */
static tauler_error find_common_denominator(ways_reader *of) {
  const verify_set *set = of->set;
  of->unit = 1;
  for (uint32_t slice = 0; slice < set->slices; slice++) {
    if (slice != of->slice && !set->bounds[slice].bound[BOUND_LOWER][0]) continue;
    gain_rows rows;
    const size_t used = set->game->chance->gains(set->rules, slice, &rows);
    for (size_t i = 0; i < used * (size_t)of->quantities; i++) {
      const chance_gain gain = rows[i / (size_t)of->quantities][i % (size_t)of->quantities];
      if (gain.numerator < 0 || gain.denominator < 1) return TAULER_INTERNAL;
      of->unit = chance_common_multiple(of->unit, (uint64_t)gain.denominator);
      if (of->unit > MOST_UNIT) return TAULER_INTERNAL;
    }
  }
  return TAULER_OK;
}

tauler_error ways_open(const verify_set *set, uint32_t slice, ways_reader *out) {
  chance_quantities quantities;
  set->game->chance->quantities(set->rules, slice, &quantities);
  *out = (ways_reader){.set = set, .slice = slice, .quantities = quantities.used, .seats = quantities.seats};
  return find_common_denominator(out);
}

void ways_close(ways_reader *of) {
  game_moves_free(&of->moves);
  free(of->ways);
  of->ways = NULL;
  of->used = of->room = 0;
}

tauler_error ways_set_position(ways_reader *of, uint64_t index, bool *goes_on) {
  const game *game = of->set->game;
  const game_rules *rules = of->set->rules;
  uint8_t copies = 1;
  int value;
  *goes_on = false;
  if (game->copies) game->copies(rules, of->slice, index, 1, &copies);
  if (copies == 0) return TAULER_OK;
  game->position_at(rules, (game_place){of->slice, index}, &of->position);
  if (game->position_ended(rules, &of->position, &value)) return TAULER_OK;
  game_place place;
  if (!game->locate(rules, &of->position, &place) || place.slice != of->slice || place.index != index)
    return TAULER_INTERNAL;
  *goes_on = true;
  of->passes = game->chance->must_pass(rules, &of->position);
  of->first_seat = of->seats > 0 ? game->chance->first_seat(rules, &of->position) : 0;
  of->aim = game->chance->aim(rules, &of->position);
  return of->aim != 0 && of->quantities > 1 ? TAULER_INTERNAL : TAULER_OK;
}

static int seats_after_first(const ways_reader *of, const game_position *position) {
  if (of->seats == 0) return 0;
  const int seat = of->set->game->chance->first_seat(of->set->rules, position);
  return ((seat - of->first_seat) % of->seats + of->seats) % of->seats;
}

static tauler_error add_gain(const ways_reader *of, uint32_t slice, const game_position *position, int row,
                             chance_way *way) {
  gain_rows rows;
  const size_t used = of->set->game->chance->gains(of->set->rules, slice, &rows);
  if (row < 0 || (size_t)row >= used) return TAULER_INTERNAL;
  const int turn = seats_after_first(of, position);
  for (int q = 0; q < of->quantities; q++) {
    const chance_gain gain = rows[row][q];
    const uint64_t denominator = (uint64_t)gain.denominator;
    if (of->unit % denominator) return TAULER_INTERNAL;
    const int here = q < of->seats ? (q + turn) % of->seats : q;
    way->gain[here] += (uint64_t)gain.numerator * (of->unit / denominator);
  }
  return TAULER_OK;
}

/* True if the place has cells, with the same quantities as the slice of the reader. */
static bool leads_to_cells(const ways_reader *of, game_place to) {
  const verify_set *set = of->set;
  if (to.slice == of->slice) return to.index < set->game->positions(set->rules, to.slice);
  if (to.slice >= set->slices || !set->bounds[to.slice].bound[BOUND_LOWER][0]) return false;
  chance_quantities quantities;
  set->game->chance->quantities(set->rules, to.slice, &quantities);
  return quantities.used == of->quantities && quantities.seats == of->seats &&
         to.index < set->game->positions(set->rules, to.slice);
}

/* Adds the gains of the passes. Overwrites *position. */
static tauler_error follow_passes(const ways_reader *of, game_position *position, chance_way *way) {
  const game *game = of->set->game;
  const game_rules *rules = of->set->rules;
  for (int passes = 0; passes < MOST_PASSES; passes++) {
    int value;
    if (game->locate(rules, position, &way->to)) {
      way->turn = seats_after_first(of, position);
      return leads_to_cells(of, way->to) ? TAULER_OK : TAULER_INTERNAL;
    }
    way->to.slice = GAME_OVER;
    if (game->position_ended(rules, position, &value)) return TAULER_OK;
    if (!game->chance->must_pass(rules, position)) return TAULER_INTERNAL;
    game_moves moves = {0};
    tauler_error error = game->chance->moves(rules, position, CHANCE_CERTAIN, &moves);
    if (!error && moves.used != 1) error = TAULER_INTERNAL;
    if (!error) error = add_gain(of, game->slice_of(rules, position), position, moves.moves[0].gain, way);
    const bool over = !error && moves.moves[0].over;
    if (!error && !over) *position = moves.moves[0].child;
    game_moves_free(&moves);
    if (error || over) return error;
  }
  return TAULER_INTERNAL;
}

static tauler_error read_way(const ways_reader *of, game_move *move, chance_way *way) {
  *way = (chance_way){.to = {GAME_OVER, 0}};
  const tauler_error error = add_gain(of, of->slice, &of->position, move->gain, way);
  return error || move->over ? error : follow_passes(of, &move->child, way);
}

tauler_error ways_read(ways_reader *of, size_t roll) {
  const game *game = of->set->game;
  game_moves_free(&of->moves);
  of->used = 0;
  tauler_error error = game->chance->moves(of->set->rules, &of->position, roll, &of->moves);
  if (error) return error;
  const size_t n = of->moves.used;
  if (n == 0 || (n > 1 && (of->passes || of->aim == 0))) return TAULER_INTERNAL;
  if (!memory_make_room(&of->ways, &of->room, n, sizeof *of->ways)) return TAULER_NO_MEMORY;
  for (; of->used < n && !error; of->used++)
    error = read_way(of, &of->moves.moves[of->used], &of->ways[of->used]);
  return error;
}
