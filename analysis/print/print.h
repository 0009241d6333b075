/* Prints worths, answers and lines of play as text, as JSON and as records, and writes other notations.
 * Private to analysis/. */
#ifndef ANALYSIS_PRINT_PRINT_H
#define ANALYSIS_PRINT_PRINT_H

#include <stdio.h>

#include "analysis/probe/tauler.h"
#include "analysis/probe/text_pool.h"
#include "analysis/probe/worth.h"
#include "base/command/terminal.h"
#include "base/json.h"
#include "games/game.h"

typedef struct {
  char text[2 * sizeof(text_figure) + 8];
} worth_words;

/* Writes a worth as "+3", "0", "-1 to +4" or, if it is not known, "?". */
worth_words worth_in_words(tauler_worth worth);

/* Returns green for wins, yellow for draws, red for losses, and plain otherwise or without colours. */
terminal_ink category_ink(bool colored, tauler_category category);

/* Prints a worth in words and in the colour of a category, right-aligned in `width` columns. */
void worth_print(FILE *out, tauler_worth worth, int width, tauler_category category, bool colored);

/* Writes a depth as "12" or, if there is none, "-". */
worth_words depth_in_words(int depth);

/* Makes a field with the worth as a number if it is exact, otherwise null. */
json_field worth_value_field(const char *key, tauler_worth worth);

json_field worth_bounds_field(const char *key, tauler_worth worth);

/* Makes a field "depth" or "stage" with the depth of a win or a loss, otherwise null. */
json_field worth_depth_field(tauler_worth worth, bool stages);

/* Writes the members that follow `outcome` in the object of an answer. Bounds are decimals that read back as
 * the same doubles and enclose them. */
void dice_answer_to_json(json_writer *json, const tauler_answer *answer);

void dice_answer_print(FILE *out, const tauler_answer *answer, bool verbose);

json_field dice_bounds_field(const char *key, bool known, double lower, double upper);

/* Makes a field "roll": a number if the name of the roll is one, otherwise a text. */
json_field dice_roll_field(const char *name);

/* Writes bounds as one number if they share enough digits, otherwise as two: "0.503219465", "0.5032 to
 * 0.5041", "at least 12.3" or "?". */
typedef struct {
  char text[96];
} dice_words;
dice_words dice_words_of(bool known, double lower, double upper);

/* Writes an answer as one object. `line` may be NULL, and is ignored in games of dice. */
void answer_to_json(json_writer *json, const tauler_answer *answer, const tauler_line *line);

/* How an answer is shown to a person. `verbose` adds all digits of games of dice and the digests of tables.
 * Games of dice have no colours. */
typedef struct {
  bool colored, verbose;
} answer_look;

/* Prints an answer. `kind` decides the words for the numbers. `line` may be NULL. */
void answer_print(FILE *out, const tauler_answer *answer, const tauler_line *line, solve_kind kind,
                  answer_look look);

/* Notations of other programs. The new texts of an answer and of its line belong to the answer, which must be
 * freed after the line; only line->moves belongs to the line. Other new texts belong to the pool. */

/* Rewrites the moves and positions of an answer and of its line in a notation of the game (game_record.h). If
 * `notation` is NULL, nothing changes. `line` may be NULL. Errors: TAULER_BAD_USAGE (no such notation),
 * TAULER_NO_MEMORY. */
tauler_error notate_answer(const tauler_tables *tables, const char *notation, tauler_answer *answer,
                           tauler_line *line, tauler_message *message);

/* Rewrite a canonical position, which may be "", and moves from a position, joined by blanks. `notation` must
 * not be NULL. Errors: those of notate_answer. */
tauler_error notate_position(const tauler_tables *tables, const char *notation, text_pool *pool,
                             const char **position, tauler_message *message);
tauler_error notate_moves(const tauler_tables *tables, const char *notation, text_pool *pool,
                          const char *position, const char **moves, tauler_message *message);

#endif
