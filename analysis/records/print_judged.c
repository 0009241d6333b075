/* Prints a judged game for readers. */
#include "analysis/records/judge.h"

#include <stdint.h>
#include <string.h>

#include "analysis/print/print.h"
#include "base/command/terminal.h"
#include "base/text.h"
#include "base/text_show.h"

enum { SHOWN_BEST = 40 };

judged_words given_in_words(double lower, double upper) {
  judged_words w;
  if (lower == upper) {
    snprintf(w.text, sizeof w.text, "%g", lower);
  } else if (lower > 0) {
    snprintf(w.text, sizeof w.text, "at least %g", lower);
  } else {
    snprintf(w.text, sizeof w.text, "open");
  }
  return w;
}

void write_side_in_words(FILE *out, const judged_side *side) {
  fprintf(out, "%zu of %zu moves judged", side->judged, side->moves);
  if (side->judged == 0) return;
  if (side->bounded == side->judged) {
    fputs(", by bounds alone", out);
    return;
  }
  if (side->bounded) fprintf(out, ", %zu of them by bounds alone; the others", side->bounded);
  fprintf(out, "%s gave away %s in all", side->bounded ? "" : ",",
          given_in_words(side->given_lower, side->given_upper).text);
}

/* Returns the words for move i of the game: "29. A", "29... b". */
static judged_words move_in_words(const judged_game *judged, size_t i) {
  judged_words w;
  const judged_move *move = &judged->moves[i];
  snprintf(w.text, sizeof w.text, "%zu.%s %.60s", i / 2 + 1, i % 2 ? ".." : "", move->name);
  return w;
}

/* --- head --- */

static void print_tag(FILE *out, const record *r, const char *name, const char *before) {
  const char *value = record_tag_value(r, name);
  if (value) fprintf(out, "%s%s", before, text_shown(value).text);
}

static void print_head(FILE *out, const judged_game *judged, const record *r, const char *file,
                       size_t number) {
  fprintf(out, "%s, game %zu: %s, %s%s%s", text_shown(file).text, number, judged->game->name, judged->rules,
          *judged->cycles ? ", cycles " : "", judged->cycles);
  print_tag(out, r, "Event", "; ");
  print_tag(out, r, "Site", "; ");
  print_tag(out, r, "Date", "; ");
  fputc('\n', out);
  for (int side = 0; side < JUDGED_SIDES; side++) {
    if (judged->players[side])
      fprintf(out, "%s%s: %s", side && judged->players[0] ? ", " : "", judged->side_names[side],
              text_shown(judged->players[side]).text);
  }
  fprintf(out, "%sfrom %s\n\n", judged->players[0] || judged->players[1] ? "; " : "", judged->start);
}

/* --- moves --- */

typedef struct {
  int move, made, best, given;
} widths;

static judged_words given_by_move(const judged_move *move) {
  return given_in_words(move->given_lower, move->given_upper);
}

static widths find_widths(const judged_game *judged) {
  widths w = {4, 5, 4, 9};
  for (size_t i = 0; i < judged->moves_used; i++) {
    const judged_move *move = &judged->moves[i];
    w.move = text_wider(w.move, move_in_words(judged, i).text);
    w.made = text_wider(w.made, worth_in_words(judged_made_worth(move)).text);
    w.best = text_wider(w.best, worth_in_words(judged_best_worth(move)).text);
    w.given = text_wider(w.given, given_by_move(move).text);
  }
  return w;
}

static bool is_outside(const judged_move *move) {
  return !move->judged && !judged_made_worth(move).known && !judged_best_worth(move).known;
}

static size_t print_outside_moves(FILE *out, const judged_game *judged, size_t from) {
  size_t to = from;
  while (to < judged->moves_used && is_outside(&judged->moves[to])) to++;
  const bool searched = judged->moves[from].made.known || judged->moves[from].best.known;
  fprintf(out, "%s", move_in_words(judged, from).text);
  if (to - from > 1) fprintf(out, " to %s", move_in_words(judged, to - 1).text);
  fprintf(out, ": %s\n",
          searched ? "in tables, but not known after these moves: a slice of this size is not searched"
                   : "outside the tables");
  return to;
}

static bool bounds_differ(tauler_worth a, tauler_worth b) {
  return a.known && b.known && (a.lower != b.lower || a.upper != b.upper);
}

static void print_best_moves(FILE *out, const judged_move *move) {
  if (move->made_best) {
    fputs(worth_is_exact(judged_made_worth(move)) ? "the best" : "the best by bounds", out);
    if (move->best_moves_used > 1) fprintf(out, ", of %zu", move->best_moves_used);
  } else {
    const size_t length = strlen(move->best_moves);
    fprintf(out, "%.*s%s", SHOWN_BEST, move->best_moves, length > SHOWN_BEST ? "…" : "");
  }
  if (move->by_line &&
      (bounds_differ(move->made, move->line_made) || bounds_differ(move->best, move->line_best)))
    fprintf(out, "  (tables, of no line: %s, best %s)", worth_in_words(move->made).text,
            worth_in_words(move->best).text);
}

