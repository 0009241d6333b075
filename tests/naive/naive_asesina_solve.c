#include "naive_asesina_solve.h"

#include "naive_chance.h"
#include "naive_memory.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 1 << 22 /* size of the list of known positions: more than twice their number */ };
enum { KEY_BYTES = 2 + NAIVE_ASE_MOST_SOLVED * (NAIVE_ASE_MOST_TOKENS + 2) };

/* A position in few bytes. */
typedef struct {
  unsigned char byte[KEY_BYTES];
} position_key;

struct naive_ase_world {
  naive_ase_game game;
  int known, room;
  position_key *key; /* [number], in the order they were found */
  int *place;        /* number + 1, at the key's hash or behind it, or 0 */
  naive_chance *graph;
  long double *values;
};

static position_key key_of(const naive_ase_position *position) {
  position_key key = {{(unsigned char)position->seat, (unsigned char)position->forced}};
  int used = 2;
  for (int player = 0; player < NAIVE_ASE_MOST_SOLVED; player++) {
    for (int token = 0; token < NAIVE_ASE_MOST_TOKENS; token++)
      key.byte[used++] = (unsigned char)position->square[player][token];
    key.byte[used++] = (unsigned char)position->lost[player];
    key.byte[used++] = (unsigned char)position->culprit[player];
  }
  return key;
}

naive_ase_position naive_ase_position_of(const naive_ase_world *world, int number) {
  const unsigned char *byte = world->key[number].byte;
  naive_ase_position position = {.seat = byte[0], .forced = byte[1]};
  byte += 2;
  for (int player = 0; player < NAIVE_ASE_MOST_SOLVED; player++) {
    for (int token = 0; token < NAIVE_ASE_MOST_TOKENS; token++) position.square[player][token] = *byte++;
    position.lost[player] = *byte++;
    position.culprit[player] = *byte++;
  }
  return position;
}

/* Where the key is, or would be. */
static int *place_of(const naive_ase_world *world, const position_key *key) {
  unsigned long long hash = 14695981039346656037u;
  for (int i = 0; i < KEY_BYTES; i++) hash = (hash ^ key->byte[i]) * 1099511628211u;
  for (unsigned long long at = hash >> 20;; at++) {
    int *place = &world->place[at % PLACES];
    if (*place == 0 || memcmp(&world->key[*place - 1], key, sizeof *key) == 0) return place;
  }
}

int naive_ase_number_of(const naive_ase_world *world, const naive_ase_position *position) {
  position_key key = key_of(position);
  return *place_of(world, &key) - 1;
}

/* The number of a position, a new one if it has none. */
static int note_position(naive_ase_world *world, const naive_ase_position *position) {
  position_key key = key_of(position);
  int *place = place_of(world, &key);
  if (*place != 0) return *place - 1;
  if (world->known == NAIVE_ASE_MOST_POSITIONS) abort();
  world->key = naive_grown(world->key, world->known, &world->room, sizeof *world->key);
  world->key[world->known++] = key;
  *place = world->known;
  return world->known - 1;
}

/* A row of gains is a set of winners. */
static void add_event(naive_ase_world *world, const naive_ase_event *event, int roll) {
  naive_way way = {.to = NAIVE_CHANCE_OVER, .roll = (short)roll, .weight = 1, .gain = (short)event->winners};
  if (event->winners == 0) way.to = note_position(world, &event->after);
  naive_chance_add_way(world->graph, way);
}

static void add_position(naive_ase_world *world, const naive_ase_position *position) {
  int seat =
      world->game.players == 2 ? 1 : world->game.alone; /* seat whose score is raised or lowered, or 0 */
  naive_chance_add_node(world->graph, position->seat == seat - 1 ? seat : -seat);
  if (naive_ase_must_pass(position)) {
    naive_ase_event event = naive_ase_pass(&world->game, position);
    add_event(world, &event, 0);
    return;
  }
  for (int roll = 1; roll <= 6; roll++) {
    naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
    int count = naive_ase_events(&world->game, position, roll, events);
    for (int i = 0; i < count; i++) add_event(world, &events[i], roll);
  }
}

static void set_gains(naive_chance *graph, int players) {
  for (int set = 1; set < 1 << players; set++) {
    int winners = 0;
    for (int seat = 0; seat < players; seat++) winners += set >> seat & 1;
    for (int seat = 0; seat < players; seat++)
      if (set >> seat & 1) graph->gains[set][seat] = 1.0L / winners;
  }
}

static void release(void *thing) {
  free(((naive_ase_world *)thing)->key);
}

/* All that play leads to from the start and these positions. */
static naive_ase_world *follow(const naive_ase_game *game, const naive_ase_position *more, int count) {
  naive_ase_world *world = naive_allocate(1, sizeof *world);
  naive_ase_position start = naive_ase_start();
  naive_owner(world, release);
  world->game = *game;
  world->place = naive_allocate(PLACES, sizeof *world->place);
  world->graph = naive_chance_new(game->players);
  set_gains(world->graph, game->players);
  note_position(world, &start);
  for (int i = 0; i < count; i++) note_position(world, &more[i]);
  for (int number = 0; number < world->known; number++) {
    naive_ase_position position = naive_ase_position_of(world, number);
    add_position(world, &position);
  }
  return world;
}

naive_ase_world *naive_ase_reach(const naive_ase_game *game) {
  if (game->players < 2 || game->players > NAIVE_ASE_MOST_SOLVED) return NULL;
  return follow(game, NULL, 0);
}

naive_ase_world *naive_ase_solve(const naive_ase_game *game, double endless) {
  return naive_ase_solve_with(game, NULL, 0, endless);
}

naive_ase_world *naive_ase_solve_with(const naive_ase_game *game, const naive_ase_position *more, int count,
                                      double endless) {
  if (game->players < 2 || game->players > NAIVE_ASE_MOST_SOLVED) return NULL;
  if (game->players > 2 && game->tokens > 1 && !game->alone) return NULL;
  naive_ase_world *world = follow(game, more, count);
  world->values = naive_chance_settle(world->graph, endless);
  return world->values != NULL ? world : NULL;
}

int naive_ase_positions(const naive_ase_world *world) {
  return world->known;
}

long double naive_ase_score(const naive_ase_world *world, int number, int seat) {
  return world->values[(long)number * world->game.players + seat];
}
