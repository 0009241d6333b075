/* Prints answers about games of dice, as text and as JSON. */
#include "analysis/print/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_DECIMALS = 12 };

json_field dice_bounds_field(const char *key, bool known, double lower, double upper) {
  return json_or_null(known, JSON_OUTER(key, lower, upper));
}

/* Makes a field with the middle of the bounds, null if they are not known or one is infinite. */
static json_field middle_field(const char *key, tauler_worth worth) {
  const double middle = fmin(fmax(worth.lower + (worth.upper - worth.lower) / 2, worth.lower), worth.upper);
  return json_or_null(worth.known, JSON_NUMBER(key, middle));
}

static json_field bounds_field(tauler_worth worth) {
  return dice_bounds_field("bounds", worth.known, worth.lower, worth.upper);
}

json_field dice_roll_field(const char *name) {
  char *end;
  const unsigned long number = strtoul(name, &end, 10);
  return end != name && *end == '\0' ? JSON_COUNT("roll", number) : JSON_TEXT("roll", name);
}

static void rolls_to_json(json_writer *json, const tauler_answer *answer) {
  json_field_array(json, "rolls");
  for (size_t i = 0; i < answer->rolls_used; i++) {
    const tauler_roll *roll = &answer->rolls[i];
    json_begin_object(json);
    json_fields(json, dice_roll_field(roll->name), JSON_COUNT("weight", roll->weight));
    json_field_array(json, "moves");
    for (const tauler_move *move = roll->moves; move < roll->moves + roll->moves_used; move++)
      json_object(
          json, JSON_TEXT("move", move->name), JSON_TEXT("position", move->over ? NULL : move->position),
          middle_field("value", move->worth), middle_field("child_value", move->child),
          bounds_field(move->worth), JSON_FLAG("best", move->best), JSON_FLAG("converts", move->converts));
    json_end_array(json);
    json_end_object(json);
  }
  json_end_array(json);
}

static void quantities_to_json(json_writer *json, const tauler_answer *answer, size_t n, bool named) {
  for (const tauler_quantity *q = answer->quantities; q < answer->quantities + n; q++)
    json_fields(json, dice_bounds_field(named ? q->name : NULL, q->known, q->lower, q->upper));
}

void dice_answer_to_json(json_writer *json, const tauler_answer *answer) {
  json_fields(json, middle_field("value", answer->worth), bounds_field(answer->worth), JSON_NULL("depth"),
              JSON_TEXT("table", answer->table));
  json_field_array(json, "moves");
  json_end_array(json);
  json_field_object(json, "quantities");
  quantities_to_json(json, answer, answer->quantities_used, true);
  json_end_object(json);
  if (answer->seats > 2) {
    json_field_array(json, "values");
    quantities_to_json(json, answer, answer->seats, false);
    json_end_array(json);
  }
  rolls_to_json(json, answer);
}

dice_words dice_words_of(bool known, double lower, double upper) {
  dice_words w, high;
  if (!known) return (dice_words){"?"};
  if (!isfinite(upper)) {
    snprintf(w.text, sizeof w.text, "at least %.4g", lower);
    return w;
  }
  for (int decimals = MOST_DECIMALS; decimals > 3; decimals--) {
    snprintf(w.text, sizeof w.text, "%.*f", decimals, lower);
    snprintf(high.text, sizeof high.text, "%.*f", decimals, upper);
    if (strcmp(w.text, high.text) == 0) return w;
  }
  const double step = 1e-4;
  snprintf(w.text, sizeof w.text, "%.4f to %.4f", floor(lower / step) * step, ceil(upper / step) * step);
  return w;
}

static dice_words move_words(const tauler_move *move) {
  return dice_words_of(move->worth.known, move->worth.lower, move->worth.upper);
}

static void print_rolls(FILE *out, const tauler_answer *answer) {
  int roll_width = 4, name = 4, value = 5;
  uint32_t weights = 0;
  bool choice = false;
  for (size_t i = 0; i < answer->rolls_used; i++) {
    const tauler_roll *roll = &answer->rolls[i];
    weights += roll->weight;
    roll_width = text_wider(roll_width, roll->name);
    choice = choice || roll->moves_used > 1;
    for (size_t m = 0; m < roll->moves_used; m++) {
      name = text_wider(name, roll->moves[m].name);
      value = text_wider(value, move_words(&roll->moves[m]).text);
    }
  }
  fprintf(out, "\n%*s  %7s  %-*s  %-*s  %s%s\n", roll_width, "roll", "chance", name, "move", value, "value",
          choice ? "      " : "", "position after it");
  for (size_t i = 0; i < answer->rolls_used; i++) {
    const tauler_roll *roll = &answer->rolls[i];
    for (size_t m = 0; m < roll->moves_used; m++) {
      const tauler_move *move = &roll->moves[m];
      char chance[32] = "";
      if (m == 0) snprintf(chance, sizeof chance, "%.2f %%", 100.0 * roll->weight / weights);
      fprintf(out, "%*s  %7s  %-*s  %-*s  ", roll_width, m ? "" : roll->name, chance, name, move->name, value,
              move_words(move).text);
      if (choice) fprintf(out, "%-6s", move->best ? "best" : "");
      fprintf(out, "%s\n", move->over ? "ends the game" : move->position);
    }
  }
}

static bool loses_turn(const tauler_answer *answer) {
  return answer->rolls_used == 1 && strcmp(answer->rolls[0].name, "pass") == 0;
}

static void print_verdict(FILE *out, const tauler_answer *answer) {
  const tauler_worth worth = answer->worth;
  if (answer->ended) {
    fprintf(out, "The game is over.\n");
    return;
  }
  fprintf(out, "Seat %s %s", answer->turn, loses_turn(answer) ? "loses this turn" : "to roll");
  if (!worth.known) {
    fprintf(out, ": unknown, no table reaches.\n");
    return;
  }
  fprintf(out, ": value %s", dice_words_of(true, worth.lower, worth.upper).text);
  static const char *const halves[] = {
      [TAULER_LOSS] = "less than", [TAULER_DRAW] = "exactly", [TAULER_WIN] = "more than"};
  if (answer->category != TAULER_UNKNOWN) fprintf(out, ", %s one half", halves[answer->category]);
  fprintf(out, ".\n");
}

static void print_quantities(FILE *out, const tauler_answer *answer, bool verbose) {
  int name = 8;
  for (size_t i = 0; i < answer->quantities_used; i++) name = text_wider(name, answer->quantities[i].name);
  if (verbose) {
    fprintf(out, "\n%-*s  %22s  %22s\n", name, "quantity", "at least", "at most");
  } else {
    fprintf(out, "\n%-*s  value\n", name, "quantity");
  }
  for (size_t i = 0; i < answer->quantities_used; i++) {
    const tauler_quantity *q = &answer->quantities[i];
    if (!verbose) {
      fprintf(out, "%-*s  %s\n", name, q->name, dice_words_of(q->known, q->lower, q->upper).text);
      continue;
    }
    fprintf(out, "%-*s  %22s  %22s\n", name, q->name, text_below(q->lower).text,
            isfinite(q->upper) ? text_above(q->upper).text : "nobody knows");
  }
}

void dice_answer_print(FILE *out, const tauler_answer *answer, bool verbose) {
  print_verdict(out, answer);
  if (answer->worth.known) print_quantities(out, answer, verbose);
  if (answer->rolls_used) print_rolls(out, answer);
}
