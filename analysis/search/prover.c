/* Proves whether the side to move gets at least a threshold, by play down to the tables. */
#include "analysis/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { CLOCK_EVERY = 64, MOST_MOVES = 1 << 20, FIRST_ROOM = 1024, AHEAD = 8, MOST_LEANING = (1 << 24) - 1 };

static const uint64_t LEANS_ON_NOTHING = UINT64_MAX;

/* A position on the path to the one that is examined, and the question about it. */
struct prover_step {
  uint64_t hash, number; /* hash of the state, and number of positions examined before this one */
  size_t first;          /* ply of the first position since the last converting move */
  int at_least, largest;
  prover_answer wanted;
};

/* An answer that holds if the answers on which it leans hold. */
struct prover_leaning {
  prover_step step;
  size_t best;
};

struct prover_todo {
  size_t move;
  int rank;
  int largest;
  uint64_t hash;
};

typedef struct {
  prover_answer answer;
  bool play_on;   /* true if only further play can answer the question */
  uint64_t leans; /* number of the earliest position on whose answer this one leans */
} finding;

static finding make_finding(prover_answer answer) {
  return (finding){answer, false, LEANS_ON_NOTHING};
}

static finding opposite_finding(finding other) {
  other.answer = prover_opposite(other.answer);
  return other;
}

/* --- opening of a prover --- */

static bool must_stop_list(void *user);

static void list_arrays(arena *a, void *of) {
  prover *p = of;
  p->path = arena_allocate(a, PROVER_MOST_DEPTH + 1, sizeof *p->path);
  p->path_states = arena_allocate(a, PROVER_MOST_DEPTH + 1, p->words * sizeof *p->path_states);
  p->known.slices = arena_allocate(a, KNOWN_SLICES, 1);
}

tauler_error prover_open(prover *p, tauler_tables *tables, const game_position *position,
                         const prover_limits *limits, tauler_message *message) {
  *p = (prover){.tables = tables,
                .limits = *limits,
                .states = states_of(tables->game, tables->rules, position),
                .known = {.tables = tables, .message = message},
                .cycles_are_drawn = tables->kind != SOLVE_GUARANTEES,
                .message = message};
  p->words = p->states.words;
  p->list = (game_play_list){.words = p->words, .enough = must_stop_list, .user = p};
  memory_budget_open(&p->budget, 0);
  const tauler_error error = memo_open(&p->budget, limits->memory, p->words, &p->memo, message);
  return error ? error : arena_fill(&p->arrays, &p->budget, "a search", list_arrays, p, message);
}

void prover_close(prover *p) {
  game_play_list_free(&p->list);
  memo_close(p->memo);
  arena_close(&p->arrays);
  memory_free(&p->budget, p->leaning);
  memory_free(&p->budget, p->leaning_states);
  memory_free(&p->budget, p->todo);
}

int prover_largest(const prover *p, const game_position *position) {
  const uint32_t slice = p->tables->game->slice_of(p->tables->rules, position);
  return slice == GAME_NO_SLICE ? 1 : p->tables->game->largest_value(p->tables->rules, slice);
}

/* --- limits --- */

static bool check_limits(prover *p) {
  const prover_limits *l = &p->limits;
  p->over = p->over || (l->nodes && p->nodes >= l->nodes) || (l->until > 0 && clock_wall() >= l->until) ||
            (l->stop && l->stop(l->user));
  return p->over;
}

static bool must_stop_list(void *user) {
  prover *p = user;
  return check_limits(p) || p->list.used >= MOST_MOVES;
}

static tauler_error count_node(prover *p) {
  p->nodes++;
  memo_grow(p->memo);
  if (p->pause_at && p->nodes >= p->pause_at) return TAULER_STOPPED;
  const bool ask = p->nodes % CLOCK_EVERY == 0 || (p->limits.nodes && p->nodes >= p->limits.nodes);
  return ask && check_limits(p) ? TAULER_STOPPED : TAULER_OK;
}

/* --- answers that are kept ---
 *
 * A proven answer is written into the memo. If an answer leans on an earlier position of the same line, it is
 * set aside until the question about that position is answered. README.md proves that the answers in the memo
 * are true. `best` is the place of the most important move in the game's order, or SIZE_MAX.
 */

static const uint64_t *path_state(const prover *p, size_t ply) {
  return p->path_states + ply * p->words;
}

