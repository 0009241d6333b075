/* The meaning of a record's start, sides and end in its game. Private to analysis/records/. */
#ifndef ANALYSIS_RECORDS_JUDGE_END_H
#define ANALYSIS_RECORDS_JUDGE_END_H

#include "analysis/records/judge.h"

/* The position that a record begins with; NULL: it says none and the game has no single one. */
const char *judge_start(const record *r, const game *game);

/* 0 or 1: the side that has the turn of that name. */
int judge_side(const game *game, const char *turn);

/* How much more a side has captured than the other; 0 in games without stores. */
int judge_lead(const game *game, const char *position, int side);

/* Fills in what is known of the end and of the record's result. `last` answers for the end, or for the
 * position before the last move if that ended the game (`over`). Errors: TAULER_BAD_POSITION (a result that
 * the game cannot have, with file, line and column), TAULER_NO_MEMORY. */
tauler_error judge_end(judged_game *out, const record *r, const char *file, const tauler_answer *last,
                       bool over, tauler_message *message);

#endif
