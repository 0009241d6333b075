/* The meaning of a record's start, sides and end in its game. Private to analysis/records/. */
#ifndef ANALYSIS_RECORDS_JUDGE_END_H
#define ANALYSIS_RECORDS_JUDGE_END_H

#include "analysis/records/judge.h"

/* The position that a record begins with; NULL: it says none and the game has no single one. */
const char *judge_start(const record *r, const game *game);

/* The same of a text that names it. */
const char *judge_start_of(const game *game, const char *said);

/* The rules of a variant of other programs; NULL: it is not known. */
const char *judge_variant_rules(const game *game, const char *variant);

/* True if the tag Result and what stands behind the moves contradict each other. */
bool judge_results_differ(const record *r, const char **tag, size_t *tag_line, const char **ending,
                          size_t *ending_line);

/* Fills in where the record contradicts itself. Errors: TAULER_NO_MEMORY, those of tauler_select. */
tauler_error judge_contradictions(tauler *db, const record *r, const judge_wish *wish,
                                  const tauler_tables *tables, judged_game *out, tauler_message *message);

/* 0 or 1: the side that has the turn of that name. */
int judge_side(const game *game, const char *turn);

/* How much more a side has captured than the other; 0 in games without stores. */
int judge_lead(const game *game, const char *position, int side);

/* All seeds of the game that this position is of; 0 in games without stores. */
int judge_seeds(const game *game, const char *position);

/* Fills in what is known of the end and of the record's result. `last` answers for the end, or for the
 * position before the last move if that ended the game (`over`). Errors: TAULER_BAD_POSITION (a result that
 * the game cannot have, with file, line and column), TAULER_NO_MEMORY. */
tauler_error judge_end(judged_game *out, const record *r, const char *file, const tauler_answer *last,
                       bool over, tauler_message *message);

#endif
