/* Prints answers and lines of play, as text and as JSON. */
#include "analysis/print/print.h"

#include <math.h>
#include <string.h>

#include "base/command/terminal.h"
#include "base/text.h"
#include "games/registry.h"

static void history_to_json(json_writer *json, const tauler_history *history) {
  json_key(json, "history");
  if (history->given) {
    json_object(json, JSON_COUNT("met", history->met), JSON_FLAG("over", history->over),
                worth_bounds_field("bounds", history->worth),
                JSON_FLAG("exact", worth_is_exact(history->worth)));
  } else {
    json_null(json);
  }
}

static void searched_to_json(json_writer *json, const tauler_searched *searched) {
  json_object_at(json, "search", JSON_NUMBER("seconds", searched->seconds),
                 JSON_COUNT("nodes", searched->positions), JSON_INTEGER("depth", searched->depth),
                 JSON_FLAG("proven", searched->proven), JSON_FLAG("gained", searched->gained),
                 JSON_COUNT("table_probes", searched->table_probes));
}

static void move_to_json(json_writer *json, const tauler_move *move, const tauler_answer *answer) {
  const bool given = answer->history.given;
  json_object(json, JSON_TEXT("move", move->name), JSON_TEXT("position", move->over ? NULL : move->position),
              worth_value_field("value", move->worth), worth_value_field("child_value", move->child),
              worth_bounds_field("bounds", move->worth), worth_depth_field(move->worth, answer->stages),
              JSON_TEXT("outcome", tauler_category_name(move->outcome)), JSON_FLAG("best", move->best),
              JSON_FLAG("converts", move->converts),
              json_or_nothing(given, JSON_FLAG("repeats", move->repeats)),
              json_or_nothing(given, worth_bounds_field("history", move->after_line)));
}

static void line_to_json(json_writer *json, const tauler_line *line, bool stages) {
  static const char *const ends[] = {"ended", "repeats", "unknown", "cut"};
  const int64_t repeats = line->before ? -(int64_t)line->before : (int64_t)line->repeats;
  json_field_object(json, "line");
  json_fields(json, JSON_TEXT("moves", line->moves),
              JSON_TEXT("rule", line->rule == TAULER_LINE_BY_LOWER_BOUND ? "lower bound" : "value"),
              JSON_TEXT("end", ends[line->end]),
              json_or_null(line->end == TAULER_LINE_REPEATS, JSON_INTEGER("repeats", repeats)));
  json_field_array(json, "steps");
  for (size_t i = 0; i < line->steps_used; i++) {
    const tauler_step *step = &line->steps[i];
    json_object(json, JSON_TEXT("move", step->move),
                JSON_TEXT("position", *step->position ? step->position : NULL),
                worth_value_field("value", step->worth), worth_bounds_field("bounds", step->worth),
                worth_depth_field(step->worth, stages), JSON_FLAG("converts", step->converts));
  }
  json_end_array(json);
  json_end_object(json);
}

void answer_to_json(json_writer *json, const tauler_answer *answer, const tauler_line *line) {
  json_begin_object(json);
  json_fields(json, JSON_TEXT("game", answer->game), JSON_TEXT("rules", answer->rules),
              JSON_TEXT("position", answer->position), JSON_TEXT("turn", answer->turn),
              JSON_TEXT("slice", answer->slice),
              JSON_TEXT("category", tauler_category_name(answer->category)),
              JSON_TEXT("outcome", tauler_category_name(answer->outcome)));
  if (answer->dice) {
    dice_answer_to_json(json, answer);
    json_end_object(json);
    return;
  }
  json_fields(json, worth_value_field("value", answer->worth), worth_bounds_field("bounds", answer->worth),
              worth_depth_field(answer->worth, answer->stages), JSON_TEXT("table", answer->table));
  if (answer->searched.done) searched_to_json(json, &answer->searched);
  if (answer->history.counts) history_to_json(json, &answer->history);
  json_field_array(json, "moves");
  for (size_t i = 0; i < answer->moves_used; i++) move_to_json(json, &answer->moves[i], answer);
  json_end_array(json);
  if (answer->has_stores)
    json_fields(json,
                json_or_null(answer->has_final, JSON_RANGE("final", answer->final[0], answer->final[1])));
  if (line) line_to_json(json, line, answer->stages);
  json_end_object(json);
}

