/* Proves the bounds of one slice of a game of dice, in memory. Private to the proof check.
 *
 * Every cell is compared with the rules, one position at a time: position_at, must_pass, moves, locate. T x
 * of a position is the weighted mean over rolls of the gain of the best choice plus the cell x to which it
 * leads, perhaps through lost turns. The check proves:
 *   range   The lower bound is finite, and 0 ≤ lower ≤ upper ≤ the largest possible value.
 *   moves   lower ≤ T lower and T upper ≤ upper in every position, on the stored numbers, without rounding
 *           (exact_sum.h).
 *   end     The side that raises can choose so that each lower bound holds and play ends, whatever the others
 *           do; and so can the side that lowers, for each upper bound.
 * README.md proves that such numbers are bounds. To prove the third property, positions are removed until
 * none can be: those where play has ended, and those where under some roll play leaves the remaining
 * positions, by a choice that attains the bound if the protected side chooses, otherwise by every choice. The
 * bounds of the positions that remain agree with the moves without being proven. Removing without a protected
 * side finds the positions from which all players together can play for ever.
 *
 * One thread drives and starts the others. Ranks make the same calls, and each looks at some chunks of
 * positions (verify_parts.h).
 */
#ifndef ANALYSIS_VERIFY_VERIFY_CHANCE_H
#define ANALYSIS_VERIFY_VERIFY_CHANCE_H

#include "analysis/verify/verify_slice.h"
#include "games/game_chance.h"

enum { BOUND_LOWER, BOUND_UPPER, BOUND_KINDS };

/* The bounds of a slice, in index order. NULL if a bound is not loaded. */
struct chance_cells {
  double *bound[BOUND_KINDS][CHANCE_MOST_QUANTITIES];
};

typedef struct {
  /* Worst fault of each stream. If there are several, that at the least index. */
  verify_fault fault[BOUND_KINDS][CHANCE_MOST_QUANTITIES];
  bool wrong;
  /* If nothing is wrong: numbers of positions at which bounds of a kind are not proven, and of positions from
   * which all players together can play for ever. */
  uint64_t endless[BOUND_KINDS], together;
  double width; /* largest difference between the bounds of a position */
} chance_verdict;

/* Checks the bounds of a slice and fills *out. Errors: those of memory_allocate and of the game,
 * TAULER_INTERNAL if the game contradicts itself, TAULER_IO between ranks. */
tauler_error verify_chance_logic(const verify_set *set, uint32_t slice, chance_verdict *out,
                                 tauler_message *message);

/* Returns the bytes that verify_chance_logic allocates for sets of positions. */
uint64_t verify_chance_bytes(uint64_t positions);

/* --- ways from a position to the next ones, by the rules of single positions ---
 *
 * A ways_reader belongs to one thread and owns its lists. It only reads the set that it points to. */

/* A choice after a roll, followed to a position with an index or to the end (slice GAME_OVER). */
typedef struct {
  uint64_t gain[CHANCE_MOST_QUANTITIES]; /* sum of the gains on the way, times `unit` */
  game_place to;
  int turn; /* rotation of seats, as in chance_edge */
} chance_way;

typedef struct {
  const verify_set *set;
  uint32_t slice;
  int quantities, seats;
  uint64_t unit; /* common denominator of all gains on any way */
  game_position position;
  int first_seat, aim;
  bool passes; /* true if the position passes, so that its only roll is CHANCE_CERTAIN */
  game_moves moves;
  chance_way *ways;
  size_t used, room;
} ways_reader;

/* Opens a reader for the positions of a slice. The caller closes it, also after an error. Errors:
 * TAULER_INTERNAL. */
tauler_error ways_open(const verify_set *set, uint32_t slice, ways_reader *out);
void ways_close(ways_reader *of);

/* Sets the position of the reader. *goes_on becomes true if the index is used and play does not end there,
 * otherwise false; ways_read must then not be called. Errors: TAULER_INTERNAL. */
tauler_error ways_set_position(ways_reader *of, uint64_t index, bool *goes_on);

/* Finds the ways after a roll, or after CHANCE_CERTAIN if the position passes. There is at least one way, and
 * only one if nobody chooses. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL if the game contradicts itself. */
tauler_error ways_read(ways_reader *of, size_t roll);

#endif
