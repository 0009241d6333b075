/* Searches by alpha-beta, with moves ordered by stored results, killers, and a history of cutoffs. */
#include "analysis/uci/look.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { CLOCK_EVERY = 64, MOST_MOVES = 60000, HUNDRED = 100 };
enum {
  RANK_SEEN = 1 << 28,
  RANK_CONVERTS = 1 << 20,
  RANK_GAIN = 1 << 12,
  RANK_EAGER = 64,
  RANK_KILLER = 4096
};
enum { HISTORY_MOST = 4095 };

typedef struct {
  size_t ply, first_move, moves;
  int depth, alpha, beta;
  int best;
  size_t best_move;
  bool converting_only; /* true if the depth is used up, so that only converting moves are played */
} node;

/* --- opening --- */

static bool must_cut_list(void *user);

static void list_arrays(arena *a, void *of) {
  looker *l = of;
  const size_t room = l->root + LOOK_MOST_PLIES + 1;
  l->line = arena_allocate(a, room, sizeof *l->line);
  l->line_states = arena_allocate(a, room, l->states.words * sizeof *l->line_states);
  l->known.slices = arena_allocate(a, KNOWN_SLICES, 1);
}

tauler_error look_open(looker *l, tauler_tables *tables, seen *seen, look_limits *limits,
                       const game_position *position, const game_past *met, tauler_message *message) {
  *l = (looker){.tables = tables,
                .states = states_of(tables->game, tables->rules, position),
                .known = {.tables = tables, .message = &l->trouble},
                .seen = seen,
                .limits = limits,
                .root = met->used};
  l->list = (game_play_list){.words = l->states.words, .enough = must_cut_list, .user = l};
  const tauler_error error = arena_fill(&l->arrays, NULL, "a search", list_arrays, l, message);
  if (error) return error;
  for (size_t i = 0; i <= met->used; i++) {
    uint64_t *state = l->line_states + i * l->states.words;
    states_read(&l->states, i < met->used ? &met->positions[i] : position, state);
    l->line[i] = (look_step){.hash = states_hash(l->states.words, state)};
  }
  return TAULER_OK;
}

void look_close(looker *l) {
  game_play_list_free(&l->list);
  arena_close(&l->arrays);
  free(l->choices);
}

static uint64_t *state_at(const looker *l, size_t ply) {
  return l->line_states + ply * l->states.words;
}

/* --- limits --- */

static bool check_limits(looker *l) {
  const double until = atomic_load_explicit(&l->limits->until, memory_order_relaxed);
  l->over = l->over || atomic_load_explicit(&l->limits->stop, memory_order_relaxed) ||
            (until > 0 && clock_wall() >= until);
  return l->over;
}

static bool must_cut_list(void *user) {
  looker *l = user;
  return check_limits(l) || l->list.used >= MOST_MOVES;
}

static bool count_node(looker *l) {
  l->nodes++;
  if (l->limits->nodes && l->nodes >= l->limits->nodes) l->over = true;
  if (l->nodes % CLOCK_EVERY == 0) check_limits(l);
  return !l->over;
}

/* --- values --- */

static int plies_from_root(const looker *l, size_t ply) {
  return (int)(ply - l->root);
}

static bool solves_outcomes(const looker *l) {
  return l->tables->kind == SOLVE_OUTCOMES;
}

/* Returns the value of a result for the side to move at `ply`; `win` is the value of a win at the root. */
static int result_value(const looker *l, int result, int win, size_t ply) {
  if (!solves_outcomes(l)) return HUNDRED * result;
  return result == 0 ? 0 : result > 0 ? win - plies_from_root(l, ply) : plies_from_root(l, ply) - win;
}

/* Returns a value with a win or loss nearer by `ply` plies. The search counts plies from the root, an entry
 * from its position. */
static int shift_win(int value, int ply) {
  return value >= GAME_PLAY_SURE ? value + ply : value <= -GAME_PLAY_SURE ? value - ply : value;
}

/* True if tables have the state at `ply`. *value then becomes its value or, as a guess, the middle of its
 * bounds. */
static bool ask_tables(looker *l, const uint64_t *state, size_t ply, int *value) {
  game_position position;
  bool is_known = false;
  int bounds[2];
  if (l->trouble.text[0]) return false;
  states_write(&l->states, state, &position);
  const tauler_error error = known_bounds(&l->known, &position, &is_known, bounds);
  if (error || !is_known) {
    if (!error) l->trouble.text[0] = '\0';
    return false;
  }
  if (bounds[0] == bounds[1]) {
    *value = result_value(l, bounds[0], LOOK_TABLE_WIN, ply);
  } else {
    *value = HUNDRED * (bounds[0] + bounds[1]) / 2;
    l->guessed = true;
  }
  return true;
}

