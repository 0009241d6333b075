/* Lists and makes the legal moves of a position of Dou Shou Qi, and counts lines of moves. */
#include "games/doushouqi/moves.h"

#include <string.h>

typedef struct {
  uint64_t men[2];
  uint64_t rats, others; /* occupied squares of both sides */
} crowd;

static crowd crowd_of(const dsq_position *position) {
  crowd all = {{0, 0}, 0, 0};
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int square = position->square[side][animal];
      if (square == DSQ_NOWHERE) continue;
      all.men[side] |= dsq_bit(square);
      *(animal == DSQ_RAT ? &all.rats : &all.others) |= dsq_bit(square);
    }
  }
  return all;
}

static int animal_on(const uint8_t square[DSQ_ANIMALS], int wanted) {
  int animal = 0;
  while (animal < DSQ_ANIMALS && square[animal] != wanted) animal++;
  return animal;
}

static bool has_won(const game_rules *rules, const crowd *all, int side) {
  return all->men[!side] == 0 || (all->men[side] & dsq_bit(rules->den[!side]));
}

/* `victim` is the other side's animal on the target, if there is one. */
static inline bool may_go(const game_rules *rules, const crowd *all, int side, int animal,
                          const dsq_target *target, int victim) {
  const uint64_t to = dsq_bit(target->to);
  if (all->men[side] & to || !dsq_way_is_free(target, all->rats, all->others)) return false;
  return !(all->men[!side] & to) || dsq_may_capture(rules, target, animal, !side, victim);
}

static bool is_single(uint64_t men) {
  return !(men & (men - 1));
}

size_t dsq_list_moves(const game_rules *rules, const dsq_position *position, dsq_move out[DSQ_MOST_MOVES]) {
  const crowd all = crowd_of(position);
  const int side = position->side;
  size_t used = 0;
  if (has_won(rules, &all, side) || has_won(rules, &all, !side)) return 0;
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
    const int from = position->square[side][animal];
    if (from == DSQ_NOWHERE) continue;
    for (int t = 0; t < rules->targets_used[side][animal][from]; t++) {
      const dsq_target *target = &rules->targets[side][animal][from][t];
      const bool takes = all.men[!side] & dsq_bit(target->to);
      const int taken = takes ? animal_on(position->square[!side], target->to) : DSQ_NOBODY;
      if (!may_go(rules, &all, side, animal, target, taken)) continue;
      const bool last = takes && is_single(all.men[!side]);
      out[used++] = (dsq_move){.animal = (uint8_t)animal,
                               .from = (uint8_t)from,
                               .to = target->to,
                               .taken = (uint8_t)taken,
                               .wins = last || target->to == rules->den[!side]};
    }
  }
  return used;
}

void dsq_play(dsq_position *position, const dsq_move *move) {
  const int side = position->side;
  position->square[side][move->animal] = move->to;
  if (move->taken != DSQ_NOBODY) position->square[!side][move->taken] = DSQ_NOWHERE;
  position->side = !side;
}

/* --- numbers of lines --- */

/* Targets as sets of squares. Other pieces may bar the way to `bound`, but not to `open`. */
typedef struct {
  uint64_t open, bound;
} reach;

typedef struct {
  const game_rules *rules;
  bool made;
  crowd all;
  uint8_t square[2][DSQ_ANIMALS];
  uint8_t on[DSQ_SQUARES + 1]; /* animal on an occupied square */
  reach reaches[2][DSQ_ANIMALS][DSQ_SQUARES + 1];
} counting;

static void begin_counting(counting *c, const game_rules *rules, const dsq_position *position, bool made) {
  memset(c, 0, sizeof *c);
  c->rules = rules;
  c->made = made;
  c->all = crowd_of(position);
  memcpy(c->square, position->square, sizeof c->square);
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      c->on[position->square[side][animal]] = (uint8_t)animal;
      for (int from = 0; from < DSQ_SQUARES; from++) {
        reach *r = &c->reaches[side][animal][from];
        for (int t = 0; t < rules->targets_used[side][animal][from]; t++) {
          const dsq_target *target = &rules->targets[side][animal][from][t];
          *(target->no_rat | target->no_drinker ? &r->bound : &r->open) |= dsq_bit(target->to);
        }
      }
    }
  }
}

/* Tests each target, since some are occupied or have a condition. */
static uint64_t find_targets(const counting *c, int side, int animal, int from) {
  uint64_t may = 0;
  for (int t = 0; t < c->rules->targets_used[side][animal][from]; t++) {
    const dsq_target *target = &c->rules->targets[side][animal][from][t];
    if (may_go(c->rules, &c->all, side, animal, target, c->on[target->to])) may |= dsq_bit(target->to);
  }
  return may;
}

