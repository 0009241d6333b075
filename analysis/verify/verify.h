/* The proof check: tells whether the tables of a folder are whole and true.
 *
 * It shares no code with the solver and its kernels. It takes the moves of a game from its batches, which
 * tests compare with the readable rules, or from game->proof, and those of a game of dice from its rules one
 * position at a time. Slices are checked against smaller ones that were proven, the smallest first
 * (verify_slice.h). If a slice that moves lead to is not proven, only the files of the larger slice are
 * checked. In games of dice larger slices may also rest on bounds that agree with the moves without being
 * proven (verify_chance.h).
 *
 * Each table that the job asks for gets one finding. Findings and their order do not depend on the number of
 * threads or ranks. Ranks see the same folder, and each reports all findings. A job borrows all that it
 * points to. Nothing but progress is printed.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_H
#define ANALYSIS_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/progress.h"
#include "databases/table.h"
#include "games/game.h"
#include "parallel/comm.h"

typedef enum {
  VERIFY_PROVEN,     /* files and logic hold */
  VERIFY_CONSISTENT, /* moves or lines of play do not refute the cells, which is no proof */
  VERIFY_UNFOUNDED,  /* the moves do not prove the bounds, which may be true */
  VERIFY_FILES_ONLY, /* the file is whole, and the reason says why its logic was not checked */
  VERIFY_DAMAGED,    /* the file contradicts itself, its digests or its slice, or is a link to no file */
  VERIFY_MISPLACED,  /* the file opens, but is not in the place that its header names */
  VERIFY_NO_TABLE,   /* the file does not open, and no table can have its name */
  VERIFY_WRONG,      /* the file is whole, but a cell or the header is false */
  VERIFY_VERDICTS
} verify_verdict;

const char *verify_verdict_name(verify_verdict verdict);

/* The property of a table that is proven. Bounds are sound if play can keep them, and best if no better ones
 * are true. */
typedef enum {
  VERIFY_VALUES,
  VERIFY_BEST_BOUNDS,
  VERIFY_SOUND_BOUNDS,
  VERIFY_DEPTHS,
  VERIFY_STAGES,
  VERIFY_SEARCHED, /* values or bounds on a fresh history, by lines of play where moves do not decide */
  VERIFY_PROOFS
} verify_proof;

const char *verify_proof_name(verify_proof proof);

typedef struct {
  const char *path;
  const table_header *header; /* header without counts, or NULL if it cannot be read */
  verify_verdict verdict;
  verify_proof proof; /* property that is proven, if `verdict` is VERIFY_PROVEN */
  uint64_t searched; /* number of positions for which lines of play were searched, 0 if values have a fault */
  const char *reason;   /* one clause for the user, or "" if proven */
  const char *position; /* position of the fault as text, or NULL */
  uint64_t index;
  double stored, expected; /* cell of that position and, if `expects`, the one that its moves demand */
  bool expects;
} verify_finding;

/* The parts of a rule set in which tables need not agree with a job. The board is the flag board= of the
 * rules. */
enum { VERIFY_ANY_RULES = 1, VERIFY_ANY_BOARD = 2, VERIFY_ANY_CYCLES = 4 };

typedef struct {
  const char *folder;
  const game *game; /* game whose tables are checked, or NULL for all games */
  const game_rules *rules;
  unsigned any;                /* VERIFY_ANY_… parts of the rule set that may differ */
  const game_request *request; /* slices to check. All if NULL or without texts */
  int threads;
  uint64_t lines_budget; /* most nodes that one search of lines of play looks at, or 0 for LINES_BUDGET */
  comm *ranks;           /* ranks that share the work, each with its own job, or NULL for one */
  memory_budget *memory;
  progress *shown; /* progress, or NULL */
  void (*report)(void *user, const verify_finding *finding);
  void *user;
} verify_job;

typedef struct {
  uint64_t tables[VERIFY_VERDICTS];
  uint64_t proofs[VERIFY_PROOFS]; /* number of proven tables by the property proven */
  uint64_t positions;             /* sum of the positions of all proven tables */
  uint64_t searched;              /* sum of `searched` of all proven tables */
  /* If no checked rule set has all slices asked for, a slice that the first one lacks, otherwise "". */
  char missing[GAME_TEXT_BYTES];
} verify_summary;

/* Checks the tables and reports each. A bad table is a finding, not an error. Errors: TAULER_BAD_USAGE (the
 * rules have no such slice, or ranks see different tables), TAULER_TABLE_MISSING (no folder, or no table to
 * check), TAULER_NO_MEMORY (before any check if foreseen), TAULER_NO_SPACE, TAULER_IO, TAULER_INTERNAL. */
tauler_error verify_tables(const verify_job *job, verify_summary *summary, tauler_message *message);

/* Returns the error for the worst verdict, in this order: TAULER_NOT_PROVEN for wrong and unfounded tables,
 * TAULER_DAMAGED_FILE for damaged and misplaced ones and for files that are no tables, TAULER_TABLE_MISSING
 * for files only, TAULER_NOT_PROVEN for consistent ones, TAULER_OK if all are proven. */
tauler_error verify_outcome(const verify_summary *summary);

#endif
