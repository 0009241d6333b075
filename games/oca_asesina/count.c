#include "games/oca_asesina/count.h"

#include <stdlib.h>

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

tauler_error ase_count_ways(const game_rules *rules, int tokens, uint64_t **ways) {
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

uint64_t ase_count_pairs(const game_rules *rules, int tokens, const uint64_t *ways, int home,
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
