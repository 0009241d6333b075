/* Implements tauler_search: takes the worth of a position from tables or, if they do not have it, proves
 * bounds by play down to the tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/answer.h"
#include "analysis/search/search.h"
#include "base/available.h"
#include "base/clock.h"
#include "games/game_text.h"

enum { MEMORY = 256 << 20, LEAST_MEMORY = 1 << 20, LEAST_FOR_MOVES = 4096 };

typedef struct {
  int lower, upper;
} bounds;

typedef struct {
  const game_move *move;
  bool settled; /* bounds are final: the game is over, or tables have the child */
  bounds worth; /* bounds for the mover, gain included */
  bounds child; /* bounds for the side to move after the move, unused if the game is over */
} searched_move;

typedef struct {
  tauler_tables *tables;
  game_position position;
  game_moves moves;
  searched_move *searched; /* moves in the order of own->moves */
  own_answer *own;
  bounds worth;
  prover prover;
} search;

/* --- bounds, depth by depth --- */

typedef struct {
  prover *prover;
  const game_position *position;
  int depth;
} question;

static bool is_exact(bounds b) {
  return b.lower >= b.upper;
}

static tauler_error ask_prover(const question *q, int at_least, prover_answer wanted, bounds *of, bool *got) {
  prover_answer answer;
  const tauler_error error = prover_ask(q->prover, q->position, at_least, wanted, q->depth, &answer);
  *got = !error && answer == wanted;
  if (answer == PROVER_YES && of->lower < at_least) of->lower = at_least;
  if (answer == PROVER_NO && of->upper >= at_least) of->upper = at_least - 1;
  return error;
}

/* Finds the greatest lower bound (`up`), or the least upper one, that this depth proves. Since a bound mostly
 * moves little, the steps begin with 1 and double until one fails; then the gap to `beyond`, the first bound
 * that is not proven, is halved. */
static tauler_error improve_bound(const question *q, bool up, bounds *of) {
  int step = 1, beyond = up ? of->upper + 1 : of->lower - 1;
  bool got = true;
  tauler_error error = TAULER_OK;
  for (int gap; !error && (gap = up ? beyond - of->lower : of->upper - beyond) > 1;) {
    const int by = step < gap ? step : gap / 2, at_least = up ? of->lower + by : of->upper + 1 - by;
    error = ask_prover(q, at_least, up ? PROVER_YES : PROVER_NO, of, &got);
    if (!got) beyond = up ? at_least : at_least - 1;
    if (up && of->upper + 1 < beyond) beyond = of->upper + 1;
    if (!up && of->lower - 1 > beyond) beyond = of->lower - 1;
    step = got ? 2 * step : INT16_MAX;
  }
  return error;
}

static tauler_error narrow_bounds(const question *q, bounds *of) {
  tauler_error error = improve_bound(q, true, of);
  if (!error) error = improve_bound(q, false, of);
  prover_recall(q->prover, q->position, &of->lower, &of->upper);
  return error;
}

/* Combines bounds: the position after a move bounds the move, the worth of the position bounds every move,
 * and the best move bounds the position. */
static void combine_bounds(search *s) {
  const size_t n = s->moves.used;
  bounds best = {INT32_MIN, INT32_MIN}, *worth = &s->worth;
  for (size_t i = 0; i < n; i++) {
    searched_move *m = &s->searched[i];
    if (!m->move->over) m->worth = (bounds){m->move->gain - m->child.upper, m->move->gain - m->child.lower};
    if (m->worth.lower > best.lower) best.lower = m->worth.lower;
    if (m->worth.upper > best.upper) best.upper = m->worth.upper;
  }
  if (n > 0 && best.lower > worth->lower) worth->lower = best.lower;
  if (n > 0 && best.upper < worth->upper) worth->upper = best.upper;
  for (size_t i = 0; i < n; i++) {
    searched_move *m = &s->searched[i];
    if (m->settled || m->worth.upper <= worth->upper) continue;
    m->worth.upper = worth->upper;
    if (m->child.lower < m->move->gain - worth->upper) m->child.lower = m->move->gain - worth->upper;
  }
}

static bool is_open(const searched_move *m) {
  return !m->settled && !is_exact(m->child);
}

/* Narrows the bounds of moves, with at most `work` nodes or, if that is more, LEAST_FOR_MOVES in all. */
static tauler_error narrow_moves(search *s, int depth, uint64_t work) {
  prover *p = &s->prover;
  tauler_error error = TAULER_OK;
  p->pause_at = p->nodes + (work > LEAST_FOR_MOVES ? work : LEAST_FOR_MOVES);
  for (size_t i = 0; i < s->moves.used && !error && depth > 0; i++) {
    searched_move *m = &s->searched[i];
    if (!is_open(m)) continue;
    error = narrow_bounds(&(question){p, &m->move->child, depth}, &m->child);
    combine_bounds(s);
  }
  p->pause_at = 0;
  return error == TAULER_STOPPED && !p->over ? TAULER_OK : error;
}