static inline uint64_t targets_of(const counting *c, int side, int animal, int from) {
  const reach *r = &c->reaches[side][animal][from];
  const bool plain = !(r->open & c->all.men[!side]) && !(r->bound & ~c->all.men[side]);
  return plain ? r->open & ~c->all.men[side] : find_targets(c, side, animal, from);
}

/* This loop is fast for sets of few squares. */
static inline uint64_t count_bits(uint64_t set) {
  uint64_t n = 0;
  for (; set; set &= set - 1) n++;
  return n;
}

static inline void move_animal(counting *c, int side, int animal, int from, int to) {
  const uint64_t change = dsq_bit(from) ^ dsq_bit(to);
  c->all.men[side] ^= change;
  *(animal == DSQ_RAT ? &c->all.rats : &c->all.others) ^= change;
  c->square[side][animal] = (uint8_t)to;
  c->on[to] = (uint8_t)animal;
}

/* Removes a captured animal from the board (`to` is DSQ_NOWHERE) or puts it back (`from` is DSQ_NOWHERE). */
static inline void capture_animal(counting *c, int side, int animal, int from, int to) {
  const uint64_t change = dsq_bit(from != DSQ_NOWHERE ? from : to);
  c->all.men[side] ^= change;
  *(animal == DSQ_RAT ? &c->all.rats : &c->all.others) ^= change;
  c->square[side][animal] = (uint8_t)to;
}

static uint64_t count_leaves(counting *c, int side, int plies);

static uint64_t count_after_move(counting *c, int side, int animal, int from, int to, int plies) {
  const bool takes = c->all.men[!side] & dsq_bit(to);
  const int taken = c->on[to];
  const bool wins = to == c->rules->den[!side] || (takes && is_single(c->all.men[!side]));
  if (takes) capture_animal(c, !side, taken, to, DSQ_NOWHERE);
  move_animal(c, side, animal, from, to);
  const uint64_t leaves = wins ? plies == 0 : count_leaves(c, !side, plies);
  move_animal(c, side, animal, to, from);
  if (takes) {
    capture_animal(c, !side, taken, DSQ_NOWHERE, to);
    c->on[to] = (uint8_t)taken;
  }
  return leaves;
}

static uint64_t count_leaves(counting *c, int side, int plies) {
  if (plies == 0) return 1;
  const bool alone = plies == 1 && !c->made;
  uint64_t leaves = 0;
  for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
    const int from = c->square[side][animal];
    if (from == DSQ_NOWHERE) continue;
    uint64_t targets = targets_of(c, side, animal, from);
    if (alone) {
      leaves += count_bits(targets);
      continue;
    }
    for (; targets; targets &= targets - 1)
      leaves += count_after_move(c, side, animal, from, __builtin_ctzll(targets), plies - 1);
  }
  return leaves;
}

uint64_t dsq_leaves(const game_rules *rules, const game_position *game, int plies, bool made) {
  const dsq_position position = dsq_from_game(game);
  counting c;
  begin_counting(&c, rules, &position, made);
  const bool over = has_won(rules, &c.all, DSQ_WHITE) || has_won(rules, &c.all, DSQ_BLACK);
  return over ? plies == 0 : count_leaves(&c, position.side, plies);
}

/* --- members of game.h --- */

tauler_error dsq_moves(const game_rules *rules, const game_position *game, game_moves *out) {
  const dsq_position position = dsq_from_game(game);
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, &position, moves);
  for (size_t i = 0; i < n; i++) {
    char name[5];
    dsq_square_name(moves[i].from, name);
    dsq_square_name(moves[i].to, name + 2);
    game_move move = {.name = name,
                      .gain = moves[i].wins,
                      .over = moves[i].wins,
                      .converts = moves[i].wins || moves[i].taken != DSQ_NOBODY};
    dsq_position child = position;
    dsq_play(&child, &moves[i]);
    dsq_to_game(&child, &move.child);
    const tauler_error error = game_moves_add(out, &move);
    if (error) return error;
  }
  return TAULER_OK;
}

bool dsq_position_ended(const game_rules *rules, const game_position *game, int *value) {
  const dsq_position position = dsq_from_game(game);
  const crowd all = crowd_of(&position);
  dsq_move moves[DSQ_MOST_MOVES];
  if (has_won(rules, &all, !position.side)) {
    *value = -1;
  } else if (has_won(rules, &all, position.side)) {
    *value = 1;
  } else if (dsq_list_moves(rules, &position, moves) == 0) {
    *value = rules->base.flag[DSQ_STALEMATE_LOSES] ? -1 : 0;
  } else {
    return false;
  }
  return true;
}
