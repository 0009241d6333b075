/* Private to the proof check: the bounds of one slice of a game of chance, in memory.
 *
 * Every cell is held against the rules one position at a time: position_at, must_pass, moves, locate. A
 * position that has no index, because a turn is lost, is followed through its certain moves to one that has,
 * or to the end. T x of a position is the mean, by the weights of rolls, of the best choice's gain and x of
 * what it leads to. It shows:
 *   range   lower and upper are numbers, 0 ≤ lower ≤ upper ≤ the most there can be;
 *   moves   lower ≤ T lower and T upper ≤ upper in every position, on the numbers as they are stored, without
 *           rounding (exact_sum.h);
 *   end     the side that raises can choose so that each lower bound holds and play ends, whatever the others
 *           do; and the side that lowers, each upper bound.
 * Then they are bounds (README.md has the argument). The last is shown by removing positions: one is removed
 * when under some roll play leaves the remaining ones, by one choice that attains the bound if the protected
 * side chooses, else by every choice. Positions that stay to the end are counted; the bounds that need them
 * agree with the moves, and prove nothing. Without a protected side the same finds the positions from which
 * all players together can go on for ever.
 *
 * One thread drives and starts the others. Ranks make the same calls; each looks at some chunks of positions
 * (verify_parts.h). Findings do not depend on the number of threads or ranks.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_CHANCE_H
#define ANALYSIS_VERIFY_VERIFY_CHANCE_H

#include "analysis/verify/verify_slice.h"
#include "games/game_chance.h"

enum { BOUND_LOWER, BOUND_UPPER, BOUND_KINDS };

/* Cells of a slice, in index order; NULL where there are none. */
struct chance_cells {
  double *bound[BOUND_KINDS][CHANCE_MOST_QUANTITIES];
};

typedef enum {
  CHANCE_FAULT_NONE,
  CHANCE_FAULT_RANGE, /* no number, below 0, or above the most */
  CHANCE_FAULT_ORDER, /* lower above upper */
  CHANCE_FAULT_MOVES, /* more, or less, than its moves bear out, although it may be true */
  CHANCE_FAULT_FALSE  /* beyond what the other bounds make of its moves: one of them is false */
} chance_fault_kind;

typedef struct {
  chance_fault_kind kind;
  uint64_t index;
  double stored, expected; /* `expected` is the largest possible value for RANGE, the upper bound for ORDER */
} chance_fault;

typedef struct {
  chance_fault fault[BOUND_KINDS]
                    [CHANCE_MOST_QUANTITIES]; /* worst fault of each stream, at the least index */
  bool wrong;
  /* If nothing is wrong: positions that keep the bounds of a kind from being proven, those from which all
   * players together can go on for ever, and how far the bounds of a position lie apart at most. */
  uint64_t endless[BOUND_KINDS], together;
  double width;
} chance_verdict;

/* Errors: TAULER_NO_MEMORY, what the game returns, TAULER_INTERNAL when the game contradicts itself;
 * TAULER_IO between ranks. */
tauler_error verify_chance_logic(const verify_set *set, uint32_t slice, chance_verdict *out,
                                 tauler_message *message);

/* Bytes that it allocates beside cells. */
uint64_t verify_chance_bytes(uint64_t positions);

/* --- what may happen in a position, by the rules one position at a time ---
 *
 * A ways_reader belongs to one thread and owns its lists; what it points to is only read. */

/* A choice under a roll, followed to a position with an index or to the end (slice GAME_OVER). */
typedef struct {
  uint64_t gain[CHANCE_MOST_QUANTITIES]; /* all of the way, in parts of the unit */
  game_place to;
  int turn; /* as in chance_edge */
} chance_way;

typedef struct {
  const verify_set *set;
  uint32_t slice;
  int quantities, seats;
  uint64_t unit; /* gains are whole numbers of 1 ÷ unit, here and in all that passes lead through */
  game_position position;
  int first_seat, aim;
  bool passes; /* there is one roll, CHANCE_CERTAIN */
  game_moves moves;
  chance_way *ways;
  size_t used, room;
} ways_reader;

/* Opens a reader for the positions of a slice. The caller closes it, also after an error. */
tauler_error ways_open(const verify_set *set, uint32_t slice, ways_reader *out);
void ways_close(ways_reader *of);

/* Goes to a position. *goes_on becomes true if the index is used and play does not end there. */
tauler_error ways_go(ways_reader *of, uint64_t index, bool *goes_on);

/* Reads the ways under a roll, or under CHANCE_CERTAIN if the position passes. There is at least one, and
 * just one if nobody chooses. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL if the game contradicts itself. */
tauler_error ways_read(ways_reader *of, size_t roll);

#endif
