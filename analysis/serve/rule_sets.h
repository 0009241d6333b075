/* The rule sets that questions are about, found by the words of the question, each opened once. Private to
 * analysis/serve.
 *
 * A client may ask for any of the countless rule sets of a game, so those without tables stay open only for a
 * while. Those with tables stay open until a table differs from its file, or very many are open. A rule_sets
 * owns the handles on the folder. Any number of threads may find and release at once.
 */
#ifndef ANALYSIS_SERVE_RULE_SETS_H
#define ANALYSIS_SERVE_RULE_SETS_H

#include "analysis/probe/tauler.h"
#include "databases/table.h"

typedef struct rule_sets rule_sets;
typedef struct rule_shelf rule_shelf;

/* The folders that the settings name must outlive it. Errors: TAULER_NO_MEMORY. */
tauler_error rule_sets_open(const char *folder, const tauler_settings *settings, rule_sets **out,
                            tauler_message *message);

/* To be called before anything is found: questions end early if `stop` returns true (probe_tables.h). */
void rule_sets_stop(rule_sets *sets, bool (*stop)(void *user), void *user);

void rule_sets_close(rule_sets *sets); /* nothing may be in use any more. NULL is ignored */

/* Tables and memory of the handle that stays open. */
typedef struct {
  size_t tables;
  frame_cache_counts frames;
} rule_sets_figures;
rule_sets_figures rule_sets_figure(rule_sets *sets);

/* A rule set in use; it stays open until it is released. */
typedef struct {
  tauler_tables *tables;
  rule_shelf *shelf;
} rule_set;

/* `rules` and `cycles` may be NULL. From now on tables are compared with their files. Errors: those of
 * tauler_select; after one nothing needs to be released. */
tauler_error rule_sets_find(rule_sets *sets, const char *game, const char *rules, const char *cycles,
                            rule_set *out, tauler_message *message);
void rule_sets_release(rule_sets *sets, rule_set *set);

/* True if a table used since then differs from its file: the answer may be older than the folder, and the
 * question must be asked again. */
bool rule_set_is_stale(const rule_set *set);

#endif
