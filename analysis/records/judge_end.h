/* The meaning of a record's start, sides and end in its game. Private to analysis/records/. */
#ifndef ANALYSIS_RECORDS_JUDGE_END_H
#define ANALYSIS_RECORDS_JUDGE_END_H

#include "analysis/records/judge.h"

/* The position with which a record begins; NULL if it names none and the game has no single one. */
const char *judge_start(const record *r, const game *game);

/* The same for a text that names it. */
const char *judge_start_of(const game *game, const char *said);

/* The rules of a variant of other programs; NULL if it is unknown. */
const char *judge_variant_rules(const game *game, const char *variant);

/* True if the tag Result and the ending after the moves contradict each other. */
bool judge_results_differ(const record *r, const char **tag, size_t *tag_line, const char **ending,
                          size_t *ending_line);

/* Sets where the record contradicts itself. Errors: TAULER_NO_MEMORY, those of tauler_select. */
tauler_error judge_contradictions(tauler *db, const record *r, const judge_wish *wish,
                                  const tauler_tables *tables, judged_game *out, tauler_message *message);

/* The side, 0 or 1, with this name of a side to move. */
int judge_side(const game *game, const char *turn);

/* How much more a side has captured than the other; 0 in games without stores. */
int judge_lead(const game *game, const char *position, int side);

/* All seeds of the game of this position; 0 in games without stores. */
int judge_seeds(const game *game, const char *position);

/* Sets the members about the end and the record's result. `last` answers for the end, or, if the last move
 * ended the game (`over`), for the position before it. Errors: TAULER_BAD_POSITION (a result that the game
 * cannot have, with file, line and column), TAULER_NO_MEMORY. */
tauler_error judge_end(judged_game *out, const record *r, const char *file, const tauler_answer *last,
                       bool over, tauler_message *message);

/* In judge_notation.c. Writes moves and positions in a notation of another program; NULL: nothing changes.
 * Errors: TAULER_NO_MEMORY. */
tauler_error judge_notation(const tauler_tables *tables, const char *notation, judged_game *out,
                            tauler_message *message);

#endif
