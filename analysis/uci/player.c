/* Chooses moves: tables first, then iterative deepening by one thread or several. */
#include "analysis/uci/uci.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLIP_ONE_IN = 4, SLIP_DEPTH = 4, KNOWN_DEPTH = 12, HUNDRED = 100 };

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

/* --- the choice by tables --- */

/* In slices of more than LINE_POSITIONS a probe with positions met takes too long. */
enum { LINE_POSITIONS = 10000 };

typedef struct {
  player *player;
  const root *root;
  const tauler_answer *table;
  bool small;          /* true if the slice is small enough for probes with positions met */
  size_t best, second; /* numbers of moves, or SIZE_MAX */
  tauler_worth best_worth, second_worth;
  bool complete; /* true if the worths of all moves are known */
} choosing;

static void say_trouble(const player *p, const char *trouble) {
  char line[sizeof(tauler_message) + 32];
  snprintf(line, sizeof line, "info string no tables: %s", trouble);
  if (*trouble) p->say(p->user, line);
}

static bool is_better(const tauler_worth *a, const tauler_worth *b) {
  return a->lower != b->lower ? a->lower > b->lower : a->upper > b->upper;
}

/* Probes the position after a quiet move, with the root as a position met. *out may become unknown. */
static tauler_error probe_quiet_move(const choosing *c, const tauler_move *move, tauler_worth *out) {
  char text[2 * GAME_TEXT_BYTES];
  tauler_answer *table = NULL;
  out->known = false;
  snprintf(text, sizeof text, "%s moves %s", c->table->position, move->name);
  const tauler_error error = tauler_probe(c->player->tables, text, &table, NULL);
  if (!error && table->history.worth.known) {
    const tauler_worth child = table->history.worth;
    *out = worth_between(-child.upper, -child.lower);
  }
  tauler_answer_free(table);
  return error == TAULER_NO_MEMORY ? error : TAULER_OK;
}

static bool needs_probe(const choosing *c, const tauler_move *move) {
  return c->root->past.counts && !c->table->history.given && !move->over && !move->converts;
}

static tauler_error compare_move(choosing *c, size_t i) {
  const tauler_move *move = &c->table->moves[i];
  tauler_worth worth = c->table->history.given ? move->after_line : move->worth;
  if (needs_probe(c, move)) {
    const tauler_error error = probe_quiet_move(c, move, &worth);
    if (error) return error;
  }
  c->complete = c->complete && worth.known;
  if (!worth.known) return TAULER_OK;
  if (c->best == SIZE_MAX || is_better(&worth, &c->best_worth)) {
    c->second = c->best;
    c->second_worth = c->best_worth;
    c->best = i;
    c->best_worth = worth;
  } else if (is_better(&c->best_worth, &worth) &&
             (c->second == SIZE_MAX || is_better(&worth, &c->second_worth))) {
    c->second = i;
    c->second_worth = worth;
  }
  return TAULER_OK;
}

static bool is_best_known(const choosing *c) {
  const tauler_worth *worth = c->table->history.given ? &c->table->history.worth : &c->table->worth;
  return c->best != SIZE_MAX && worth_is_exact(*worth) && worth_is_exact(c->best_worth) &&
         c->best_worth.lower == worth->lower;
}

static tauler_error compare_moves(choosing *c) {
  tauler_error error = TAULER_OK;
  c->complete = true;
  for (size_t i = 0; i < c->table->moves_used && !error; i++) {
    if (!needs_probe(c, &c->table->moves[i])) error = compare_move(c, i);
  }
  if (is_best_known(c) && c->root->past.counts) return error;
  for (size_t i = 0; i < c->table->moves_used && !error; i++) {
    if (!needs_probe(c, &c->table->moves[i])) continue;
    c->complete = c->complete && c->small;
    if (c->small) error = compare_move(c, i);
  }
  return error;
}

/* Sets *question to the position, with its line if that has positions met. Returns false if it has them and
 * the slice is not small, so that a probe takes too long. */
static bool choose_question(choosing *c, char text[GAME_TEXT_BYTES], const char **question) {
  const tauler_tables *tables = c->player->tables;
  const game *g = tables->game;
  const uint32_t slice = g->slice_of(tables->rules, &c->root->position);
  c->small = slice != GAME_NO_SLICE && g->positions(tables->rules, slice) <= LINE_POSITIONS;
  g->print(tables->rules, &c->root->position, text);
  *question = c->root->past.met.used ? c->root->text : text;
  return c->root->past.met.used == 0 || c->small;
}

static tauler_error report_choice(choosing *c, bool slips, player_choice *choice, tauler_message *message) {
  const bool second = slips && c->second != SIZE_MAX;
  const tauler_move *move = &c->table->moves[second ? c->second : c->best];
  const tauler_worth *worth = second ? &c->second_worth : &c->best_worth;
  const tauler_error error = root_say_table(c->root, c->player, move, worth, &choice->answer, message);
  if (error) return error;
  choice->move = strdup(move->name);
  return choice->move ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for a move");
}

/* Chooses a move by tables if they suffice, and reports it. If a repetition ends play, the tables' values of
 * quiet moves ignore that the present position was met. Then a converting move is chosen if it is worth as
 * much as the position, and in small slices the best move after the line. r->known becomes the tables' value
 * of the position if it is exact and no line of moves is given. */
static tauler_error choose_by_tables(player *p, root *r, bool slips, player_choice *choice, bool *chosen,
                                     tauler_message *message) {
  choosing c = {.player = p, .root = r, .best = SIZE_MAX, .second = SIZE_MAX};
  char text[GAME_TEXT_BYTES];
  const char *question;
  tauler_answer *table = NULL;
  *chosen = false;
  if (!choose_question(&c, text, &question)) return TAULER_OK;
  tauler_error error = tauler_probe(p->tables, question, &table, message);
  c.table = table;
  if (error && error != TAULER_NO_MEMORY) {
    if (error != TAULER_TABLE_MISSING) say_trouble(p, message->text);
    error = TAULER_OK;
  } else if (!error) {
    error = compare_moves(&c);
    *chosen = !error && c.best != SIZE_MAX && (c.complete || (r->past.counts && is_best_known(&c)));
    if (*chosen) error = report_choice(&c, slips, choice, message);
    if (r->past.counts && !table->history.given && worth_is_exact(table->worth))
      r->known = HUNDRED * (int)table->worth.lower;
  }
  tauler_answer_free(table);
  return error;
}

/* --- the choice by search --- */

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

static void move_to_front(size_t *order, size_t at) {
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
      value = look_value_after(&d->looker, &d->root->moves.moves[move], depth - 1, best, best + 1);
    if (!d->looker.over && (best == -LOOK_INFINITE || value > best))
      value = look_value_after(&d->looker, &d->root->moves.moves[move], depth - 1, best, LOOK_INFINITE);
    if (d->looker.over || value <= best) continue;
    best = value;
    d->found = (root_found){move, value, depth, 0, 0};
    move_to_front(d->order, i);
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
    say_trouble(p, all->looker.trouble.text);
  }
  deepening_close(all);
  free(all);
  return error;
}

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
    error = choose_by_tables(p, &r, is_slip_position(p, &r), choice, &chosen, message);
    if (!error && !chosen) error = choose_by_search(p, &r, choice, message);
  }
  root_close(&r);
  if (error) player_choice_free(choice);
  return error;
}
