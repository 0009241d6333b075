/* Writes a record with its judgement as comments. */
#include <stdlib.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/records/judge.h"

enum { MOST_NAMED = 3 };
static const char mark[] = "tauler: ";

static bool is_own_comment(const record_item *item) {
  return item->kind == RECORD_COMMENT && strncmp(item->text, mark, sizeof mark - 1) == 0;
}

static tauler_error add_text_tag(record *out, const char *name, const char *value, tauler_message *message) {
  const record_tag tag = {name, value, 0, 0};
  return record_add_tag(out, &tag, message);
}

/* A position before the moves becomes a tag, since the program Aualé reads every letter after the tags as a
 * move. */
static tauler_error add_tags(const judged_game *judged, const record *r, record *out,
                             tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < r->tags_used && !error; i++) error = record_add_tag(out, &r->tags[i], message);
  if (!error && r->tags_used && r->position && !record_tag_of(r, "FEN") && !record_tag_of(r, "Position"))
    error = add_text_tag(out, "FEN", r->position, message);
  if (error || r->tags_used) return error;
  error = add_text_tag(out, "Game", judged->game->name, message);
  if (!error) error = add_text_tag(out, "Rules", judged->rules, message);
  if (!error && *judged->cycles) error = add_text_tag(out, "Cycles", judged->cycles, message);
  if (!error) error = add_text_tag(out, "FEN", judged->start, message);
  return error;
}

static void write_best_moves(FILE *out, const judged_move *move) {
  const char *names = move->best_moves;
  if (!*names) return;
  fputs(", best", out);
  for (int i = 0; *names && i < MOST_NAMED; i++) {
    const size_t length = strcspn(names, " ");
    fprintf(out, " %.*s", (int)length, names);
    names += length + (names[length] == ' ');
  }
  if (*names) fputs(" ...", out);
}

static void write_move(FILE *out, const judged_move *move) {
  const tauler_worth made = judged_made_worth(move), best = judged_best_worth(move);
  const int depth = worth_settled_depth(made);
  if (move->by_line) fputs("after this line ", out);
  fputs(worth_in_words(made).text, out);
  if (depth != TAULER_NO_DEPTH) fprintf(out, ", depth %d", depth);
  if (move->made_best) {
    fputs(worth_is_exact(made) ? ", the best" : ", the best by bounds", out);
    return;
  }
  write_best_moves(out, move);
  if (best.known) fprintf(out, "%s %s", *move->best_moves ? "" : ", best", worth_in_words(best).text);
  if (move->judged) fprintf(out, ", gave away %s", given_in_words(move->given_lower, move->given_upper).text);
}

/* Adds the comment after move i. The last move always gets one, with a summary; others only if something is
 * known. */
static tauler_error add_comment(const judged_game *judged, size_t i, record *out, tauler_message *message) {
  char *text = NULL;
  size_t length = 0;
  const judged_move *move = &judged->moves[i];
  const bool known = move->judged || judged_made_worth(move).known || judged_best_worth(move).known;
  const bool last = i + 1 == judged->moves_used;
  if (!known && !last) return TAULER_OK;
  FILE *stream = open_memstream(&text, &length);
  if (!stream) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a comment");
  fputs(mark, stream);
  if (known) {
    write_move(stream, move);
  } else {
    fputs("outside the tables", stream);
  }
  if (last) {
    fputc('.', stream);
    for (int side = 0; side < JUDGED_SIDES; side++) {
      fprintf(stream, " %s: ", judged->side_names[side]);
      write_side_in_words(stream, &judged->sides[side]);
      fputc(side == 0 ? ';' : '.', stream);
    }
    fprintf(stream, " Rules %s%s%s.", judged->rules, *judged->cycles ? ", cycles " : "", judged->cycles);
  }
  const bool whole = fclose(stream) == 0;
  const record_item item = {RECORD_COMMENT, text, "", 0, 0};
  const tauler_error error = whole ? record_add_item(out, &item, message)
                                   : tauler_fail(message, TAULER_NO_MEMORY, "no memory for a comment");
  free(text);
  return error;
}

static tauler_error annotate_record(const judged_game *judged, const record *r, record *out,
                                    tauler_message *message) {
  size_t depth = 0, moves = 0;
  bool only_comments = true;
  *out = (record){.tags = NULL};
  tauler_error error = add_tags(judged, r, out, message);
  if (!error && r->tags_used && r->position && !record_tag_of(out, "FEN"))
    error = record_set_position(out, r->position, message);
  for (size_t i = 0; i < r->items_used && !error; i++) {
    const record_item *item = &r->items[i];
    only_comments = only_comments && item->kind == RECORD_COMMENT;
    depth += item->kind == RECORD_OPEN;
    depth -= item->kind == RECORD_CLOSE;
    if (depth == 0 && is_own_comment(item)) continue;
    error = record_add_item(out, item, message);
    if (!error && depth == 0 && item->kind == RECORD_MOVE) error = add_comment(judged, moves++, out, message);
  }
  /* Without moves and result, the tags of the next record would be read as tags of this one. */
  const record_item unsaid = {RECORD_ENDING, "*", "", 0, 0};
  if (!error && only_comments) error = record_add_item(out, &unsaid, message);
  if (error) record_free(out);
  return error;
}

tauler_error judged_write_record(FILE *out, const judged_game *judged, const record *r,
                                 tauler_message *message) {
  record annotated;
  const tauler_error error = annotate_record(judged, r, &annotated, message);
  if (error) return error;
  record_write(&annotated, out);
  record_free(&annotated);
  return TAULER_OK;
}
