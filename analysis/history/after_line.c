/* Opens tables that also answer questions about lines of moves: if a repetition ends play, finds the worth of
 * a position and of its moves after a line, within a fixed effort.
 *
 * Smaller slices are read once, from tables whose bounds are equal. If a slice has no such tables, it is
 * bounded here by the fixpoint and then by lines of play. The tauler_tables keep these slices, and the moves
 * of the last slice asked about. */
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/answer.h"
#include "analysis/slices/cells.h"
#include "base/clock.h"
#include "lines/lines.h"

/* Most positions of a slice that is asked about, and of a slice without values that is solved here. */
enum { MOST_POSITIONS = 1400000, MOST_SOLVED = 200000 };
static const uint64_t most_memory = UINT64_C(1) << 30;

/* Budgets of a search (lines.h): after a line of moves, in a slice that is bounded here, and for its fixpoint
 * alone. */
enum { BUDGET = 1000000, BUDGET_OF_ALL = 3000, FIXPOINT = 0 };
static const char what[] = "what a line of moves leaves";

typedef struct {
  kept_lines kept; /* first member: a pointer to it is also one to after_line */
  memory_budget memory;
  own_row_job job;      /* job whose slices 0 … room − 1 are all finished */
  own_row_lines *lines; /* lines of slice `open`, or NULL */
  uint32_t open;
} after_line;

static void close_after_line(kept_lines *kept) {
  after_line *after = (after_line *)kept;
  plain_slices *finished = &after->job.finished;
  own_row_lines_close(after->lines);
  for (uint32_t i = 0; i < finished->room; i++) solved_slice_free(&after->memory, &finished->list[i]);
  memory_free(&after->memory, finished->list);
  free(after);
}

static after_line *new_after_line(const tauler_tables *tables) {
  after_line *after = calloc(1, sizeof *after);
  if (!after) return NULL;
  memory_budget_open(&after->memory, most_memory);
  after->kept.close = close_after_line;
  after->job = (own_row_job){.game = tables->game, .rules = tables->rules, .memory = &after->memory};
  return after;
}

/* Sets *exact to true if there are tables and all bounds are equal. */
static tauler_error read_slice(tauler_tables *tables, solved_slice *bounds, bool *exact,
                               tauler_message *message) {
  enum { PIECE = 1024 };
  plain_cell cells[PIECE];
  tauler_message missing;
  *exact = true;
  for (uint64_t first = 0; first < bounds->positions && *exact; first += PIECE) {
    const uint64_t left = bounds->positions - first, n = left < PIECE ? left : PIECE;
    const tauler_error error =
        cells_read(tables, bounds->slice, NULL, first, (size_t)n, false, cells, &missing);
    if (error && error != TAULER_TABLE_MISSING) return tauler_fail(message, error, "%s", missing.text);
    *exact = !error;
    for (uint64_t i = 0; i < n && *exact; i++) {
      bounds->cells[0][first + i] = (int8_t)cells[i].lower;
      bounds->cells[1][first + i] = (int8_t)cells[i].upper;
      *exact = cells[i].lower == cells[i].upper;
    }
  }
  return TAULER_OK;
}

static tauler_error solve_slice(const own_row_job *job, solved_slice *bounds, tauler_message *message) {
  const int largest = job->game->largest_value(job->rules, bounds->slice);
  for (int plane = 0; plane < PLAIN_PLANES; plane++)
    memset(bounds->cells[plane], plane ? largest : -largest, bounds->positions);
  const tauler_error error = own_row_lines_tighten(job, FIXPOINT, bounds, message);
  return error ? error : own_row_lines_tighten(job, BUDGET_OF_ALL, bounds, message);
}

/* Adds the next slice to the finished ones, unless it is too large to be solved. */
static tauler_error add_slice(after_line *after, tauler_tables *tables, uint32_t slice,
                              tauler_message *message) {
  own_row_job *job = &after->job;
  bool exact = false;
  solved_slice bounds = {
      .slice = slice, .positions = job->game->positions(job->rules, slice), .planes = PLAIN_PLANES};
  tauler_error error =
      memory_resize(job->memory, (slice + 1) * sizeof bounds, what, &job->finished.list, message);
  for (int plane = 0; plane < PLAIN_PLANES && !error; plane++)
    error = memory_allocate(job->memory, bounds.positions, what, &bounds.cells[plane], message);
  if (!error) error = read_slice(tables, &bounds, &exact, message);
  const bool solvable = exact || bounds.positions <= MOST_SOLVED;
  if (!error && !exact && solvable) error = solve_slice(job, &bounds, message);
  if (error || !solvable)
    solved_slice_free(job->memory, &bounds);
  else
    job->finished.list[job->finished.room++] = bounds;
  return error;
}

