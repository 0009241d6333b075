/* Answers questions about positions: reads a position, finds its worth and lists its moves. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/probe/answer.h"
#include "analysis/probe/worth.h"
#include "databases/streams.h"

tauler_error answer_no_memory(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for an answer");
}

void tauler_answer_free(tauler_answer *answer) {
  if (!answer) return;
  own_answer *own = (own_answer *)answer;
  text_pool_free(&own->pool);
  free(own->moves);
  free(own->quantities);
  free(own->rolls);
  free(own);
}

/* If a table is missing, the member `table` stays NULL. */
static tauler_error set_digests(tauler_tables *tables, uint32_t slice, own_answer *own,
                                tauler_message *message) {
  slice_digests digests;
  if (slice == GAME_NO_SLICE) return TAULER_OK;
  slice_entry *entry = slice_entry_of(tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  const tauler_error error = slice_digests_of(tables, entry, &digests, NULL, message);
  if (error) return error == TAULER_TABLE_MISSING ? TAULER_OK : error;
  own->shown.table = text_pool_add(&own->pool, digests.text);
  return own->shown.table ? TAULER_OK : answer_no_memory(message);
}

static uint64_t index_of(tauler_tables *tables, const game_position *position, uint32_t slice) {
  game_place place;
  if (tables->answers->numbers && !tables->answers->numbers(tables, slice)) return TAULER_NO_INDEX;
  return tables->game->locate(tables->rules, position, &place) ? place.index : TAULER_NO_INDEX;
}

static tauler_error describe_position(tauler_tables *tables, const game_position *position, own_answer *own,
                                      tauler_message *message) {
  const game *g = tables->game;
  tauler_answer *shown = &own->shown;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES];
  int value;
  shown->game = text_pool_add(&own->pool, g->name);
  shown->rules = text_pool_add(&own->pool, g->rules_text(tables->rules));
  shown->cycles = text_pool_add(&own->pool, g->cycles_text(tables->rules));
  shown->turn = text_pool_add(&own->pool, g->turn(tables->rules, position));
  g->print(tables->rules, position, text);
  shown->position = text_pool_add(&own->pool, text);
  g->draw(tables->rules, position, drawing);
  shown->drawing = text_pool_add(&own->pool, drawing);
  shown->slice_number = g->slice_of(tables->rules, position);
  position_slice_name(tables, position, text);
  shown->slice = text_pool_add(&own->pool, text);
  shown->index = index_of(tables, position, shown->slice_number);
  shown->ended = g->position_ended(tables->rules, position, &value);
  shown->stages = tables_have_stages(tables);
  const bool whole = shown->game && shown->rules && shown->cycles && shown->turn && shown->position &&
                     shown->drawing && shown->slice;
  return whole ? TAULER_OK : answer_no_memory(message);
}

tauler_error answer_set_move(tauler_tables *tables, const game_move *move, const ranked_move *ranked,
                             own_answer *own, tauler_move *out, tauler_message *message) {
  char text[GAME_TEXT_BYTES] = "", slice[GAME_TEXT_BYTES] = "";
  if (!move->over) {
    tables->game->print(tables->rules, &move->child, text);
    position_slice_name(tables, &move->child, slice);
  }
  *out = (tauler_move){.name = text_pool_add(&own->pool, move->name),
                       .position = text_pool_add(&own->pool, text),
                       .slice = text_pool_add(&own->pool, slice),
                       .worth = ranked->worth,
                       .child = ranked->child,
                       .over = move->over,
                       .converts = ranked->converts};
  return out->name && out->position && out->slice ? TAULER_OK : answer_no_memory(message);
}

static tauler_error copy_moves(tauler_tables *tables, const game_moves *moves, const ranked_move *ranked,
                               own_answer *own, tauler_message *message) {
  own->shown.moves = own->moves = calloc(moves->used + 1, sizeof *own->moves);
  if (!own->moves) return answer_no_memory(message);
  for (size_t i = 0; i < moves->used; i++) {
    const tauler_error error =
        answer_set_move(tables, &moves->moves[ranked[i].order], &ranked[i], own, &own->moves[i], message);
    if (error) return error;
    own->shown.moves_used = i + 1;
  }
  return TAULER_OK;
}

