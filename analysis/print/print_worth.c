/* Prints worths as words and as fields of JSON. */
#include "analysis/print/print.h"
#include "base/text.h"

#include <stdio.h>

json_field worth_value_field(const char *key, tauler_worth worth) {
  return json_or_null(worth_is_exact(worth), JSON_NUMBER(key, worth.lower));
}

json_field worth_bounds_field(const char *key, tauler_worth worth) {
  return json_or_null(worth.known, JSON_RANGE(key, worth.lower, worth.upper));
}

json_field worth_depth_field(tauler_worth worth, bool stages) {
  const int depth = worth_settled_depth(worth);
  return json_or_null(depth != TAULER_NO_DEPTH, JSON_INTEGER(stages ? "stage" : "depth", depth));
}

worth_words worth_in_words(tauler_worth worth) {
  worth_words w;
  if (!worth.known) {
    snprintf(w.text, sizeof w.text, "?");
  } else if (worth_is_exact(worth)) {
    snprintf(w.text, sizeof w.text, "%s", text_signed(worth.lower).text);
  } else {
    snprintf(w.text, sizeof w.text, "%s to %s", text_signed(worth.lower).text, text_signed(worth.upper).text);
  }
  return w;
}

terminal_ink category_ink(bool colored, tauler_category category) {
  static const terminal_color colors[] = {[TAULER_UNKNOWN] = TERMINAL_PLAIN,
                                          [TAULER_LOSS] = TERMINAL_RED,
                                          [TAULER_DRAW] = TERMINAL_YELLOW,
                                          [TAULER_WIN] = TERMINAL_GREEN};
  return terminal_ink_of(colored, colors[category]);
}

void worth_print(FILE *out, tauler_worth worth, int width, tauler_category category, bool colored) {
  const terminal_ink ink = category_ink(colored, category);
  fprintf(out, "%s%*s%s", ink.on, width, worth_in_words(worth).text, ink.off);
}

worth_words depth_in_words(int depth) {
  worth_words w;
  if (depth == TAULER_NO_DEPTH) {
    snprintf(w.text, sizeof w.text, "-");
  } else {
    snprintf(w.text, sizeof w.text, "%d", depth);
  }
  return w;
}
