/* Prints worths as words and as fields of JSON. */
#include "analysis/print/print.h"
#include "base/text.h"

#include <stdio.h>

void worth_value_to_json(json_writer *json, const char *key, tauler_worth worth) {
  json_key(json, key);
  if (worth_is_exact(worth)) {
    json_number(json, worth.lower);
  } else {
    json_null(json);
  }
}

void worth_bounds_to_json(json_writer *json, const char *key, tauler_worth worth) {
  json_key(json, key);
  if (!worth.known) {
    json_null(json);
    return;
  }
  json_begin_array(json);
  json_number(json, worth.lower);
  json_number(json, worth.upper);
  json_end_array(json);
}

void worth_depth_to_json(json_writer *json, tauler_worth worth, bool stages) {
  const int depth = worth_settled_depth(worth);
  json_key(json, stages ? "stage" : "depth");
  if (depth == TAULER_NO_DEPTH) {
    json_null(json);
  } else {
    json_integer(json, depth);
  }
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
  switch (category) {
  case TAULER_WIN:
    return terminal_ink_of(colored, TERMINAL_GREEN);
  case TAULER_DRAW:
    return terminal_ink_of(colored, TERMINAL_YELLOW);
  case TAULER_LOSS:
    return terminal_ink_of(colored, TERMINAL_RED);
  case TAULER_UNKNOWN:
    break;
  }
  return terminal_ink_of(colored, TERMINAL_PLAIN);
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