/* If the position has no index and the game is not over, its worth follows from its ranked moves. */
static tauler_error set_position_worth(tauler_tables *tables, const game_position *position, bool with_depths,
                                       const ranked_move *ranked, size_t n, own_answer *own,
                                       tauler_message *message) {
  tauler_answer *shown = &own->shown;
  tauler_error error = TAULER_OK;
  if (shown->index == TAULER_NO_INDEX && !shown->ended) {
    shown->worth = worth_from_moves(tables, ranked, n);
    /* The message is about the table of a move. If no table can hold the position itself, another message
     * replaces it. */
    if (!shown->worth.known) error = TAULER_TABLE_MISSING;
    if (error && shown->slice_number == GAME_NO_SLICE) error = fail_beyond_tables(tables, position, message);
  } else {
    error = worth_of_position(tables, position, with_depths, &shown->worth, message);
  }
  shown->category = tauler_category_of(shown->worth);
  return error;
}

/* Sorts moves by their worths after the line, best first. Equal moves keep their order. */
static void sort_after_line(tauler_move *moves, size_t n) {
  for (size_t i = 1; i < n; i++) {
    const tauler_move move = moves[i];
    size_t to = i;
    for (; to > 0; to--) {
      const tauler_worth *l = &moves[to - 1].after_line, *r = &move.after_line;
      const bool less = l->lower < r->lower || (l->lower == r->lower && l->upper < r->upper);
      if (!r->known || (l->known && !less)) break;
      moves[to] = moves[to - 1];
    }
    moves[to] = move;
  }
}

static void show_moves_after_line(const ranked_move *ranked, const move_after_line *found, own_answer *own) {
  for (size_t i = 0; i < own->shown.moves_used; i++) {
    tauler_move *move = &own->moves[i];
    move->repeats = found[ranked[i].order].repeats;
    move->after_line = found[ranked[i].order].worth;
    if (move->repeats) move->worth = move->after_line;
  }
  sort_after_line(own->moves, own->shown.moves_used);
  if (own->shown.history.over) own->shown.moves_used = 0;
}

static tauler_error add_history(tauler_tables *tables, const game_position *position, const line_past *past,
                                const game_moves *moves, const ranked_move *ranked, own_answer *own,
                                tauler_message *message) {
  tauler_history *history = &own->shown.history;
  history->counts = past->counts;
  if (!past->given) return TAULER_OK;
  *history = (tauler_history){.counts = true, .given = true, .met = past->met.used, .over = past->over};
  if (history->met == 0) history->worth = own->shown.worth;
  history->worth.depth_lower = history->worth.depth_upper = TAULER_NO_DEPTH;
  move_after_line *found = calloc(moves->used + 1, sizeof *found);
  if (!found) return answer_no_memory(message);
  for (size_t i = 0; i < moves->used; i++) {
    if (!ranked[i].converts) continue;
    tauler_worth *worth = &found[ranked[i].order].worth;
    *worth = ranked[i].worth;
    worth->depth_lower = worth->depth_upper = TAULER_NO_DEPTH;
  }
  const line_question asked = {tables, position, past, moves, ranked, found, &history->worth};
  const tauler_error error = tables->db->after_line(&asked, message);
  if (!error) show_moves_after_line(ranked, found, own);
  free(found);
  return error;
}

/* Marks the best moves: by their worths after the line if all of these are known, otherwise by tables. Tables
 * with stages hold for the empty history, so after a line no move is marked by them. If some moves are
 * unknown, the best known ones are marked only if they are worth as much as the position. */
static void mark_best_moves(solve_kind kind, own_answer *own) {
  const tauler_answer *shown = &own->shown;
  const size_t n = shown->moves_used;
  tauler_worth best = {.known = false};
  bool by_line = shown->history.given, known = true;
  for (size_t i = 0; i < n; i++) by_line = by_line && own->moves[i].after_line.known;
  if (shown->history.given && shown->stages && !by_line) return;
  for (size_t i = 0; i < n; i++) {
    const tauler_worth worth = by_line ? own->moves[i].after_line : own->moves[i].worth;
    known = known && worth.known;
    if (worth.known && (!best.known || worth_is_better(kind, worth, best))) best = worth;
  }
  if (!best.known || (!known && (!shown->worth.known || worth_is_better(kind, shown->worth, best)))) return;
  for (size_t i = 0; i < n; i++) {
    const tauler_worth worth = by_line ? own->moves[i].after_line : own->moves[i].worth;
    own->moves[i].best = worth.known && !worth_is_better(kind, best, worth);
  }
}

double position_lead(const tauler_tables *tables, const game_position *position) {
  const game *g = tables->game;
  double even[GAME_SIDES];
  if (!g->final || !g->final(tables->rules, position, 0, even)) return 0;
  const bool second = *g->turn(tables->rules, position) == *g->sides[1].turn;
  return even[second] - even[!second];
}

