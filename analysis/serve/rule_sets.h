/* The rule sets that questions are about, by the words in which they ask, each opened once. Private to
 * analysis/serve.
 *
 * A client may ask for any of the countless rule sets of a game, so those without tables stay open for a
 * while only; those that have tables stay, until a table turns out to be another than its file, or very many
 * are open. A rule_sets owns the handles on the folder. Any number of threads may find and release at once.
 */
#ifndef ANALYSIS_SERVE_RULE_SETS_H
#define ANALYSIS_SERVE_RULE_SETS_H

#include "analysis/probe/tauler.h"
#include "databases/table.h"

typedef struct rule_sets rule_sets;
typedef struct rule_shelf rule_shelf;

/* Errors: TAULER_NO_MEMORY. */
tauler_error rule_sets_open(const char *folder, const tauler_settings *settings, rule_sets **out,
                            tauler_message *message);

/* Before anything is found: questions end early where `stop` says so (probe_tables.h). */
void rule_sets_stop(rule_sets *sets, bool (*stop)(void *user), void *user);

void rule_sets_close(rule_sets *sets); /* nothing is in use any more; NULL is ignored */

/* Tables and memory of the handle that stays. */
typedef struct {
  size_t tables;
  frame_cache_counts frames;
} rule_sets_figures;
rule_sets_figures rule_sets_figure(rule_sets *sets);

/* A rule set in use: it stays open until it is released. */
typedef struct {
  tauler_tables *tables;
  rule_shelf *shelf;
} rule_set;

/* `rules` and `cycles` may be NULL. Errors: as tauler_select; nothing is to be released then. Tables are
 * compared with their files from then on. */
tauler_error rule_sets_find(rule_sets *sets, const char *game, const char *rules, const char *cycles,
                            rule_set *out, tauler_message *message);
void rule_sets_release(rule_sets *sets, rule_set *set);

/* True if a table that was used since has turned out to be another than its file: what was answered may be
 * older than the folder, and is to be asked for again. */
bool rule_set_is_stale(const rule_set *set);

#endif
