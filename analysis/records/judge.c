/* Judges every move of a recorded game by the tables. */
#include "analysis/records/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/probe/worth.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/told.h"
#include "games/game_record.h"

enum { LEGAL_BYTES = 300 };

static const tauler_worth boundless = {false, -INFINITY, INFINITY, TAULER_NO_DEPTH, TAULER_NO_DEPTH};

typedef struct {
  const record *r;
  const char *file;
  judged_game *out;
  tauler_tables *tables;
  /* Text of the current position. If a repetition ends play, "POSITION moves …", from the position before the
   * last converting move, or from the start, to the current one. */
  char *line;
  size_t line_used, line_room;
  bool moved;
  const char *current;         /* text of the current position, or "" after the end */
  const tauler_answer *answer; /* answer about the current position or, if `over`, the one before */
  bool over;
  double until; /* end by clock_thread_cpu in seconds, or 0 for no limit */
  progress *shown;
} walk;

static tauler_error no_memory_to_judge(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to judge a game");
}

tauler_error judge_copy_text(judged_game *out, const char *text, const char **slot, tauler_message *message) {
  *slot = text_pool_add(&out->pool, text);
  return *slot ? TAULER_OK : no_memory_to_judge(message);
}

/* --- lines and answers --- */

static tauler_error append_text(walk *w, const char *text, tauler_message *message) {
  const size_t length = strlen(text);
  if (!memory_make_room(&w->line, &w->line_room, w->line_used + length + 1, 1))
    return no_memory_to_judge(message);
  memcpy(w->line + w->line_used, text, length + 1);
  w->line_used += length;
  return TAULER_OK;
}

static tauler_error begin_line(walk *w, const char *position, tauler_message *message) {
  w->line_used = 0;
  w->moved = false;
  return append_text(w, position, message);
}

static tauler_error add_to_line(walk *w, const char *name, tauler_message *message) {
  tauler_error error = append_text(w, w->moved ? " " : " moves ", message);
  w->moved = true;
  return error ? error : append_text(w, name, message);
}

static void note_history_rules(walk *w) {
  w->out->counts = w->answer->history.counts;
  w->out->stages = w->answer->stages;
}

static tauler_error note_missing_table(walk *w, const char *text, tauler_message *message) {
  note_history_rules(w);
  if (w->out->missing && strcmp(w->out->missing, text) == 0) return TAULER_OK;
  return judge_copy_text(w->out, text, &w->out->missing, message);
}

static tauler_error fail_with_place(const walk *w, tauler_error error, const tauler_message *own,
                                    tauler_message *message) {
  return told_because(message, told_of(own->text, sizeof own->text),
                      tauler_fail(message, error, "%.200s:%zu: %.800s", w->file, w->r->line, own->text));
}

static tauler_error ask_tables(walk *w, tauler_message *message) {
  tauler_answer *answer;
  tauler_message own;
  tauler_answer_free((tauler_answer *)w->answer);
  w->answer = NULL;
  const tauler_error error = tauler_probe(w->tables, w->line, &answer, &own);
  w->answer = answer;
  if (error == TAULER_TABLE_MISSING) return note_missing_table(w, own.text, message);
  if (error) return fail_with_place(w, error, &own, message);
  note_history_rules(w);
  return TAULER_OK;
}

/* --- recognition of moves --- */

static void list_moves(const tauler_answer *answer, char text[LEGAL_BYTES]) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < answer->moves_used; i++) {
    const size_t length = strlen(answer->moves[i].name);
    if (used + length + 8 > LEGAL_BYTES) {
      snprintf(text + used, LEGAL_BYTES - used, " …");
      return;
    }
    used += (size_t)sprintf(text + used, "%s%s", used ? " " : "", answer->moves[i].name);
  }
}

/* Leaves out the number of the move and the list of legal moves. */
static void copy_reason(const tauler_message *own, char reason[LEGAL_BYTES]) {
  const char *behind = strncmp(own->text, "move 1, ", 8) == 0 ? strstr(own->text, ": ") : NULL;
  snprintf(reason, LEGAL_BYTES, "%.*s", LEGAL_BYTES - 1, behind ? behind + 2 : own->text);
  char *list = strstr(reason, "; ");
  if (behind && list) *list = '\0';
}