/* Opens the lines of a slice in place of those that are open. If a smaller slice is too large to be solved,
 * after->lines becomes NULL. */
static tauler_error open_slice(after_line *after, tauler_tables *tables, uint32_t slice,
                               tauler_message *message) {
  if (after->lines && after->open == slice) return TAULER_OK;
  own_row_lines_close(after->lines);
  after->lines = NULL;
  tauler_error error = TAULER_OK;
  bool more = true;
  while (after->job.finished.room < slice && more && !error) {
    const uint32_t next = after->job.finished.room;
    error = add_slice(after, tables, next, message);
    more = after->job.finished.room > next;
  }
  if (!error && more) error = own_row_lines_open(&after->job, slice, &after->lines, message);
  after->open = slice;
  return error;
}

/* Intersects two worths, both of which are sound. */
static void tighten_worth(tauler_worth *worth, tauler_worth by) {
  if (!by.known) return;
  if (!worth->known) *worth = worth_between(INT8_MIN, INT8_MAX);
  if (by.lower > worth->lower) worth->lower = by.lower;
  if (by.upper < worth->upper) worth->upper = by.upper;
}

static int repetition_pays(const tauler_tables *tables, const game_position *position) {
  game_place place;
  int8_t value = 0;
  if (tables->game->locate(tables->rules, position, &place))
    tables->game->repeated(tables->rules, place.slice, place.index, 1, &value);
  return value;
}

typedef struct {
  const line_question *asked;
  tauler_tables *tables;
  after_line *after;
  own_row_met *met; /* [used] the positions met, at most one more than the line has */
  size_t used;
  double began; /* start of the search, by the clock of the thread */
} question;

/* Adds a position that was met `ago` moves before. The turn changes with each move. A position that has no
 * index cannot repeat, so it is left out. */
static void add_met(question *q, const game_position *position, size_t ago) {
  game_place place;
  if (q->tables->game->locate(q->tables->rules, position, &place))
    q->met[q->used++] = (own_row_met){place.index, ago % 2 == 1};
}

/* Leaves the worth unknown if the position has no index or time is up. If `child`, a move leads to the
 * position. */
static tauler_error ask_position(question *q, const game_position *position, bool child, tauler_worth *out,
                                 tauler_message *message) {
  game_place place;
  own_row_worth worth;
  const game_past *met = &q->asked->past->met;
  *out = (tauler_worth){.known = false};
  if (!q->tables->game->locate(q->tables->rules, position, &place)) return TAULER_OK;
  if (tables_time_is_up(q->tables->db, q->began)) return TAULER_OK;
  q->used = 0;
  for (size_t i = 0; i < met->used; i++) add_met(q, &met->positions[i], met->used - i + child);
  if (child) add_met(q, q->asked->position, 1);
  const tauler_error error =
      own_row_lines_ask(q->after->lines, place.index, q->met, q->used, BUDGET, &worth, message);
  if (!error) *out = worth_between(worth.lower, worth.upper);
  return error;
}

/* Returns the worth of the child of a converting move, after which no position met before counts. The
 * worth is unknown if the child has no index or its slice is not in memory. */
static tauler_worth fresh_worth(const question *q, const game_move *move) {
  const plain_slices finished = q->after->job.finished;
  game_place place;
  if (!q->tables->game->locate(q->tables->rules, &move->child, &place) || place.slice >= finished.room)
    return (tauler_worth){.known = false};
  const solved_slice *to = &finished.list[place.slice];
  return worth_between(to->cells[0][place.index], to->cells[1][place.index]);
}

static tauler_error ask_move(question *q, const game_move *move, tauler_worth *out, tauler_message *message) {
  tauler_worth child;
  tauler_error error = TAULER_OK;
  if (move->converts) {
    child = fresh_worth(q, move);
  } else {
    error = ask_position(q, &move->child, true, &child, message);
  }
  if (error || !child.known) return error;
  tighten_worth(out, worth_between(move->gain - (int)child.upper, move->gain - (int)child.lower));
  return TAULER_OK;
}