static int guess_value(looker *l, const uint64_t *state) {
  const game_play *play = l->states.game->play;
  l->guessed = true;
  return play && play->guess ? play->guess(l->states.rules, state) : 0;
}

/* True if the state at `ply` was met since the last converting move; *value is then that of a repetition. */
static bool find_repetition(looker *l, size_t ply, int *value) {
  const look_step *step = &l->line[ply];
  const game *g = l->states.game;
  for (size_t back = 2; back <= ply - step->first; back += 2) {
    if (l->line[ply - back].hash != step->hash ||
        memcmp(state_at(l, ply - back), state_at(l, ply), l->states.words * sizeof(uint64_t)) != 0)
      continue;
    game_position position;
    game_place place;
    int8_t pays = 0;
    states_write(&l->states, state_at(l, ply), &position);
    if (g->repeated && g->locate(l->states.rules, &position, &place))
      g->repeated(l->states.rules, place.slice, place.index, 1, &pays);
    *value = HUNDRED * pays;
    return true;
  }
  return false;
}

/* --- the order of moves --- */

static int rank_move(const looker *l, const node *n, size_t i, size_t advised) {
  const game_play_move *move = &l->list.moves[n->first_move + i];
  const uint16_t *killers = l->killers[plies_from_root(l, n->ply)];
  int rank = RANK_EAGER * move->eager + (int)l->history[move->key % LOOK_KEYS];
  if (i == advised) rank += RANK_SEEN;
  if (move->converts) rank += RANK_CONVERTS + RANK_GAIN * move->gain;
  if (move->key && (move->key == killers[0] || move->key == killers[1])) rank += RANK_KILLER;
  return rank;
}

static bool rank_moves(looker *l, const node *n, size_t advised) {
  const size_t wanted = l->choices_used + n->moves;
  if (!memory_make_room(&l->choices, &l->choices_room, wanted, sizeof *l->choices)) {
    l->error = TAULER_NO_MEMORY;
    l->over = true;
    return false;
  }
  for (size_t i = 0; i < n->moves; i++)
    l->choices[l->choices_used + i] = (look_choice){rank_move(l, n, i, advised), i};
  l->choices_used = wanted;
  return true;
}

/* Moves the best of the choices from `at` on to that place. Returns its move. */
static size_t pick_choice(looker *l, size_t at) {
  size_t best = at;
  for (size_t i = at + 1; i < l->choices_used; i++) {
    if (l->choices[i].rank > l->choices[best].rank) best = i;
  }
  const look_choice chosen = l->choices[best];
  l->choices[best] = l->choices[at];
  l->choices[at] = chosen;
  return chosen.move;
}

static void note_cutoff(looker *l, const node *n, const game_play_move *move) {
  uint16_t *killers = l->killers[plies_from_root(l, n->ply)];
  uint32_t *history = &l->history[move->key % LOOK_KEYS];
  if (move->converts || !move->key) return;
  if (killers[0] != move->key) {
    killers[1] = killers[0];
    killers[0] = move->key;
  }
  *history += (uint32_t)(n->depth * n->depth);
  if (*history <= HISTORY_MOST) return;
  for (size_t i = 0; i < LOOK_KEYS; i++) l->history[i] /= 2;
}

/* --- play --- */

static int search_node(looker *l, size_t ply, int depth, int alpha, int beta);

static bool has_room(const looker *l, const node *n) {
  return plies_from_root(l, n->ply) + 1 < LOOK_MOST_PLIES;
}

static int value_after_move(looker *l, size_t ply, bool converts, int depth, int alpha, int beta) {
  int value;
  l->line[ply].first = converts ? ply : l->line[ply - 1].first;
  l->line[ply].hash = states_hash(l->states.words, state_at(l, ply));
  if (converts ? ask_tables(l, state_at(l, ply), ply, &value) : find_repetition(l, ply, &value)) return value;
  return search_node(l, ply, depth, alpha, beta);
}

/* Returns the value of a move for its mover. Tries moves after the first with a window of width 1, which only
 * says whether they are better; most are not. */
static int try_move(looker *l, const node *n, size_t i, size_t tried) {
  const game_play_move move = l->list.moves[n->first_move + i];
  const int gain = solves_outcomes(l) ? 0 : HUNDRED * move.gain, depth = n->depth - 1;
  if (move.over) return result_value(l, move.gain, LOOK_WIN, n->ply + 1);
  memcpy(state_at(l, n->ply + 1), l->list.states + (n->first_move + i) * l->states.words,
         l->states.words * sizeof(uint64_t));
  const int alpha = gain - n->beta, beta = gain - n->alpha;
  if (tried == 0 || n->converting_only)
    return gain - value_after_move(l, n->ply + 1, move.converts, depth, alpha, beta);
  const int value = gain - value_after_move(l, n->ply + 1, move.converts, depth, beta - 1, beta);
  if (value <= n->alpha || value >= n->beta || l->over) return value;
  return gain - value_after_move(l, n->ply + 1, move.converts, depth, alpha, beta);
}

