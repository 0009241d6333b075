/* Worths as words for a person and as fields of JSON, the same wherever they are shown. Private to analysis/.
 */
#ifndef ANALYSIS_PRINT_PRINT_WORTH_H
#define ANALYSIS_PRINT_PRINT_WORTH_H

#include "analysis/probe/worth.h"
#include "base/command/terminal.h"
#include "base/json.h"

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
void worth_value_to_json(json_writer *json, const char *key, tauler_worth worth);

/* [lower, upper], or null where nothing is known. */
void worth_bounds_to_json(json_writer *json, const char *key, tauler_worth worth);

/* "depth" or "stage": that of a win or loss, else null. */
void worth_depth_to_json(json_writer *json, tauler_worth worth, bool stages);

#endif