static tauler_error refuse_move(const walk *w, const record_item *item, size_t number, const char *why,
                                tauler_message *message) {
  char legal[LEGAL_BYTES];
  list_moves(w->answer, legal);
  if (w->over || w->answer->moves_used == 0)
    return tauler_fail(message, TAULER_BAD_POSITION,
                       "%.200s:%zu:%zu: move %zu, '%.60s', comes after the end of the game%s%.200s", w->file,
                       item->line, item->column, number, item->text, w->over ? "" : ": in ",
                       w->over                   ? ""
                       : w->answer->history.over ? "this line a position came back"
                                                 : w->current);
  return tauler_fail(
      message, TAULER_BAD_POSITION,
      "%.200s:%zu:%zu: move %zu, '%.60s', is not legal: %.200s; %s to move in %.200s can play %s", w->file,
      item->line, item->column, number, item->text, why, w->answer->turn, w->current, legal);
}

/* Finds a move in another notation by the position to which it leads. After an error *out is NULL. */
static tauler_error find_move_by_position(walk *w, const record_item *item, size_t number,
                                          const tauler_move **out, tauler_message *message) {
  tauler_answer *after = NULL;
  tauler_message own = {""};
  const size_t length = strlen(w->current) + strlen(item->text) + 16;
  char *text = malloc(length);
  *out = NULL;
  if (!text) return no_memory_to_judge(message);
  snprintf(text, length, "%s moves %s", w->current, item->text);
  const tauler_error error = tauler_probe(w->tables, text, &after, &own);
  free(text);
  for (size_t i = 0; after && i < w->answer->moves_used && !*out; i++) {
    if (strcmp(w->answer->moves[i].position, after->position) == 0) *out = &w->answer->moves[i];
  }
  tauler_answer_free(after);
  if (*out) return TAULER_OK;
  if (error && error != TAULER_BAD_POSITION && error != TAULER_TABLE_MISSING)
    return tauler_fail(message, error, "%s", own.text);
  char reason[LEGAL_BYTES] = "it is none of the moves";
  if (*own.text) copy_reason(&own, reason);
  return refuse_move(w, item, number, reason, message);
}

static tauler_error find_move(walk *w, const record_item *item, size_t number, const tauler_move **out,
                              tauler_message *message) {
  *out = NULL;
  if (w->over || w->answer->moves_used == 0) return refuse_move(w, item, number, "", message);
  for (size_t i = 0; i < w->answer->moves_used; i++) {
    *out = &w->answer->moves[i];
    if (strcmp((*out)->name, item->text) == 0) return TAULER_OK;
  }
  return find_move_by_position(w, item, number, out, message);
}

/* --- gains given away --- */

/* True if tables hold for the empty history, so that after a line they are certain only about converting
 * moves. */
static bool needs_line(const tauler_answer *answer) {
  return answer->history.counts && answer->stages;
}

/* Returns the worth of a move after the line, or by tables if these are certain, otherwise infinite
 * bounds. */
static tauler_worth certain_worth(const tauler_answer *answer, const tauler_move *move) {
  if (answer->history.given && move->after_line.known) return move->after_line;
  if (move->worth.known && (!needs_line(answer) || move->converts)) return move->worth;
  return boundless;
}

static tauler_worth bounds_or_infinite(tauler_worth worth) {
  return worth.known ? worth : boundless;
}

/* Bounds the loss by a move. The best move is bounded by the position and by the other moves. */
static void bound_loss(const tauler_answer *answer, const tauler_move *made, judged_move *out) {
  const tauler_worth own = bounds_or_infinite(judged_made_worth(out)),
                     best = bounds_or_infinite(judged_best_worth(out));
  double others_lower = -INFINITY, others_upper = -INFINITY;
  for (size_t i = 0; i < answer->moves_used; i++) {
    if (&answer->moves[i] == made) continue;
    const tauler_worth other = certain_worth(answer, &answer->moves[i]);
    others_lower = fmax(others_lower, other.lower);
    others_upper = fmax(others_upper, other.upper);
  }
  out->given_lower = fmax(0, fmax(best.lower, others_lower) - own.upper);
  out->given_upper = fmax(0, fmin(best.upper, others_upper) - own.lower);
  if (isnan(out->given_lower)) out->given_lower = 0;
  if (isnan(out->given_upper)) out->given_upper = INFINITY;
  if (answer->moves_used == 1) out->given_lower = out->given_upper = 0;
  out->judged = (own.lower > -INFINITY || own.upper < INFINITY) &&
                (out->given_lower > 0 || out->given_upper < INFINITY);
}

