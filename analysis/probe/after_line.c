/* Finds the worth of a position and its moves after a line, where a repetition ends play. */
#include "analysis/probe/after_line.h"

#include <stdlib.h>

#include "analysis/history/history.h"
#include "base/clock.h"
#include "solver/engines/solve.h"

enum { MOST_POSITIONS = 400000 };
static const uint64_t most_memory = UINT64_C(1) << 30;

/* Slices that others convert to are tightened in whole, so each position gets less. */
static const own_row_effort effort_asked = {3000, OWN_ROW_ANY_DEPTH, true};
static const own_row_effort effort_below = {3000, OWN_ROW_ANY_DEPTH, true};

struct after_line {
  memory_budget memory;
  solve_job job;
  slice_store *finished; /* plain; all of its room is solved */
  own_row_lines *lines;  /* of slice `open`, or NULL */
  uint32_t open;
};

void after_line_close(after_line *after) {
  if (!after) return;
  own_row_lines_close(after->lines);
  store_close(after->finished);
  free(after);
}

static tauler_error no_memory(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for what a line of moves leaves");
}

static after_line *new_after_line(const tauler_tables *tables) {
  after_line *after = calloc(1, sizeof *after);
  if (!after) return NULL;
  memory_budget_open(&after->memory, most_memory);
  after->job = (solve_job){.problem.game = tables->game,
                           .problem.rules = tables->rules,
                           .work.threads = 1,
                           .work.memory = &after->memory};
  return after;
}

/* A store with room for one more slice, which it gets. */
static tauler_error keep_slice(after_line *after, const solved_slice *solved, tauler_message *message) {
  const store_settings settings = {.plain = true, .room = solved->slice + 1};
  slice_store *grown;
  const tauler_error error = store_open(&settings, &after->memory, &grown, message);
  if (error) return error;
  const plain_slices before = store_plain(after->finished), now = store_plain(grown);
  for (uint32_t i = 0; i < before.room; i++) {
    now.list[i] = before.list[i];
    before.list[i] = (solved_slice){.positions = 0};
  }
  now.list[solved->slice] = *solved;
  store_close(after->finished);
  after->job.store = after->finished = grown;
  return TAULER_OK;
}

/* Solves the next slice. */
static tauler_error add_slice(after_line *after, uint32_t slice, tauler_message *message) {
  solved_slice solved;
  tauler_error error = solve_alone(&after->job, slice, false, &solved, message);
  if (!error) error = own_row_lines_tighten(&after->job, &effort_below, &solved, message);
  if (!error) error = keep_slice(after, &solved, message);
  if (error) solved_slice_free(&after->memory, &solved);
  return error;
}

static tauler_error open_slice(after_line *after, uint32_t slice, tauler_message *message) {
  if (after->lines && after->open == slice) return TAULER_OK;
  own_row_lines_close(after->lines);
  after->lines = NULL;
  tauler_error error = TAULER_OK;
  for (uint32_t next; (next = store_plain(after->finished).room) < slice && !error;)
    error = add_slice(after, next, message);
  if (!error) error = own_row_lines_open(&after->job, slice, &after->lines, message);
  after->open = slice;
  return error;
}