static prover_answer repetition_answer(int at_least) {
  return at_least <= 0 ? PROVER_YES : PROVER_NO;
}

static void note_best_move(memo_entry *entry, size_t best) {
  if (best != SIZE_MAX) entry->best = (uint16_t)(best < UINT16_MAX ? best : UINT16_MAX);
}

static void keep_proven_answer(prover *p, const prover_step *step, const uint64_t *state,
                               prover_answer answer, size_t best) {
  memo_entry *entry = memo_add(p->memo, step->hash, state, step->largest);
  if (answer == PROVER_YES && entry->lower < step->at_least) entry->lower = (int16_t)step->at_least;
  if (answer == PROVER_NO && entry->upper >= step->at_least) entry->upper = (int16_t)(step->at_least - 1);
  note_best_move(entry, best);
}

static void keep_open_question(prover *p, size_t ply, int depth, size_t best) {
  const prover_step *step = &p->path[ply];
  memo_entry *entry = memo_add(p->memo, step->hash, path_state(p, ply), step->largest);
  entry->asked[step->wanted] = (int16_t)step->at_least;
  entry->depth[step->wanted] = (uint8_t)depth;
  note_best_move(entry, best);
}

static const uint64_t *leaning_state(const prover *p, size_t i) {
  return p->leaning_states + i * p->words;
}

static tauler_error make_room_for_leaning(prover *p) {
  if (p->leaning_used < p->leaning_room) return TAULER_OK;
  const size_t room = p->leaning_room ? 2 * p->leaning_room : FIRST_ROOM;
  const char *what = "answers that lean on others";
  tauler_error error = memory_resize(&p->budget, room * sizeof *p->leaning, what, &p->leaning, p->message);
  if (!error)
    error =
        memory_resize(&p->budget, room * p->words * sizeof(uint64_t), what, &p->leaning_states, p->message);
  if (!error) p->leaning_room = room;
  return error;
}

/* Sets aside the answer of a repetition, which leans on an earlier position of the line. */
static tauler_error keep_leaning_answer(prover *p, size_t ply, size_t best) {
  const prover_step *step = &p->path[ply];
  const tauler_error error = make_room_for_leaning(p);
  if (error) return error;
  const size_t i = p->leaning_used++;
  p->leaning[i] = (prover_leaning){*step, best};
  memcpy(p->leaning_states + i * p->words, path_state(p, ply), p->words * sizeof(uint64_t));
  memo_entry *entry = memo_add(p->memo, step->hash, path_state(p, ply), step->largest);
  entry->leaning = p->leaning_used <= MOST_LEANING ? p->leaning_used & MOST_LEANING : 0;
  note_best_move(entry, best);
  return TAULER_OK;
}

/* Keeps a proven answer. If it proves the answers set aside from `mark` on, keeps these as well. */
static void keep_proven_and_leaning(prover *p, size_t ply, size_t mark, prover_answer answer, size_t best) {
  const prover_step *step = &p->path[ply];
  const bool all_hold = p->cycles_are_drawn && answer == repetition_answer(step->at_least);
  for (size_t i = mark; all_hold && i < p->leaning_used; i++) {
    const prover_leaning *is = &p->leaning[i];
    keep_proven_answer(p, &is->step, leaning_state(p, i), repetition_answer(is->step.at_least), is->best);
  }
  keep_proven_answer(p, step, path_state(p, ply), answer, best);
}

/* --- answers without further play --- */

static bool answer_by_bounds(int lower, int upper, int at_least, finding *out) {
  if (lower < at_least && upper >= at_least) return false;
  *out = make_finding(lower >= at_least ? PROVER_YES : PROVER_NO);
  return true;
}

static bool answer_by_repetition(const prover *p, size_t ply, const prover_step *step, const uint64_t *state,
                                 finding *out) {
  for (size_t i = step->first; i < ply; i++) {
    const prover_step *met = &p->path[i];
    if (met->hash != step->hash || met->at_least != step->at_least ||
        memcmp(path_state(p, i), state, p->words * sizeof *state) != 0)
      continue;
    *out = make_finding(PROVER_OPEN);
    if (p->cycles_are_drawn) *out = (finding){repetition_answer(step->at_least), false, met->number};
    return true;
  }
  return false;
}