static const char *ply_or_plies(int n) {
  return n == 1 ? "ply" : "plies";
}

/* Writes `what` and a depth: " within 5 plies" or "; it can be put off for 5 plies". A stage becomes " (stage
 * 5)", a depth of 0 or none an empty text. */
static worth_words depth_phrase(const tauler_answer *answer, int depth, const char *what) {
  worth_words w = {""};
  if (depth > 0 && answer->stages)
    snprintf(w.text, sizeof w.text, " (stage %d)", depth);
  else if (depth > 0)
    snprintf(w.text, sizeof w.text, "%s%s %d %s", *what == ';' ? "" : " ", what, depth, ply_or_plies(depth));
  return w;
}

static worth_words gain_phrase(const tauler_answer *answer, int depth, bool gains) {
  return depth_phrase(answer, depth, gains ? "; the next gain comes within" : "; it can be put off for");
}

static const char *side_name(const tauler_answer *answer, bool second) {
  return game_find(answer->game)->sides[second].name;
}

/* Prints the result of the whole game: "South wins 29-19", "Draw, 24-24". */
static void print_result(FILE *out, const tauler_answer *answer, bool over, bool colored) {
  const double first = answer->final[0], second = answer->final[1];
  const terminal_ink ink = category_ink(colored, answer->outcome);
  if (first == second)
    fprintf(out, "%s%s%s, %g-%g", ink.on, over ? "a draw" : "Draw", ink.off, first, second);
  else
    fprintf(out, "%s%s %s%s %g-%g", ink.on, side_name(answer, second > first), over ? "has won" : "wins",
            ink.off, fmax(first, second), fmin(first, second));
}

/* Prints the worth of what is on the board: "; from here North gains 9". */
static void print_gain_from_here(FILE *out, const tauler_answer *answer, tauler_worth worth, int depth) {
  const bool second_moves = strcmp(answer->turn, game_find(answer->game)->sides[1].turn) == 0;
  if (worth.lower == 0) {
    fprintf(out, "; from here both sides get the same");
    return;
  }
  fprintf(out, "; from here %s gains %g%s", side_name(answer, second_moves == (worth.lower > 0)),
          fabs(worth.lower), gain_phrase(answer, depth, worth.lower > 0).text);
}

static void print_settled_verdict(FILE *out, const tauler_answer *answer, solve_kind kind, bool colored) {
  const int depth = worth_settled_depth(answer->worth);
  const bool wins = answer->category == TAULER_WIN, draw = answer->category == TAULER_DRAW;
  const terminal_ink ink = category_ink(colored, answer->category);
  if (answer->ended) fprintf(out, "The game is over: ");
  if (answer->has_final && !answer->history.given) {
    print_result(out, answer, answer->ended, colored);
    if (!answer->ended) print_gain_from_here(out, answer, answer->worth, depth);
  } else if (answer->ended) {
    fprintf(out, "%s%s%s%s%s", draw ? "" : answer->turn, draw ? "" : " ", ink.on,
            draw   ? "a draw"
            : wins ? "wins"
                   : "loses",
            ink.off);
    if (kind != SOLVE_OUTCOMES)
      fprintf(out, " (%s of what is on the board)", worth_in_words(answer->worth).text);
  } else {
    fprintf(out, "%s to move: %s%s%s", answer->turn, ink.on, tauler_category_name(answer->category), ink.off);
    if (kind == SOLVE_OUTCOMES)
      fprintf(out, "%s", depth_phrase(answer, depth, "in").text);
    else if (draw)
      fprintf(out, ", both sides get the same of what is on the board");
    else
      fprintf(out, " by %s of what is on the board%s", worth_in_words(answer->worth).text,
              gain_phrase(answer, depth, wins).text);
  }
  fprintf(out, ".\n");
}