static tauler_worth worth_for_best(const tauler_answer *answer, const tauler_move *move, bool by_line) {
  if (!by_line) return move->worth;
  return answer->history.given ? move->after_line : certain_worth(answer, move);
}

/* Returns false if a move is unknown, since it may be the best, or if there is no move. */
static bool find_best_worth(const walk *w, const tauler_answer *answer, bool by_line, tauler_worth *best) {
  for (size_t i = 0; i < answer->moves_used; i++) {
    const tauler_worth worth = worth_for_best(answer, &answer->moves[i], by_line);
    if (!worth.known) return false;
    if (i == 0 || worth_is_better(w->tables->kind, worth, *best)) *best = worth;
  }
  return answer->moves_used > 0;
}

static tauler_error list_best_moves(const walk *w, const tauler_answer *answer, const tauler_move *made,
                                    judged_move *judged, tauler_message *message) {
  char *names = NULL;
  size_t length = 0;
  tauler_worth best;
  const tauler_worth own = judged_made_worth(judged), most = judged_best_worth(judged);
  judged->best_moves = "";
  judged->made_best = worth_is_exact(own) && worth_is_exact(most) && own.lower == most.lower;
  if (!find_best_worth(w, answer, judged->by_line, &best)) return TAULER_OK;
  judged->made_best = false;
  FILE *stream = open_memstream(&names, &length);
  if (!stream) return no_memory_to_judge(message);
  for (size_t i = 0; i < answer->moves_used; i++) {
    const tauler_move *move = &answer->moves[i];
    if (worth_is_better(w->tables->kind, best, worth_for_best(answer, move, judged->by_line))) continue;
    fprintf(stream, "%s%s", judged->best_moves_used++ ? " " : "", move->name);
    judged->made_best = judged->made_best || move == made;
  }
  const bool whole = fclose(stream) == 0;
  const tauler_error error =
      whole ? judge_copy_text(w->out, names, &judged->best_moves, message) : no_memory_to_judge(message);
  free(names);
  return error;
}

tauler_worth judged_made_worth(const judged_move *move) {
  return move->by_line ? move->line_made : move->made;
}

tauler_worth judged_best_worth(const judged_move *move) {
  return move->by_line ? move->line_best : move->best;
}

/* If no position has been met yet, the worth of a quiet move becomes known only after the move. */
static void set_line_worths(const walk *w, const tauler_move *made, judged_move *out) {
  const tauler_answer *answer = w->answer;
  const tauler_history *history = &answer->history;
  out->line_made = out->line_best = worth_unknown;
  if (!history->counts) return;
  out->line_best = history->given ? history->worth : answer->worth;
  out->line_made = history->given ? made->after_line : made->converts ? made->worth : worth_unknown;
  out->line_best.depth_lower = out->line_best.depth_upper = TAULER_NO_DEPTH;
  out->line_made.depth_lower = out->line_made.depth_upper = TAULER_NO_DEPTH;
}

static tauler_error judge_loss(const walk *w, const tauler_answer *answer, const tauler_move *made,
                               judged_move *out, tauler_message *message) {
  out->by_line =
      answer->history.counts && (needs_line(answer) || (out->line_made.known && out->line_best.known));
  bound_loss(answer, made, out);
  out->before = worth_outcome(judged_best_worth(out), answer->lead);
  out->after = worth_outcome(judged_made_worth(out), answer->lead);
  return list_best_moves(w, answer, made, out, message);
}

/* --- all moves of a record --- */

static tauler_error add_judged_move(walk *w, const record_item *item, const tauler_move *made,
                                    judged_move *out, tauler_message *message) {
  const tauler_answer *answer = w->answer;
  *out = (judged_move){.item = item,
                       .position = w->current,
                       .side = judge_side_of_turn(w->out->game, answer->turn),
                       .made = made->worth,
                       .best = answer->worth};
  tauler_error error = judge_copy_text(w->out, made->name, &out->name, message);
  if (!error) error = judge_copy_text(w->out, answer->slice, &out->slice, message);
  if (!error) error = judge_copy_text(w->out, answer->turn, &out->turn, message);
  if (!error) set_line_worths(w, made, out);
  return error;
}

