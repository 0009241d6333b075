/* The rules of Dou Shou Qi as data: the squares to which each animal may move from each square, and the
 * animals that it captures there, for a rule set and its flags. Moves, batches and kernels all read these
 * tables, so that the rules of moves are written only once, in rules.c.
 *
 * Squares are rank · 7 + file, a1 = 0 … g9 = 62; square 63 means nowhere. Sets of squares have a bit for
 * each. dsq_open fills a game_rules; afterwards it is only read.
 */
#ifndef GAMES_DOUSHOUQI_RULES_H
#define GAMES_DOUSHOUQI_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "games/defaults.h"
#include "games/doushouqi/material.h"

enum { DSQ_FILES = 7, DSQ_RANKS = 9, DSQ_SQUARES = 63, DSQ_NOWHERE = 63, DSQ_TARGETS = 8 };

typedef enum {
  DSQ_RAT,
  DSQ_CAT,
  DSQ_WOLF,
  DSQ_DOG,
  DSQ_LEOPARD,
  DSQ_TIGER,
  DSQ_LION,
  DSQ_ELEPHANT
} dsq_animal;
typedef enum { DSQ_WHITE, DSQ_BLACK } dsq_side;

/* The lakes, b4 to c6 and e4 to f6. */
static const uint64_t DSQ_WATER = UINT64_C(0x36) << 21 | UINT64_C(0x36) << 28 | UINT64_C(0x36) << 35;

/* Places of the flags of a rule set in game_base.flag. Two flags have the values named below; all others are
 * 0 or 1. */
enum {
  DSQ_WOLF_OVER_DOG,
  DSQ_LEOPARD_JUMPS,
  DSQ_CLEARINGS,
  DSQ_LAKES,
  DSQ_DRINKERS_BLOCK,
  DSQ_JUMP_BLOCK_PATH,
  DSQ_STALEMATE_LOSES,
  DSQ_ELEPHANT_TAKES_RAT,
  DSQ_RAT_SHORE_LIACS,
  DSQ_FLAGS
};
enum { LEOPARD_NARROW, LEOPARD_WIDE, LEOPARD_NONE };
enum { LAKES_WATER, LAKES_PLAIN, LAKES_DRINK };

/* A square to which an animal may move from another one, with the conditions of the move. */
typedef struct {
  uint8_t to;
  uint8_t prey;        /* set of animals that this move may capture on `to`: all, the rat alone, or none */
  uint64_t no_rat;     /* squares on which no rat of either side may stand: a lake, or what a jump crosses */
  uint64_t no_drinker; /* squares on which no animal but a rat may stand */
} dsq_target;

/* A move by which an animal may have come to a square: target number `target` of the square `from`. */
typedef struct {
  uint8_t from, target;
} dsq_source;

struct game_rules {
  game_base base;
  uint8_t strength[DSQ_ANIMALS]; /* 1 … 8 */
  uint8_t takes[DSQ_ANIMALS];    /* set of animals that it may capture on squares that are not `weak` */
  uint64_t ground[DSQ_ANIMALS];  /* squares, without the dens, on which it may stand */
  uint64_t weak[2];              /* squares on which any animal may capture a piece of that side: traps */
  uint8_t den[2];
  uint8_t targets_used[2][DSQ_ANIMALS][DSQ_SQUARES];
  dsq_target targets[2][DSQ_ANIMALS][DSQ_SQUARES]
                    [DSQ_TARGETS]; /* moves from each square, none to the own den */
  /* The same moves, listed at the square that they lead to, by rising `from`. At most one step and one jump
   * from each of four directions lead to a square, so DSQ_TARGETS are enough. */
  uint8_t sources_used[2][DSQ_ANIMALS][DSQ_SQUARES];
  dsq_source sources[2][DSQ_ANIMALS][DSQ_SQUARES][DSQ_TARGETS];
  uint8_t
      movement[DSQ_ANIMALS]; /* animals with the same number move alike, and others' moves treat them alike */
  dsq_materials *materials;
};

/* In flags.c. Reads a rule set and the flags that override it, NULL for base. `set` becomes the rule set that
 * the canonical text names. Errors: TAULER_BAD_USAGE. */
extern const rule_flags dsq_known_flags;
tauler_error dsq_flags_read(const char *text, rule_choice *out, tauler_message *message);

/* Members of game.h. */
GAME_MEMBER(open) dsq_open;
GAME_MEMBER(close) dsq_close;

static inline uint64_t dsq_bit(int square) {
  return UINT64_C(1) << square;
}

static inline bool dsq_is_right(int square) {
  return square % DSQ_FILES > DSQ_FILES / 2;
}

/* True if `attacker`, moving to the target, may capture the animal `victim` of `side` there. */
static inline bool dsq_may_capture(const game_rules *rules, const dsq_target *target, int attacker, int side,
                                   int victim) {
  if (!(target->prey >> victim & 1)) return false;
  return (rules->takes[attacker] >> victim & 1) || (rules->weak[side] >> target->to & 1);
}

/* True if no animal bars the way to a target; `others` are the squares of all animals but rats. */
static inline bool dsq_way_is_free(const dsq_target *target, uint64_t rats, uint64_t others) {
  return !(target->no_rat & rats) && !(target->no_drinker & others);
}

static inline int dsq_flip(int square) {
  return (DSQ_RANKS - 1 - square / DSQ_FILES) * DSQ_FILES + square % DSQ_FILES;
}

#endif
