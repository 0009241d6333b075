/* Games of chance and choice: what dice may do, what a player may choose, and what is expected.
 *
 * A position has one or more quantities: a probability, a score, an expected number of turns. A turn is a
 * roll, each of a known weight, and then a choice; a lost turn has neither, and one edge. A game with choices
 * has one quantity, which some players raise and others lower; a game without may have several. Everything
 * else is as game.h says; such a game gives neither ended nor expand nor retract nor moves nor a lookup, its
 * kind is SOLVE_CHANCE, and an index without edges has ended or stands for nothing: all of its quantities are
 * 0.
 *
 * Quantities may turn with the seats, so that positions which differ by the players' names alone are one: of
 * the first `seats` of them number s belongs to the seat s places after the one that a position counts from
 * (`first_seat`).
 *
 * A single quantity called …-1 belongs to seat 1 of two players; seat 2 has its greatest value less this one.
 * turn() says a seat's number, from 1.
 *
 * Pure functions over values, for any threads at once.
 */
#ifndef GAMES_GAME_CHANCE_H
#define GAMES_GAME_CHANCE_H

#include "games/game.h"
#include "games/game_strips.h"

enum {
  CHANCE_MOST_QUANTITIES = 8,
  CHANCE_MOST_ROLLS = 128,
  CHANCE_MOST_GAINS = 128,
  CHANCE_MOST_TRAITS = 8,
  CHANCE_NAME_BYTES = 24,
  CHANCE_STREAM_BYTES = CHANCE_NAME_BYTES + 8,
  CHANCE_CERTAIN = UINT16_MAX /* in place of a roll: the turn is lost, and there is one edge */
};

/* The result of a choice under a roll. Edges of a position come roll by roll, every roll with one at least,
 * those of a roll choice by choice in the order of `moves`. `turn`: the child's quantity of place s is that
 * of place (s + turn) mod seats here. */
typedef struct {
  uint32_t from; /* ordinal in the batch */
  uint16_t roll; /* 0 … rolls − 1, or CHANCE_CERTAIN */
  uint8_t turn;
  uint8_t gain;  /* row of gains that is added to the quantities here */
  game_place to; /* slice GAME_OVER: the gain is all */
} chance_edge;

/* Where a game puts edges, as game_sink; a position may span flushes. */
typedef struct {
  chance_edge *edges;
  size_t used, room;
  tauler_error (*flush)(void *user, const chance_edge *edges, size_t n);
  void *user;
} chance_sink;

tauler_error chance_sink_flush(chance_sink *sink);

static inline tauler_error chance_sink_push(chance_sink *sink, chance_edge edge) {
  if (sink->used == sink->room) {
    const tauler_error error = chance_sink_flush(sink);
    if (error) return error;
  }
  sink->edges[sink->used++] = edge;
  return TAULER_OK;
}

typedef struct {
  const char *name; /* "1"; of two dice, their sum */
  uint32_t weight;  /* its probability is this ÷ the sum of all weights, which is below 2^16 */
} chance_roll;

/* Simple ways to choose, for statistics. pick: which of the moves under a roll a policy takes; −1: any of
 * them, with even odds. */
typedef struct {
  const char *const *names; /* ended by NULL */
  int (*pick)(const game_rules *rules, size_t policy, const game_position *position, size_t roll,
              const game_moves *moves);
} chance_policies;

/* Traits of a move, in a word ("capture"), for statistics. list: of each of the moves under a roll, a bit per
 * name. */
typedef struct {
  const char *const *names; /* ended by NULL; at most CHANCE_MOST_TRAITS */
  void (*list)(const game_rules *rules, const game_position *position, size_t roll, const game_moves *moves,
               uint8_t *traits);
} chance_traits;

/* Positions in numbers, for a program that learns what they are worth: what their squares do rather than
 * which they are, so that what is learned on one board serves on others. The player who rolls comes first; a
 * position whose turn is lost has none. `open` works out once what squares do; it is only read from then on.
 */
typedef struct chance_sketch chance_sketch;
typedef struct {
  uint32_t version; /* another one where the numbers mean something else */
  size_t used;      /* numbers of a position */
  /* Errors: TAULER_BAD_USAGE (rules under which nobody chooses), TAULER_NO_MEMORY. */
  tauler_error (*open)(const game_rules *rules, chance_sketch **out, tauler_message *message);
  void (*close)(chance_sketch *sketch);
  void (*list)(const chance_sketch *sketch, const game_position *position, float *out);
  /* The position of a smaller game that is worth the same, such as without what all players have home. False:
   * there is none. */
  bool (*reduce)(const game_rules *rules, const game_position *position, game_position *out);
} chance_features;

/* Exact: a draw of three is 1/3. 0 ≤ numerator, 1 ≤ denominator. */
typedef struct {
  int32_t numerator, denominator;
} chance_gain;

typedef struct {
  char name[CHANCE_NAME_BYTES]; /* "score-1", "win-1", "turns" */
  double most;                  /* values lie in 0 … most; INFINITY: there is no known limit */
} chance_quantity;

typedef struct {
  int used;  /* 1 … CHANCE_MOST_QUANTITIES */
  int seats; /* the first so many turn; 0: none does */
  chance_quantity list[CHANCE_MOST_QUANTITIES];
  bool chosen; /* some position has a choice */
} chance_quantities;

/* The name of the table of a quantity's lower or upper bound: "lower" where there is one quantity,
 * "lower-win-1" where there are several. */
void chance_stream_name(const chance_quantities *quantities, int quantity, bool upper,
                        char name[CHANCE_STREAM_BYTES]);

/* The least common multiple of two denominators, or of two numbers of equal rolls; neither is 0. */
uint64_t chance_common_multiple(uint64_t a, uint64_t b);

struct game_chance {
  /* The same for all slices of a rule set, quantities apart. How many rolls there are, and how many rows of
   * gains; row 0 is all zeros. */
  size_t (*rolls)(const game_rules *rules, const chance_roll **rolls);
  void (*quantities)(const game_rules *rules, uint32_t slice, chance_quantities *out);
  size_t (*gains)(const game_rules *rules, uint32_t slice,
                  const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]);

  /* The aim of the mover for quantity 0 in these positions: 1 raises, −1 lowers it; 0: there is no choice. */
  void (*aims)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n, int8_t *aim);
  tauler_error (*expand)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         chance_sink *sink);

  /* Stages: ranges of neighbouring indexes, first(0) = 0 < first(1) < …. Play mostly leads from a stage to
   * later ones; the solver works them off from the last to the first and sees in each what has become of
   * those after it. Right for any stages; NULL: even ones. */
  uint64_t (*stages)(const game_rules *rules, uint32_t slice);
  uint64_t (*stage_first)(const game_rules *rules, uint32_t slice, uint64_t stage);

  /* One position at a time. must_pass: the turn is lost, and `moves` is asked with CHANCE_CERTAIN. A move's
   * `gain` is its row of gains; `over` moves have no child. first_seat: 0 where nothing turns. start: the
   * position that a slice's statistics are about. */
  bool (*must_pass)(const game_rules *rules, const game_position *position);
  tauler_error (*moves)(const game_rules *rules, const game_position *position, size_t roll, game_moves *out);
  int (*first_seat)(const game_rules *rules, const game_position *position);
  int (*aim)(const game_rules *rules, const game_position *position);
  void (*start)(const game_rules *rules, uint32_t slice, game_position *out);

  const game_strips *strips;       /* or NULL */
  const chance_policies *policies; /* or NULL */
  const chance_traits *traits;     /* or NULL */
  const chance_features *features; /* or NULL */
};

#endif
