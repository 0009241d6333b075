/* Games of dice: their rolls, the players' choices, and the expected quantities.
 *
 * A position has one or more quantities: a probability, a score, an expected number of turns. A turn is a
 * roll of known weight and then a choice. A lost turn has no roll and no choice, but one edge. If a game has
 * choices, it has one quantity, which some players raise and others lower; a game without choices may have
 * several. All else is as in game.h. Such a game has neither ended nor expand nor retract nor moves nor
 * lookup, and its kind is SOLVE_CHANCE. An index without edges has ended or is unused, and all its quantities
 * are 0.
 *
 * Quantities may rotate with the seats: of the first `seats` quantities, number s belongs to the seat s
 * places after the position's `first_seat`. Then positions that differ only in the players' names are stored
 * as one.
 *
 * A single quantity with a finite `most` whose name ends with -1 belongs to seat 1 of two players; seat 2 has
 * `most` less this one. turn() returns the number of the seat to roll, from 1.
 *
 * All functions are pure; any threads may call them at once.
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
  CHANCE_CERTAIN = UINT16_MAX /* takes the place of a roll if the turn is lost */
};

/* The result of a choice under a roll. The edges of a position are ordered by roll; each roll has at least
 * one, in the order of `moves`. Quantity s of the child is quantity (s + turn) mod seats of this position. */
typedef struct {
  uint32_t from; /* ordinal in the batch */
  uint16_t roll; /* 0 … rolls − 1, or CHANCE_CERTAIN */
  uint8_t turn;
  uint8_t gain;  /* row of gains to add to this position's quantities */
  game_place to; /* if its slice is GAME_OVER, the gain is the whole result */
} chance_edge;

/* Like game_sink. */
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
  const char *name; /* "1", for two dice their sum */
  uint32_t weight;  /* probability times the sum of all weights, which is below 2^16 */
} chance_roll;

/* Simple policies, for statistics. `pick` returns the move that a policy chooses under a roll, or −1 if it
 * chooses any of them with equal probability. */
typedef struct {
  const char *const *names; /* names of the policies. The list ends with NULL */
  int (*pick)(const game_rules *rules, size_t policy, const game_position *position, size_t roll,
              const game_moves *moves);
} chance_policies;

/* Traits of a move, each a word ("capture"), for statistics. `list` writes a bit per name for each move under
 * a roll. */
typedef struct {
  const char *const *names; /* at most CHANCE_MOST_TRAITS names. The list ends with NULL */
  void (*list)(const game_rules *rules, const game_position *position, size_t roll, const game_moves *moves,
               uint8_t *traits);
} chance_traits;

/* Positions as numbers, for a program that learns their values. The numbers describe the effects of squares
 * rather than their places, so that a program can learn on one board and play on others. The player to roll
 * comes first; a position whose turn is lost has no numbers. `open` computes the effects of all squares once;
 * afterwards the sketch is only read. */
typedef struct chance_sketch chance_sketch;
typedef struct {
  uint32_t version; /* changed whenever the numbers change their meaning */
  size_t used;      /* numbers per position */
  /* Errors: TAULER_BAD_USAGE (nobody chooses under these rules), TAULER_NO_MEMORY. */
  tauler_error (*open)(const game_rules *rules, chance_sketch **out, tauler_message *message);
  void (*close)(chance_sketch *sketch);
  void (*list)(const chance_sketch *sketch, const game_position *position, float *out);
  /* Finds a position of a smaller game with the same value, for example without the tokens that all players
   * have home. Returns false if there is none. */
  bool (*reduce)(const game_rules *rules, const game_position *position, game_position *out);
} chance_features;

/* An exact fraction: a draw of three is 1/3. 0 ≤ numerator, 1 ≤ denominator. */
typedef struct {
  int32_t numerator, denominator;
} chance_gain;

typedef struct {
  char name[CHANCE_NAME_BYTES]; /* "score-1", "win-1", "turns" */
  double most;                  /* largest value, or INFINITY if no limit is known. The least is 0 */
} chance_quantity;

typedef struct {
  int used;  /* 1 … CHANCE_MOST_QUANTITIES */
  int seats; /* number of quantities that rotate with the seats, or 0 */
  chance_quantity list[CHANCE_MOST_QUANTITIES];
  bool chosen; /* true if some position has a choice */
} chance_quantities;

/* Writes the name of the table of a quantity's lower or upper bound: "lower" if there is one quantity,
 * "lower-win-1" if there are several. */
void chance_stream_name(const chance_quantities *quantities, int quantity, bool upper,
                        char name[CHANCE_STREAM_BYTES]);

/* Returns the least common multiple of two denominators, or of two numbers of equally likely rolls; neither
 * is 0. */
uint64_t chance_common_multiple(uint64_t a, uint64_t b);

struct game_chance {
  /* Rolls are the same for all slices of a rule set; quantities and gains may differ. `rolls` and `gains`
   * return the number of entries. Row 0 of the gains is all zeros. */
  size_t (*rolls)(const game_rules *rules, const chance_roll **rolls);
  void (*quantities)(const game_rules *rules, uint32_t slice, chance_quantities *out);
  size_t (*gains)(const game_rules *rules, uint32_t slice,
                  const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]);

  /* Writes the mover's aim for quantity 0 in these positions: 1 to raise it, −1 to lower it, 0 if there is no
   * choice. */
  void (*aims)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n, int8_t *aim);
  tauler_error (*expand)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         chance_sink *sink);

  /* Stages: ranges of neighbouring indexes, first(0) = 0 < first(1) < …. Play mostly leads from a stage to
   * later ones. The solver processes stages from the last to the first, and each reads the new values of the
   * stages after it. Results are correct with any stages. NULL: stages of equal size. */
  uint64_t (*stages)(const game_rules *rules, uint32_t slice);
  uint64_t (*stage_first)(const game_rules *rules, uint32_t slice, uint64_t stage);

  /* OPTIONAL. Returns the slice in which a game that reaches this slice begins. NULL: the slice itself. */
  uint32_t (*origin)(const game_rules *rules, uint32_t slice);

  /* One position at a time. If must_pass, the turn is lost, and `moves` is called with CHANCE_CERTAIN. A
   * move's `gain` is the number of its row of gains; a move that is `over` has no child. first_seat is 0 if
   * quantities do not rotate. `start` writes the position that statistics of a slice describe. */
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
