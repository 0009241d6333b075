/* Private to the proof check: what may happen in a position of a game of chance, by the rules one position at
 * a time.
 *
 * A ways_reader belongs to one thread and owns its lists; what it points to is only read. */
#ifndef ANALYSIS_VERIFY_VERIFY_WAYS_H
#define ANALYSIS_VERIFY_VERIFY_WAYS_H

#include "analysis/verify/verify_chance.h"

/* A choice under a roll, followed to a position with an index or to the end (slice GAME_OVER). */
typedef struct {
  uint64_t gain[CHANCE_MOST_QUANTITIES]; /* all of the way, in parts of the unit */
  game_place to;
  int turn; /* as in chance_edge */
} chance_way;

typedef struct {
  const chance_set *set;
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

/* Of which no way is read yet; closed also after an error. */
tauler_error ways_open(const chance_set *set, uint32_t slice, ways_reader *out);
void ways_close(ways_reader *of);

/* Goes to a position. *goes_on: play does not end there, and the index stands for something. */
tauler_error ways_go(ways_reader *of, uint64_t index, bool *goes_on);

/* Reads the ways under a roll, or under CHANCE_CERTAIN where it passes: at least one, and one alone where
 * nobody chooses. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL when the game contradicts itself. */
tauler_error ways_read(ways_reader *of, size_t roll);

#endif