void answer_add_outcomes(const tauler_tables *tables, const game_position *position, own_answer *own) {
  tauler_answer *shown = &own->shown;
  const tauler_worth worth = shown->history.given ? shown->history.worth : shown->worth;
  double final[GAME_SIDES] = {0, 0};
  shown->has_stores = tables->game->final && tables->game->final(tables->rules, position, worth.lower, final);
  shown->has_final = shown->has_stores && worth.known && worth.lower == worth.upper;
  shown->lead = position_lead(tables, position);
  shown->outcome = worth_outcome(worth, shown->lead);
  for (size_t i = 0; i < shown->moves_used; i++) {
    tauler_move *move = &own->moves[i];
    move->outcome = worth_outcome(shown->history.given ? move->after_line : move->worth, shown->lead);
  }
  if (!shown->has_final) return;
  shown->final[0] = final[0];
  shown->final[1] = final[1];
}

static tauler_error answer_moves(tauler_tables *tables, const game_position *position, const line_past *past,
                                 own_answer *own, tauler_message *message) {
  game_moves moves = {0};
  ranked_move *ranked = NULL;
  bool with_depths = false;
  tauler_error error = slice_open_depths(tables, own->shown.slice_number, &with_depths, message);
  if (!error) error = moves_of_position(tables, position, &moves, message);
  if (!error && !(ranked = malloc((moves.used + 1) * sizeof *ranked))) error = answer_no_memory(message);
  if (!error) error = worth_of_moves(tables, position, &moves, with_depths, ranked, message);
  if (ranked && (!error || error == TAULER_TABLE_MISSING)) {
    error = copy_moves(tables, &moves, ranked, own, message);
    if (!error) error = set_position_worth(tables, position, with_depths, ranked, moves.used, own, message);
  }
  if (ranked && (!error || error == TAULER_TABLE_MISSING)) {
    const tauler_error searched = add_history(tables, position, past, &moves, ranked, own, message);
    if (searched) error = searched;
    mark_best_moves(tables->kind, own);
    answer_add_outcomes(tables, position, own);
  }
  free(ranked);
  game_moves_free(&moves);
  return error;
}

tauler_error tauler_probe(tauler_tables *tables, const char *text, tauler_answer **answer,
                          tauler_message *message) {
  game_position position;
  line_past past;
  *answer = NULL;
  tauler_error error = line_past_read(tables->game, tables->rules, text, &position, &past, message);
  own_answer *own = error ? NULL : calloc(1, sizeof *own);
  if (!error && !own) error = answer_no_memory(message);
  if (!error) error = describe_position(tables, &position, own, message);
  if (!error) error = set_digests(tables, own->shown.slice_number, own, message);
  if (!error) error = tables->answers->answer(tables, &position, &past, own, message);
  line_past_free(&past);
  if (!own) return error;
  if (error && error != TAULER_TABLE_MISSING) {
    tauler_answer_free(&own->shown);
    return error;
  }
  *answer = &own->shown;
  /* A message without an error is about a missing table of a move or of depths, which does not matter. */
  return clear_message(error, message);
}

tauler_error value_of_position(tauler_tables *tables, const game_position *position, tauler_worth *worth,
                               tauler_message *message) {
  *worth = worth_unknown;
  const tauler_error error = tables->answers->worth_of(tables, position, false, worth, message);
  worth->depth_lower = worth->depth_upper =
      TAULER_NO_DEPTH; /* the rules alone give an ended position a depth */
  return error;
}

tauler_error tauler_value(tauler_tables *tables, const char *text, tauler_worth *worth,
                          tauler_message *message) {
  game_position position;
  line_past past;
  *worth = worth_unknown;
  const tauler_error error = line_past_read(tables->game, tables->rules, text, &position, &past, message);
  line_past_free(&past);
  return clear_message(error ? error : value_of_position(tables, &position, worth, message), message);
}

static void set_largest_value(const tauler_tables *tables, slice_entry *entry) {
  entry->largest = tables->game->largest_value(tables->rules, entry->slice);
}

static void name_stream(const tauler_tables *tables, const slice_entry *entry, value_stream stream,
                        char name[CHANCE_STREAM_BYTES]) {
  static const char *const names[][2] = {
      {STREAM_VALUE, STREAM_DEPTH}, {STREAM_LOWER, STREAM_DEPTH_LOWER}, {STREAM_UPPER, STREAM_DEPTH_UPPER}};
  (void)entry;
  const int which = tables->planes == 1 || stream.plane == EXACT_PLANE ? 0 : 1 + stream.plane;
  snprintf(name, CHANCE_STREAM_BYTES, "%s", names[which][stream.kind == STREAMS_DEPTH]);
}

const answering answers_of_moves = {.cell = TABLE_I8,
                                    .describe = set_largest_value,
                                    .name_stream = name_stream,
                                    .worth_at = worth_at,
                                    .worth_of = worth_of_position,
                                    .answer = answer_moves};