/* Narrows s->worth and the bounds of the moves, depth by depth, until s->worth is exact, more depth cannot
 * help, or a limit is reached, which is no error. The bounds must be proven before the call. *reached becomes
 * `depth` of tauler_searched. Errors: those of slice_table, TAULER_NO_MEMORY. */
static tauler_error narrow_all_bounds(search *s, int *reached) {
  prover *p = &s->prover;
  tauler_error error = TAULER_OK;
  combine_bounds(s);
  for (int depth = 1; depth <= PROVER_MOST_DEPTH && !error; depth++) {
    const uint64_t before = p->nodes;
    bool open = false;
    p->cut = false;
    error = narrow_bounds(&(question){p, &s->position, depth}, &s->worth);
    for (size_t i = 0; i < s->moves.used; i++) {
      searched_move *m = &s->searched[i];
      if (!m->settled) prover_recall(p, &m->move->child, &m->child.lower, &m->child.upper);
    }
    combine_bounds(s);
    for (size_t i = 0; i < s->moves.used; i++) open = open || is_open(&s->searched[i]);
    if (!error) *reached = depth;
    const bool was_exact = is_exact(s->worth);
    if (!error && open) error = narrow_moves(s, depth - 1, was_exact ? p->nodes : p->nodes - before);
    if (was_exact || is_exact(s->worth) || !p->cut) break;
    memo_next_pass(p->memo);
  }
  return error == TAULER_STOPPED ? TAULER_OK : error;
}

/* --- the answer --- */

static tauler_error refuse_game(const tauler_tables *tables, tauler_message *message) {
  const game *g = tables->game;
  if (tables->answers->dice)
    return tauler_fail(
        message, TAULER_BAD_USAGE,
        "%s is a game of dice, whose positions are not searched; build tables: tauler build %s", g->name,
        g->name);
  if (tables->fallback != tables)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "under --cycles %s every position may have been met before, and no search proves "
                       "anything; search under --cycles %s, or build tables",
                       g->cycles_text(tables->rules), g->cycles_text(tables->fallback->rules));
  return TAULER_OK;
}

/* Refuses a position if positions met before it count, since the search knows no history. */
static tauler_error refuse_history(const tauler_answer *answer, tauler_message *message) {
  if (!answer->history.given || answer->history.met == 0) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_POSITION,
                     "under --cycles %s what was met on the line of moves counts, and a search does not know "
                     "of it; search the position without the line: '%.200s'",
                     answer->cycles, answer->position);
}

static int compare_names(const void *left, const void *right) {
  const game_move *const *l = left, *const *r = right;
  return strcmp((*l)->name, (*r)->name);
}

static tauler_error no_memory_for_moves(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the moves of a search");
}

static void set_first_bounds(const search *s, const tauler_move *shown, searched_move *out) {
  const game_move *move = out->move;
  out->settled = move->over || shown->child.known;
  if (move->over) {
    out->worth = (bounds){move->gain, move->gain};
  } else if (shown->child.known) {
    out->child = (bounds){(int)shown->child.lower, (int)shown->child.upper};
  } else {
    const int largest = prover_largest(&s->prover, &move->child);
    out->child = (bounds){-largest, largest};
  }
}

static tauler_error match_moves(search *s, tauler_message *message) {
  const size_t n = s->moves.used;
  const game_move **sorted = malloc((n + 1) * sizeof *sorted);
  tauler_error error = TAULER_OK;
  s->searched = calloc(n + 1, sizeof *s->searched);
  if (!sorted || !s->searched) error = no_memory_for_moves(message);
  for (size_t i = 0; i < n && !error; i++) sorted[i] = &s->moves.moves[i];
  if (!error) qsort(sorted, n, sizeof *sorted, compare_names);
  for (size_t i = 0; i < n && !error; i++) {
    const game_move key = {.name = s->own->moves[i].name}, *at = &key;
    const game_move **of_name = bsearch(&at, sorted, n, sizeof *sorted, compare_names);
    if (!of_name) {
      error = tauler_fail(message, TAULER_INTERNAL, "%s lists a move only once", s->tables->game->name);
    } else {
      s->searched[i].move = *of_name;
      set_first_bounds(s, &s->own->moves[i], &s->searched[i]);
    }
  }
  free(sorted);
  return error;
}

static int compare_moves(const void *left, const void *right) {
  const tauler_move *a = *(const tauler_move *const *)left, *b = *(const tauler_move *const *)right;
  if (a->worth.lower != b->worth.lower) return a->worth.lower > b->worth.lower ? -1 : 1;
  if (a->worth.upper != b->worth.upper) return a->worth.upper > b->worth.upper ? -1 : 1;
  if (a->converts != b->converts) return a->converts ? -1 : 1;
  return (a > b) - (a < b); /* equal moves keep their order */
}

