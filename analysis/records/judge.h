/* The judgement by tables of every move of a recorded game: its worth, the worth of the best move, and the
 * difference, which the move gave away. Private to analysis/.
 *
 * Worths are for the side to move, as in answers (tauler.h): net gain from what is still on the board, or 1,
 * 0, −1. A move gave away at least `given_lower` and at most `given_upper`, which is INFINITY if nothing
 * bounds it. If the first repetition ends play (tauler_history), moves are judged by their worth after the
 * earlier moves of the record, unless it is unknown and tables hold after every history. Before the first
 * position of a record no position counts as met.
 *
 * A judged_game owns its texts until judged_free, except those of its record, which must outlive it. Moves
 * and positions are canonical or, if the user wishes so, in another notation.
 */
#ifndef ANALYSIS_RECORDS_JUDGE_H
#define ANALYSIS_RECORDS_JUDGE_H

#include "analysis/probe/tauler.h"
#include "analysis/records/record.h"
#include "base/progress.h"
#include "games/game.h"

enum { JUDGED_SIDES = 2, JUDGED_CONTRADICTIONS = 3 };

typedef struct {
  const record_item *item;
  const char *name;
  const char *position; /* text of the position before the move */
  const char *slice;
  const char *turn;
  int side;                /* 0 for the side that moves first in the game's start position, otherwise 1 */
  tauler_worth made, best; /* worths of this move and of the position by the tables, with depths */
  /* The same worths after the line if a repetition ends play, otherwise unknown. */
  tauler_worth line_made, line_best;
  bool by_line; /* line_made and line_best judge the move. If false, made and best do */
  bool judged;  /* given_lower or given_upper is known */
  double given_lower, given_upper;
  const char *best_moves; /* all moves as good as the best, joined by blanks, or "" if unknown */
  size_t best_moves_used;
  bool made_best;
  tauler_category before, after; /* outcomes of the whole game for the mover, before and after the move */
} judged_move;

typedef struct {
  size_t moves, judged;
  size_t bounded; /* judged moves whose loss is known only by bounds */
  /* Sum that the other judged moves gave away. If it exceeds the seeds of the game, given_lower is their
   * number and given_upper INFINITY. */
  double given_lower, given_upper;
  size_t worst; /* number, from 0, of the move with the largest given_lower, or SIZE_MAX if all are 0 */
  size_t first_change; /* number, from 0, of the first move that changed the result, or SIZE_MAX */
} judged_side;

typedef enum {
  RESULT_UNSAID,
  RESULT_OPEN, /* the last position has no result (`reached` is NULL) */
  RESULT_AGREES,
  RESULT_DIFFERS
} result_check;

typedef struct {
  const game *game;
  const char *rules, *cycles;
  const char *start;
  const char *end; /* text of the last position, or "" if the last move ended the game */
  judged_move *moves;
  size_t moves_used;
  judged_side sides[JUDGED_SIDES];
  const char *side_names[JUDGED_SIDES];
  const char *players[JUDGED_SIDES]; /* NULL if no tag names them */
  bool counts;                       /* a repetition ends play under these rules */
  bool stages;                       /* depths are stages */
  bool over;
  bool repeated;          /* play is not over, and the last position occurred before */
  tauler_worth end_worth; /* worth of `end` for the side to move, after the line if that counts */
  const char *result;     /* result as the record has it, or NULL */
  size_t result_line;
  /* Result by the last position, written as in records, if play is over, the position occurred before or one
   * side has more than half of the seeds. NULL if none of these holds or the result is unknown. */
  const char *reached;
  const char *expected; /* result of best play from `end`, or NULL if it is unknown or play is over */
  result_check check;
  const char *contradictions[JUDGED_CONTRADICTIONS]; /* sentences without a full stop */
  size_t contradictions_used;
  const char *missing; /* message about the last missing table, or NULL */
  text_pool pool;
} judged_game;

