#include "games/oca_asesina/layout.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "games/oca_asesina/slices.h"

enum { HOMES = ASE_MOST_TOKENS + 1 };

/* Each is there for good once it is there; who makes one holds the lock. */
struct ase_layouts {
  pthread_mutex_t lock;
  ase_hands *hands[ASE_MOST_TOKENS + 1][HOMES]; /* by tokens of each colour, and home */
  _Atomic(ase_layout *) layout[ASE_SLICES];
  _Atomic(uint64_t *) ways[ASE_MOST_TOKENS + 1];
};

tauler_error ase_layouts_open(ase_layouts **out) {
  *out = calloc(1, sizeof **out);
  if (!*out) return TAULER_NO_MEMORY;
  if (pthread_mutex_init(&(*out)->lock, NULL) == 0) return TAULER_OK;
  free(*out);
  *out = NULL;
  return TAULER_NO_MEMORY;
}

static void close_layout(ase_layout *layout) {
  if (!layout) return;
  for (int seat = 0; seat < 2; seat++) strip_pairs_close(&layout->pairs[seat]);
  free(layout);
}

void ase_layouts_close(ase_layouts *layouts) {
  if (!layouts) return;
  for (int i = 0; i < ASE_SLICES; i++) close_layout(layouts->layout[i]);
  for (int tokens = 0; tokens <= ASE_MOST_TOKENS; tokens++) {
    for (int home = 0; home < HOMES; home++) ase_hands_close(layouts->hands[tokens][home]);
    free(layouts->ways[tokens]);
  }
  pthread_mutex_destroy(&layouts->lock);
  free(layouts);
}

/* --- planes --- */

typedef struct {
  ase_lost list[ASE_MOST_PLANES];
  int used;
} plane_list;

static void add_plane(plane_list *planes, int turns, int culprit) {
  if (planes->used == ASE_MOST_PLANES) return;
  ase_lost *lost = &planes->list[planes->used++];
  lost->turns = (uint8_t)turns;
  lost->culprit = (uint8_t)culprit;
}

/* All turns that a square can have cost, each with its culprit, or once. */
static plane_list list_planes(const game_rules *rules, bool last_turn) {
  plane_list planes = {.used = 1};
  for (int square = 1; square < ase_home(rules) && !last_turn; square++) {
    const bool die = rules->flags.lost_turns_die;
    for (int turns = die ? 1 : planes.used; turns <= rules->board.square[square].turns; turns++)
      add_plane(&planes, turns, die ? square : 0);
  }
  return planes;
}

int ase_layout_plane(const ase_layout *layout, int turns, int culprit) {
  for (int plane = 0; plane < layout->planes; plane++)
    if (layout->lost[plane].turns == turns && layout->lost[plane].culprit == culprit) return plane;
  return -1;
}

/* --- layouts; the lock is held --- */

static tauler_error find_hands(const game_rules *rules, int tokens, int home, const ase_hands **out) {
  ase_hands **hands = &rules->layouts->hands[tokens][home];
  const tauler_error error = *hands ? TAULER_OK : ase_hands_open(rules, tokens, home, hands);
  *out = *hands;
  return error;
}

static tauler_error add_section(ase_layout *layout, int seat) {
  const strip_side rows = ase_hands_rows(layout->hands[seat]), lanes = ase_hands_lanes(layout->hands[!seat]);
  layout->rolls[seat] = true;
  layout->first[seat] = layout->positions;
  const tauler_error error = strip_pairs_open(&rows, &lanes, &layout->pairs[seat]);
  layout->positions += (uint64_t)layout->planes * layout->pairs[seat].pairs;
  return error;
}

static tauler_error make_layout(const game_rules *rules, uint32_t number, const ase_slice *slice,
                                ase_layout **out) {
  ase_layout *layout = calloc(1, sizeof *layout);
  if (!layout) return TAULER_NO_MEMORY;
  layout->slice = number;
  layout->tokens = slice->tokens;
  layout->last_turn = slice->first_to_roll > 0;
  const plane_list planes = list_planes(rules, layout->last_turn);
  layout->planes = planes.used;
  memcpy(layout->lost, planes.list, sizeof planes.list);
  tauler_error error = TAULER_OK;
  for (int seat = 0; seat < 2 && !error; seat++) {
    layout->home[seat] = slice->home[seat];
    error = find_hands(rules, slice->tokens, slice->home[seat], &layout->hands[seat]);
  }
  for (int seat = slice->first_to_roll; seat < 2 && !error; seat++) error = add_section(layout, seat);
  if (error) {
    close_layout(layout);
    return error;
  }
  *out = layout;
  return TAULER_OK;
}

tauler_error ase_layout_of(const game_rules *rules, uint32_t number, const ase_layout **out) {
  ase_layouts *layouts = rules->layouts;
  ase_layout *layout = NULL;
  ase_slice slice;
  *out = NULL;
  if (rules->flags.players != 2 || !ase_slice_open(rules, number, &slice)) return TAULER_BAD_USAGE;
  layout = atomic_load_explicit(&layouts->layout[number], memory_order_acquire);
  if (!layout) {
    pthread_mutex_lock(&layouts->lock);
    layout = atomic_load_explicit(&layouts->layout[number], memory_order_relaxed);
    const tauler_error error = layout ? TAULER_OK : make_layout(rules, number, &slice, &layout);
    if (!error) atomic_store_explicit(&layouts->layout[number], layout, memory_order_release);
    pthread_mutex_unlock(&layouts->lock);
    if (error) return error;
  }
  *out = layout;
  return TAULER_OK;
}

/* --- sizes --- */

/* --- in how many ways tokens of two players stand on 1 … N − 1, by formula ---
 *
 * A stand is how many tokens of each colour are there, a number in base tokens + 1. */

