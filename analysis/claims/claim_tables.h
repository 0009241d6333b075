/* The tables of a rule set that a claim reads, built when they are missing.
 *
 * claim_tables_open owns what it opens until claim_tables_close; slices stay open in between.
 */
#ifndef ANALYSIS_CLAIMS_CLAIM_TABLES_H
#define ANALYSIS_CLAIMS_CLAIM_TABLES_H

#include "analysis/claims/claim.h"
#include "analysis/probe/probe_tables.h"

typedef struct {
  const claim_job *job;
  tauler *db;
  tauler_tables *tables;
  bool values_only; /* set by who needs no depths, before anything is built */
  double width;     /* of bounds that are built; 0: the usual one */
} claim_tables;

/* Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY. After an error there is nothing to close. */
tauler_error claim_tables_open(const claim_job *job, const char *game, const char *rules, const char *cycles,
                               claim_tables *out, tauler_message *message);
void claim_tables_close(claim_tables *t);

/* Whether all tables of a slice, depths included where the game has them, are there. Errors: of a table that
 * is there. */
tauler_error claim_tables_have(claim_tables *t, uint32_t slice, bool *have, tauler_message *message);

/* Builds what is missing of a request, and opens all of it. Errors: of build_tables. */
tauler_error claim_tables_need(claim_tables *t, const game_request *request, tauler_message *message);

/* All tables that were opened, as sources of the report; once per rule set, at the end. */
tauler_error claim_tables_tell(const claim_tables *t, report *out, tauler_message *message);

/* A quantity of a position of a game of dice, given as text. Errors: TAULER_BAD_POSITION, and as
 * slice_table. */
tauler_error claim_tables_expect(claim_tables *t, const char *position, int quantity, double *lower,
                                 double *upper, tauler_message *message);

/* The value of a position and its depth, TAULER_NO_DEPTH where it has none. Errors: of resolve_value. */
tauler_error claim_tables_ask(claim_tables *t, game_place place, int *value, int *depth,
                              tauler_message *message);

#endif
