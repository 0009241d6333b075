/* The tables of a rule set that figures are worked out from. A claim has built them.
 *
 * A claim_tables owns what it opens until claim_tables_close; slices stay open in between. The first error is
 * kept, and after it nothing more is done: what is given back then means nothing.
 */
#ifndef ANALYSIS_CLAIMS_CLAIM_TABLES_H
#define ANALYSIS_CLAIMS_CLAIM_TABLES_H

#include "analysis/probe/probe_tables.h"
#include "analysis/slices/reached.h"
#include "base/memory.h"

/* --- the first error of a computation, after which nothing more is done; one thread at a time --- */

/* Zeroed: there is none. */
typedef struct {
  tauler_error error;
  tauler_message message;
} claim_error;

/* Keeps an error, unless there is one: true if there is one now. A call that writes into &e->message is only
 * made while there is no error: if (CLAIM_CATCH(e, f(x, &e->message))) return; */
bool claim_keep(claim_error *e, tauler_error error);
#define CLAIM_CATCH(e, call) ((e)->error ? true : claim_keep(e, call))
void claim_fail(claim_error *e, tauler_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Zeroed memory; NULL if there is none, which is kept, and after an error. */
void *claim_calloc(claim_error *e, size_t n, size_t bytes);

/* The error that was kept, with a message. */
tauler_error claim_error_of(const claim_error *e, tauler_message *message);

/* --- tables --- */

/* The options of the command line. */
typedef struct {
  const char *folder;        /* folder of the tables */
  const char *rules, *board; /* or NULL */
  const char *const *more;   /* more rule sets that are named, or NULL */
  int more_used;
  int seeds, pieces, tokens; /* largest size to look at, or 0 */
  bool every; /* in games of dice all stored positions count, not only those that play reaches */
  int threads;
  memory_budget *memory;
} claim_job;

typedef struct {
  const claim_job *job;
  claim_error *kept;
  tauler *db;
  tauler_tables *tables;
  const game *game; /* and rules: of the tables */
  const game_rules *rules;
} claim_tables;

/* Opens a rule set, without any table. Returns false if that fails; then there is nothing to close. Errors:
 * TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
bool claim_tables_open(claim_tables *t, const claim_job *job, claim_error *kept, const char *game,
                       const char *rules, const char *cycles);

void claim_tables_close(claim_tables *t);

/* The slices of a request, or all up to a number of seeds, pieces or tokens, and those that they need. The
 * caller frees out->slices. Returns false after an error, which is kept. */
bool claim_tables_slices(const claim_tables *t, const game_request *request, game_slices *out);
bool claim_tables_up_to(const claim_tables *t, int largest, game_slices *out);

/* Follows a game of dice from its start. Returns false after an error, which is kept. The caller closes it
 * with reached_close. */
bool claim_tables_reach(const claim_tables *t, const game_slices *slices, reached *out);

/* --- positions, by the rules alone --- */

game_position claim_position_at(const claim_tables *t, game_place place);

typedef struct {
  char text[GAME_TEXT_BYTES];
} claim_position_text;
claim_position_text claim_print(const claim_tables *t, const game_position *position);

/* The moves of a position; game_moves_free in any case. */
bool claim_list_moves(const claim_tables *t, const game_position *position, game_moves *out);

#endif