static bool answer_by_leaning(const prover *p, const memo_entry *entry, const prover_step *step,
                              const uint64_t *state, finding *out) {
  const size_t i = entry->leaning;
  if (i == 0 || i > p->leaning_used) return false;
  const prover_step *met = &p->leaning[i - 1].step;
  if (met->at_least != step->at_least ||
      memcmp(leaning_state(p, i - 1), state, p->words * sizeof *state) != 0)
    return false;
  *out = (finding){repetition_answer(step->at_least), false, met->number};
  return true;
}

/* True if the same or an easier question was tried to this depth and stayed open. */
static bool was_tried(const memo_entry *entry, const prover_step *step, int depth) {
  if (entry->depth[step->wanted] < depth) return false;
  const int asked = entry->asked[step->wanted];
  return step->wanted == PROVER_YES ? asked <= step->at_least : asked >= step->at_least;
}

/* Answers the question of `step` about a position at `ply` without further play, if possible. Otherwise the
 * result has play_on if `depth` is above 0 and the question was not tried to this depth. */
static finding answer_at_once(prover *p, size_t ply, const prover_step *step, const uint64_t *state,
                              int depth) {
  finding out = {PROVER_OPEN, true, LEANS_ON_NOTHING};
  if (answer_by_bounds(-step->largest, step->largest, step->at_least, &out)) return out;
  const memo_entry *entry = memo_find(p->memo, step->hash, state);
  if (entry && answer_by_bounds(entry->lower, entry->upper, step->at_least, &out)) return out;
  if (answer_by_repetition(p, ply, step, state, &out)) return out;
  if (entry && answer_by_leaning(p, entry, step, state, &out)) return out;
  if (depth > 0 && !(entry && was_tried(entry, step, depth))) return out;
  p->cut = true;
  return make_finding(PROVER_OPEN);
}

/* --- play --- */

static tauler_error push_move(prover *p, const prover_todo *todo) {
  if (p->todo_used == p->todo_room) {
    const size_t room = p->todo_room ? 2 * p->todo_room : FIRST_ROOM;
    const tauler_error error =
        memory_resize(&p->budget, room * sizeof *p->todo, "moves to be played on", &p->todo, p->message);
    if (error) return error;
    p->todo_room = room;
  }
  p->todo[p->todo_used++] = *todo;
  return TAULER_OK;
}

static int compare_ranks(const void *left, const void *right) {
  const prover_todo *l = left, *r = right;
  if (l->rank != r->rank) return l->rank > r->rank ? -1 : 1;
  return (l->move > r->move) - (l->move < r->move);
}

typedef struct {
  size_t ply;
  int depth, left; /* plies to look ahead, from the position and after a move */
  prover_answer wanted;
  size_t first_move, best;
  finding good; /* finding of a move with the answer yes, perhaps leaning, or open if there is none */
  bool open;
  uint64_t leans;
} looking;

static void combine_answer(looking *l, size_t move, finding of_move) {
  switch (of_move.answer) {
  case PROVER_YES:
    if (l->good.answer == PROVER_YES && l->good.leans >= of_move.leans) break;
    l->good = of_move;
    l->best = move - l->first_move;
    break;
  case PROVER_NO:
    if (of_move.leans < l->leans) l->leans = of_move.leans;
    break;
  case PROVER_OPEN:
    l->open = true;
    if (l->wanted == PROVER_NO && l->good.answer != PROVER_YES) l->best = move - l->first_move;
    break;
  }
}

/* True if the answer no, which needs all moves, is wanted and a move stayed open. */
static bool has_failed(const looking *l) {
  return l->wanted == PROVER_NO && l->open;
}

static bool is_settled(const looking *l) {
  return has_failed(l) || (l->good.answer == PROVER_YES && l->good.leans == LEANS_ON_NOTHING);
}

static prover_step step_after(const prover *p, size_t ply, const game_play_move *move) {
  const prover_step *here = &p->path[ply];
  return (prover_step){.first = move->converts ? ply + 1 : here->first,
                       .at_least = move->gain - here->at_least + 1,
                       .wanted = prover_opposite(here->wanted),
                       .largest = here->largest};
}

/* *settled becomes true if the largest value answers the question, or if tables have the child. Sets
 * step->largest. */
