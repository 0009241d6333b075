/* Parts of an answer while it is built, and the functions that differ between games with and without dice.
 * Private to analysis/. */
#ifndef ANALYSIS_PROBE_ANSWER_H
#define ANALYSIS_PROBE_ANSWER_H

#include "analysis/probe/text_pool.h"
#include "analysis/probe/worth.h"

/* The positions that a line of moves passed. They count if the first repetition since the last converting
 * move ends play. A line_past owns its positions until line_past_free. */
typedef struct {
  bool counts;   /* positions met before count under these rules. If not, all other members are 0 */
  bool given;    /* `counts`, and the text has a line of moves */
  bool over;     /* the position at the end of the line was met before */
  game_past met; /* positions met since the last converting move, without the position reached */
} line_past;

/* *out becomes the position after the line of moves. The caller frees *past, also after an error. Errors:
 * TAULER_BAD_POSITION, also for a line that continues after a repetition; TAULER_NO_MEMORY. */
tauler_error line_past_read(const game *game, const game_rules *rules, const char *text, game_position *out,
                            line_past *past, tauler_message *message);
void line_past_free(line_past *past);

bool line_past_has(const line_past *past, const game_position *position);

/* An answer as callers of the library get it. tauler_answer_free frees all of it. */
typedef struct {
  tauler_answer shown; /* first member, so that a pointer to the struct is a pointer to the answer */
  tauler_move *moves;  /* in games of dice the moves of all rolls, roll by roll */
  tauler_quantity *quantities;
  tauler_roll *rolls;
  text_pool pool;
} own_answer;

tauler_error answer_no_memory(tauler_message *message);

/* Adds the texts of the move to own->pool. Errors: TAULER_NO_MEMORY. */
tauler_error answer_set_move(tauler_tables *tables, const game_move *move, const ranked_move *ranked,
                             own_answer *own, tauler_move *out, tauler_message *message);

/* Sets the members about stores, and the outcomes of the position and of its moves. */
void answer_add_outcomes(const tauler_tables *tables, const game_position *position, own_answer *own);

typedef struct {
  bool repeats;
  tauler_worth worth;
} move_after_line;

/* A question about a position after a line of moves, if a repetition ends play. The member after_line of
 * `tauler` answers it by writing of_moves and *worth. */
struct line_question {
  tauler_tables *tables;
  const game_position *position;
  const line_past *past;
  const game_moves *moves;
  const ranked_move *ranked; /* the moves in the order of their worths by tables */
  move_after_line *of_moves; /* [moves->used] bounds of each move, in the game's order */
  tauler_worth *worth;       /* worth of the position. Bounds known before can only become narrower */
};

/* Functions that answer questions about a rule set, chosen when it is selected. */
struct answering {
  bool dice; /* rolls come between moves, so lines of best play and searches do not exist */
  table_cell cell;
  void (*describe)(const tauler_tables *tables, slice_entry *entry);
  void (*name_stream)(const tauler_tables *tables, const slice_entry *entry, value_stream stream,
                      char name[CHANCE_STREAM_BYTES]);
  /* True if answers show the indexes of the slice's positions. NULL: they do for every slice. */
  bool (*numbers)(tauler_tables *tables, uint32_t slice);
  /* Errors: those of slice_table and TAULER_INTERNAL; worth_of also returns those of moves_of_position. */
  tauler_error (*worth_at)(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                           tauler_message *message);
  tauler_error (*worth_of)(tauler_tables *tables, const game_position *position, bool with_depths,
                           tauler_worth *worth, tauler_message *message);
  /* Adds the worth, the moves or rolls, and all that follows from these to an answer. Errors: those of
   * tauler_probe. */
  tauler_error (*answer)(tauler_tables *tables, const game_position *position, const line_past *past,
                         own_answer *own, tauler_message *message);
};

extern const answering answers_of_moves, answers_of_dice;

#endif
