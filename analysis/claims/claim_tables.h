/* The rule set that figures are computed from, with its tables, which a claim has built.
 *
 * A claim_tables owns its handle on the tables until claim_tables_close. The first error of all functions is
 * kept in `kept`; after it, functions that can fail do nothing, and their results mean nothing.
 */
#ifndef ANALYSIS_CLAIMS_CLAIM_TABLES_H
#define ANALYSIS_CLAIMS_CLAIM_TABLES_H

#include "analysis/probe/probe_tables.h"
#include "analysis/slices/reached.h"
#include "base/memory.h"

/* --- first error of a computation --- */

/* The first error, all zeros before it occurs. One thread at a time uses it. */
typedef struct {
  tauler_error error;
  tauler_message message;
} claim_error;

/* Keep an error if it is the first; claim_fail also writes its message. claim_keep returns true if an error
 * is kept. CLAIM_CATCH skips a call after an error, so that the call does not change the message:
 * if (CLAIM_CATCH(e, f(x, &e->message))) return; */
bool claim_keep(claim_error *e, tauler_error error);
#define CLAIM_CATCH(e, call) ((e)->error ? true : claim_keep(e, call))
void claim_fail(claim_error *e, tauler_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Allocates zeroed memory, which the caller frees with free. Returns NULL after an earlier error, or if
 * there is no memory; then keeps TAULER_NO_MEMORY. */
void *claim_calloc(claim_error *e, size_t n, size_t bytes);

/* Returns the kept error and writes its message, or returns TAULER_OK. */
tauler_error claim_error_of(const claim_error *e, tauler_message *message);

/* --- tables --- */

typedef struct {
  const char *folder;
  const char *rules, *board; /* rule set and board, or NULL */
  const char *const *more;   /* [more_used] names of further rule sets */
  int more_used;
  int seeds, pieces, tokens; /* largest sizes, or 0 */
  bool every;                /* true if all stored positions of games of dice count, not only reached ones */
  int threads;
  memory_budget *memory;
} claim_job;

typedef struct {
  const claim_job *job;
  claim_error *kept;
  tauler *db;
  tauler_tables *tables;
  const game *game;
  const game_rules *rules;
} claim_tables;

/* Opens a rule set, but no table. Returns false after an error, when nothing must be closed. Errors:
 * TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
bool claim_tables_open(claim_tables *t, const claim_job *job, claim_error *kept, const char *game,
                       const char *rules, const char *cycles);

void claim_tables_close(claim_tables *t);

/* List the slices of a request, or all up to a number of seeds, pieces or tokens, and those that they need.
 * The caller frees out->slices. Return false after an error, which is kept. */
bool claim_tables_slices(const claim_tables *t, const game_request *request, game_slices *out);
bool claim_tables_slices_up_to(const claim_tables *t, int largest, game_slices *out);

/* Finds the positions that play of a game of dice reaches from the start. Returns false after an error, which
 * is kept. After success the caller closes *out with reached_close. */
bool claim_tables_reach(const claim_tables *t, const game_slices *slices, reached *out);

/* --- positions --- */

game_position claim_position_at(const claim_tables *t, game_place place);

typedef struct {
  char text[GAME_TEXT_BYTES];
} claim_position_text;
claim_position_text claim_print(const claim_tables *t, const game_position *position);
claim_position_text claim_print_at(const claim_tables *t, game_place place);

#endif
