/* Lists rolls, choices and edges of la oca asesina. */
#include "games/oca_asesina/chance.h"

#include <stdio.h>

#include "games/oca_asesina/slices.h"
#include "games/oca_asesina/turn.h"

/* --- constants of a rule set --- */

static size_t list_dice_rolls(const game_rules *rules, const chance_roll **out) {
  static const chance_roll die[ASE_DIE] = {{"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}, {"5", 1}, {"6", 1}};
  *out = die;
  return ASE_DIE;
}

static void set_quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  const ase_flags *f = &rules->flags;
  const bool sides = f->players == 2 || f->alone;
  *out = (chance_quantities){.used = sides ? 1 : f->players, .chosen = sides};
  for (int i = 0; i < out->used; i++) {
    snprintf(out->list[i].name, sizeof out->list[i].name, "score-%d", i + 1);
    out->list[i].most = 1;
  }
  if (f->alone) snprintf(out->list[0].name, sizeof out->list[0].name, "score-%d-alone", f->alone);
}

void ase_gains_open(game_rules *rules) {
  const int first = rules->flags.alone ? rules->flags.alone - 1 : 0; /* seat whose score comes first */
  for (int set = 0; set < 1 << ASE_MOST_SEATS; set++) {
    const int winners = set ? __builtin_popcount((unsigned)set) : 1;
    for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) {
      const bool wins = first + q < ASE_MOST_SEATS && (set >> (first + q) & 1);
      rules->gains[set][q] = wins ? (chance_gain){1, winners} : (chance_gain){0, 1};
    }
  }
}

static size_t find_gains(const game_rules *rules, uint32_t slice,
                         const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
  *rows = rules->gains;
  return (size_t)1 << rules->flags.players;
}

static int aim_of(const game_rules *rules, int seat) {
  if (rules->flags.alone) return seat == rules->flags.alone - 1 ? 1 : -1;
  if (rules->flags.players > 2) return 0;
  return seat == 0 ? 1 : -1;
}

static void write_aims(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                       int8_t *aim) {
  for (size_t i = 0; i < n; i++)
    aim[i] = (int8_t)aim_of(rules, ase_seat_at(rules, (game_place){slice, index[i]}));
}

/* --- batches --- */

/* The edges of a position under one roll. No two have the same gain and place. */
typedef struct {
  chance_edge edge[ASE_MOST_TOKENS];
  int used;
} choices;

static bool is_new_edge(const choices *c, const chance_edge *edge) {
  for (int i = 0; i < c->used; i++) {
    const chance_edge *old = &c->edge[i];
    if (old->gain == edge->gain && old->to.slice == edge->to.slice && old->to.index == edge->to.index)
      return false;
  }
  return true;
}

static tauler_error add_choice(const game_rules *rules, const ase_move *made, chance_edge edge, choices *c) {
  ase_move move = *made;
  while (!move.over && ase_must_pass(&move.next)) move = ase_pass(rules, &move.next);
  edge.to = (game_place){GAME_OVER, 0};
  if (move.over) {
    edge.gain = move.winners;
  } else {
    const tauler_error error = ase_find(rules, &move.next, &edge.to);
    if (error) return error;
    if (edge.to.slice == GAME_NO_SLICE) return TAULER_BAD_POSITION;
  }
  if (is_new_edge(c, &edge)) c->edge[c->used++] = edge;
  return TAULER_OK;
}

static tauler_error push_roll_edges(const game_rules *rules, const ase_position *position, uint32_t from,
                                    int roll, chance_sink *sink) {
  ase_moves moves;
  choices c = {.used = 0};
  tauler_error error = TAULER_OK;
  ase_list_moves(rules, position, roll + 1, &moves);
  for (int i = 0; i < moves.used && !error; i++)
    error = add_choice(rules, &moves.move[i], (chance_edge){.from = from, .roll = (uint16_t)roll}, &c);
  for (int i = 0; i < c.used && !error; i++) error = chance_sink_push(sink, c.edge[i]);
  return error;
}

static tauler_error expand_indexes(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                   chance_sink *sink) {
  for (size_t i = 0; i < n; i++) {
    ase_position position;
    bool there;
    tauler_error error = ase_read_place(rules, (game_place){slice, index[i]}, &position, &there);
    for (int roll = 0; roll < ASE_DIE && there && !error; roll++)
      error = push_roll_edges(rules, &position, (uint32_t)i, roll, sink);
    if (error) return error;
  }
  return chance_sink_flush(sink);
}

/* --- one position at a time --- */

static bool must_pass(const game_rules *rules, const game_position *game) {
  const ase_position position = ase_from_game(game);
  return ase_must_pass(&position);
}

static void name_move(const game_rules *rules, const ase_move *move, char name[CHANCE_NAME_BYTES]) {
  if (move->token == ASE_NOWHERE) {
    snprintf(name, CHANCE_NAME_BYTES, "pass");
  } else if (rules->flags.colours > 1) {
    snprintf(name, CHANCE_NAME_BYTES, "%d%c-%d", move->from, 'a' + move->colour, move->to);
  } else {
    snprintf(name, CHANCE_NAME_BYTES, "%d-%d", move->from, move->to);
  }
}

static tauler_error add_move(const game_rules *rules, uint32_t slice, const ase_move *made, game_moves *out) {
  char name[CHANCE_NAME_BYTES];
  name_move(rules, made, name);
  game_move move = {.name = name, .over = made->over, .gain = made->over ? made->winners : 0};
  ase_to_game(&made->next, &move.child);
  move.converts = made->over || ase_slice_of(rules, &move.child) != slice;
  return game_moves_add(out, &move);
}

static tauler_error list_roll_moves(const game_rules *rules, const game_position *game, size_t roll,
                                    game_moves *out) {
  const ase_position position = ase_from_game(game);
  const uint32_t slice = ase_slice_of(rules, game);
  *out = (game_moves){0};
  if (ase_must_pass(&position) != (roll == CHANCE_CERTAIN)) return TAULER_OK;
  if (roll == CHANCE_CERTAIN) {
    const ase_move passed = ase_pass(rules, &position);
    return add_move(rules, slice, &passed, out);
  }
  ase_moves list;
  ase_list_moves(rules, &position, (int)roll + 1, &list);
  for (int i = 0; i < list.used; i++) {
    const tauler_error error = add_move(rules, slice, &list.move[i], out);
    if (error) return error;
  }
  return TAULER_OK;
}

static int first_seat(const game_rules *rules, const game_position *game) {
  return 0;
}

static int find_aim(const game_rules *rules, const game_position *game) {
  return aim_of(rules, ase_from_game(game).seat);
}

const game_chance ase_chance = {
    .rolls = list_dice_rolls,
    .quantities = set_quantities,
    .gains = find_gains,
    .aims = write_aims,
    .expand = expand_indexes,
    .origin = ase_origin,
    .must_pass = must_pass,
    .moves = list_roll_moves,
    .first_seat = first_seat,
    .aim = find_aim,
    .start = ase_start,
    .strips = &ase_strips,
    .policies = &ase_policies,
    .traits = &ase_traits,
    .features = &ase_features,
};
