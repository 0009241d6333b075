/* Bounds the value of a position after a given history, if the first repetition ends play and pays what the
 * position says (game->repeated).
 *
 * After a history there are too many lines of play to follow to their ends. Lines are therefore cut wherever
 * the nested fixpoint of the engine repetition decides, with the positions of the line as ends.
 * docs/proofs.md, "Lines of play", says why this is sound.
 *
 * own_row_lines owns the moves and the results of one slice. It only reads the job and its finished slices,
 * which must outlive it. Only one thread may use it at a time. If the budget is used up, bounds may remain
 * apart but are never wrong. The order of questions only changes how soon a budget is used up.
 */
#ifndef LINES_LINES_H
#define LINES_LINES_H

#include "databases/plain_slice.h"
#include "games/game.h"

typedef struct {
  const game *game;
  const game_rules *rules;
  memory_budget *memory;
  plain_slices finished;
  bool (*stop)(void *user); /* called now and then in a search, which stops if it returns true, or NULL */
  void *user;
} own_row_job;

/* A position that occurred since the last converting move, before the position that is asked about. `other`
 * is true if the side that moved there is not the side to move in the position that is asked about. */
typedef struct {
  uint64_t index;
  bool other;
} own_row_met;

/* Bounds of the mover's net result. */
typedef struct {
  int lower, upper;
} own_row_worth;

/* The usual budget of builds. A budget limits one search, from one node for one threshold: it is the most
 * nodes that all graphs settled in the search have together. With budget 0 no move is followed, and only the
 * fixpoint is used. A hundredth of this budget leaves some boards of eight seeds open. */
#define OWN_ROW_USUAL_BUDGET (UINT64_C(1) << 25)

typedef struct own_row_lines own_row_lines;

/* Opens a slice whose converting moves all lead to finished slices. Their cells must be sound bounds for a
 * fresh history; bounds tighter than those of the repetition engine give tighter answers. Memory
 * is charged to job->memory. Errors: TAULER_NO_MEMORY, those of the game; TAULER_INTERNAL if a needed slice
 * is not finished or the slice is too large. */
tauler_error own_row_lines_open(const own_row_job *job, uint32_t slice, own_row_lines **out,
                                tauler_message *message);
void own_row_lines_close(own_row_lines *lines);

/* Bounds the value of a position after the `met` positions of `history`, in any order. If the position is one
 * of them with the same side to move, it repeats and play ends there. The history need not be a line of play.
 * It is empty for a start and for a position after a converting move. The caller leaves out positions without
 * an index, which cannot repeat. Errors: TAULER_NO_MEMORY, TAULER_STOPPED, TAULER_INTERNAL (the slice has no
 * such index). */
tauler_error own_row_lines_ask(own_row_lines *lines, uint64_t index, const own_row_met *history, size_t met,
                               uint64_t budget, own_row_worth *out, tauler_message *message);

/* Tightens the bounds of a slice for a fresh history. Its converting moves must all lead to finished slices.
 * The bounds must be those of the repetition engine over these slices, or looser. A line is cut where bounds
 * are equal, so bounds that lines have tightened must not be passed again. Errors: those of
 * own_row_lines_open, TAULER_STOPPED. */
tauler_error own_row_lines_tighten(const own_row_job *job, uint64_t budget, solved_slice *bounds,
                                   tauler_message *message);

#endif