/* If only one move may be worth as much as the position, raises its lower bound. */
static void raise_best_move(const game_moves *moves, move_after_line *of_moves, const tauler_worth *worth) {
  tauler_worth *best = NULL;
  for (size_t i = 0; i < moves->used; i++) {
    if (of_moves[i].worth.upper < worth->lower) continue;
    if (best) return;
    best = &of_moves[i].worth;
  }
  if (best && best->lower < worth->lower) best->lower = worth->lower;
}

static void combine_worths(const game_moves *moves, move_after_line *of_moves, tauler_worth *worth) {
  tauler_worth best = worth_between(INT8_MIN, INT8_MIN);
  for (size_t i = 0; i < moves->used; i++) {
    if (!of_moves[i].worth.known) return;
    if (of_moves[i].worth.lower > best.lower) best.lower = of_moves[i].worth.lower;
    if (of_moves[i].worth.upper > best.upper) best.upper = of_moves[i].worth.upper;
  }
  if (moves->used) tighten_worth(worth, best);
  for (size_t i = 0; i < moves->used; i++) {
    if (of_moves[i].worth.upper > worth->upper) of_moves[i].worth.upper = worth->upper;
  }
  raise_best_move(moves, of_moves, worth);
}

static tauler_error search_moves(question *q, tauler_message *message) {
  const line_question *asked = q->asked;
  tauler_worth found;
  tauler_error error = ask_position(q, asked->position, false, &found, message);
  if (!error) tighten_worth(asked->worth, found);
  for (size_t i = 0; i < asked->moves->used && !error; i++) {
    if (!asked->of_moves[i].repeats && !asked->moves->moves[i].over)
      error = ask_move(q, &asked->moves->moves[i], &asked->of_moves[i].worth, message);
  }
  if (!error) combine_worths(asked->moves, asked->of_moves, asked->worth);
  return error;
}

static tauler_error search_with_lock(question *q, uint32_t slice, tauler_message *message) {
  tauler_tables *owner = q->tables->fallback;
  q->met = malloc((q->asked->past->met.used + 1) * sizeof *q->met);
  pthread_mutex_lock(&owner->lines_lock);
  if (!owner->lines) owner->lines = (kept_lines *)new_after_line(owner);
  q->after = (after_line *)owner->lines;
  tauler_error error = q->met && q->after ? open_slice(q->after, owner, slice, message)
                                          : tauler_fail(message, TAULER_NO_MEMORY, "no memory for %s", what);
  q->began = clock_thread_cpu(); /* solving smaller slices is not counted, as it is done once */
  if (!error && q->after->lines) error = search_moves(q, message);
  pthread_mutex_unlock(&owner->lines_lock);
  free(q->met);
  return error;
}

static void set_first_worths(const line_question *asked) {
  const game_moves *moves = asked->moves;
  for (size_t i = 0; i < moves->used; i++) {
    const ranked_move *ranked = &asked->ranked[i];
    const game_move *move = &moves->moves[ranked->order];
    move_after_line *of_move = &asked->of_moves[ranked->order];
    *of_move = (move_after_line){.repeats = !ranked->converts && line_past_has(asked->past, &move->child)};
    if (ranked->converts) of_move->worth = ranked->worth;
    of_move->worth.depth_lower = of_move->worth.depth_upper = TAULER_NO_DEPTH;
    if (!of_move->repeats) continue;
    const int value = move->gain - repetition_pays(asked->tables, &move->child);
    of_move->worth = worth_between(value, value);
  }
}

static tauler_error answer_after_line(const line_question *asked, tauler_message *message) {
  tauler_tables *tables = asked->tables;
  const game *g = tables->game;
  const uint32_t slice = g->slice_of(tables->rules, asked->position);
  int value;
  set_first_worths(asked);
  if (g->position_ended(tables->rules, asked->position, &value) || asked->past->over) {
    if (asked->past->over) value = repetition_pays(tables, asked->position);
    *asked->worth = worth_between(value, value);
    return TAULER_OK;
  }
  if (slice == GAME_NO_SLICE || g->positions(tables->rules, slice) > MOST_POSITIONS) return TAULER_OK;
  question q = {.asked = asked, .tables = tables};
  return search_with_lock(&q, slice, message);
}

tauler_error tauler_open(const char *folder, const tauler_settings *settings, tauler **out,
                         tauler_message *message) {
  return tables_open(folder, settings, answer_after_line, out, message);
}
