/* An answer while it is put together, and what differs between answers with and without dice. Private to
 * analysis/. */
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

/* Adds the captures of both sides in the end. */
void answer_add_final(const tauler_tables *tables, const game_position *position, own_answer *own);

/* What lines of play say of a move. A worth is the mover's, gain included. */
typedef struct {
  bool repeats;
  tauler_worth worth;
} move_after_line;

/* A position after a line of moves, where a repetition ends play. tauler.after_line fills what is not const.
 */
struct line_question {
  tauler_tables *tables;
  const game_position *position;
  const line_past *past;
  const game_moves *moves;
  const ranked_move *ranked; /* what tables say of the moves */
  move_after_line *of_moves; /* one for each move, in the game's order */
  tauler_worth *worth;       /* of the position; may be known before: nothing is left looser */
};

/* Chosen once for a rule set, when it is selected. */
struct answering {
  bool dice;       /* rolls stand between moves: there is no line of best play and no search */
  table_cell cell; /* of values that are real; TABLE_I8: whole ones */
  /* Fills what an entry says of its values. */
  void (*describe)(const tauler_tables *tables, slice_entry *entry);
  void (*name_stream)(const tauler_tables *tables, const slice_entry *entry, value_stream stream,
                      char name[CHANCE_STREAM_BYTES]);
  /* True if positions of the slice are located for their index alone. */
  bool (*numbers)(tauler_tables *tables, uint32_t slice);
  /* The worth of the position at a place, and of any; on error not known. Errors: as slice_table. */
  tauler_error (*worth_at)(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                           tauler_message *message);
  tauler_error (*worth_of)(tauler_tables *tables, const game_position *position, bool with_depths,
                           tauler_worth *worth, tauler_message *message);
  /* Adds worth, category and moves or rolls to a position that is described. Errors: as tauler_probe. */
  tauler_error (*answer)(tauler_tables *tables, const game_position *position, const line_past *past,
                         own_answer *own, tauler_message *message);
};

extern const answering answers_of_moves, answers_of_dice;

#endif
