/* A game's interface for proofs: the values of a slice, held against their moves many cells at a time.
 *
 * The batches of game.h prove every table of every game, a position at a time. A game whose index has a
 * structure to exploit gives the same proof in fewer steps, with tables of moves made from its rules and
 * nothing of its solver. The caller runs the parts of an aim in their order, and the items of a part in any
 * order and by any number of threads; every call returns a number of cells.
 */
#ifndef GAMES_GAME_PROOF_H
#define GAMES_GAME_PROOF_H

#include "base/memory.h"
#include "games/game.h"

typedef struct game_proof_run game_proof_run;

typedef enum {
  PROOF_VALUES, /* fills reserved cells, holds all against their moves, and depths too: cells that do not
                   agree */
  /* Proves values that play to an end bears out and returns how many are new. Run after PROOF_VALUES until
   * all parts return 0. */
  PROOF_ENDS,
  PROOF_HOLD, /* where a repetition ends play, after PROOF_ENDS: values that are not proven and that a
                 repetition pays */
  /* Drops held values that no longer follow from held and proven ones and returns how many. Run after
   * PROOF_HOLD until all parts return 0. */
  PROOF_DROP,
  PROOF_KEEP, /* after PROOF_DROP the held values, which are proven now. PROOF_ENDS may find more */
  PROOF_LEFT, /* after PROOF_ENDS: values that are not proven */
  PROOF_UNDO  /* makes filled cells reserved again: 0 */
} game_proof_aim;

/* The slice under proof. Plane p of position i stands at planes · i + p; smaller slices are plain and proven.
 * `reserved` is the value of a cell that a table leaves out, per plane. */
typedef struct {
  const game_rules *rules;
  uint32_t slice;
  int planes;
  int8_t *const *cells; /* by slice number */
  const int *reserved;
  uint16_t *depths; /* depths of the slice, UINT16_MAX for cells that a table leaves out, or NULL */
  uint16_t *const *other_depths; /* depths of smaller slices by slice number, or NULL */
} game_proof_job;

struct game_proof {
  /* True if this interface serves these rules, for tables with depths or without. */
  bool (*serves)(const game_rules *rules, bool depths);
  /* Makes the tables of a slice in the arena; the run keeps a copy of the job. If memory is refused, the
   * arena has the error, and the run is of no use. */
  game_proof_run *(*open)(const game_proof_job *job, arena *arrays);
  uint64_t (*parts)(const game_proof_run *run, game_proof_aim aim);
  uint64_t (*items)(const game_proof_run *run, game_proof_aim aim, uint64_t part);
  uint64_t (*work)(game_proof_run *run, game_proof_aim aim, uint64_t part, uint64_t item);
};

#endif
