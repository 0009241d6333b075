/* The tables of a rule set that a claim reads, built when they are missing.
 *
 * A claim_tables owns what it opens until claim_tables_close; slices stay open in between. The first error is
 * kept, and after it nothing more is done: what is given back then means nothing.
 */
#ifndef ANALYSIS_CLAIMS_CLAIM_TABLES_H
#define ANALYSIS_CLAIMS_CLAIM_TABLES_H

#include "analysis/claims/claim_error.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/slices/reached.h"
#include "base/memory.h"
#include "base/progress.h"

/* The options of the command line. */
typedef struct {
  const char *folder;                 /* folder of the tables */
  const char *rules, *board;          /* or NULL */
  int seeds, pieces, players, tokens; /* largest size to look at, or 0 for the claim's own limit */
  bool every; /* in games of dice all stored positions count, not only those that play reaches */
  int level, threads;
  memory_budget *memory;
  progress *shown;          /* or NULL */
  bool (*stop)(void *user); /* asked by builds, which store everything if it returns true, or NULL */
  void (*hold)(bool now);   /* called before a build, and after one that was not stopped, or NULL */
} claim_job;

typedef struct {
  const claim_job *job;
  claim_error *kept;
  tauler *db;
  tauler_tables *tables;
  const game *game; /* and rules: of the tables */
  const game_rules *rules;
  bool values_only; /* no depths are needed, which is set before anything is built */
  double width;     /* width of bounds that are built, or 0 for the usual one */
} claim_tables;

/* Opens a rule set, without any table. Returns false if that fails; then there is nothing to close. Errors:
 * TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
bool claim_tables_open(claim_tables *t, const claim_job *job, claim_error *kept, const char *game,
                       const char *rules, const char *cycles);

void claim_tables_close(claim_tables *t);

/* True if all tables of a slice, depths included where the game has them, are there. Errors: of a table that
 * is there. */
bool claim_tables_have(claim_tables *t, uint32_t slice);

/* Builds the missing tables of a request, or of all slices up to a number of seeds, pieces, players or
 * tokens, and opens all of it; false after an error. Errors: of build_tables. */
bool claim_tables_need(claim_tables *t, const game_request *request);
bool claim_tables_need_up_to(claim_tables *t, int largest);
/* Follows a game of dice from its start. Returns false after an error, which is kept. The caller closes it
 * with reached_close. */
bool claim_tables_reach(const claim_tables *t, const game_slices *slices, reached *out);

/* The value of a position, and its depth (or NULL), TAULER_NO_DEPTH where it has none. Errors: of
 * resolve_value. */
int claim_tables_ask(claim_tables *t, game_place place, int *depth);

/* --- positions, by the rules alone --- */

game_position claim_position_at(const claim_tables *t, game_place place);

typedef struct {
  char text[GAME_TEXT_BYTES];
} claim_position_text;
claim_position_text claim_print(const claim_tables *t, const game_position *position);

/* Returns false, with an error, if it cannot be read. */
bool claim_parse(const claim_tables *t, const char *text, game_position *out);

/* The moves of a position; game_moves_free in any case. */
bool claim_moves(const claim_tables *t, const game_position *position, game_moves *out);

#endif
