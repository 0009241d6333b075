/* Settles nodes whose winners follow from known winners, and nodes where a side can keep play. */
#include "analysis/verify/lines/search.h"

/* Returns NO_SIDE if the winner is not known yet. If the mover wins, *by becomes the node to move to. */
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

static void settle_by_moves(const lines_part *part, uint8_t *winner, uint32_t *by) {
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

enum { KEEPS = 4 }; /* flag beside a side: it may be able to keep play at the node */

/* Returns true if the node's payee wins, or reaches another node where it may keep play. If it moves, *by
 * becomes the node to move to. */
static bool can_keep_play(const lines_part *part, const uint8_t *winner, uint32_t i, uint32_t *by) {
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

/* Settles the greatest set of nodes in which each side can keep play among nodes that pay it. Returns false
 * if there are none. */
static bool settle_kept_nodes(const lines_part *part, uint8_t *winner, uint32_t *by) {
  bool more = true, any = false;
  for (uint32_t i = 0; i < part->used; i++)
    if (winner[i] == NO_SIDE) winner[i] = part->payee[i] | KEEPS;
  while (more) {
    more = false;
    for (uint32_t i = 0; i < part->used; i++) {
      if (!(winner[i] & KEEPS) || can_keep_play(part, winner, i, &by[i])) continue;
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
  do { settle_by_moves(part, winner, by); } while (settle_kept_nodes(part, winner, by));
}