/* Makes a move. No position before a converting move can occur again, so the line then begins with the
 * position before that move. The move stays in the line, so that the answer is about a line. */
static tauler_error make_move(walk *w, const tauler_move *made, tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (made->over) {
    w->over = true;
    w->current = "";
    return TAULER_OK;
  }
  if (w->out->counts && made->converts) error = begin_line(w, w->current, message);
  if (!error && w->out->counts) error = add_to_line(w, made->name, message);
  if (!error) error = judge_copy_text(w->out, made->position, &w->current, message);
  if (!error && !w->out->counts) error = begin_line(w, w->current, message);
  return error;
}

/* Checks "+2" after a move, which means that the move captures two seeds. */
static tauler_error check_captured(const walk *w, const record_item *item, size_t number,
                                   const tauler_move *made, tauler_message *message) {
  if (item->mark[0] != '+' || made->over) return TAULER_OK;
  const int side = judge_side_of_turn(w->out->game, w->answer->turn);
  const int captured = judge_lead_of_side(w->out->game, made->position, side) -
                       judge_lead_of_side(w->out->game, w->current, side);
  char *end, seeds[16] = "no";
  if (strtoul(item->mark + 1, &end, 10) == (unsigned long)captured) return TAULER_OK;
  if (captured) snprintf(seeds, sizeof seeds, "%d", captured);
  return tauler_fail(message, TAULER_BAD_POSITION,
                     "%.200s:%zu:%zu: move %zu, '%.8s%.60s', captures %s seed%s, not %.*s", w->file,
                     item->line, item->column, number, item->text, item->mark, seeds, captured > 1 ? "s" : "",
                     (int)(end - item->mark - 1), item->mark + 1);
}

static tauler_error judge_move(walk *w, const record_item *item, tauler_message *message) {
  const tauler_move *made;
  judged_move *out = &w->out->moves[w->out->moves_used];
  const size_t number = w->out->moves_used + 1;
  if ((w->until > 0 && clock_thread_cpu() >= w->until) || tables_stopped(w->tables->db))
    return tauler_fail(message, TAULER_STOPPED,
                       "%.200s:%zu: there is no time for move %zu and those after it", w->file, item->line,
                       number);
  tauler_error error = find_move(w, item, number, &made, message);
  if (!made) return error;
  error = check_captured(w, item, number, made, message);
  if (!error) error = add_judged_move(w, item, made, out, message);
  if (!error) error = make_move(w, made, message);
  if (error) return error;
  w->out->moves_used++;
  const tauler_answer *before = w->answer;
  const size_t chosen = (size_t)(made - before->moves);
  w->answer = NULL;
  if (!w->over) error = ask_tables(w, message);
  if (!error && before->history.counts && !before->history.given && !out->line_made.known && w->answer &&
      w->answer->history.worth.known) {
    const tauler_worth child = w->answer->history.worth;
    out->line_made = worth_between(-child.upper, -child.lower);
  }
  if (!error) error = judge_loss(w, before, &before->moves[chosen], out, message);
  if (w->over) {
    w->answer = before; /* later functions read the last answer */
  } else {
    tauler_answer_free((tauler_answer *)before);
  }
  return error;
}

static tauler_error judge_moves(walk *w, tauler_message *message) {
  size_t depth = 0;
  tauler_error error = ask_tables(w, message);
  if (!error) error = judge_copy_text(w->out, w->answer->position, &w->current, message);
  if (!error) error = begin_line(w, w->current, message);
  w->out->start = w->current;
  for (size_t i = 0; i < w->r->items_used && !error; i++) {
    const record_item *item = &w->r->items[i];
    depth += item->kind == RECORD_OPEN;
    depth -= item->kind == RECORD_CLOSE;
    if (item->kind != RECORD_MOVE || depth > 0) continue;
    error = judge_move(w, item, message);
    if (w->shown) progress_add(w->shown, 1);
  }
  return error;
}

static bool is_bounded(const judged_move *move) {
  return move->given_lower != move->given_upper;
}