static tauler_error look_up_converting(prover *p, const uint64_t *state, prover_step *step, bool *settled,
                                       finding *out) {
  game_position position;
  int bounds[2];
  states_write(&p->states, state, &position);
  step->largest = prover_largest(p, &position);
  *settled = answer_by_bounds(-step->largest, step->largest, step->at_least, out);
  if (*settled) return TAULER_OK;
  const tauler_error error = known_bounds(&p->known, &position, settled, bounds);
  if (!error && *settled && !answer_by_bounds(bounds[0], bounds[1], step->at_least, out))
    *out = make_finding(PROVER_OPEN);
  return error;
}

/* Combines the answer for a move if it needs no play, otherwise adds the move to those to be played. */
static tauler_error examine_move(prover *p, looking *l, size_t i, uint64_t hash, size_t advised) {
  const game_play_move move = p->list.moves[i];
  const uint64_t *state = p->list.states + i * p->words;
  prover_step step = step_after(p, l->ply, &move);
  finding of_child = make_finding(PROVER_OPEN);
  bool settled = false;
  if (move.over) {
    combine_answer(l, i, make_finding(move.gain >= p->path[l->ply].at_least ? PROVER_YES : PROVER_NO));
    return TAULER_OK;
  }
  tauler_error error = TAULER_OK;
  if (move.converts) error = look_up_converting(p, state, &step, &settled, &of_child);
  if (error) return error;
  if (!settled) {
    step.hash = hash;
    of_child = answer_at_once(p, l->ply + 1, &step, state, l->left);
    if (of_child.play_on) {
      const int advice = i - l->first_move == advised ? 1 << 24 : 0;
      return push_move(p, &(prover_todo){i, advice + 256 * move.gain + move.eager, step.largest, step.hash});
    }
  }
  combine_answer(l, i, opposite_finding(of_child));
  return TAULER_OK;
}

static tauler_error answer_by_play(prover *p, size_t ply, int depth, finding *out);

static tauler_error play_move(prover *p, looking *l, const prover_todo *todo) {
  const game_play_move move = p->list.moves[todo->move];
  const uint64_t *state = p->list.states + todo->move * p->words;
  prover_step step = step_after(p, l->ply, &move);
  step.hash = todo->hash;
  step.largest = todo->largest;
  /* Moves that were played before this one may have answered the question about its child. */
  finding of_child = answer_at_once(p, l->ply + 1, &step, state, l->left);
  if (of_child.play_on) {
    p->path[l->ply + 1] = step;
    memcpy(p->path_states + (l->ply + 1) * p->words, state, p->words * sizeof *state);
    const tauler_error error = answer_by_play(p, l->ply + 1, l->left, &of_child);
    if (error) return error;
  }
  combine_answer(l, todo->move, opposite_finding(of_child));
  return TAULER_OK;
}

static uint64_t prefetch_move(const prover *p, size_t i) {
  if (p->list.moves[i].over) return 0;
  const uint64_t hash = states_hash(p->words, p->list.states + i * p->words);
  memo_prefetch(p->memo, hash);
  return hash;
}

static tauler_error examine_moves(prover *p, looking *l, size_t first_todo) {
  const memo_entry *entry = memo_find(p->memo, p->path[l->ply].hash, path_state(p, l->ply));
  const size_t advised = entry ? entry->best : SIZE_MAX, end = p->list.used;
  uint64_t hashes[AHEAD];
  for (size_t i = l->first_move; i < l->first_move + AHEAD && i < end; i++)
    hashes[i % AHEAD] = prefetch_move(p, i);
  for (size_t i = l->first_move; i < end && !is_settled(l); i++) {
    const uint64_t hash = hashes[i % AHEAD];
    if (i + AHEAD < end) hashes[i % AHEAD] = prefetch_move(p, i + AHEAD);
    const tauler_error error = examine_move(p, l, i, hash, advised);
    if (error) return error;
  }
  if (l->good.answer == PROVER_YES || has_failed(l)) return TAULER_OK;
  const size_t last_todo = p->todo_used;
  if (last_todo > first_todo)
    qsort(p->todo + first_todo, last_todo - first_todo, sizeof *p->todo, compare_ranks);
  for (size_t i = first_todo; i < last_todo && l->good.answer != PROVER_YES && !has_failed(l); i++) {
    const prover_todo todo = p->todo[i];
    const tauler_error error = play_move(p, l, &todo);
    if (error) return error;
  }
  return TAULER_OK;
}

