/* Plays lines of best play. A position is a repetition if it occurred before since the last converting move.
 * No position before a converting move can occur after it, so such a move clears the list of positions. If a
 * repetition ends play, the list begins with positions of the given line of moves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/answer.h"
#include "analysis/probe/text_pool.h"
#include "analysis/probe/worth.h"
#include "base/clock.h"
#include "base/memory.h"

enum { MOST_MOVES = 10000 };

typedef struct {
  tauler_line shown; /* first member, so that a pointer to the struct is a pointer to the line */
  tauler_step *steps;
  size_t room;
  text_pool pool;
} own_line;

/* The play so far: the positions since the last converting move, of which the last is the present one. */
typedef struct {
  tauler_tables *tables;
  game_position *visited;
  size_t used, room;
  bool after_line; /* positions met count, and `visited` has some from before the start */
  bool open;       /* the bounds of a position on the line differ */
  double began;    /* processor time of the thread at the start of the question, in seconds */
  tauler_message *message;
} play;

static tauler_error no_memory_for_line(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a line of play");
}

void tauler_line_free(tauler_line *line) {
  if (!line) return;
  own_line *own = (own_line *)line;
  text_pool_free(&own->pool);
  free(own->steps);
  free((char *)own->shown.moves);
  free(own);
}

static tauler_error add_visited(play *p, const game_position *position) {
  if (!memory_make_room(&p->visited, &p->room, p->used + 1, sizeof *p->visited))
    return no_memory_for_line(p->message);
  p->visited[p->used++] = *position;
  return TAULER_OK;
}

/* True if the present position occurred before; *ago becomes the number of moves since then. */
static bool is_repeated(const play *p, size_t *ago) {
  const game_position *present = &p->visited[p->used - 1];
  for (size_t i = p->used - 1; i-- > 0;) {
    if (memcmp(&p->visited[i], present, sizeof *present) != 0) continue;
    *ago = p->used - 1 - i;
    return true;
  }
  return false;
}

static tauler_error add_step(own_line *own, const play *p, const game_move *move, const ranked_move *ranked) {
  if (!memory_make_room(&own->steps, &own->room, own->shown.steps_used + 1, sizeof *own->steps))
    return no_memory_for_line(p->message);
  own->shown.steps = own->steps;
  char text[GAME_TEXT_BYTES] = "";
  if (!move->over) p->tables->game->print(p->tables->rules, &move->child, text);
  tauler_step *step = &own->steps[own->shown.steps_used];
  *step = (tauler_step){.move = text_pool_add(&own->pool, move->name),
                        .position = text_pool_add(&own->pool, text),
                        .worth = ranked->worth,
                        .converts = ranked->converts};
  if (!step->move || !step->position) return no_memory_for_line(p->message);
  own->shown.steps_used++;
  return TAULER_OK;
}

/* If the worths after the line are known for all moves, sets *best to the best move and *most to the greatest
 * upper bound. */
static tauler_error choose_after_line(const play *p, const game_position *position, const game_moves *moves,
                                      const ranked_move *ranked, ranked_move *best, double *most) {
  const line_past past = {.counts = true, .given = true, .met = {p->visited, p->used - 1, p->room}};
  tauler_worth worth = {.known = false};
  move_after_line *found = calloc(moves->used, sizeof *found);
  if (!found) return no_memory_for_line(p->message);
  const line_question asked = {p->tables, position, &past, moves, ranked, found, &worth};
  const tauler_error error = p->tables->db->after_line(&asked, p->message);
  bool all = !error;
  for (size_t i = 0; i < moves->used; i++) all = all && found[i].worth.known;
  if (all) *most = -INFINITY;
  for (size_t i = 0; i < moves->used && all; i++) {
    const tauler_worth *is = &found[ranked[i].order].worth;
    *most = fmax(*most, is->upper);
    const bool more =
        is->lower > best->worth.lower || (is->lower == best->worth.lower && is->upper > best->worth.upper);
    if (i > 0 && !more) continue;
    *best = ranked[i];
    best->worth = *is;
  }
  free(found);
  return error;
}

/* Sets *best to the best move. *known becomes true if all moves are known, or if the best known move has the
 * lower bound of the position; without moves it becomes false. */
static tauler_error choose_line_move(play *p, const game_position *position, const game_moves *moves,
                                     ranked_move *best, bool *known) {
  tauler_worth worth;
  double most = -INFINITY;
  bool with_depths;
  *known = false;
  if (moves->used == 0) return TAULER_OK;
  const uint32_t slice = p->tables->game->slice_of(p->tables->rules, position);
  tauler_error error = slice_open_depths(p->tables, slice, &with_depths, p->message);
  if (error) return error;
  ranked_move *ranked = malloc((moves->used + 1) * sizeof *ranked);
  if (!ranked) return no_memory_for_line(p->message);
  error = worth_of_moves(p->tables, position, moves, with_depths, ranked, p->message);
  if (!error || error == TAULER_TABLE_MISSING) {
    *best = ranked[0];
    *known = !error;
    for (size_t i = 0; i < moves->used && !error; i++) most = fmax(most, ranked[i].worth.upper);
    if (error) {
      error = worth_of_position(p->tables, position, false, &worth, p->message);
      *known = !error && ranked[0].worth.known && ranked[0].worth.lower == worth.lower;
      if (*known) most = worth.upper;
      if (error == TAULER_TABLE_MISSING) error = TAULER_OK;
    }
  }
  if (!error && *known && p->after_line) error = choose_after_line(p, position, moves, ranked, best, &most);
  p->open = p->open || (!error && *known && most > best->worth.lower);
  free(ranked);
  return error;
}

