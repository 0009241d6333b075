/* Plays out every line of play after a capture, for the value where a repetition ends play. */
#include "analysis/claims/auale/played_lines.h"

#include <stdlib.h>

/* A line of play since the last converting move. */
typedef struct {
  const game *game;
  const game_rules *rules;
  uint32_t slice;
  bool *met[2]; /* positions of the slice, by whose turn it is */
} line;

/* The question about a position: its exact worth between two bounds, or else the side of the bounds on which
 * it lies. */
typedef struct {
  int least, most;
} window;

static tauler_error play_on(line *l, const game_position *position, int turn, window asked, int *value,
                            tauler_message *message);

static tauler_error start_line(const game *game, const game_rules *rules, uint32_t slice, line *l,
                               tauler_message *message) {
  const uint64_t positions = game->positions(rules, slice);
  *l = (line){game, rules, slice, {calloc(positions, sizeof(bool)), calloc(positions, sizeof(bool))}};
  return l->met[0] && l->met[1] ? TAULER_OK
                                : tauler_fail(message, TAULER_NO_MEMORY, "no memory to play lines out");
}

static window whole_window(const line *l) {
  const int largest = l->game->largest_value(l->rules, l->slice);
  return (window){-largest, largest};
}

static void end_line(line *l) {
  free(l->met[0]);
  free(l->met[1]);
}

static tauler_error play_after_capture(const line *from, const game_position *position, window asked,
                                       int *value, tauler_message *message) {
  line l;
  const uint32_t slice = from->game->slice_of(from->rules, position);
  tauler_error error = start_line(from->game, from->rules, slice, &l, message);
  if (!error) error = play_on(&l, position, 0, asked, value, message);
  end_line(&l);
  return error;
}

static tauler_error worth_of(line *l, const game_move *move, int turn, window asked, int *worth,
                             tauler_message *message) {
  const window of_child = {move->gain - asked.most, move->gain - asked.least};
  int value = 0;
  tauler_error error = TAULER_OK;
  if (!move->over && move->converts) error = play_after_capture(l, &move->child, of_child, &value, message);
  if (!move->over && !move->converts) error = play_on(l, &move->child, !turn, of_child, &value, message);
  *worth = move->gain - value;
  return error;
}

/* at is the first of the best moves of a position on the line. */
static tauler_error best_move(line *l, const game_moves *moves, int turn, window asked, int *value,
                              size_t *at, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < moves->used && !error; i++) {
    int worth = 0;
    error = worth_of(l, &moves->moves[i], turn, asked, &worth, message);
    if (i > 0 && worth <= *value) continue;
    *value = worth;
    *at = i;
    if (worth > asked.least) asked.least = worth;
    if (asked.least >= asked.most) break;
  }
  return error;
}

/* True if the position ends the line; then also what it pays. */
static tauler_error pays(const line *l, const game_position *position, int turn, game_place *place,
                         bool *ends, int *value, tauler_message *message) {
  *ends = l->game->position_ended(l->rules, position, value);
  if (*ends) return TAULER_OK;
  int8_t pay = 0;
  if (!l->game->locate(l->rules, position, place) || !l->game->repeated ||
      !l->game->repeated(l->rules, place->slice, place->index, 1, &pay))
    return tauler_fail(message, TAULER_INTERNAL, "a line of play cannot be played out");
  *ends = l->met[turn][place->index];
  if (*ends) *value = pay;
  return TAULER_OK;
}

static tauler_error play_on(line *l, const game_position *position, int turn, window asked, int *value,
                            tauler_message *message) {
  game_place place;
  game_moves moves = {0};
  size_t at = 0;
  bool ends = false;
  tauler_error error = pays(l, position, turn, &place, &ends, value, message);
  if (error || ends) return error;
  error = l->game->moves(l->rules, position, &moves);
  if (error) error = tauler_fail(message, error, "the moves of a position cannot be had");
  l->met[turn][place.index] = true;
  if (!error) error = best_move(l, &moves, turn, asked, value, &at, message);
  l->met[turn][place.index] = false;
  game_moves_free(&moves);
  return error;
}

static void add_step(const line *l, const game_position *from, const game_move *move, report *out) {
  char text[GAME_TEXT_BYTES];
  if (!move->over) l->game->print(l->rules, &move->child, text);
  report_add_step(out, l->game->turn(l->rules, from), move->name, move->over ? NULL : text, NULL);
}

/* Plays the best move of each position; what has been met stays met. */
static tauler_error show_line(line *l, const game_position *start, report *out, tauler_message *message) {
  const window all = whole_window(l);
  game_position position = *start;
  tauler_error error = TAULER_OK;
  bool ends = false;
  for (int turn = 0; !ends && !error; turn = !turn) {
    game_place place;
    game_moves moves = {0};
    int value = 0;
    size_t at = 0;
    error = pays(l, &position, turn, &place, &ends, &value, message);
    if (error || ends) break;
    l->met[turn][place.index] = true;
    error = l->game->moves(l->rules, &position, &moves);
    if (!error) error = best_move(l, &moves, turn, all, &value, &at, message);
    if (!error) {
      add_step(l, &position, &moves.moves[at], out);
      ends = moves.moves[at].converts || moves.moves[at].over;
      position = moves.moves[at].child;
    }
    game_moves_free(&moves);
  }
  return error;
}

tauler_error played_lines_value(const game *game, const game_rules *rules, game_place place, report *out,
                                int *value, tauler_message *message) {
  game_position position;
  line l;
  game->position_at(rules, place, &position);
  tauler_error error = start_line(game, rules, place.slice, &l, message);
  if (!error) error = play_on(&l, &position, 0, whole_window(&l), value, message);
  if (!error && out) error = show_line(&l, &position, out, message);
  end_line(&l);
  return error;
}
