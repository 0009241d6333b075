/* Aualé under several rule sets: values of whole slices in memory, so that claims walk them in step.
 *
 * An auale_tables owns its tables and every slice from auale_tables_open to auale_tables_close. Slices of all
 * rule sets number the same boards alike: those whose opponent's row has an empty pit. One thread at a time.
 */
#ifndef ANALYSIS_CLAIMS_AUALE_TABLES_H
#define ANALYSIS_CLAIMS_AUALE_TABLES_H

#include "analysis/claims/claim_tables.h"
#include "analysis/slices/bulk.h"

enum { AUALE_MOST_SEEDS = 24, AUALE_SEEDS = 16 };

typedef struct {
  uint64_t boards;
  const int8_t *lower, *upper; /* net seeds of the mover; the same array where values are exact */
} auale_layer;

typedef struct {
  claim_tables t;
  bulk *values;
  auale_layer layers[AUALE_MOST_SEEDS + 1];
} auale_tables;

/* How many seeds a job goes up to. */
int auale_tables_seeds(const claim_job *job);

/* Builds what is missing and loads all slices up to `seeds`. After an error there is nothing to close.
 * Errors: of building and reading tables, TAULER_NO_MEMORY. */
tauler_error auale_tables_open(const claim_job *job, const char *rules, const char *cycles, int seeds,
                               auale_tables *out, tauler_message *message);
void auale_tables_close(auale_tables *a);

/* Opens several rule sets; all are closed after an error. */
typedef struct {
  const char *rules, *cycles;
} auale_rule_set;
tauler_error auale_tables_open_all(const claim_job *job, const auale_rule_set *sets, size_t n, int seeds,
                                   auale_tables *out, tauler_message *message);
void auale_tables_close_all(auale_tables *a, size_t n);

/* All tables of all of them, as sources of the report. Errors: TAULER_NO_MEMORY. */
tauler_error auale_tables_tell_all(const auale_tables *a, size_t n, report *out, tauler_message *message);

/* Begins a witness: the board with South to move. */
void auale_tables_show(const auale_tables *a, game_place place, const char *title, report *out);

double auale_percent(uint64_t count, uint64_t of);

/* "2, 3 and 5-16": the seeds of which the flag is set, "none" if none is. */
enum { AUALE_LIST_BYTES = 128 };
void auale_list_seeds(const bool *set, int seeds, char text[AUALE_LIST_BYTES]);

#endif