/* Finds the answer for the position at l->ply from those for its moves. Writes it into the memo or, if it
 * leans on an earlier position, sets it aside. Answers set aside from `mark` on may lean on this one. */
static tauler_error keep_answer(prover *p, const looking *l, size_t mark, finding *out) {
  const prover_step *step = &p->path[l->ply];
  if (l->good.answer == PROVER_YES) {
    *out = l->good;
  } else {
    *out = make_finding(l->open ? PROVER_OPEN : PROVER_NO);
    if (!l->open) out->leans = l->leans;
  }
  if (out->answer != PROVER_OPEN && out->leans < step->number) return keep_leaning_answer(p, l->ply, l->best);
  if (out->answer == PROVER_OPEN) {
    keep_open_question(p, l->ply, l->depth, l->best);
  } else {
    keep_proven_and_leaning(p, l->ply, mark, out->answer, l->best);
  }
  p->leaning_used = mark;
  out->leans = LEANS_ON_NOTHING;
  return TAULER_OK;
}

static finding answer_by_end(prover *p, size_t ply) {
  const int at_least = p->path[ply].at_least, value = states_end_value(&p->states, path_state(p, ply));
  prover_step known = p->path[ply];
  known.at_least = value;
  keep_proven_answer(p, &known, path_state(p, ply), PROVER_YES, SIZE_MAX);
  known.at_least = value + 1;
  keep_proven_answer(p, &known, path_state(p, ply), PROVER_NO, SIZE_MAX);
  return make_finding(value >= at_least ? PROVER_YES : PROVER_NO);
}

/* Returns the depth after a move, or 0 if the path is full. A single move does not reduce the depth, since a
 * line without choices costs little. */
static int depth_after_move(const prover *p, size_t ply, int depth, size_t first_move) {
  const bool single = p->list.used - first_move == 1;
  return ply + 1 >= PROVER_MOST_DEPTH ? 0 : depth - !single;
}

static tauler_error answer_by_play(prover *p, size_t ply, int depth, finding *out) {
  const size_t first_move = p->list.used;
  tauler_error error = count_node(p);
  if (!error) error = states_add_moves(&p->states, path_state(p, ply), &p->list);
  if (error == TAULER_STOPPED && !p->over && p->list.used >= MOST_MOVES) {
    *out = make_finding(PROVER_OPEN); /* there are too many moves to examine */
    error = TAULER_OK;
  } else if (!error && p->list.used == first_move) {
    *out = answer_by_end(p, ply);
  } else if (!error) {
    looking l = {.ply = ply,
                 .depth = depth,
                 .left = depth_after_move(p, ply, depth, first_move),
                 .wanted = p->path[ply].wanted,
                 .first_move = first_move,
                 .best = SIZE_MAX,
                 .good = make_finding(PROVER_OPEN),
                 .leans = LEANS_ON_NOTHING};
    const size_t mark = p->leaning_used, first_todo = p->todo_used;
    p->path[ply].number = p->numbered++;
    error = examine_moves(p, &l, first_todo);
    p->todo_used = first_todo;
    if (!error) error = keep_answer(p, &l, mark, out);
  }
  p->list.used = first_move;
  return error;
}

tauler_error prover_ask(prover *p, const game_position *position, int at_least, prover_answer wanted,
                        int depth, prover_answer *answer) {
  prover_step *start = &p->path[0];
  p->leaning_used = p->todo_used = p->list.used = 0;
  states_read(&p->states, position, p->path_states);
  *start = (prover_step){.hash = states_hash(p->words, p->path_states),
                         .at_least = at_least,
                         .wanted = wanted,
                         .largest = prover_largest(p, position)};
  finding out = answer_at_once(p, 0, start, p->path_states, depth);
  const tauler_error error = out.play_on ? answer_by_play(p, 0, depth, &out) : TAULER_OK;
  *answer = error ? PROVER_OPEN : out.answer;
  return error;
}

void prover_recall(prover *p, const game_position *position, int *lower, int *upper) {
  uint64_t state[GAME_PLAY_MOST_WORDS];
  states_read(&p->states, position, state);
  const memo_entry *entry = memo_find(p->memo, states_hash(p->words, state), state);
  if (!entry) return;
  if (entry->lower > *lower) *lower = entry->lower;
  if (entry->upper < *upper) *upper = entry->upper;
}