static tauler_error sort_moves(tauler_move *moves, size_t n, tauler_message *message) {
  tauler_move *copies = malloc((n + 1) * sizeof *copies);
  const tauler_move **sorted = malloc((n + 1) * sizeof *sorted);
  const bool room = copies && sorted;
  for (size_t i = 0; i < n && room; i++) {
    copies[i] = moves[i];
    sorted[i] = &copies[i];
  }
  if (room) qsort(sorted, n, sizeof *sorted, compare_moves);
  for (size_t i = 0; i < n && room; i++) moves[i] = *sorted[i];
  free(copies);
  free(sorted);
  return room ? TAULER_OK : no_memory_for_moves(message);
}

/* Marks as best each move such that no other move can be better. */
static void mark_best_moves(tauler_move *moves, size_t n) {
  /* The largest upper bound of a move, and the second largest. */
  double most = -INFINITY, next = -INFINITY;
  for (size_t i = 0; i < n; i++) {
    next = fmax(next, fmin(most, moves[i].worth.upper));
    most = fmax(most, moves[i].worth.upper);
  }
  for (size_t i = 0; i < n; i++) {
    const tauler_worth worth = moves[i].worth;
    moves[i].best = worth.lower >= (worth.upper == most ? next : most);
  }
}

static tauler_error write_answer(search *s, tauler_message *message) {
  tauler_answer *shown = &s->own->shown;
  for (size_t i = 0; i < shown->moves_used; i++) {
    tauler_move *move = &s->own->moves[i];
    if (s->searched[i].settled) continue;
    move->worth = worth_between(s->searched[i].worth.lower, s->searched[i].worth.upper);
    move->child = worth_between(s->searched[i].child.lower, s->searched[i].child.upper);
  }
  shown->worth = worth_between(s->worth.lower, s->worth.upper);
  shown->category = tauler_category_of(shown->worth);
  answer_add_outcomes(s->tables, &s->position, s->own);
  mark_best_moves(s->own->moves, shown->moves_used);
  return sort_moves(s->own->moves, shown->moves_used, message);
}

static uint64_t choose_memory(const tauler_search_limits *limits) {
  if (limits->memory) return limits->memory > LEAST_MEMORY ? limits->memory : LEAST_MEMORY;
  const uint64_t quarter = memory_available("") / 4;
  return quarter < MEMORY ? quarter : MEMORY;
}

static tauler_error search_position(search *s, const char *text, const tauler_search_limits *limits,
                                    tauler_message *message) {
  const game *g = s->tables->game;
  tauler_searched *searched = &s->own->shown.searched;
  const double start = clock_wall();
  const prover_limits own = {.until = limits->seconds > 0 ? start + limits->seconds : 0,
                             .nodes = limits->positions,
                             .memory = choose_memory(limits),
                             .stop = limits->stop,
                             .user = limits->user};
  tauler_error error = game_text_parse(g, s->tables->rules, text, &s->position, NULL, message);
  if (!error && g->moves(s->tables->rules, &s->position, &s->moves)) error = no_memory_for_moves(message);
  if (!error) error = prover_open(&s->prover, s->tables, &s->position, &own, message);
  if (!error) error = match_moves(s, message);
  if (error) return error;
  const int largest = prover_largest(&s->prover, &s->position);
  s->worth = (bounds){-largest, largest};
  error = narrow_all_bounds(s, &searched->depth);
  if (error) return error;
  searched->done = true;
  searched->proven = s->worth.lower == s->worth.upper;
  searched->gained = s->worth.lower > -largest || s->worth.upper < largest;
  searched->positions = s->prover.nodes;
  searched->table_probes = s->prover.known.probes;
  searched->seconds = clock_wall() - start;
  return write_answer(s, message);
}

tauler_error tauler_search(tauler_tables *tables, const char *text, const tauler_search_limits *limits,
                           tauler_answer **answer, tauler_message *message) {
  *answer = NULL;
  tauler_error error = tauler_probe(tables, text, answer, message);
  if (error != TAULER_TABLE_MISSING) return error;
  search *s = calloc(1, sizeof *s);
  if (s) {
    s->tables = tables;
    s->own = (own_answer *)*answer;
  }
  error = s ? refuse_game(tables, message) : no_memory_for_moves(message);
  if (!error) error = refuse_history(*answer, message);
  if (!error) error = search_position(s, text, limits, message);
  if (s) {
    prover_close(&s->prover);
    free(s->searched);
    game_moves_free(&s->moves);
    free(s);
  }
  if (error) {
    tauler_answer_free(*answer);
    *answer = NULL;
  } else if (message) {
    message->text[0] = '\0';
  }
  return error;
}
