/* Answers about games of dice as JSON or for a person, and their bounds as text. Private to analysis/. */
#ifndef ANALYSIS_PRINT_PRINT_DICE_H
#define ANALYSIS_PRINT_PRINT_DICE_H

#include <stdio.h>

#include "analysis/probe/tauler.h"
#include "base/json.h"

/* Writes the members behind the category in the object of an answer. Bounds are decimals on the outer side of
 * the doubles, which they read back as. */
void dice_answer_to_json(json_writer *json, const tauler_answer *answer);

/* Prints the part below the board. */
void dice_answer_print(FILE *out, const tauler_answer *answer, bool verbose);

/* [lower, upper], or null where nothing is known. */
void dice_bounds_to_json(json_writer *json, bool known, double lower, double upper);

/* The field "roll": a number, if the roll is called by one. */
void dice_roll_field(json_writer *json, const char *name);

/* Digits for a person: as many as the bounds agree in. "0.503219465", "0.5032 to 0.5041", "?". */
typedef struct {
  char text[96];
} dice_words;
dice_words dice_words_of(bool known, double lower, double upper);

#endif
