/* Derives members of a game from its rules one position at a time. */
#include "games/defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const game_base *base_of(const game_rules *rules) {
  return (const game_base *)(const void *)rules;
}

/* --- rule sets --- */

tauler_error game_base_read(const rule_flags *known, const char *rules, const char *cycles, rule_choice *out,
                            tauler_message *message) {
  if (cycles)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s has no --cycles: %s, not '%.60s'", known->game,
                       known->endless ? known->endless : "infinite play is drawn", cycles);
  return rule_flags_read(known, rules, out, message);
}

tauler_error game_base_make(const game *game, const rule_flags *known, const rule_choice *choice,
                            size_t bytes, game_rules **out, tauler_message *message) {
  game_base *base = calloc(1, bytes);
  *out = (game_rules *)(void *)base;
  if (!base) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the rules of %s", known->game);
  base->game = game;
  memcpy(base->flag, choice->value, sizeof base->flag);
  rule_flags_write(known, choice, base->text, sizeof base->text);
  return TAULER_OK;
}

tauler_error game_base_open(const game *game, const rule_flags *known, const char *rules, const char *cycles,
                            size_t bytes, game_rules **out, tauler_message *message) {
  rule_choice choice;
  *out = NULL;
  const tauler_error error = game_base_read(known, rules, cycles, &choice, message);
  return error ? error : game_base_make(game, known, &choice, bytes, out, message);
}

void game_base_close(game_rules *rules) {
  free(rules);
}

const char *game_base_text(const game_rules *rules) {
  return base_of(rules)->text;
}

solve_kind game_outcomes_kind(const game_rules *rules) {
  return SOLVE_OUTCOMES;
}

solve_kind game_chance_kind(const game_rules *rules) {
  return SOLVE_CHANCE;
}

int game_outcomes_largest(const game_rules *rules, uint32_t slice) {
  return 1;
}

const char *game_no_cycles(const game_rules *rules) {
  return "";
}

bool game_stuck_loses(const game_rules *rules, const game_position *position, int *value) {
  game_moves moves = {.most = 1};
  const bool stuck = base_of(rules)->game->moves(rules, position, &moves) == TAULER_OK && moves.used == 0;
  if (stuck) *value = -1;
  game_moves_free(&moves);
  return stuck;
}

/* --- one slice --- */

tauler_error game_one_slice(const game_rules *rules, const game_request *request, game_slices *out,
                            tauler_message *message) {
  *out = (game_slices){0};
  return game_slices_add(out, (game_slice){0, true, base_of(rules)->game->positions(rules, 0)}, message);
}

void game_one_slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  memcpy(name, "all", sizeof "all");
}

bool game_one_slice_named(const game_rules *rules, const char *name, uint32_t *slice) {
  *slice = 0;
  return strcmp(name, "all") == 0;
}

uint32_t game_one_slice_of(const game_rules *rules, const game_position *position) {
  return 0;
}

/* --- batches --- */

/* Returns false if the index is unused. */
static bool find_position(const game_rules *rules, game_place place, game_position *out) {
  const game *game = base_of(rules)->game;
  game_place back;
  game->position_at(rules, place, out);
  return game->locate(rules, out, &back) && back.slice == place.slice && back.index == place.index;
}

tauler_error game_base_ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                             int16_t *value) {
  for (size_t i = 0; i < n; i++) {
    game_position position;
    int end = 0;
    value[i] = GAME_NOT_ENDED;
    if (!find_position(rules, (game_place){slice, index[i]}, &position) ||
        base_of(rules)->game->position_ended(rules, &position, &end))
      value[i] = (int16_t)end;
  }
  return TAULER_OK;
}

static int compare_places(const void *one, const void *other) {
  const game_edge *a = one, *b = other;
  if (a->to.slice != b->to.slice) return a->to.slice < b->to.slice ? -1 : 1;
  if (a->to.index != b->to.index) return a->to.index < b->to.index ? -1 : 1;
  return (a->gain < b->gain) - (a->gain > b->gain);
}

static bool is_duplicate(const game_edge *edge, const game_edge *before) {
  return edge->to.slice == before->to.slice && edge->to.index == before->to.index &&
         (edge->gain == before->gain || edge->to.slice != GAME_OVER);
}

/* Sorts the edges, and adds each child once, with its greatest gain, and each gain of an end of the game
 * once. */
static tauler_error push_distinct_edges(game_edge *edges, size_t n, game_sink *sink) {
  tauler_error error = TAULER_OK;
  qsort(edges, n, sizeof *edges, compare_places);
  for (size_t i = 0; !error && i < n; i++) {
    if (i == 0 || !is_duplicate(&edges[i], &edges[i - 1])) error = game_sink_push(sink, edges[i]);
  }
  return error;
}

static tauler_error expand_position(const game_rules *rules, const game_position *position, uint32_t from,
                                    game_sink *sink) {
  const game *game = base_of(rules)->game;
  game_moves moves = {0};
  tauler_error error = game->moves(rules, position, &moves);
  game_edge *edges = calloc(moves.used + 1, sizeof *edges);
  if (!error && !edges) error = TAULER_NO_MEMORY;
  for (size_t i = 0; !error && i < moves.used; i++) {
    const game_move *move = &moves.moves[i];
    edges[i] = (game_edge){from, (int16_t)move->gain, {GAME_OVER, 0}};
    if (!move->over && !game->locate(rules, &move->child, &edges[i].to)) error = TAULER_INTERNAL;
  }
  if (!error) error = push_distinct_edges(edges, moves.used, sink);
  free(edges);
  game_moves_free(&moves);
  return error;
}

