/* Lines of play counted over distinct positions: each holds in how many ways it is reached. */
#include <stdlib.h>
#include <string.h>

#include "games/phutball/turns.h"

typedef struct {
  phb_position position;
  uint64_t ways; /* 0: free */
} reached;

/* An open hash table, at most half full. */
typedef struct {
  reached *entries;
  uint64_t used, room; /* room: a power of two */
} layer;

enum { FIRST_ROOM = 1 << 10 };

static uint64_t hash_of(const phb_position *position) {
  uint64_t words[sizeof *position / sizeof(uint64_t)], hash = 0;
  _Static_assert(sizeof words == sizeof *position, "a position is whole words");
  memcpy(words, position, sizeof words);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    hash = (hash ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 29;
  }
  return hash;
}

static reached *find(const layer *all, const phb_position *position) {
  uint64_t i = hash_of(position) & (all->room - 1);
  while (all->entries[i].ways && memcmp(&all->entries[i].position, position, sizeof *position) != 0)
    i = (i + 1) & (all->room - 1);
  return &all->entries[i];
}

static tauler_error grow(layer *all) {
  layer larger = {.used = all->used, .room = all->room ? 2 * all->room : FIRST_ROOM};
  larger.entries = calloc(larger.room, sizeof *larger.entries);
  if (!larger.entries) return TAULER_NO_MEMORY;
  for (uint64_t i = 0; i < all->room; i++) {
    if (all->entries[i].ways) *find(&larger, &all->entries[i].position) = all->entries[i];
  }
  free(all->entries);
  *all = larger;
  return TAULER_OK;
}

static tauler_error add(layer *all, const phb_position *position, uint64_t ways) {
  if (2 * all->used >= all->room) {
    const tauler_error error = grow(all);
    if (error) return error;
  }
  reached *entry = find(all, position);
  if (!entry->ways) {
    entry->position = *position;
    all->used++;
  }
  entry->ways += ways;
  return TAULER_OK;
}

typedef struct {
  layer next;
  uint64_t ways; /* of the position whose turns are visited */
  phb_count count;
} counter;

static tauler_error count_turn(void *user, const phb_turn *turn) {
  counter *c = user;
  c->count.turns += c->ways;
  if (turn->result == PHB_LIVE) return add(&c->next, &turn->after, c->ways);
  c->count.goals += c->ways;
  return TAULER_OK;
}

static tauler_error play_ply(const game_rules *rules, layer *all, phb_count *count) {
  counter c = {.ways = 0};
  tauler_error error = TAULER_OK;
  for (uint64_t i = 0; i < all->room && !error; i++) {
    c.ways = all->entries[i].ways;
    if (c.ways) error = phb_each_turn(rules, &all->entries[i].position, count_turn, &c);
  }
  free(all->entries);
  *all = c.next;
  *count = c.count;
  return error;
}

tauler_error phb_count_lines(const game_rules *rules, const phb_position *position, int plies,
                             phb_count *out) {
  layer all = {0};
  phb_count count = {.turns = 1};
  tauler_error error = add(&all, position, 1);
  for (int ply = 0; ply < plies && !error; ply++) error = play_ply(rules, &all, &count);
  count.positions = all.used;
  free(all.entries);
  if (!error) *out = count;
  return error;
}