static tauler_worth between(int lower, int upper) {
  return (tauler_worth){true, lower, upper, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
}

/* Both are sound. */
static void tighten(tauler_worth *worth, tauler_worth by) {
  if (!by.known) return;
  if (!worth->known) *worth = between(INT8_MIN, INT8_MAX);
  if (by.lower > worth->lower) worth->lower = by.lower;
  if (by.upper < worth->upper) worth->upper = by.upper;
}

static int pays(const tauler_tables *tables, const game_position *position) {
  game_place place;
  int8_t value = 0;
  if (tables->game->locate(tables->rules, position, &place))
    tables->game->repeated(tables->rules, place.slice, place.index, 1, &value);
  return value;
}

/* The positions met, as own_row_lines counts them; at most one more than the line has. */
typedef struct {
  own_row_met *met;
  size_t used;
} met_list;

/* The turn changes with each move; `ago` moves lie between. Positions that no move leads to cannot repeat. */
static void add_met(const tauler_tables *tables, const game_position *position, size_t ago, met_list *list) {
  game_place place;
  if (tables->game->locate(tables->rules, position, &place))
    list->met[list->used++] = (own_row_met){place.index, ago % 2 == 1};
}

typedef struct {
  tauler_tables *tables;
  after_line *after;
  const line_past *past;
  const game_position *position;
  met_list list;
  double began; /* the search, by the clock of the thread */
} question;

/* The position, or what a move of it leads to; not known when time is up. */
static tauler_error ask(question *q, const game_position *position, bool child, tauler_worth *out,
                        tauler_message *message) {
  game_place place;
  own_row_worth worth;
  const game_past *met = &q->past->met;
  *out = (tauler_worth){.known = false};
  if (!q->tables->game->locate(q->tables->rules, position, &place)) return TAULER_OK;
  if (tables_time_is_up(q->tables->db, q->began)) return TAULER_OK;
  q->list.used = 0;
  for (size_t i = 0; i < met->used; i++)
    add_met(q->tables, &met->positions[i], met->used - i + child, &q->list);
  if (child) add_met(q->tables, q->position, 1, &q->list);
  const tauler_error error = own_row_lines_ask(q->after->lines, place.index, q->list.met, q->list.used,
                                               &effort_asked, &worth, message);
  if (!error) *out = between(worth.lower, worth.upper);
  return error;
}

/* A converting move: all that was met is left behind. */
static tauler_worth fresh_worth(const question *q, const game_move *move) {
  const plain_slices finished = store_plain(q->after->finished);
  game_place place;
  if (!q->tables->game->locate(q->tables->rules, &move->child, &place) || place.slice >= finished.room)
    return (tauler_worth){.known = false};
  const solved_slice *to = &finished.list[place.slice];
  return between(to->cells[0][place.index], to->cells[1][place.index]);
}

static tauler_error ask_move(question *q, const game_move *move, tauler_worth *out, tauler_message *message) {
  tauler_worth child;
  tauler_error error = TAULER_OK;
  if (move->converts) {
    child = fresh_worth(q, move);
  } else {
    error = ask(q, &move->child, true, &child, message);
  }
  if (error || !child.known) return error;
  tighten(out, between(move->gain - (int)child.upper, move->gain - (int)child.lower));
  return TAULER_OK;
}

/* A position is worth the best of its moves, and what is found of it bounds them. */
static void join(const game_moves *moves, move_after_line *of_moves, tauler_worth *worth) {
  tauler_worth best = between(INT8_MIN, INT8_MIN);
  for (size_t i = 0; i < moves->used; i++) {
    if (!of_moves[i].worth.known) return;
    if (of_moves[i].worth.lower > best.lower) best.lower = of_moves[i].worth.lower;
    if (of_moves[i].worth.upper > best.upper) best.upper = of_moves[i].worth.upper;
  }
  if (moves->used) tighten(worth, best);
  for (size_t i = 0; i < moves->used; i++) {
    if (of_moves[i].worth.upper > worth->upper) of_moves[i].worth.upper = worth->upper;
  }
}

static tauler_error search(question *q, const game_moves *moves, move_after_line *of_moves,
                           tauler_worth *worth, tauler_message *message) {
  tauler_worth found;
  tauler_error error = ask(q, q->position, false, &found, message);
  if (!error) tighten(worth, found);
  for (size_t i = 0; i < moves->used && !error; i++) {
    if (!of_moves[i].repeats && !moves->moves[i].over)
      error = ask_move(q, &moves->moves[i], &of_moves[i].worth, message);
  }
  if (!error) join(moves, of_moves, worth);
  return error;
}

/* One at a time. */
static tauler_error search_in_turn(question *q, uint32_t slice, const game_moves *moves,
                                   move_after_line *of_moves, tauler_worth *worth, tauler_message *message) {
  tauler_tables *owner = q->tables->fallback;
  tauler_error error = TAULER_OK;
  q->list.met = malloc((q->past->met.used + 1) * sizeof *q->list.met);
  if (!q->list.met) return no_memory(message);
  pthread_mutex_lock(&owner->after_line_lock);
  if (!owner->after_line) owner->after_line = new_after_line(owner);
  q->after = owner->after_line;
  if (!q->after) error = no_memory(message);
  if (!error) error = open_slice(q->after, slice, message);
  q->began = clock_thread_cpu(); /* slices that others rest on are solved once for all */
  if (!error) error = search(q, moves, of_moves, worth, message);
  pthread_mutex_unlock(&owner->after_line_lock);
  free(q->list.met);
  return error;
}

/* Converting moves begin with what tables say, moves that repeat with what that pays. */
static void begin_moves(const tauler_tables *tables, const line_past *past, const game_moves *moves,
                        const ranked_move *ranked, move_after_line *of_moves) {
  for (size_t i = 0; i < moves->used; i++) {
    const game_move *move = &moves->moves[ranked[i].order];
    move_after_line *of_move = &of_moves[ranked[i].order];
    *of_move = (move_after_line){.repeats = !ranked[i].converts && line_past_has(past, &move->child)};
    if (ranked[i].converts) of_move->worth = ranked[i].worth;
    if (!of_move->repeats) continue;
    const int value = move->gain - pays(tables, &move->child);
    of_move->worth = between(value, value);
  }
  for (size_t i = 0; i < moves->used; i++)
    of_moves[i].worth.depth_lower = of_moves[i].worth.depth_upper = TAULER_NO_DEPTH;
}

tauler_error after_line_find(tauler_tables *tables, const game_position *position, const line_past *past,
                             const game_moves *moves, const ranked_move *ranked, move_after_line *of_moves,
                             tauler_worth *worth, tauler_message *message) {
  const game *g = tables->game;
  const uint32_t slice = g->slice_of(tables->rules, position);
  int value;
  begin_moves(tables, past, moves, ranked, of_moves);
  if (g->position_ended(tables->rules, position, &value) || past->over) {
    if (past->over) value = pays(tables, position);
    *worth = between(value, value);
    return TAULER_OK;
  }
  if (slice == GAME_NO_SLICE || g->positions(tables->rules, slice) > MOST_POSITIONS) return TAULER_OK;
  question q = {.tables = tables, .past = past, .position = position};
  return search_in_turn(&q, slice, moves, of_moves, worth, message);
}