tauler_error game_base_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                              game_sink *sink) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; !error && i < n; i++) {
    game_position position;
    int end;
    if (find_position(rules, (game_place){slice, index[i]}, &position) &&
        !base_of(rules)->game->position_ended(rules, &position, &end))
      error = expand_position(rules, &position, (uint32_t)i, sink);
  }
  return error;
}

/* A child whose predecessors are wanted. game_base_retract expands all positions of the slice and keeps the
 * edges to wanted children. */
typedef struct {
  uint64_t index;
  uint32_t ordinal;
} wanted_child;

typedef struct {
  wanted_child *wanted; /* [n] by rising index */
  size_t n;
  uint32_t slice;
  uint64_t first; /* first position of the batch */
  game_sink *sink;
} search;

static int compare_indexes(const void *one, const void *other) {
  const wanted_child *a = one, *b = other;
  return (a->index > b->index) - (a->index < b->index);
}

static tauler_error reverse_edges(void *user, const game_edge *edges, size_t n) {
  const search *s = user;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; !error && i < n; i++) {
    if (edges[i].to.slice != s->slice) continue;
    const wanted_child key = {edges[i].to.index, 0};
    const wanted_child *child = bsearch(&key, s->wanted, s->n, sizeof key, compare_indexes);
    if (!child) continue;
    const game_place from = {s->slice, s->first + edges[i].from};
    error = game_sink_push(s->sink, (game_edge){child->ordinal, edges[i].gain, from});
  }
  return error;
}

tauler_error game_base_retract(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                               game_sink *sink) {
  enum { AT_ONCE = 256, EDGES = 1024 };
  search s = {.wanted = calloc(n + 1, sizeof *s.wanted), .n = n, .slice = slice, .sink = sink};
  game_sink children = {calloc(EDGES, sizeof *children.edges), 0, EDGES, reverse_edges, &s};
  tauler_error error = s.wanted && children.edges ? TAULER_OK : TAULER_NO_MEMORY;
  for (size_t i = 0; !error && i < n; i++) s.wanted[i] = (wanted_child){index[i], (uint32_t)i};
  if (!error) qsort(s.wanted, n, sizeof *s.wanted, compare_indexes);
  const uint64_t all = base_of(rules)->game->positions(rules, slice);
  for (; !error && s.first < all; s.first += AT_ONCE) {
    uint64_t batch[AT_ONCE];
    size_t used = 0;
    while (used < AT_ONCE && s.first + used < all) batch[used] = s.first + used, used++;
    error = game_base_expand(rules, slice, batch, used, &children);
    if (!error) error = game_sink_flush(&children);
  }
  free(children.edges);
  free(s.wanted);
  return error;
}

/* --- texts --- */

void game_base_draw(const game_rules *rules, const game_position *position, char text[GAME_DRAWING_BYTES]) {
  char line[GAME_TEXT_BYTES];
  base_of(rules)->game->print(rules, position, line);
  snprintf(text, GAME_DRAWING_BYTES, "%s\n", line);
}

const char *game_base_turn(const game_rules *rules, const game_position *position) {
  const game *game = base_of(rules)->game;
  char text[GAME_TEXT_BYTES];
  game->print(rules, position, text);
  const size_t length = strlen(text);
  const bool second = length && text[length - 1] == *game->sides[1].turn;
  return game->sides[second].turn;
}

/* --- lines of moves --- */

enum { MOST_NAME = 64 };

static tauler_error refuse_move(const game_moves *moves, size_t number, const char *name,
                                tauler_message *message) {
  char all[GAME_TEXT_BYTES] = "";
  for (size_t i = 0; i < moves->used; i++)
    text_add(all, sizeof all, "%s%s", i ? ", " : "", moves->moves[i].name);
  return tauler_fail(message, TAULER_BAD_POSITION, "move %zu, '%.60s', is not legal there; the moves are: %s",
                     number, name, *all ? all : "none, the game is over");
}

static tauler_error play_move(const game_rules *rules, size_t number, const char *name,
                              game_position *position, tauler_message *message) {
  game_moves moves = {0};
  tauler_error error = base_of(rules)->game->moves(rules, position, &moves);
  size_t i = 0;
  while (!error && i < moves.used && strcmp(moves.moves[i].name, name) != 0) i++;
  if (error) {
    error = tauler_fail(message, error, "no memory for the moves of a position");
  } else if (i == moves.used) {
    error = refuse_move(&moves, number, name, message);
  } else if (moves.moves[i].over) {
    error = tauler_fail(message, TAULER_BAD_POSITION,
                        "move %zu, '%.60s', ends the game, and no position follows", number, name);
  } else {
    *position = moves.moves[i].child;
  }
  game_moves_free(&moves);
  return error;
}

tauler_error game_base_play(const game_rules *rules, const char *text, game_position *position,
                            tauler_message *message) {
  char name[MOST_NAME];
  tauler_error error = TAULER_OK;
  int length = 0;
  if (!text[strspn(text, " ")]) return TAULER_OK;
  sscanf(text, " moves%n", &length);
  if (*text != ' ' || !length || (text[length] && text[length] != ' '))
    return tauler_fail(message, TAULER_BAD_POSITION, "behind the position only moves follow, not '%.60s'",
                       text + strspn(text, " "));
  text += length;
  for (size_t number = 1; !error && sscanf(text, " %63s%n", name, &length) == 1; number++, text += length)
    error = play_move(rules, number, name, position, message);
  return error;
}