/* Wishes of the user. If rules or cycles are NULL, those of the record are used. */
typedef struct {
  const char *game; /* game of records that name none, or NULL */
  const char *rules, *cycles;
  /* Name of the notation of moves and positions (game_record.h), or NULL for the game's own. */
  const char *notation;
  double until;    /* clock_thread_cpu at which judging stops, or 0 for no limit */
  progress *shown; /* may be NULL */
} judge_wish;

/* Chooses the game of a record, and its rules and cycles for tauler_select, which are NULL for the game's
 * default. Messages call the record's file `file`. Errors: TAULER_BAD_USAGE (no game or an unknown one is
 * named, or one without records, or an unknown variant, or no rules after a record of tags alone). */
tauler_error judge_choose_rules(const record *r, const char *file, const judge_wish *wish, const game **game,
                                const char **rules, const char **cycles, tauler_message *message);

/* Judges a record. Errors: those of judge_choose_rules; TAULER_BAD_POSITION (an illegal move, with file,
 * line, column, position and the legal moves; a wrong number of captured seeds; a result that the game cannot
 * have; no position to begin with), those of tauler_select, those of tauler_probe except
 * TAULER_TABLE_MISSING; TAULER_STOPPED (`until`, tables_stopped). After an error nothing needs to be freed.
 */
tauler_error judge_record(tauler *db, const record *r, const char *file, const judge_wish *wish,
                          judged_game *out, tauler_message *message);
void judged_free(judged_game *judged);

/* Return the worths by which a move is judged: its own and that of the best move. */
tauler_worth judged_made_worth(const judged_move *move);
tauler_worth judged_best_worth(const judged_move *move);

/* `number` is that of the game in its file. */
void judged_print(FILE *out, const judged_game *judged, const record *r, const char *file, size_t number,
                  bool colored);

/* Writes one line. Errors: those of json_close. */
tauler_error judged_print_json(FILE *out, const judged_game *judged, const record *r, const char *file,
                               size_t number, tauler_message *message);

/* Writes the record with the judgements as comments that begin with "tauler: ", in place of those of an
 * earlier analysis. A record without tags gets tags. Errors: those of record_add_item. */
tauler_error judged_write_record(FILE *out, const judged_game *judged, const record *r,
                                 tauler_message *message);

/* Functions that interpret a record's start, sides and end by its game. Private to analysis/records/. */

tauler_error judge_copy_text(judged_game *out, const char *text, const char **slot, tauler_message *message);

/* Returns NULL if the record names no position and the game has no start position. */
const char *judge_find_start(const record *r, const game *game);

tauler_error judge_add_contradictions(tauler *db, const record *r, const judge_wish *wish,
                                      const tauler_tables *tables, judged_game *out, tauler_message *message);

/* Returns the side, 0 or 1, that `turn` names. */
int judge_side_of_turn(const game *game, const char *turn);

/* Returns how many more seeds a side has captured than the other; 0 in games without stores. */
int judge_lead_of_side(const game *game, const char *position, int side);

/* Returns the number of seeds in the whole game to which a position belongs; 0 in games without stores. */
int judge_count_seeds(const game *game, const char *position);

/* Sets the members about the end and the record's result. `last` is the answer about the last position or, if
 * the last move ended the game (`over`), about the position before that move. Errors: TAULER_BAD_POSITION (a
 * result that the game cannot have, with file, line and column), TAULER_NO_MEMORY. */
tauler_error judge_set_end(judged_game *out, const record *r, const char *file, const tauler_answer *last,
                           bool over, tauler_message *message);

/* Rewrites moves and positions in a notation, unless it is NULL. Errors: TAULER_NO_MEMORY. */
tauler_error judge_rewrite_notation(const tauler_tables *tables, const char *notation, judged_game *out,
                                    tauler_message *message);

/* Words that several ways of printing a judged game share. Private to analysis/records/. */

typedef struct {
  char text[120];
} judged_words;

/* Writes a loss as "0", "2", "at least 2" or, if it may be 0, "open". */
judged_words given_in_words(double lower, double upper);

/* Prints "8 of 32 moves judged, 3 of them by bounds alone; the others gave away 8 in all". */
void write_side_in_words(FILE *out, const judged_side *side);

#endif