static void raise_best(node *n, size_t i, int value) {
  if (value <= n->best && n->best_move != SEEN_NO_MOVE) return;
  if (value > n->best) n->best = value;
  n->best_move = i;
  if (value > n->alpha) n->alpha = value;
}

static void play_moves(looker *l, node *n, size_t advised) {
  const size_t first_choice = l->choices_used;
  if (!rank_moves(l, n, advised)) return;
  for (size_t tried = 0; tried < n->moves && !l->over; tried++) {
    const size_t i = pick_choice(l, first_choice + tried);
    const game_play_move move = l->list.moves[n->first_move + i];
    if (n->converting_only && !move.converts) continue;
    const int value = try_move(l, n, i, tried);
    if (l->over) break;
    raise_best(n, i, value);
    if (n->alpha < n->beta) continue;
    note_cutoff(l, n, &move);
    break;
  }
  l->choices_used = first_choice;
}

static int value_by_moves(looker *l, node *n, size_t advised) {
  n->first_move = l->list.used;
  const tauler_error error = states_add_moves(&l->states, state_at(l, n->ply), &l->list);
  n->moves = l->list.used - n->first_move;
  if (error == TAULER_NO_MEMORY) {
    l->error = error;
    l->over = true;
  } else if (n->moves == 0) {
    n->best = result_value(l, states_end_value(&l->states, state_at(l, n->ply)), LOOK_WIN, n->ply);
  } else {
    play_moves(l, n, advised);
  }
  l->list.used = n->first_move;
  return n->best;
}

/* Returns the value of a state at the end of the depth: that of tables, or the better of a guess and the best
 * converting move. */
static int value_at_end(looker *l, size_t ply, int alpha, int beta) {
  int value;
  if (ask_tables(l, state_at(l, ply), ply, &value)) {
    /* Tables ignore the positions met. */
    l->guessed = l->guessed || game_ends_by_repetition(l->states.game, l->states.rules);
    return value;
  }
  value = guess_value(l, state_at(l, ply));
  node n = {.ply = ply,
            .alpha = value > alpha ? value : alpha,
            .beta = beta,
            .best = value,
            .best_move = SEEN_NO_MOVE,
            .converting_only = true};
  return value >= beta || !has_room(l, &n) ? value : value_by_moves(l, &n, SEEN_NO_MOVE);
}

static bool is_sufficient(const seen_position *known, int depth, int alpha, int beta) {
  if (known->depth < depth) return false;
  return known->bound == SEEN_EXACT || (known->bound == SEEN_AT_LEAST && known->value >= beta) ||
         (known->bound == SEEN_AT_MOST && known->value <= alpha);
}

static void store_result(looker *l, const node *n, int alpha) {
  const seen_bound bound = n->best >= n->beta ? SEEN_AT_LEAST : n->best > alpha ? SEEN_EXACT : SEEN_AT_MOST;
  seen_add(l->seen, l->line[n->ply].hash,
           &(seen_position){shift_win(n->best, plies_from_root(l, n->ply)), n->depth, bound, n->best_move});
}

static int search_node(looker *l, size_t ply, int depth, int alpha, int beta) {
  seen_position known = {.bound = SEEN_NOTHING, .best = SEEN_NO_MOVE};
  node n = {.ply = ply,
            .depth = depth,
            .alpha = alpha,
            .beta = beta,
            .best = -LOOK_INFINITE,
            .best_move = SEEN_NO_MOVE};
  if (!count_node(l)) return 0;
  if (depth <= 0 || !has_room(l, &n)) return value_at_end(l, ply, alpha, beta);
  if (seen_find(l->seen, l->line[ply].hash, &known)) {
    known.value = shift_win(known.value, -plies_from_root(l, ply));
    if (is_sufficient(&known, depth, alpha, beta)) {
      l->guessed = true; /* The stored value may rest on a guess. */
      return known.value;
    }
  }
  const int value = value_by_moves(l, &n, known.best);
  if (!l->over) store_result(l, &n, alpha);
  return value;
}

int look_value_after(looker *l, const game_move *move, int depth, int alpha, int beta) {
  const int gain = solves_outcomes(l) ? 0 : HUNDRED * move->gain;
  if (move->over) return result_value(l, move->gain, LOOK_WIN, l->root + 1);
  states_read(&l->states, &move->child, state_at(l, l->root + 1));
  return gain - value_after_move(l, l->root + 1, move->converts, depth, gain - beta, gain - alpha);
}
