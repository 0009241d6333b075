/* Answers and lines of play as JSON or for a person. Private to analysis/. */
#ifndef ANALYSIS_PRINT_PRINT_ANSWER_H
#define ANALYSIS_PRINT_PRINT_ANSWER_H

#include <stdio.h>

#include "analysis/probe/tauler.h"
#include "base/json.h"
#include "games/game.h"

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

#endif
