/* The tables of a rule set that a claim reads, built when they are missing.
 *
 * A claim_tables owns what it opens until claim_tables_close; slices stay open in between. Errors are kept in
 * the report, and after the first one nothing more is done: what is given back then means nothing.
 */
#ifndef ANALYSIS_CLAIMS_CLAIM_TABLES_H
#define ANALYSIS_CLAIMS_CLAIM_TABLES_H

#include "analysis/claims/report.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/slices/bulk.h"
#include "base/memory.h"
#include "base/progress.h"

/* The options of the command line. */
typedef struct {
  const char *folder;                 /* of the tables */
  const char *rules, *board;          /* or NULL */
  const char *plots;                  /* folder that plots are drawn into; or NULL */
  int seeds, pieces, players, tokens; /* how far to go; 0: as far as the claim does */
  int level, threads;
  memory_budget *memory;
  progress *shown;          /* or NULL */
  bool (*stop)(void *user); /* asked by builds, which keep everything then; NULL: never */
  void (*hold)(bool now);   /* called before a build, and after one that was not stopped; or NULL */
} claim_job;

/* Values of a whole slice for the mover; the same array twice where they are exact. */
typedef struct {
  uint64_t boards;
  const int8_t *lower, *upper;
} claim_layer;

enum { CLAIM_MOST_LAYERS = 25 };
typedef struct {
  const claim_job *job;
  report *out;
  tauler *db;
  tauler_tables *tables;
  const game *game; /* and rules: of the tables */
  const game_rules *rules;
  bool values_only;           /* no depths are needed; set before anything is built */
  double width;               /* of bounds that are built; 0: the usual one */
  bulk *values;               /* or NULL */
  const solved_slice *loaded; /* its slices, by number; or NULL */
  claim_layer layers[CLAIM_MOST_LAYERS];
} claim_tables;

/* Opens a rule set, without any table. False: it cannot be, and there is nothing to close. Errors:
 * TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
bool claim_tables_open(claim_tables *t, const claim_job *job, report *out, const char *game,
                       const char *rules, const char *cycles);

/* All tables that were opened become sources of the report. */
void claim_tables_close(claim_tables *t);

/* True if all tables of a slice, depths included where the game has them, are there. Errors: of a table that
 * is there. */
bool claim_tables_have(claim_tables *t, uint32_t slice);

/* Builds what is missing of a request, or of all slices up to a number of seeds, pieces, players or tokens,
 * and opens all of it; false after an error. Errors: of build_tables. */
bool claim_tables_need(claim_tables *t, const game_request *request);
bool claim_tables_need_up_to(claim_tables *t, int largest);

/* The same of a game whose slices are numbered so, and reads their values into memory. */
bool claim_tables_load(claim_tables *t, int largest);

/* The value of a position, and its depth (or NULL), TAULER_NO_DEPTH where it has none. Errors: of
 * resolve_value. */
int claim_tables_ask(claim_tables *t, game_place place, int *depth);

/* --- positions, by the rules alone --- */

game_position claim_position_at(const claim_tables *t, game_place place);

typedef struct {
  char text[GAME_TEXT_BYTES];
} claim_position_text;
claim_position_text claim_print(const claim_tables *t, const game_position *position);

/* False, with an error: it cannot be read. */
bool claim_parse(const claim_tables *t, const char *text, game_position *out);

/* Begins a witness, a position with its drawing. */
void claim_show(const claim_tables *t, const game_position *position, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define CLAIM_SHOW(t, position, ...) claim_show(t, position, "%s", REPORT_SAY((t)->out, __VA_ARGS__))

/* The moves of a position; game_moves_free in any case. */
bool claim_moves(const claim_tables *t, const game_position *position, game_moves *out);

/* Plays the move of that name, which outlives *out; false: there is none. */
bool claim_play(const claim_tables *t, const game_position *from, const char *name, game_move *out);

#endif