static void print_history(FILE *out, const tauler_answer *answer, bool colored) {
  const tauler_history *history = &answer->history;
  const tauler_worth worth = history->worth;
  const char *turn = answer->turn;
  if (!history->given) return;
  fprintf(out, "\nAfter this line (%zu position%s met since the last converting move) ", history->met,
          history->met == 1 ? "" : "s");
  if (answer->has_final) {
    fprintf(out, history->over ? "play is over, the position came back: " : "\n");
    print_result(out, answer, history->over, colored);
    print_gain_from_here(out, answer, worth, TAULER_NO_DEPTH);
    fprintf(out, ".\n");
  } else if (history->over) {
    fprintf(out, "play is over, the position came back: %s gets %s of what is on the board.\n", turn,
            worth_in_words(worth).text);
  } else if (!worth.known) {
    fprintf(out, "%s to move: not known;\na slice of this size is not searched.\n", turn);
  } else {
    const terminal_ink ink = category_ink(colored, tauler_category_of(worth));
    fprintf(out, "%s to move: %s%s%s, %s of what is on the board.\n", turn, ink.on,
            tauler_category_name(tauler_category_of(worth)), ink.off, worth_in_words(worth).text);
  }
}

static void print_search_verdict(FILE *out, const tauler_answer *answer, bool colored) {
  const tauler_worth worth = answer->worth;
  const tauler_searched *searched = &answer->searched;
  const terminal_ink ink = category_ink(colored, answer->outcome);
  fprintf(out, "%s to move: %s%s%s. No table reaches; ", answer->turn, ink.on,
          tauler_category_name(answer->outcome), ink.off);
  if (!searched->gained) {
    fprintf(out, "nothing is proven beyond what the rules give, at least %s and at most %s",
            text_signed(worth.lower).text, text_signed(worth.upper).text);
  } else if (worth_is_exact(worth)) {
    fprintf(out, "proven by play down to what is known: %s", worth_in_words(worth).text);
  } else {
    fprintf(out, "proven: at least %s, at most %s", text_signed(worth.lower).text,
            text_signed(worth.upper).text);
  }
  fprintf(out, " (searched %s, %s positions, %d %s deep).\n", text_duration(searched->seconds).text,
          text_count((double)searched->positions).text, searched->depth, ply_or_plies(searched->depth));
}

static void write_verdict(FILE *out, const tauler_answer *answer, solve_kind kind, bool colored) {
  const tauler_worth worth = answer->worth;
  if (answer->history.given)
    fprintf(out, answer->stages ? "With nothing met before: " : "Whatever was met before: ");
  if (answer->searched.done) {
    print_search_verdict(out, answer, colored);
  } else if (!worth.known) {
    fprintf(out, "%s to move: unknown, no table reaches.\n", answer->turn);
  } else if (answer->category == TAULER_UNKNOWN) {
    const terminal_ink ink = category_ink(colored, answer->outcome);
    fprintf(out,
            "%s to move: %s%s%s. %s can force %s%s, the other side can hold it to %s%s;\n"
            "what lies between depends on what endless play counts.\n",
            answer->turn, ink.on, tauler_category_name(answer->outcome), ink.off, answer->turn,
            text_signed(worth.lower).text, depth_phrase(answer, worth.depth_lower, "within").text,
            text_signed(worth.upper).text, depth_phrase(answer, worth.depth_upper, "within").text);
  } else {
    print_settled_verdict(out, answer, kind, colored);
  }
  print_history(out, answer, colored);
  if (answer->history.counts && !answer->history.given && answer->stages)
    fprintf(out, "Without a line of moves the position is taken as right after a capture.\n");
  if (answer->has_final && answer->searched.done) {
    print_result(out, answer, false, colored);
    fprintf(out, ".\n");
  }
  if (answer->index == TAULER_NO_INDEX && answer->slice_number != GAME_NO_SLICE && !answer->searched.done)
    fprintf(out, "No move leads to this position; it is valued by its moves.\n");
}

static void print_verdict(FILE *out, const tauler_answer *answer, solve_kind kind, bool colored) {
  terminal_sentences sentences;
  write_verdict(terminal_open(&sentences, out), answer, kind, colored);
  terminal_close(&sentences, 0, 0);
}

