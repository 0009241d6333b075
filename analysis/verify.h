/* The proof check: are the tables of a folder whole, and is what they say true?
 *
 * Written apart from the solver and its grid kernels; it uses the rules of the games as game->expand and
 * game->ended give them, and nothing else. Files first: every table opens, stands where its header says,
 * and agrees with its digests frame by frame. Then logic, slice by slice, smallest first, in memory:
 * every cell is what the moves of its position make of it, and whatever somebody is said to force can
 * be forced by play that ends (verify_slice.h says how that is shown, with or without depths). A slice
 * is checked against smaller ones that were proven; where one of them is missing, damaged or wrong,
 * only the files of those above it are checked, and that is said. Of games of chance all bounds of a slice
 * are checked together, and may agree with the moves without following from them (verify_chance.h).
 *
 * Each table gets one finding, in a fixed order that, like every finding, does not depend on the number
 * of threads. A job borrows all it points to. Nothing is printed.
 */
#ifndef ANALYSIS_VERIFY_H
#define ANALYSIS_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/progress.h"
#include "databases/table.h"
#include "games/game.h"

typedef enum {
  VERIFY_PROVEN,     /* files and logic hold */
  VERIFY_CONSISTENT, /* bounds that agree with the moves, from which they do not follow */
  VERIFY_FILES_ONLY, /* the file is whole; why its logic was not checked is the reason */
  VERIFY_DAMAGED,    /* the file is not what it says */
  VERIFY_WRONG,      /* the file is whole, but what it says is not true */
  VERIFY_VERDICTS
} verify_verdict;

/* "proven", "consistent, not proven", "files only", "damaged", "wrong" */
const char *verify_verdict_name(verify_verdict verdict);

typedef struct {
  const char *path;
  const table_header *header; /* without counts; NULL when it cannot be read */
  verify_verdict verdict;
  const char *reason;      /* one clause for a person; "" when proven */
  const char *position;    /* the first that is wrong, in text form; NULL when there is none */
  uint64_t index;          /* of that position */
  double stored, expected; /* its cell, and what its moves make of it where `expects` */
  bool expects;
} verify_finding;

typedef struct {
  const char *folder;
  const game *game; /* these tables alone; NULL: all. It need not be one of the registry */
  const game_rules *rules;
  const game_request *request; /* of these, the slices asked for; NULL, or all texts NULL: all */
  int threads;
  memory_budget *memory;
  progress *shown; /* or NULL */
  void (*report)(void *user, const verify_finding *finding);
  void *user;
} verify_job;

typedef struct {
  uint64_t tables[VERIFY_VERDICTS];
  uint64_t positions; /* proven, per table */
} verify_summary;

/* Checks the tables and reports each. A bad table is a finding, not an error. Errors:
 * TAULER_TABLE_MISSING (no table to check), TAULER_NO_MEMORY (with the figure, before any work),
 * TAULER_IO, TAULER_INTERNAL. */
tauler_error verify_tables(const verify_job *job, verify_summary *summary, tauler_message *message);

/* What the findings mean as a whole, worst first: wrong TAULER_NOT_PROVEN, damaged TAULER_DAMAGED_FILE,
 * files only TAULER_TABLE_MISSING, consistent TAULER_NOT_PROVEN, else TAULER_OK. */
tauler_error verify_outcome(const verify_summary *summary);

#endif