static void print_move(FILE *out, const judged_game *judged, size_t i, const widths *w, bool colored) {
  const judged_move *move = &judged->moves[i];
  const tauler_worth made = judged_made_worth(move), best = judged_best_worth(move);
  fprintf(out, "%-*s  ", w->move, move_in_words(judged, i).text);
  worth_print(out, made, w->made, move->after, colored);
  fprintf(out, "  %5s  ", depth_in_words(worth_settled_depth(made)).text);
  worth_print(out, best, w->best, move->before, colored);
  fprintf(out, "  %5s  %*s  ", depth_in_words(worth_settled_depth(best)).text, w->given,
          move->judged ? given_by_move(move).text : "?");
  print_best_moves(out, move);
  fputc('\n', out);
}

static void print_moves(FILE *out, const judged_game *judged, bool colored) {
  const widths w = find_widths(judged);
  fprintf(out, "%-*s  %*s  %5s  %*s  %5s  %*s  best moves%s\n", w.move, "move", w.made, "value", "depth",
          w.best, "best", "depth", w.given, "gave away",
          judged->counts ? "; all after the line of moves" : "");
  for (size_t i = 0; i < judged->moves_used;) {
    if (is_outside(&judged->moves[i])) {
      i = print_outside_moves(out, judged, i);
    } else {
      print_move(out, judged, i++, &w, colored);
    }
  }
}

/* --- the end --- */

static void print_end(FILE *out, const judged_game *judged) {
  if (judged->over) {
    fprintf(out, "The game is over");
  } else if (judged->repeated && judged->reached) {
    fprintf(out, "The last position stood before; where that ends play and each side takes its own row");
  } else if (judged->reached) {
    fprintf(out, "The game goes on from %s, but is decided", judged->end);
  } else if (!judged->end_worth.known) {
    fprintf(out, "The game is not over, and %s is outside the tables", judged->end);
  } else if (judged->expected) {
    fprintf(out, "The game is not over; with best play from %s it ends %s", judged->end, judged->expected);
  } else {
    fprintf(out, "The game is not over; %s has the value %s for the side to move there", judged->end,
            worth_in_words(judged->end_worth).text);
  }
  if (judged->reached) fprintf(out, ": %s", judged->reached);
  switch (judged->check) {
  case RESULT_UNSAID:
    fputs("; the record names no result.\n", out);
    break;
  case RESULT_OPEN:
    fprintf(out, "; the record says %.40s.\n", text_shown(judged->result).text);
    break;
  case RESULT_AGREES:
    fprintf(out, ", and the record says so%s%.40s.\n",
            judged->reached && strcmp(judged->result, judged->reached) == 0 ? "" : ", ",
            judged->reached && strcmp(judged->result, judged->reached) == 0
                ? ""
                : text_shown(judged->result).text);
    break;
  case RESULT_DIFFERS:
    fprintf(out, ", but the record says %.40s (line %zu).\n", text_shown(judged->result).text,
            judged->result_line);
    break;
  }
}

static void print_side(FILE *out, const judged_game *judged, int which, bool colored) {
  const judged_side *side = &judged->sides[which];
  fprintf(out, "%s: ", judged->side_names[which]);
  write_side_in_words(out, side);
  if (side->worst != SIZE_MAX) {
    const judged_move *worst = &judged->moves[side->worst];
    fprintf(out, "; most with %s (%s", move_in_words(judged, side->worst).text, given_by_move(worst).text);
    if (*worst->best_moves) fprintf(out, ", better %.*s", SHOWN_BEST, worst->best_moves);
    fputc(')', out);
  }
  if (side->first_change != SIZE_MAX) {
    const judged_move *change = &judged->moves[side->first_change];
    const terminal_ink before = category_ink(colored, change->before);
    const terminal_ink after = category_ink(colored, change->after);
    fprintf(out, "; first changed the result with %s, from %s%s%s to %s%s%s",
            move_in_words(judged, side->first_change).text, before.on, tauler_category_name(change->before),
            before.off, after.on, tauler_category_name(change->after), after.off);
  }
  fputs(".\n", out);
}

void judged_print(FILE *out, const judged_game *judged, const record *r, const char *file, size_t number,
                  bool colored) {
  terminal_sentences head;
  print_head(terminal_open(&head, out), judged, r, file, number);
  terminal_close(&head, 0, 2);
  if (judged->moves_used) print_moves(out, judged, colored);
  fputc('\n', out);
  terminal_sentences sentences;
  FILE *end = terminal_open(&sentences, out);
  for (size_t i = 0; i < judged->contradictions_used; i++)
    fprintf(end, "The record contradicts itself: %s.\n", judged->contradictions[i]);
  print_end(end, judged);
  for (int side = 0; side < JUDGED_SIDES; side++) print_side(end, judged, side, colored);
  terminal_close(&sentences, 0, 2);
}
