/* Prints answers as text and as JSON. */
#ifndef ANALYSIS_PRINT_PRINT_H
#define ANALYSIS_PRINT_PRINT_H

#include <stdio.h>

#include "analysis/probe/tauler.h"
#include "analysis/probe/text_pool.h"
#include "analysis/probe/worth.h"
#include "base/command/terminal.h"
#include "base/json.h"
#include "games/game.h"

/* Worths as words for a person and as fields of JSON, the same wherever they are shown. Private to analysis/.
 */

typedef struct {
  char text[2 * sizeof(text_figure) + 8];
} worth_words;

/* "+3", "0", "-1 to +4", "?" */
worth_words worth_in_words(tauler_worth worth);

/* Wins green, draws yellow, losses red. */
terminal_ink category_ink(bool colored, tauler_category category);

/* The words of a worth in the colour of a category, filled up with blanks before them. */
void worth_print(FILE *out, tauler_worth worth, int width, tauler_category category, bool colored);

/* "12", "-" */
worth_words depth_in_words(int depth);

/* A number where it is exact, else null. */
json_field worth_value_field(const char *key, tauler_worth worth);

/* [lower, upper], or null where nothing is known. */
json_field worth_bounds_field(const char *key, tauler_worth worth);

/* "depth" or "stage": that of a win or loss, else null. */
json_field worth_depth_field(tauler_worth worth, bool stages);

/* Answers about games of dice as JSON or for a person, and their bounds as text. Private to analysis/. */

/* Writes the members behind the category in the object of an answer. Bounds are decimals on the outer side of
 * the doubles, which they read back as. */
void dice_answer_to_json(json_writer *json, const tauler_answer *answer);

/* Prints the part below the board. */
void dice_answer_print(FILE *out, const tauler_answer *answer, bool verbose);

/* [lower, upper], or null where nothing is known. */
json_field dice_bounds_field(const char *key, bool known, double lower, double upper);

/* The field "roll": a number, if the roll is called by one. */
json_field dice_roll_field(const char *name);

/* Digits for a person: as many as the bounds agree in. "0.503219465", "0.5032 to 0.5041", "?". */
typedef struct {
  char text[96];
} dice_words;
dice_words dice_words_of(bool known, double lower, double upper);

/* Answers and lines of play as JSON or for a person. Private to analysis/. */

/* One object; `line` may be NULL. */
void answer_to_json(json_writer *json, const tauler_answer *answer, const tauler_line *line);

/* How much of an answer a person sees, and how; games of dice have no colours. `verbose`: also all digits of
 * games of dice and the digests of tables. */
typedef struct {
  bool colored, verbose;
} answer_look;

/* `kind` says what the numbers are called. */
void answer_print(FILE *out, const tauler_answer *answer, const tauler_line *line, solve_kind kind,
                  answer_look look);

/* The line as a record that others open: tags that say the game, its rules and the position, then moves. */
void line_print_record(FILE *out, const game *game, const tauler_answer *answer, const tauler_line *line);

/* Writes positions and moves in a notation of another program. Private to analysis/.
 *
 * Only texts change. Those of an answer belong to it, and it must be freed after its line; others belong to
 * the pool. One thread calls.
 */

/* `notation` is a name of the game's (game_record.h); NULL: nothing changes. `line` may be NULL. Errors:
 * TAULER_BAD_USAGE (no such notation), TAULER_NO_MEMORY. */
tauler_error notate(const tauler_tables *tables, const char *notation, tauler_answer *answer,
                    tauler_line *line, tauler_message *message);

/* The same of a canonical position, "" if there is none, and of moves of one, joined by blanks. */
tauler_error notate_position(const tauler_tables *tables, const char *notation, text_pool *pool,
                             const char **position, tauler_message *message);
tauler_error notate_moves(const tauler_tables *tables, const char *notation, text_pool *pool,
                          const char *position, const char **moves, tauler_message *message);

#endif
