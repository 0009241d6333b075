/* A claim about a game: what its source says, and how tables decide it.
 *
 * A claim is a const struct in a file of its own, a Markdown file beside it, and a line in list.c. claim_run
 * opens its rule sets and gives it memory for its findings; `look` has the tables built that it needs
 * (claim_tables.h), fills the report and prints nothing. Nothing is kept between calls.
 */
#ifndef ANALYSIS_CLAIMS_CLAIM_H
#define ANALYSIS_CLAIMS_CLAIM_H

#include "analysis/claims/claim_tables.h"

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
  const report_layout *layouts; /* of its tables of figures */
  size_t layouts_used;
} claim_text;

enum { CLAIM_MOST_SETS = 4 };

/* rules NULL: those of the command line, or the game's usual ones. */
typedef struct {
  const char *rules, *cycles;
} claim_rules;

typedef struct {
  const char *name; /* "phutball-small-boards" */
  const char *game; /* "phutball" */
  const claim_text *text;
  const char *options; /* which of "rules board seeds pieces players tokens" it knows */
  int usual, most;     /* its limit without an option, and the greatest there is (0: that of the option) */
  const char *rules;   /* as the report names them; NULL: those of the first set */
  claim_rules sets[CLAIM_MOST_SETS];
  size_t sets_used;
  bool loaded;                   /* values of slices 0 … limit are read into memory */
  size_t findings;               /* bytes, of a struct that begins with a claim_base */
  void (*look)(void *findings);  /* until an error */
  void (*close)(void *findings); /* or NULL */
} claim;

/* What every claim has at hand while it is run. */
typedef struct {
  const claim *about;
  const claim_job *job;
  report *out;
  int limit;    /* how many seeds, pieces, players or tokens are looked at */
  bool limited; /* the command line says how many */
  claim_tables t[CLAIM_MOST_SETS];
} claim_base;

/* In the order of their names; each with the name of its Markdown. */
#define CLAIMS(EACH)                                                                                         \
  EACH(auale_abapa_path, abapa_path)                                                                         \
  EACH(auale_awari_cycles, awari_cycles)                                                                     \
  EACH(auale_awari_in_abapa, awari_in_abapa)                                                                 \
  EACH(auale_awari_path, awari_path)                                                                         \
  EACH(auale_cycle_free, cycle_free)                                                                         \
  EACH(auale_largest_capture, largest_capture)                                                               \
  EACH(auale_no_move, no_move)                                                                               \
  EACH(auale_own_row_bounds, own_row_bounds)                                                                 \
  EACH(auale_own_row_exact, own_row_exact)                                                                   \
  EACH(auale_rules_differ, rules_differ)                                                                     \
  EACH(doushouqi_equal_material, equal_material)                                                             \
  EACH(doushouqi_longest, longest)                                                                           \
  EACH(doushouqi_rat, rat)                                                                                   \
  EACH(doushouqi_variants, variants)                                                                         \
  EACH(oca_asesina_carry_over, asesina_carry_over)                                                           \
  EACH(oca_asesina_catch_up, asesina_catch_up)                                                               \
  EACH(oca_asesina_one_left, asesina_one_left)                                                               \
  EACH(oca_asesina_skill, asesina_skill)                                                                     \
  EACH(oca_asesina_strategies, asesina_strategies)                                                           \
  EACH(oca_first_player, oca_first_player)                                                                   \
  EACH(oca_well, oca_well)                                                                                   \
  EACH(phutball_one_dimension, one_dimension)                                                                \
  EACH(phutball_small_boards, small_boards)

#define CLAIM_DECLARE(name, said)                                                                            \
  extern const claim claim_##name;                                                                           \
  extern const claim_text claim_text_##said;
CLAIMS(CLAIM_DECLARE)

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
