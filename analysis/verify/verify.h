/* The proof check: are the tables of a folder whole, and is what they say true?
 *
 * Written apart from the solver and its kernels. It takes the rules of a game from its batches, game->expand,
 * game->ended and game->retract, which tests hold against the readable rules; games of dice from the text
 * level. Files first: every table opens, stands where its header says, and agrees with its digests frame by
 * frame. Then logic, slice by slice, smallest first, in memory: every cell is what the moves of its position
 * make of it, and each bound can be forced by play that ends (verify_slice.h says how that is shown, with or
 * without depths). A slice is checked against smaller ones that were proven; where one of them is missing,
 * damaged or wrong, only the files of those above it are checked, and that is said. In games of chance all
 * bounds of a slice are checked together; they may agree with the moves without being proven by them
 * (verify_chance.h). Sound bounds that are not the best ones are proven to be sound, which a finding says.
 *
 * Each table gets one finding, in a fixed order that, like every finding, does not depend on the number
 * of threads or ranks. Ranks see the same folder, and each reports all findings. A job borrows all it points
 * to. Nothing is printed.
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
  VERIFY_CONSISTENT, /* cells that agree with what is known, which does not prove them */
  VERIFY_UNFOUNDED,  /* bounds that the moves do not bear out, although they may be true */
  VERIFY_FILES_ONLY, /* the file is whole, and the reason says why its logic was not checked */
  VERIFY_DAMAGED,    /* the file is not what it says */
  VERIFY_MISPLACED,  /* the file opens, but stands where nobody looks for the table that it holds */
  VERIFY_NO_TABLE,   /* the file does not open, and no table is called so */
  VERIFY_WRONG,      /* the file is whole, but what it says is false */
  VERIFY_VERDICTS
} verify_verdict;

/* "proven", "consistent, not proven", "does not follow", "files only", "damaged", "misplaced", "no table",
 * "wrong" */
const char *verify_verdict_name(verify_verdict verdict);

/* The properties shown of a proven table. Bounds are sound when play can keep them, and best when no better
 * ones are true. */
typedef enum {
  VERIFY_VALUES,
  VERIFY_BEST_BOUNDS,
  VERIFY_SOUND_BOUNDS,
  VERIFY_DEPTHS,
  VERIFY_STAGES,
  VERIFY_SEARCHED, /* on a fresh history, where lines of play closed what the moves alone do not prove */
  VERIFY_PROOFS
} verify_proof;

/* "values", "bounds, sound and best", "bounds, sound", "depths", "stages", "values, lines of play searched
 * again" */
const char *verify_proof_name(verify_proof proof);

typedef struct {
  const char *path;
  const table_header *header; /* without counts, or NULL when it cannot be read */
  verify_verdict verdict;
  verify_proof proof;      /* the kind of proof */
  uint64_t searched;       /* positions for which lines of play were searched */
  const char *reason;      /* one clause for a person, or "" when proven */
  const char *position;    /* the first that is wrong, in text form, or NULL */
  uint64_t index;          /* index of that position */
  double stored, expected; /* its cell, and what its moves make of it where `expects` */
  bool expects;
} verify_finding;

/* The parts of a name that a job leaves open. Boards are those that rules name (game->board_flag). */
enum { VERIFY_ANY_RULES = 1, VERIFY_ANY_BOARD = 2, VERIFY_ANY_CYCLES = 4 };

typedef struct {
  const char *folder;
  const game *game; /* these tables alone, or NULL for all. It need not be one of the registry */
  const game_rules *rules;
  unsigned any;                /* parts of the rule set that tables need not share */
  const game_request *request; /* the slices asked for. All, if it or all of its texts are NULL */
  int threads;
  uint64_t lines_budget; /* positions in lines of play, per position and threshold, or 0 for LINES_BUDGET */
  comm *ranks;           /* the ranks that share the work, each with a job of its own, or NULL for one */
  memory_budget *memory;
  progress *shown; /* or NULL */
  void (*report)(void *user, const verify_finding *finding);
  void *user;
} verify_job;

typedef struct {
  uint64_t tables[VERIFY_VERDICTS];
  uint64_t proofs[VERIFY_PROOFS]; /* tables proven, by the kind of proof */
  uint64_t positions;             /* proven, per table */
  uint64_t searched;              /* proven positions for which lines of play were searched */
  char missing[GAME_TEXT_BYTES];  /* a slice asked for that no rule set looked at has, or "" */
} verify_summary;

/* Checks the tables and reports each. A bad table is a finding, not an error. Errors:
 * TAULER_TABLE_MISSING (no table to check), TAULER_NO_MEMORY (with the figure, before any work),
 * TAULER_IO, TAULER_INTERNAL. */
tauler_error verify_tables(const verify_job *job, verify_summary *summary, tauler_message *message);

/* Returns the result of all findings, worst first: wrong and unfounded TAULER_NOT_PROVEN, damaged,
 * misplaced and no table TAULER_DAMAGED_FILE, files only TAULER_TABLE_MISSING, consistent TAULER_NOT_PROVEN,
 * else TAULER_OK. */
tauler_error verify_outcome(const verify_summary *summary);

#endif
