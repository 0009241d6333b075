/* Chooses moves: tables first, then iterative deepening by one thread or several. */
#include "analysis/uci/uci.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { SLIP_ONE_IN = 4, SLIP_DEPTH = 4, KNOWN_DEPTH = 12 };

void player_choice_free(player_choice *choice) {
  free(choice->move);
  free(choice->answer);
  *choice = (player_choice){0};
}

/* True if the player slips here: in one of SLIP_ONE_IN positions with several moves, always the same ones by
 * their hash. */
static bool is_slip_position(const player *p, const root *r) {
  const size_t words = sizeof r->position.words / sizeof *r->position.words;
  return p->slips && r->moves.used > 1 && (states_hash(words, r->position.words) >> 32) % SLIP_ONE_IN == 0;
}

typedef struct {
  const player *player;
  const root *root;
  looker looker;
  size_t *order;   /* moves of the root, the best so far first */
  size_t left_out; /* number of a move that is not searched, or SIZE_MAX */
  int first_depth;
  bool speaks;
  root_found found;
  pthread_t thread;
} deepening;

static void move_forward(size_t *order, size_t at) {
  const size_t move = order[at];
  memmove(order + 1, order, at * sizeof *order);
  order[0] = move;
}

/* Searches every move of the root, except left_out, to this depth. If time ends, d->found is the best move so
 * far. */
static void search_each_move(deepening *d, int depth) {
  int best = -LOOK_INFINITE;
  for (size_t i = 0; i < d->root->moves.used && !d->looker.over; i++) {
    const size_t move = d->order[i];
    if (move == d->left_out) continue;
    int value = 0;
    if (best > -LOOK_INFINITE)
      value = look_after(&d->looker, &d->root->moves.moves[move], depth - 1, best, best + 1);
    if (!d->looker.over && (best == -LOOK_INFINITE || value > best))
      value = look_after(&d->looker, &d->root->moves.moves[move], depth - 1, best, LOOK_INFINITE);
    if (d->looker.over || value <= best) continue;
    best = value;
    d->found = (root_found){move, value, depth, 0, 0};
    move_forward(d->order, i);
  }
}

static bool is_settled(const deepening *d) {
  if (d->found.depth >= KNOWN_DEPTH && d->found.value >= d->root->known) return true;
  return !d->looker.guessed || d->found.value >= GAME_PLAY_SURE || d->found.value <= -GAME_PLAY_SURE ||
         d->root->moves.used == 1;
}

static void search_deeper(deepening *d) {
  for (int depth = d->first_depth; depth <= d->player->depth && !d->looker.over; depth++) {
    d->looker.guessed = false;
    search_each_move(d, depth);
    d->found.nodes = d->looker.nodes;
    d->found.probes = d->looker.known.probes;
    if (d->speaks && !d->looker.over) root_say(d->root, d->player, &d->found, NULL);
    if (d->player->may_stop && is_settled(d)) break;
  }
}

static void *deepen_in_thread(void *user) {
  search_deeper(user);
  return NULL;
}

static tauler_error deepening_open(deepening *d, player *p, const root *r, look_limits *limits,
                                   tauler_message *message) {
  const tauler_error error =
      look_open(&d->looker, p->tables, p->seen, limits, &r->position, &r->past.met, message);
  d->player = p;
  d->root = r;
  d->order = malloc(r->moves.used * sizeof *d->order);
  if (!error && !d->order) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a search");
  for (size_t i = 0; i < r->moves.used && !error; i++) d->order[i] = i;
  d->found.best = d->left_out == 0 ? 1 : 0;
  return error;
}

static void deepening_close(deepening *d) {
  look_close(&d->looker);
  free(d->order);
}

/* Starts the other threads of a search, which share only stored entries; every second one begins a ply
 * deeper. Returns the number of threads, with the first one. */
static int start_helpers(deepening *all, player *p, const root *r, look_limits *limits) {
  int started = 1;
  for (; started < p->threads; started++) {
    deepening *d = &all[started];
    d->left_out = all->left_out;
    d->first_depth = 1 + started % 2;
    if (deepening_open(d, p, r, limits, NULL) || pthread_create(&d->thread, NULL, deepen_in_thread, d)) {
      deepening_close(d);
      break;
    }
  }
  return started;
}

static tauler_error search_root(player *p, const root *r, look_limits *limits, size_t left_out,
                                root_found *found, tauler_message *message) {
  deepening *all = calloc((size_t)p->threads, sizeof *all);
  look_limits aside = {.nodes = 0};
  if (!all) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a search");
  all->left_out = left_out;
  all->first_depth = 1;
  all->speaks = left_out == SIZE_MAX;
  const tauler_error error = deepening_open(all, p, r, limits, message);
  if (!error) {
    const int started = start_helpers(all, p, r, &aside);
    search_deeper(all);
    atomic_store(&aside.stop, true);
    for (int i = 1; i < started; i++) {
      pthread_join(all[i].thread, NULL);
      deepening_close(&all[i]);
    }
    *found = all->found;
    tables_say_trouble(p, all->looker.trouble.text);
  }
  deepening_close(all);
  free(all);
  return error;
}

/* Finds the best move other than found->best by a shallow search. */
static tauler_error find_second_best(player *p, const root *r, root_found *found, tauler_message *message) {
  look_limits none = {.nodes = 0};
  const int depth = p->depth;
  p->depth = found->depth < SLIP_DEPTH ? found->depth : SLIP_DEPTH;
  const tauler_error error = search_root(p, r, &none, found->best, found, message);
  p->depth = depth;
  return error;
}

static tauler_error choose_by_search(player *p, const root *r, player_choice *choice,
                                     tauler_message *message) {
  root_found found = {0};
  tauler_error error = search_root(p, r, &p->limits, SIZE_MAX, &found, message);
  if (!error && is_slip_position(p, r)) error = find_second_best(p, r, &found, message);
  if (error) return error;
  root_say(r, p, &found, &choice->answer);
  choice->move = strdup(r->moves.moves[found.best].name);
  return choice->move ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for a move");
}

tauler_error player_think(player *p, const char *position, player_choice *choice, tauler_message *message) {
  root r;
  bool chosen = false;
  *choice = (player_choice){0};
  tauler_error error = root_open(&r, p->tables, position, message);
  if (!error && r.moves.used == 0) {
    p->say(p->user, r.past.over ? "info string the game is over: the position repeats an earlier one"
                                : "info string the game is over: there is no move");
  } else if (!error) {
    seen_next_search(p->seen);
    error = tables_choose(p, &r, is_slip_position(p, &r), choice, &chosen, message);
    if (!error && !chosen) error = choose_by_search(p, &r, choice, message);
  }
  root_close(&r);
  if (error) player_choice_free(choice);
  return error;
}
