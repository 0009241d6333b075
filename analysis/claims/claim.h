/* A claim about a game: what its source says, and how tables decide it.
 *
 * A claim is a const struct in a file of its own and a line in list.c. `run` has the tables built that it
 * needs (claim_tables.h), fills the report and prints nothing; it keeps nothing between calls.
 */
#ifndef ANALYSIS_CLAIMS_CLAIM_H
#define ANALYSIS_CLAIMS_CLAIM_H

#include "analysis/claims/report.h"
#include "base/memory.h"
#include "base/progress.h"

/* What the command line says. */
typedef struct {
  const char *folder;                 /* of the tables */
  const char *rules, *board;          /* or NULL */
  const char *plots;                  /* folder that plots are drawn into; or NULL */
  int seeds, pieces, players, tokens; /* how far to go; 0: as far as the claim does */
  int level, threads;
  memory_budget *memory;
  progress *shown;          /* or NULL */
  bool (*stop)(void *user); /* asked by builds, which keep everything then; NULL: never */
  void (*hold)(bool now);   /* told before a build, and after one that was not stopped; or NULL */
} claim_job;

/* What stands in the Markdown beside a claim's source (awari_cycles.md beside awari_cycles.c), made by
 * tools/claim_texts.awk; empty lines part paragraphs. Title and `plainly` name no result, whatever is looked
 * at. */
typedef struct {
  const char *title;               /* in one line */
  const char *plainly;             /* what is asked and why it matters, for a player; or NULL */
  const char *language, *sentence; /* of the source: "es", and its words */
  const char *english;             /* the same in English */
  const char *source;
  const char *method;
} claim_text;

typedef struct {
  const char *name; /* "phutball-small-boards" */
  const char *game; /* "phutball" */
  const claim_text *text;
  const char *options; /* which of "rules board seeds pieces players tokens" it knows */
  tauler_error (*run)(const claim_job *job, report *out, tauler_message *message);
} claim;

/* Ends with NULL. */
extern const claim *const claim_list[];

/* NULL: none of that name. */
const claim *claim_find(const char *name);

/* Refuses options that a claim does not know, but for limits (seeds, pieces, players, tokens). Errors:
 * TAULER_BAD_USAGE. */
tauler_error claim_check(const claim *one, const claim_job *job, tauler_message *message);

/* Runs a claim into an empty report, which says whether it holds, and draws its plots where that is wanted.
 * Errors: TAULER_BAD_USAGE (rules, a board), those of building and reading tables, of draw_report. */
tauler_error claim_run(const claim *one, const claim_job *job, report *out, tauler_message *message);

/* Checks the options for all of the claims, a limit being one that some of them know unless all there are are
 * run, and whether plots can be drawn where they are wanted; then runs one after the
 * other and shows each report, until an error or until `show` gives back false. Errors: as above;
 * TAULER_NOT_PROVEN without a message if a claim fails, which keeps no other from being run. */
tauler_error claim_run_all(const claim *const *chosen, size_t n, const claim_job *job,
                           bool (*show)(void *user, const claim *one, const report *found), void *user,
                           tauler_message *message);

#endif
