/* A game's interface for proofs, which compares the values of a slice with their moves, many cells at a time.
 *
 * The batches of game.h prove the tables of every game without dice, a position at a time. A game whose index
 * has a structure to exploit gives the same proof in fewer steps, with tables of moves that it makes from its
 * rules and without code of its solver. The caller runs the parts of an aim in their order, and the items of
 * a part in any order and by any number of threads; every call of `work` returns a number of cells.
 */
#ifndef GAMES_GAME_PROOF_H
#define GAMES_GAME_PROOF_H

#include "base/memory.h"
#include "games/game.h"

typedef struct game_proof_run game_proof_run;

typedef enum {
  PROOF_VALUES, /* Fills reserved cells and compares all values and depths with their moves. Returns the
                   number of cells that do not agree */
  /* Proves values that follow from play to an end. Returns how many are newly proven. Run after PROOF_VALUES
   * until all parts return 0 */
  PROOF_ENDS,
  PROOF_HOLD, /* Holds the values that are not proven and that a repetition pays, if a repetition ends play.
                 Returns how many. Run after PROOF_ENDS */
  /* Drops held values that no longer follow from held and proven ones. Returns how many. Run after PROOF_HOLD
   * until all parts return 0 */
  PROOF_DROP,
  PROOF_KEEP, /* Returns the number of held values, which are proven now. Run after PROOF_DROP. PROOF_ENDS may
                 then prove more */
  PROOF_LEFT, /* Returns the number of values that are not proven. Run after PROOF_ENDS */
  PROOF_UNDO  /* Makes filled cells reserved again. Returns 0 */
} game_proof_aim;

/* The slice under proof. Plane p of position i is at planes · i + p. Smaller slices have no reserved cells
 * and are proven. `reserved` has the value of cells that a table leaves out, per plane, or a number that no
 * cell has. */
typedef struct {
  const game_rules *rules;
  uint32_t slice;
  int planes;
  int8_t *const *cells; /* [slice number] */
  const int *reserved;
  uint16_t *depths; /* depths of the slice, UINT16_MAX for cells that a table leaves out, or NULL */
  uint16_t *const *other_depths; /* [slice number] depths of smaller slices, or NULL */
} game_proof_job;

struct game_proof {
  /* True if this interface serves these rules, for tables with depths or without. */
  bool (*serves)(const game_rules *rules, bool depths);
  /* Makes the tables of a slice in the arena; the run keeps a copy of the job. If memory is refused, the
   * arena has the error, and the run is unusable. */
  game_proof_run *(*open)(const game_proof_job *job, arena *arrays);
  uint64_t (*parts)(const game_proof_run *run, game_proof_aim aim);
  uint64_t (*items)(const game_proof_run *run, game_proof_aim aim, uint64_t part);
  uint64_t (*work)(game_proof_run *run, game_proof_aim aim, uint64_t part, uint64_t item);
};

#endif
