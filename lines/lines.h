/* The worth of a position after a given history, where the first repetition ends play and pays what the
 * position says (game->repeated): by lines of play, cut short wherever the nested fixpoint of the engine
 * repetition decides, with the positions met before as ends. Why that is sound is in docs/proofs.md, "Lines
 * of play".
 *
 * own_row_lines owns the moves of one slice and what was found out about it; it reads, and never changes, the
 * job and its finished slices, which outlive it. One thread at a time.
 * Answers are bounds, and exact where they are equal. An effort that is used up leaves them apart, never
 * wrong. They depend on the order of questions only in how soon an effort is used up.
 */
#ifndef LINES_LINES_H
#define LINES_LINES_H

#include "base/command/options.h"
#include "databases/plain_slice.h"
#include "games/game.h"

typedef struct {
  const game *game;
  const game_rules *rules;
  memory_budget *memory;
  plain_slices finished;
  int8_t *const
      *pairs; /* by slice, in place of `finished`: the two bounds of each index side by side; or NULL */
  bool (*stop)(void *user); /* asked now and then while bounds are tightened; NULL: never */
  void *user;
} own_row_job;

/* A position met since the last converting move, before the one that is asked about. `other`: the side that
 * moves in the position asked about did not move there. */
typedef struct {
  uint64_t index;
  bool other;
} own_row_met;

/* Bounds on the mover's net result. */
typedef struct {
  int lower, upper;
} own_row_worth;

/* How far to look. `budget` is in positions of the parts that are looked into, for one question about one
 * position and one threshold; about a hundred million take a processor's minute. `parts`: what leads from one
 * strongly connected part to another is found first. `depth`: so many moves at most are followed one by one
 * (0: none, the fixpoint alone; 1: the position itself becomes an end; OWN_ROW_ANY_DEPTH: until the budget is
 * used up). */
enum { OWN_ROW_ANY_DEPTH = 1 << 12 };
/* The budget of builds, and of proofs of what they stored. A hundredth of it leaves some boards of eight
 * seeds open. */
#define OWN_ROW_USUAL_BUDGET (UINT64_C(1) << 25)
#define OWN_ROW_BUDGET_OPTION                                                                                \
  {                                                                                                          \
    "lines-budget", "N",                                                                                     \
        "own-row: positions that lines of play may look at to close one position (33554432)", NULL           \
  }
/* --lines-budget; left alone where it is not given. Errors: TAULER_BAD_USAGE. */
tauler_error own_row_budget_option(const options *parsed, uint64_t *budget, tauler_message *message);

typedef struct {
  uint64_t budget;
  int depth;
  bool parts;
} own_row_effort;

typedef struct own_row_lines own_row_lines;

/* Opens a slice whose converting moves all lead to finished slices. Their cells are two planes of sound
 * bounds for a fresh history, which may be tighter than those of the repetition engine; tighter bounds give
 * tighter answers. The engine's bounds of this slice are not needed; they are found again. Memory is
 * allocated from job->memory. Errors: TAULER_NO_MEMORY, of the game. */
tauler_error own_row_lines_open(const own_row_job *job, uint32_t slice, own_row_lines **out,
                                tauler_message *message);
void own_row_lines_close(own_row_lines *lines);

/* The worth of a position after the positions of `history`, in any order; if it is one of them, it repeats
 * and play ends there. The history need not be a line of play. The history of a start, or of what a
 * converting move leads to, is empty. Positions without an index cannot be met again and are left out by the
 * caller. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (an index that the slice does not have). */
tauler_error own_row_lines_ask(own_row_lines *lines, uint64_t index, const own_row_met *history, size_t met,
                               const own_row_effort *effort, own_row_worth *out, tauler_message *message);

/* Tightens bounds of a slice for a fresh history; its converting moves all lead to finished slices, as
 * above. They must be those of the repetition engine over these slices, or looser: a line is cut where they
 * are equal, so bounds tightened by lines must not be passed again. Errors: those of own_row_lines_open,
 * TAULER_STOPPED. */
tauler_error own_row_lines_tighten(const own_row_job *job, const own_row_effort *effort, solved_slice *bounds,
                                   tauler_message *message);

#endif
