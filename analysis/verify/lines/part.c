/* Settles nodes from those whose winners are known, and from those where a side can keep play. */
#include "analysis/verify/lines/search.h"

/* The winner of a node by its moves, as far as it is known. */
static uint8_t judge_moves(const lines_part *part, const uint8_t *winner, uint32_t i, uint32_t *by) {
  const uint8_t mover = part->mover[i];
  bool lost = !part->doubt[i];
  for (uint32_t e = part->first[i]; e < part->first[i + 1]; e++) {
    const uint8_t next = winner[part->child[e]];
    if (next == mover) {
      *by = part->child[e];
      return mover;
    }
    if (next == NO_SIDE) lost = false;
  }
  return lost ? other_side(mover) : NO_SIDE;
}

static void attract(const lines_part *part, uint8_t *winner, uint32_t *by) {
  bool more = true;
  while (more) {
    more = false;
    for (uint32_t i = 0; i < part->used; i++) {
      if (winner[i] != NO_SIDE) continue;
      winner[i] = judge_moves(part, winner, i, &by[i]);
      more = more || winner[i] != NO_SIDE;
    }
  }
}

enum { KEEPS = 4 }; /* beside a side: a node where it may be able to keep play */

/* True if the side that a node pays wins, or comes to another node where it may keep play. */
static bool can_keep(const lines_part *part, const uint8_t *winner, uint32_t i, uint32_t *by) {
  const uint8_t side = part->payee[i];
  const bool moves = part->mover[i] == side;
  for (uint32_t e = part->first[i]; e < part->first[i + 1]; e++) {
    const bool good = (winner[part->child[e]] & ~KEEPS) == side;
    if (moves && good) {
      *by = part->child[e];
      return true;
    }
    if (!moves && !good) return false;
  }
  return !moves && !part->doubt[i];
}

/* Finds the most nodes where a side can keep play among nodes that pay it. Returns false if there are none.
 */
static bool keep_play(const lines_part *part, uint8_t *winner, uint32_t *by) {
  bool more = true, any = false;
  for (uint32_t i = 0; i < part->used; i++)
    if (winner[i] == NO_SIDE) winner[i] = part->payee[i] | KEEPS;
  while (more) {
    more = false;
    for (uint32_t i = 0; i < part->used; i++) {
      if (!(winner[i] & KEEPS) || can_keep(part, winner, i, &by[i])) continue;
      winner[i] = NO_SIDE;
      more = true;
    }
  }
  for (uint32_t i = 0; i < part->used; i++) {
    any = any || winner[i] & KEEPS;
    winner[i] &= (uint8_t)~KEEPS;
  }
  return any;
}

void lines_settle(const lines_part *part, uint8_t *winner, uint32_t *by) {
  do { attract(part, winner, by); } while (keep_play(part, winner, by));
}
