/* An answer while it is put together, and the part of it that is about dice. Private to analysis/. */
#ifndef ANALYSIS_PROBE_ANSWER_H
#define ANALYSIS_PROBE_ANSWER_H

#include "analysis/probe/line_past.h"
#include "analysis/probe/text_pool.h"
#include "analysis/probe/worth.h"

/* Belongs to the caller of tauler_probe; tauler_answer_free gives all of it back. */
typedef struct {
  tauler_answer shown; /* first: the caller's pointer is also ours */
  tauler_move *moves;  /* of all rolls one after the other, where there are dice */
  tauler_quantity *quantities;
  tauler_roll *rolls;
  text_pool pool;
} own_answer;

/* A move as an answer shows it. Errors: TAULER_NO_MEMORY. */
tauler_error answer_add_move(tauler_tables *tables, const game_move *move, const ranked_move *ranked,
                             own_answer *own, tauler_move *out, tauler_message *message);

/* What both sides will have in the end. */
void answer_add_final(const tauler_tables *tables, const game_position *position, tauler_answer *shown);

/* What dice add to a position that is described: quantities, worth, category, rolls. Errors: as tauler_probe.
 */
tauler_error answer_dice(tauler_tables *tables, const game_position *position, own_answer *own,
                         tauler_message *message);

#endif
