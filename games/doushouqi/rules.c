/* Makes the tables of a rule set of Dou Shou Qi: the moves and captures of the animals. */
#include "games/doushouqi/rules.h"

#include <stdlib.h>

#include "games/registry.h"

enum { NO_ANIMAL = 0, RAT_ALONE = 1 << DSQ_RAT, ALL_ANIMALS = 0xFF };

static uint64_t square_bit(char file, int rank) {
  return dsq_bit((rank - 1) * DSQ_FILES + (file - 'a'));
}

static bool has_square(uint64_t squares, int square) {
  return squares >> square & 1;
}

/* --- the board --- */

static const uint64_t ALL_SQUARES = (UINT64_C(1) << DSQ_SQUARES) - 1;

static uint64_t traps_of(int side) {
  return side == DSQ_WHITE ? square_bit('c', 1) | square_bit('e', 1) | square_bit('d', 2)
                           : square_bit('c', 9) | square_bit('e', 9) | square_bit('d', 8);
}

static uint64_t water_squares(const game_rules *rules) {
  return rules->base.flag[DSQ_LAKES] == LAKES_PLAIN ? 0 : DSQ_WATER;
}

static uint64_t lake_of(int square) {
  uint64_t west = 0;
  for (int rank = 4; rank <= 6; rank++) west |= square_bit('b', rank) | square_bit('c', rank);
  return has_square(west, square) ? west : DSQ_WATER & ~west;
}

typedef struct {
  int files, ranks;
} direction;

static const direction directions[] = {{0, 1}, {-1, 0}, {1, 0}, {0, -1}};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

static int neighbour(int square, direction way) {
  const int file = square % DSQ_FILES + way.files, rank = square / DSQ_FILES + way.ranks;
  if (file < 0 || file >= DSQ_FILES || rank < 0 || rank >= DSQ_RANKS) return DSQ_NOWHERE;
  return rank * DSQ_FILES + file;
}

/* --- the animals --- */

static void rank_animals(game_rules *rules) {
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) rules->strength[animal] = (uint8_t)(animal + 1);
  if (rules->base.flag[DSQ_WOLF_OVER_DOG]) {
    rules->strength[DSQ_WOLF] = 4;
    rules->strength[DSQ_DOG] = 3;
  }
}

static bool takes(const game_rules *rules, int attacker, int victim) {
  if (attacker == DSQ_RAT && victim == DSQ_ELEPHANT) return true;
  if (attacker == DSQ_ELEPHANT && victim == DSQ_RAT) return rules->base.flag[DSQ_ELEPHANT_TAKES_RAT];
  return rules->strength[attacker] >= rules->strength[victim];
}

static bool drinks(const game_rules *rules, int animal) {
  return rules->base.flag[DSQ_LAKES] == LAKES_DRINK && animal != DSQ_RAT && animal != DSQ_CAT;
}

static uint64_t ground_of(const game_rules *rules, int animal) {
  const uint64_t dens = square_bit('d', 1) | square_bit('d', 9);
  const uint64_t land = ALL_SQUARES & ~dens & ~water_squares(rules);
  return animal == DSQ_RAT || drinks(rules, animal) ? land | water_squares(rules) : land;
}

static bool jumps(const game_rules *rules, int animal, direction way) {
  if (animal == DSQ_LION || animal == DSQ_TIGER) return true;
  if (animal != DSQ_LEOPARD || rules->base.flag[DSQ_LEOPARD_JUMPS] == LEOPARD_NONE) return false;
  return rules->base.flag[DSQ_LEOPARD_JUMPS] == LEOPARD_WIDE || way.ranks == 0;
}

static uint64_t weak_squares(const game_rules *rules, int side) {
  return traps_of(!side) | (rules->base.flag[DSQ_CLEARINGS] ? traps_of(side) : 0);
}

/* --- the moves --- */

/* A rat captures within water or within land and, with rat-shore=liacs, also a rat across the shore. Only
 * rats are captured in water. */
static uint8_t prey_of_rat(const game_rules *rules, bool from_water, bool to_water) {
  if (!from_water && !to_water) return ALL_ANIMALS;
  if (from_water && to_water) return RAT_ALONE;
  return rules->base.flag[DSQ_RAT_SHORE_LIACS] ? RAT_ALONE : NO_ANIMAL;
}

static bool make_step(const game_rules *rules, int animal, int from, int to, dsq_target *out) {
  const bool from_water = has_square(water_squares(rules), from),
             to_water = has_square(water_squares(rules), to);
  *out = (dsq_target){.to = (uint8_t)to, .prey = ALL_ANIMALS};
  if (animal == DSQ_RAT) {
    out->prey = prey_of_rat(rules, from_water, to_water);
    return true;
  }
  if (to_water && (from_water || !drinks(rules, animal))) return false;
  if (to_water) out->no_rat = lake_of(to);
  if (to_water || from_water) out->prey = NO_ANIMAL;
  return true;
}

