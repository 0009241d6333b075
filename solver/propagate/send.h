/* Private to the engines that tell by wave_updates: what a crew has gathered for other shares goes out, piece
 * by piece, until all is told or the exchange is full. Owns nothing: updates, exchange and the place of the
 * first failure are the engine's.
 */
#ifndef SOLVER_PROPAGATE_SEND_H
#define SOLVER_PROPAGATE_SEND_H

#include <stdatomic.h>

#include "solver/parallel/exchange.h"
#include "solver/parallel/workers.h"
#include "solver/propagate/updates.h"

/* What an engine keeps of it; zeroed at first. */
typedef struct {
  _Atomic bool any; /* a piece left in this round */
  bool again;
  bool unshipped; /* the exchange was full: pieces are left for the next step */
} wave_shipping;

/* Returns how many pieces this member has sent. By all members of the crew, of whom none may push updates
 * meanwhile. `piece` has room for exchange_piece_bytes and is the member's own. Errors go to *failed, a
 * tauler_error, if none is there. */
uint64_t wave_ship(wave_shipping *shipping, wave_updates *updates, exchange *exchange, crew_member *member,
                   uint8_t *piece, _Atomic int *failed);

#endif
