/* A claim about a game: what its source says, and how tables decide it.
 *
 * A claim is a file of its own, a Markdown file beside it, and a line of CLAIMS. claim_run opens its rule
 * sets and gives it memory for its findings; `examine` has the tables built that it needs
 * (claim_tables.h), fills the report and prints nothing. Nothing is kept between calls.
 */
#ifndef ANALYSIS_CLAIMS_CLAIM_H
#define ANALYSIS_CLAIMS_CLAIM_H

#include "analysis/claims/claim_tables.h"

/* The Markdown beside a claim's source (awari_cycles.md beside awari_cycles.c), embedded by
 * tools/claim_texts.awk; empty lines separate paragraphs. Title and `plainly` name no result, so they hold at
 * every size. */
typedef struct {
  const char *title;               /* in one line */
  const char *plainly;             /* what is asked and why it matters, for a player; or NULL */
  const char *language, *sentence; /* of the source: "es", and its words */
  const char *english;             /* the same in English */
  const char *source;
  const char *method;
  const report_layout *layouts; /* of its tables of figures */
  size_t layouts_used;
  const report_sentence *sentences; /* that it finds */
  size_t sentences_used;
  const report_stored *stored; /* at a size that is not looked at here; or NULL */
} claim_text;

enum { CLAIM_MOST_SETS = 4 };

/* rules NULL: those of the command line, or the game's usual ones. */
typedef struct {
  const char *rules, *cycles;
} claim_rules;

/* The code of one claim. */
typedef struct {
  size_t findings;                 /* bytes, of a struct that begins with a claim_base */
  void (*examine)(void *findings); /* until an error */
  void (*close)(void *findings);   /* or NULL; rule sets of the claim_base are closed after it */
} claim_code;

typedef struct {
  const char *name; /* "phutball-small-boards" */
  const char *game; /* "phutball" */
  const claim_text *text;
  const claim_code *code;
  const char *options; /* which of "rules board seeds pieces players tokens" it knows */
  int usual, most;     /* its limit without an option, and the greatest there is (0: that of the option) */
  const char *rules;   /* as the report names them; NULL: those of the first set */
  bool loaded;         /* values of slices 0 … limit are read into memory */
  int sets_used;
  claim_rules sets[CLAIM_MOST_SETS]; /* opened before examine */
} claim;

/* The tables, options and report that every claim has while it runs. */
typedef struct {
  const claim *about;
  const claim_job *job;
  report *out;
  int limit;    /* how many seeds, pieces, players or tokens are looked at */
  bool limited; /* the command line says how many */
  claim_tables t[CLAIM_MOST_SETS];
} claim_base;

/* In the order of their names: the Markdown and the code of each, its name, game and options, its limit
 * without an option and the greatest, and the rule sets: as the report names them, whether their values are
 * read, what they are. */
#define CLAIMS(EACH)

#define CLAIM_DECLARE(said, ...)                                                                             \
  extern const claim_text claim_text_##said;                                                                 \
  extern const claim_code claim_code_##said;
CLAIMS(CLAIM_DECLARE)

/* "auale-abapa-path auale-awari-cycles …" */
#define CLAIM_NAME(said, name_, ...) name_ " "
#define CLAIM_NAMES ""

/* Ends with NULL. */
extern const claim *const claim_list[];

/* NULL: none of that name. */
const claim *claim_find(const char *name);

/* Runs a claim into an empty report, which says whether it holds, and draws its plots where that is wanted.
 * Errors: TAULER_BAD_USAGE (rules, a board), those of building and reading tables, of draw_report. */
tauler_error claim_run(const claim *one, const claim_job *job, report *out, tauler_message *message);

/* Checks the options of all claims, and that wanted plots can be drawn; a limit must be known to one of the
 * claims, unless every claim is run. Then runs one after the other and shows each report, until an error or
 * until `show` returns false. Errors: as above; TAULER_NOT_PROVEN without a message if a claim fails, which
 * keeps no other from being run. */
tauler_error claim_run_all(const claim *const *chosen, size_t n, const claim_job *job,
                           bool (*show)(void *user, const claim *one, const report *found), void *user,
                           tauler_message *message);

#endif