static bool make_jump(const game_rules *rules, int animal, int from, direction way, dsq_target *out) {
  int to = neighbour(from, way);
  if (!jumps(rules, animal, way) || has_square(water_squares(rules), from) ||
      !has_square(water_squares(rules), to))
    return false;
  const uint64_t lake = lake_of(to);
  uint64_t crossed = 0;
  for (; has_square(water_squares(rules), to); to = neighbour(to, way)) crossed |= dsq_bit(to);
  *out = (dsq_target){.to = (uint8_t)to,
                      .prey = ALL_ANIMALS,
                      .no_rat = rules->base.flag[DSQ_JUMP_BLOCK_PATH] ? crossed : lake,
                      .no_drinker = rules->base.flag[DSQ_DRINKERS_BLOCK] ? crossed : 0};
  return true;
}

static void list_targets(game_rules *rules, int side, int animal, int from) {
  dsq_target *targets = rules->targets[side][animal][from];
  uint8_t *used = &rules->targets_used[side][animal][from];
  for (int i = 0; i < DIRECTIONS; i++) {
    const int to = neighbour(from, directions[i]);
    if (to == DSQ_NOWHERE || to == rules->den[side]) continue;
    if (make_step(rules, animal, from, to, &targets[*used])) ++*used;
    if (make_jump(rules, animal, from, directions[i], &targets[*used])) ++*used;
  }
}

static void list_sources(game_rules *rules, int side, int animal, int from) {
  for (int t = 0; t < rules->targets_used[side][animal][from]; t++) {
    const int to = rules->targets[side][animal][from][t].to;
    const int used = rules->sources_used[side][animal][to]++;
    rules->sources[side][animal][to][used] = (dsq_source){(uint8_t)from, (uint8_t)t};
  }
}

/* --- animals that move alike --- */

static bool same_target(const dsq_target *one, const dsq_target *other) {
  return one->to == other->to && one->prey == other->prey && one->no_rat == other->no_rat &&
         one->no_drinker == other->no_drinker;
}

static bool move_alike(const game_rules *rules, int one, int other) {
  if (rules->ground[one] != rules->ground[other]) return false;
  for (int side = 0; side < 2; side++) {
    for (int from = 0; from < DSQ_SQUARES; from++) {
      const uint8_t used = rules->targets_used[side][one][from];
      if (used != rules->targets_used[side][other][from]) return false;
      for (int t = 0; t < used; t++) {
        if (!same_target(&rules->targets[side][one][from][t], &rules->targets[side][other][from][t]))
          return false;
      }
    }
  }
  return true;
}

static void number_movements(game_rules *rules) {
  /* Moves into and over water treat rats unlike other animals. */
  const bool rat_alone = rules->base.flag[DSQ_LAKES] != LAKES_PLAIN;
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
    int like = rat_alone && animal != DSQ_RAT ? DSQ_RAT + 1 : DSQ_RAT;
    while (like < animal && !move_alike(rules, like, animal)) like++;
    rules->movement[animal] = (uint8_t)like;
  }
}

/* --- rule sets --- */

static void fill_tables(game_rules *rules) {
  rank_animals(rules);
  rules->den[DSQ_WHITE] = (uint8_t)__builtin_ctzll(square_bit('d', 1));
  rules->den[DSQ_BLACK] = (uint8_t)__builtin_ctzll(square_bit('d', 9));
  for (int side = 0; side < 2; side++) rules->weak[side] = weak_squares(rules, side);
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
    rules->ground[animal] = ground_of(rules, animal);
    for (int victim = 0; victim < DSQ_ANIMALS; victim++) {
      if (takes(rules, animal, victim)) rules->takes[animal] |= (uint8_t)(1 << victim);
    }
    for (int from = 0; from < DSQ_SQUARES; from++) {
      if (!has_square(rules->ground[animal], from)) continue;
      for (int side = 0; side < 2; side++) {
        list_targets(rules, side, animal, from);
        list_sources(rules, side, animal, from);
      }
    }
  }
  number_movements(rules);
}

tauler_error dsq_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  rule_choice choice;
  *out = NULL;
  if (cycles)
    return tauler_fail(
        message, TAULER_BAD_USAGE,
        "doushouqi has no --cycles: infinite play is drawn under all of its rules, not '%.60s'", cycles);
  tauler_error error = dsq_flags_read(name, &choice, message);
  if (!error) error = game_base_make(&doushouqi_game, &dsq_known_flags, &choice, sizeof **out, out, message);
  if (error) return error;
  fill_tables(*out);
  error = dsq_materials_open(*out, &(*out)->materials, message);
  if (error) {
    free(*out);
    *out = NULL;
  }
  return error;
}

void dsq_close(game_rules *rules) {
  if (!rules) return;
  dsq_materials_close(rules->materials);
  free(rules);
}