static void print_moves(FILE *out, const tauler_answer *answer, solve_kind kind, bool colored) {
  const bool bounds = kind == SOLVE_GUARANTEES, line = answer->history.given;
  int name = 4, value = 5, after = line ? (int)strlen("after line") : 0;
  for (size_t i = 0; i < answer->moves_used; i++) {
    name = text_wider(name, answer->moves[i].name);
    value = text_wider(value, worth_in_words(answer->moves[i].worth).text);
    if (line) after = text_wider(after, worth_in_words(answer->moves[i].after_line).text);
  }
  fprintf(out, "\n%-*s", name, "move");
  if (line) fprintf(out, "  %*s", after, "after line");
  fprintf(out, "  %*s  %5s%s  %-13s  %s\n", value, "value", answer->stages ? "stage" : "depth",
          bounds ? "  other's" : "", "converts", "position after it");
  for (size_t i = 0; i < answer->moves_used; i++) {
    const tauler_move *move = &answer->moves[i];
    char converts[64] = "";
    if (move->over) {
      snprintf(converts, sizeof converts, "ends the game");
    } else if (move->converts) {
      snprintf(converts, sizeof converts, "to %.50s", move->slice);
    } else if (move->repeats) {
      snprintf(converts, sizeof converts, "repeats, ends");
    }
    fprintf(out, "%-*s", name, move->name);
    if (line) {
      fprintf(out, "  ");
      worth_print(out, move->after_line, after, move->outcome, colored);
    }
    fprintf(out, "  ");
    worth_print(out, move->worth, value, line ? tauler_category_of(move->worth) : move->outcome, colored);
    fprintf(out, "  %5s", depth_in_words(move->worth.depth_lower).text);
    if (bounds) fprintf(out, "  %7s", depth_in_words(move->worth.depth_upper).text);
    fprintf(out, "  %-13s  %s\n", converts, move->position);
  }
}

static void print_line(FILE *out, const tauler_line *line, bool colored) {
  int name = 4;
  for (size_t i = 0; i < line->steps_used; i++) name = text_wider(name, line->steps[i].move);
  fprintf(out, "\nBest play: ");
  terminal_wrap(out, line->steps_used ? line->moves : "(none)", 11, 2);
  if (line->rule == TAULER_LINE_BY_LOWER_BOUND)
    fprintf(out, "Bounds differ on this line. Each move is the one by which its side can force most:\n"
                 "the greatest lower bound, of a sure gain the soonest, then the greatest upper bound.\n");
  for (size_t i = 0; i < line->steps_used; i++) {
    const tauler_step *step = &line->steps[i];
    fprintf(out, "%4zu  %-*s  ", i + 1, name, step->move);
    worth_print(out, step->worth, 5, tauler_category_of(step->worth), colored);
    fprintf(out, "  %5s  %-8s  %s\n", depth_in_words(worth_settled_depth(step->worth)).text,
            step->converts ? "converts" : "", step->position);
  }
  switch (line->end) {
  case TAULER_LINE_ENDED:
    fprintf(out, "The game is over.\n");
    break;
  case TAULER_LINE_REPEATS:
    if (line->before > 0) {
      fprintf(out, "Play repeats: the position is again that of %zu move%s before the start.\n", line->before,
              line->before == 1 ? "" : "s");
    } else if (line->repeats == 0) {
      fprintf(out, "Play repeats: the position is again that at the start.\n");
    } else {
      fprintf(out, "Play repeats: the position is again that after move %zu.\n", line->repeats);
    }
    break;
  case TAULER_LINE_UNKNOWN:
    fprintf(out, "No table reaches further.\n");
    break;
  case TAULER_LINE_CUT:
    fprintf(out, "Cut after %zu moves.\n", line->steps_used);
    break;
  }
}

/* Prints each digest of "LOWER+UPPER" on its own line. */
static void print_tables(FILE *out, const char *digests) {
  fprintf(out, "\n");
  for (const char *before = "Table"; *digests; before = "") {
    const size_t length = strcspn(digests, "+");
    fprintf(out, "%-5s %.*s\n", before, (int)length, digests);
    digests += length + (digests[length] == '+');
  }
}

void answer_print(FILE *out, const tauler_answer *answer, const tauler_line *line, solve_kind kind,
                  answer_look look) {
  fprintf(out, "%s, %s%s%s, slice %s: %s\n\n%s\n", answer->game, answer->rules,
          *answer->cycles ? ", cycles " : "", answer->cycles, answer->slice, answer->position,
          answer->drawing);
  if (answer->dice) {
    dice_answer_print(out, answer, look.verbose);
  } else {
    print_verdict(out, answer, kind, look.colored);
    if (answer->moves_used) print_moves(out, answer, kind, look.colored);
    if (line) print_line(out, line, look.colored);
  }
  if (answer->table && look.verbose) print_tables(out, answer->table);
}
