/* Private to the proof check: the logic of one slice in memory.
 *
 * Every cell is held against the moves of its position, as game->expand and game->ended give them; no
 * solver and no grid has a part in it. It shows, position by position:
 *   value   equals the best worth of its moves, or that of the ended position;
 *   depth   equals what the depth rule makes of the moves that are worth the value. Of scores and bounds a
 *           move that converts is one deep; of wins, draws and losses it counts on in the smaller slice;
 *   stage   in place of depths, where a repetition ends play: a best move leads to a lower stage, or to an
 *           equal one where a repetition pays at least the value;
 *   proof   where no depths are stored: every value that a side must force is reached by play that ends.
 * A position is proven when one move of that worth (if its mover gains) or all of them (if its mover loses)
 * convert or lead to proven positions; sweeps repeat that until nothing more can be proven. The order in
 * which positions are proven is the rank that depths would give. Values that hold whatever was met before
 * (set->beyond) are proven by being the best of their moves, each weighed against what its child pays. A
 * value that cannot be proven so is wrong, not unknown: the sweeps prove every true value.
 *
 * Two planes are lower and upper bounds, worked out one from the other's cells; one plane is values. A set
 * owns nothing but its list of cells; arrays come from its budget. One thread drives, and starts the others.
 * Ranks make the same calls; each looks at some chunks of positions (verify_parts.h). Findings do not depend
 * on the number of threads or ranks.
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

/* Tables of one rule set. Cells stand side by side: plane p of position i at planes · i + p. */
typedef struct {
  const game *game;
  const game_rules *rules;
  int planes;
  int threads;
  comm *ranks; /* the ranks that share the work, each with all cells, or NULL for one */
  memory_budget *memory;
  progress *shown;
  uint64_t lines_budget; /* as that of verify_job */
  int8_t **cells;        /* cells by slice number, or NULL */
  int8_t **beyond;   /* cells that converting moves lead to, if game->fallback_cycles has others, or NULL */
  uint16_t **depths; /* depths of outcomes of proven slices, plain, or NULL for all other kinds */
  chance_cells *bounds; /* bounds of games of dice by slice number, or NULL */
  uint32_t slices;
} verify_set;

typedef struct {
  uint32_t slice;
  uint64_t positions;
  int reserved[VERIFY_PLANES]; /* the cell that is looked up, or VERIFY_NO_RESERVED if every cell is plain */
  bool all_stored;             /* by tables whose values rest on a fresh history: verify_lines */
  uint64_t *searched; /* receives the number of positions for which lines of play were searched, or NULL */
  uint16_t *depths;   /* laid out as cells are, VERIFY_RESERVED_DEPTH for those left out, or NULL */
} verify_slice;

typedef enum {
  FAULT_NONE,
  FAULT_RANGE,   /* a value that no position of the slice has */
  FAULT_LOOKUP,  /* a cell is to be looked up that no converting move gives back */
  FAULT_VALUE,   /* not the best of its moves */
  FAULT_STAGE,   /* not borne out by the stages of the moves */
  FAULT_DEPTH,   /* not what the depth rule says */
  FAULT_ENDLESS, /* agrees with its moves, but no side can make it good */
  FAULT_OPEN, /* beyond the proofs that lines of play find within their budget (`expected`), although it may
                 be true */
} verify_fault_kind;

/* The fault at the least index. */
typedef struct {
  verify_fault_kind kind;
  uint64_t index;
  int plane;
  int stored, expected;
} verify_fault;

/* Fills the cells of set->cells[slice] and the depths that tables leave out, and checks all positions.
 * *values receives the first fault of the values, which must then not be used. *depths receives the first
 * fault of the depths; values are then proven without them. Errors: TAULER_NO_MEMORY; TAULER_INTERNAL if the
 * game contradicts itself; TAULER_IO between ranks. */
tauler_error verify_slice_logic(const verify_set *set, const verify_slice *slice, verify_fault *values,
                                verify_fault *depths, tauler_message *message);

/* Bytes that it allocates beside cells and depths. */
uint64_t verify_slice_bytes(const verify_set *set, uint64_t positions);

/* In verify_lines.c, for a slice whose values on a fresh history are not all the best of their moves. Its
 * tables leave no cell out. Every rank proves it alone, since all such slices are small. Compares
 * set->cells[slice] with bounds that are found anew. *values receives the first cell that claims more,
 * *depths the first stage that does not order the proof of those bounds. Errors: TAULER_NO_MEMORY;
 * TAULER_INTERNAL if the game contradicts itself. */
tauler_error verify_lines(const verify_set *set, const verify_slice *slice, verify_fault *values,
                          verify_fault *depths, tauler_message *message);
uint64_t verify_lines_bytes(uint64_t positions);

/* In verify_blocks.c: has the game prove a slice many cells at a time (game_proof.h). Returns true if all
 * cells are proven; reserved ones are then filled. Returns false if the game cannot, memory is short, ranks
 * share the work or something is wrong. Cells are then as they were, or filled, and the passes find out what
 * is wrong. */
bool verify_blocks(const verify_set *set, const verify_slice *slice);

/* Begins to show the second half of a proof without depths. `step` must live until progress_abandon; `shown`
 * may be NULL. */
void verify_ends_start(progress *shown, uint64_t positions, char step[4 * GAME_TEXT_BYTES]);

#endif
