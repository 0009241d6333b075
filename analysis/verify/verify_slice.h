/* Proves the logic of one slice in memory. Private to the proof check.
 *
 * Every cell is compared with the moves of its position (game->expand) or, if play has ended, with its value
 * (game->ended), or is checked by verify_blocks or verify_lines. The check proves:
 *   value   The value is the best worth of the moves, or that of the ended position.
 *   depth   The depth follows by the depth rule from the moves that are worth the value. In scores and bounds
 *           a converting move counts as depth 1; in wins, draws and losses depths add up over slices.
 *   stage   In place of depths, if a repetition ends play: best moves convert or lead to lower stages, or to
 *           equal ones if a repetition pays the forcing side as much.
 *   proof   If no depths are stored, or they do not hold: every value that a side must force is reached by
 *           play that ends, or by a repetition that ends play (verify_ends.c).
 * Values that hold after every history (set->beyond) are proven if they are the best of their moves, where a
 * child counts as its value or as the worth that a repetition pays, whichever is worse for the side in
 * question.
 *
 * Two planes are lower and upper bounds, each computed from the cells of the other; one plane has the values.
 * Sets and slices own nothing; arrays come from the budget. One thread drives and starts the others. Ranks
 * make the same calls, and each looks at some chunks of positions (verify_parts.h).
 */
#ifndef ANALYSIS_VERIFY_VERIFY_SLICE_H
#define ANALYSIS_VERIFY_VERIFY_SLICE_H

#include <stdint.h>

#include "base/memory.h"
#include "base/progress.h"
#include "games/game.h"
#include "parallel/comm.h"

enum { VERIFY_PLANES = 2, VERIFY_NO_RESERVED = INT16_MIN, VERIFY_RESERVED_DEPTH = UINT16_MAX };

typedef struct chance_cells chance_cells; /* verify_chance.h */

/* The tables of one rule set. The cell of plane p of position i is at planes · i + p. */
typedef struct {
  const game *game;
  const game_rules *rules;
  int planes;
  int threads;
  comm *ranks; /* the ranks that share the work, each with all cells, or NULL for one */
  memory_budget *memory;
  progress *shown;
  uint64_t lines_budget; /* as in verify_job */
  int8_t **cells;        /* [slice] cells, NULL for a slice that is not loaded */
  int8_t **beyond;       /* [slice] cells that converting moves lead to, or NULL if they are `cells` */
  uint16_t **depths;     /* [slice] proven depths of outcomes. The list is NULL for other kinds */
  chance_cells *bounds;  /* [slice] bounds in games of dice. The list is NULL for other kinds */
  uint32_t slices;
} verify_set;

typedef struct {
  uint32_t slice;
  uint64_t positions;
  int reserved[VERIFY_PLANES]; /* reserved cell, or VERIFY_NO_RESERVED if all are plain */
  bool all_stored;    /* no cell is left out and all hold on a fresh history, so verify_lines checks them */
  uint64_t *searched; /* counter of the positions for which lines are searched, or NULL */
  uint16_t *depths;   /* [cell] depths, VERIFY_RESERVED_DEPTH if left out, or NULL if none are checked */
} verify_slice;

typedef enum {
  FAULT_NONE,
  FAULT_RANGE,  /* a value beyond the largest possible one, or a negative bound in a game of dice */
  FAULT_ORDER,  /* a lower bound above the upper bound */
  FAULT_LOOKUP, /* a reserved cell that no converting move restores */
  FAULT_VALUE,  /* not the best worth of the moves. In games of dice not proven by the moves, but perhaps true
                 */
  FAULT_FALSE,  /* contradicts the opposite bound by the moves, so that one of the two is false */
  FAULT_STAGE,  /* a stage that the stages of the moves do not prove */
  FAULT_DEPTH,  /* not the depth by the depth rule */
  FAULT_ENDLESS, /* a value that play that ends cannot force, or a bound that lines of play refute */
  FAULT_OPEN,    /* a bound beyond the one that lines of play prove in their budget. It may be true */
} verify_fault_kind;

/* A fault. `expected` is the largest value for RANGE, the upper bound for ORDER, the cell by the moves for
 * VALUE and DEPTH, the opposite bound by the moves for FALSE, the proven bound for OPEN. */
typedef struct {
  verify_fault_kind kind;
  uint64_t index;
  int plane; /* BOUND_LOWER or BOUND_UPPER in games of dice */
  double stored, expected;
} verify_fault;

/* Fills the cells of set->cells[slice] and the depths that tables leave out, and checks all positions.
 * *values and *depths receive the fault at the least index, that of verify_lines, or FAULT_NONE. After a
 * fault of the values, they must not be used; after one of the depths, the values are proven without them.
 * Errors: TAULER_NO_MEMORY, TAULER_NO_SPACE; TAULER_INTERNAL if the game contradicts itself; TAULER_IO. */
tauler_error verify_slice_logic(const verify_set *set, const verify_slice *slice, verify_fault *values,
                                verify_fault *depths, tauler_message *message);

/* Returns the bytes that the passes of verify_slice_logic allocate beside cells and depths. */
uint64_t verify_slice_bytes(const verify_set *set, uint64_t positions);

/* In verify_lines.c: compares set->cells[slice] with bounds that are found anew, for a slice whose values on
 * a fresh history need not be the best of their moves. Each rank does all of it, since all such slices are
 * small. *values receives the first false cell or, if there is none, the first one that claims more than
 * these bounds, *depths the first stage that is not borne out. Errors: those of memory_allocate,
 * TAULER_NO_MEMORY for a slice that is too large, TAULER_INTERNAL if the game contradicts itself. */
tauler_error verify_lines(const verify_set *set, const verify_slice *slice, verify_fault *values,
                          verify_fault *depths, tauler_message *message);
uint64_t verify_lines_bytes(uint64_t positions); /* estimate of the bytes that verify_lines allocates */

/* In verify_blocks.c: proves a slice many cells at a time (game_proof.h). If all cells are proven, fills the
 * reserved ones and returns true. Returns false if the game has no such functions for these tables, memory is
 * short, ranks share the work or a cell is wrong. Reserved cells may then remain filled, and the passes find
 * the fault. */
bool verify_blocks(const verify_set *set, const verify_slice *slice);

/* Starts the display of the second half of a proof without depths, unless `shown` is NULL. Writes its name to
 * `step`, which must stay valid until progress_abandon. */
void verify_ends_start(progress *shown, uint64_t positions, char step[4 * GAME_TEXT_BYTES]);

#endif