enum { MOST_STANDS = 125, MOST_DIGITS = 2 * ASE_MOST_COLOURS };

static uint64_t add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Of one player. */
static int count_stands(const game_rules *rules, int tokens) {
  int stands = 1;
  for (int colour = 0; colour < rules->flags.colours; colour++) stands *= tokens + 1;
  return stands;
}

typedef struct {
  int base, colours, states;
  int weight[MOST_DIGITS]; /* of one token of each player and colour in the number of a state */
  uint64_t *ways;
} counter;

static int digit(const counter *c, int state, int d) {
  return state / c->weight[d] % c->base;
}

/* One token or two of one player on one more square: new states are larger, so old ones are still there. */
static void add_square(counter *c) {
  for (int state = c->states - 1; state > 0; state--) {
    uint64_t *ways = &c->ways[state];
    for (int d = 0; d < 2 * c->colours; d++) {
      if (digit(c, state, d) == 0) continue;
      const int one_less = state - c->weight[d], end = d < c->colours ? c->colours : 2 * c->colours;
      *ways = add(*ways, c->ways[one_less]);
      for (int e = d; e < end; e++)
        if (digit(c, one_less, e) > 0) *ways = add(*ways, c->ways[one_less - c->weight[e]]);
    }
  }
}

/* Any number of tokens, colour by colour: states of this square count again. */
static void add_free_square(counter *c) {
  for (int d = 0; d < 2 * c->colours; d++)
    for (int state = 0; state < c->states; state++)
      if (digit(c, state, d) > 0) c->ways[state] = add(c->ways[state], c->ways[state - c->weight[d]]);
}

/* ways[stand of one player · stands + stand of the other], allocated; UINT64_MAX: more than can be counted.
 * Errors: TAULER_NO_MEMORY. */
static tauler_error count_ways(const game_rules *rules, int tokens, uint64_t **ways) {
  const int stands = count_stands(rules, tokens);
  counter c = {.base = tokens + 1, .colours = rules->flags.colours, .states = stands * stands};
  for (int d = 0, weight = 1; d < MOST_DIGITS; d++, weight *= c.base) c.weight[d] = weight;
  c.ways = *ways = calloc((size_t)c.states, sizeof *c.ways);
  if (!c.ways) return TAULER_NO_MEMORY;
  c.ways[0] = 1;
  for (int square = 1; square < ase_home(rules); square++) {
    if (rules->flags.no_interaction) {
      add_free_square(&c);
    } else {
      add_square(&c);
    }
  }
  return TAULER_OK;
}

/* Ways in which `home` of the tokens left, by colours, are at home and the others on the start. */
static uint64_t split(const int left[ASE_MOST_COLOURS], int home) {
  uint64_t ways = 0;
  for (int a = 0; a <= left[0] && a <= home; a++)
    for (int b = 0; b <= left[1] && a + b <= home; b++) ways += home - a - b <= left[2];
  return ways;
}

static uint64_t count_rest(const game_rules *rules, int tokens, int stand, int home, bool forced) {
  int left[ASE_MOST_COLOURS] = {0};
  for (int colour = 0; colour < rules->flags.colours; colour++, stand /= tokens + 1)
    left[colour] = tokens - stand % (tokens + 1);
  uint64_t ways = split(left, home);
  for (int colour = 0; forced && colour < rules->flags.colours; colour++) {
    if (left[colour] == 0) continue;
    left[colour]--;
    ways += split(left, home);
    left[colour]++;
  }
  return ways;
}

/* Pairs of hands, `home` of each player's tokens at home, of which the first may have one under a forced mark
 * besides. */
static uint64_t count_pairs(const game_rules *rules, int tokens, const uint64_t *ways, int home,
                            int other_home) {
  const int stands = count_stands(rules, tokens);
  uint64_t pairs = 0, other[MOST_STANDS];
  for (int b = 0; b < stands; b++) other[b] = count_rest(rules, tokens, b, other_home, false);
  for (int a = 0; a < stands; a++) {
    const uint64_t own = count_rest(rules, tokens, a, home, true);
    for (int b = 0; b < stands; b++) pairs = add(pairs, multiply(ways[a * stands + b], own * other[b]));
  }
  return pairs;
}

/* --- positions of a slice --- */

static const uint64_t *find_ways(const game_rules *rules, int tokens) {
  ase_layouts *layouts = rules->layouts;
  uint64_t *ways = atomic_load_explicit(&layouts->ways[tokens], memory_order_acquire);
  if (ways) return ways;
  pthread_mutex_lock(&layouts->lock);
  ways = atomic_load_explicit(&layouts->ways[tokens], memory_order_relaxed);
  if (!ways && !count_ways(rules, tokens, &ways))
    atomic_store_explicit(&layouts->ways[tokens], ways, memory_order_release);
  pthread_mutex_unlock(&layouts->lock);
  return ways;
}

uint64_t ase_layout_positions(const game_rules *rules, uint32_t number) {
  ase_slice slice;
  if (!ase_slice_open(rules, number, &slice)) return 0;
  const uint64_t *ways = find_ways(rules, slice.tokens);
  if (!ways) return UINT64_MAX;
  const uint64_t planes = (uint64_t)list_planes(rules, slice.first_to_roll > 0).used;
  uint64_t positions = 0;
  for (int seat = slice.first_to_roll; seat < 2; seat++) {
    const uint64_t pairs = count_pairs(rules, slice.tokens, ways, slice.home[seat], slice.home[!seat]);
    if (pairs > UINT64_MAX / (2 * planes)) return UINT64_MAX;
    positions += planes * pairs;
  }
  return positions;
}