/* Limits the sum that a side gave away to the number of seeds of the game. Repeated errors of both sides may
 * exceed it, and readers would take the sum for captured seeds. */
static void limit_to_seeds(const judged_game *out, judged_side *side) {
  const int seeds = judge_count_seeds(out->game, out->start);
  if (seeds == 0 || side->given_lower <= seeds) return;
  side->given_lower = seeds;
  side->given_upper = INFINITY;
}

static void sum_sides(judged_game *out) {
  for (int side = 0; side < JUDGED_SIDES; side++)
    out->sides[side] = (judged_side){.worst = SIZE_MAX, .first_change = SIZE_MAX};
  for (size_t i = 0; i < out->moves_used; i++) {
    const judged_move *move = &out->moves[i];
    judged_side *side = &out->sides[move->side];
    side->moves++;
    if (!move->judged) continue;
    side->judged++;
    side->bounded += is_bounded(move);
    if (!is_bounded(move)) side->given_upper = side->given_lower += move->given_lower;
    const double worst = side->worst == SIZE_MAX ? 0 : out->moves[side->worst].given_lower;
    if (move->given_lower > worst) side->worst = i;
    if (side->first_change == SIZE_MAX && move->before != TAULER_UNKNOWN && move->after != TAULER_UNKNOWN &&
        move->before != move->after)
      side->first_change = i;
  }
  for (int side = 0; side < JUDGED_SIDES; side++) limit_to_seeds(out, &out->sides[side]);
}

/* Counts the moves of a record, with those of variations. */
static size_t count_moves(const record *r) {
  size_t moves = 0;
  for (size_t i = 0; i < r->items_used; i++) moves += r->items[i].kind == RECORD_MOVE;
  return moves;
}

static tauler_error open_walk(walk *w, tauler *db, const judge_wish *wish, tauler_message *message) {
  const char *rules, *cycles;
  tauler_message own;
  judged_game *out = w->out;
  const game_notation *notation;
  tauler_error error = judge_choose_rules(w->r, w->file, wish, &out->game, &rules, &cycles, message);
  if (!error && wish->notation) error = game_notation_called(out->game, wish->notation, &notation, message);
  if (error) return error;
  error = tauler_select(db, out->game->name, rules, cycles, &w->tables, &own);
  if (error) return fail_with_place(w, error, &own, message);
  const char *start = judge_find_start(w->r, out->game);
  if (!start)
    return tauler_fail(message, TAULER_BAD_POSITION,
                       "%.200s:%zu: the record has no position to begin with, and %s no single one: a tag "
                       "[FEN \"%.100s\"] or a line \"POSITION moves …\" says it",
                       w->file, w->r->line, out->game->name, game_help_of(out->game).example);
  out->moves = calloc(count_moves(w->r) + 1, sizeof *out->moves);
  if (!out->moves) return no_memory_to_judge(message);
  return begin_line(w, start, message);
}

tauler_error judge_record(tauler *db, const record *r, const char *file, const judge_wish *wish,
                          judged_game *out, tauler_message *message) {
  *out = (judged_game){.game = NULL};
  walk w = {.r = r, .file = file, .out = out, .until = wish->until, .shown = wish->shown};
  tauler_error error = open_walk(&w, db, wish, message);
  if (!error && w.shown) progress_start(w.shown, "analyse", "moves", count_moves(r), 0);
  if (!error) error = judge_moves(&w, message);
  if (w.shown) progress_abandon(w.shown);
  if (!error) error = judge_copy_text(out, w.answer->rules, &out->rules, message);
  if (!error) error = judge_copy_text(out, w.answer->cycles, &out->cycles, message);
  out->end = w.current;
  if (!error) {
    sum_sides(out);
    error = judge_set_end(out, r, file, w.answer, w.over, message);
    if (!error) error = judge_add_contradictions(db, r, wish, w.tables, out, message);
    if (!error) error = judge_rewrite_notation(w.tables, wish->notation, out, message);
  }
  tauler_answer_free((tauler_answer *)w.answer);
  free(w.line);
  if (error) judged_free(out);
  return error;
}

void judged_free(judged_game *judged) {
  free(judged->moves);
  text_pool_free(&judged->pool);
  *judged = (judged_game){.game = NULL};
}