/* *on becomes false if the line has ended. */
static tauler_error play_move(play *p, own_line *own, bool *on) {
  const game *g = p->tables->game;
  const game_position present = p->visited[p->used - 1];
  game_moves moves = {0};
  ranked_move best = {0};
  int value;
  bool known = false;
  *on = false;
  if (g->position_ended(p->tables->rules, &present, &value)) {
    own->shown.end = TAULER_LINE_ENDED;
    return TAULER_OK;
  }
  tauler_error error = moves_of_position(p->tables, &present, &moves, p->message);
  if (!error) error = choose_line_move(p, &present, &moves, &best, &known);
  if (!error && !known) own->shown.end = TAULER_LINE_UNKNOWN;
  if (!error && known) {
    const game_move *move = &moves.moves[best.order];
    error = add_step(own, p, move, &best);
    if (best.converts) {
      p->used = 0;
      p->after_line = false;
    }
    if (!error) error = add_visited(p, &move->child);
    own->shown.end = TAULER_LINE_ENDED;
    *on = !move->over;
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error play_moves(play *p, own_line *own, size_t most_moves) {
  bool on = true;
  while (on) {
    size_t ago;
    if (is_repeated(p, &ago)) {
      own->shown.end = TAULER_LINE_REPEATS;
      const size_t steps = own->shown.steps_used;
      own->shown.repeats = ago > steps ? 0 : steps - ago;
      own->shown.before = ago > steps ? ago - steps : 0;
      return TAULER_OK;
    }
    const bool late = own->shown.steps_used > 0 && tables_time_is_up(p->tables->db, p->began);
    if (late || own->shown.steps_used == most_moves) {
      own->shown.end = TAULER_LINE_CUT;
      return TAULER_OK;
    }
    const tauler_error error = play_move(p, own, &on);
    if (error) return error;
  }
  return own->shown.end == TAULER_LINE_UNKNOWN ? TAULER_TABLE_MISSING : TAULER_OK;
}

/* Joins the moves, with blanks between them unless each is one letter. */
static tauler_error join_moves(own_line *own, tauler_message *message) {
  size_t length;
  bool letters = true;
  for (size_t i = 0; i < own->shown.steps_used; i++) letters = letters && strlen(own->steps[i].move) == 1;
  FILE *joined = open_memstream((char **)&own->shown.moves, &length);
  if (!joined) return no_memory_for_line(message);
  for (size_t i = 0; i < own->shown.steps_used; i++)
    fprintf(joined, "%s%s", i && !letters ? " " : "", own->steps[i].move);
  return fclose(joined) == 0 ? TAULER_OK : no_memory_for_line(message);
}

static tauler_error play_line(play *p, own_line *own, size_t most_moves) {
  char text[GAME_TEXT_BYTES];
  p->tables->game->print(p->tables->rules, &p->visited[p->used - 1], text);
  own->shown.start = text_pool_add(&own->pool, text);
  if (!own->shown.start) return no_memory_for_line(p->message);
  const tauler_error error = play_moves(p, own, most_moves);
  if (error && error != TAULER_TABLE_MISSING) return error;
  own->shown.rule = p->open ? TAULER_LINE_BY_LOWER_BOUND : TAULER_LINE_BY_VALUE;
  const tauler_error joined = join_moves(own, p->message);
  return joined ? joined : error;
}

tauler_error tauler_play(tauler_tables *tables, const char *text, size_t most_moves, tauler_line **line,
                         tauler_message *message) {
  game_position start;
  play p = {.tables = tables, .began = clock_thread_cpu(), .message = message};
  *line = NULL;
  if (tables->answers->dice) {
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%s is a game of dice, which has no single line of best play; ask for a position to "
                       "see the best moves under each roll",
                       tables->game->name);
  }
  line_past past;
  tauler_error error = line_past_read(tables->game, tables->rules, text, &start, &past, message);
  own_line *own = error ? NULL : calloc(1, sizeof *own);
  if (!error && !own) error = no_memory_for_line(message);
  for (size_t i = 0; i < past.met.used && !error; i++) error = add_visited(&p, &past.met.positions[i]);
  p.after_line = past.met.used > 0;
  line_past_free(&past);
  if (!error) error = add_visited(&p, &start);
  if (!error) error = play_line(&p, own, most_moves ? most_moves : MOST_MOVES);
  free(p.visited);
  if (!own) return error;
  if (error && error != TAULER_TABLE_MISSING) {
    tauler_line_free(&own->shown);
    return error;
  }
  *line = &own->shown;
  return clear_message(error, message);
}
