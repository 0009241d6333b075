/* Numbers the hands of la oca asesina. */
#include "games/oca_asesina/hands.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 2, SET_BYTES = 16, KEY_SETS_AT = 2, KEY_STRIP_BYTES = KEY_SETS_AT + SET_BYTES * SETS };

_Static_assert(KEY_STRIP_BYTES + ASE_MOST_TOKENS <= HANDS_KEY_BYTES, "a key must fit");
_Static_assert(GOOSE_LONGEST < 8 * SET_BYTES, "a set must have a bit for each square");

/* --- all ways to stand --- */

typedef struct {
  const game_rules *rules;
  int tokens, all_tokens, at_home; /* at_home: tokens on N */
  uint8_t on[GOOSE_LONGEST + 1];
  ase_hand hand;
  ase_hands *out;
  uint64_t found;
} walker;

static void take_hand(walker *w) {
  w->out->hand[w->found++] = w->hand;
}

/* One hand for each colour that may be under the forced mark. */
static void take_forced(walker *w) {
  for (int colour = 0; colour < w->rules->flags.colours; colour++) {
    if (w->hand.square[(colour + 1) * w->tokens - 1] != ase_home(w->rules)) continue;
    w->hand.forced = (uint8_t)(1 + colour);
    take_hand(w);
  }
  w->hand.forced = 0;
}

static int most_on(const walker *w, int square) {
  if (square == ase_home(w->rules)) return w->at_home;
  const bool any_number = square == 0 || w->rules->flags.no_interaction;
  return any_number ? w->all_tokens : 2;
}

static void place_tokens(walker *w, int token, bool forced) {
  const int home = ase_home(w->rules);
  if (token == w->all_tokens) {
    if (w->on[home] != w->at_home) return;
    if (forced) {
      take_forced(w);
    } else {
      take_hand(w);
    }
    return;
  }
  const int least = token % w->tokens ? w->hand.square[token - 1] : 0;
  for (int square = least; square <= home; square++) {
    if (w->on[square] == most_on(w, square)) continue;
    w->on[square]++;
    w->hand.square[token] = (uint8_t)square;
    place_tokens(w, token + 1, forced);
    w->on[square]--;
  }
  w->hand.square[token] = 0;
}

static walker walker_of(const game_rules *rules, int tokens, int at_home, ase_hands *out) {
  return (walker){.rules = rules,
                  .tokens = tokens,
                  .all_tokens = tokens * rules->flags.colours,
                  .at_home = at_home,
                  .out = out};
}

static bool can_be_forced(const game_rules *rules, int tokens, int home) {
  return home < tokens * rules->flags.colours;
}

/* --- how many, by formula ---
 *
 * A stand is how many tokens of each colour are on 1 … N − 1, a number in base tokens + 1. */

static uint64_t add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Counts the stands of one player. */
static int count_stands(const game_rules *rules, int tokens) {
  int stands = 1;
  for (int colour = 0; colour < rules->flags.colours; colour++) stands *= tokens + 1;
  return stands;
}

typedef struct {
  int base, colours, digits, states;
  int weight[2 * ASE_MOST_COLOURS]; /* of one token of each player and colour in the number of a state */
  uint64_t *ways;
} counter;

static int digit(const counter *c, int state, int d) {
  return state / c->weight[d] % c->base;
}

/* One token or two of one player on one more square: new states are larger, so old ones are still there. */
static void add_square(counter *c) {
  for (int state = c->states - 1; state > 0; state--) {
    uint64_t *ways = &c->ways[state];
    for (int d = 0; d < c->digits; d++) {
      if (digit(c, state, d) == 0) continue;
      const int one_less = state - c->weight[d], end = d / c->colours * c->colours + c->colours;
      *ways = add(*ways, c->ways[one_less]);
      for (int e = d; e < end; e++)
        if (digit(c, one_less, e) > 0) *ways = add(*ways, c->ways[one_less - c->weight[e]]);
    }
  }
}

/* Any number of tokens, colour by colour: states of this square count again. */
static void add_free_square(counter *c) {
  for (int d = 0; d < c->digits; d++)
    for (int state = 0; state < c->states; state++)
      if (digit(c, state, d) > 0) c->ways[state] = add(c->ways[state], c->ways[state - c->weight[d]]);
}

tauler_error ase_hands_ways(const game_rules *rules, int tokens, int players, uint64_t **ways) {
  const int stands = count_stands(rules, tokens), colours = rules->flags.colours;
  counter c = {.base = tokens + 1, .colours = colours, .digits = players * colours};
  c.states = players == 1 ? stands : stands * stands;
  for (int d = 0, weight = 1; d < c.digits; d++, weight *= c.base) c.weight[d] = weight;
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

uint64_t ase_hands_pairs(const game_rules *rules, int tokens, const uint64_t *ways, int home,
                         int other_home) {
  const int stands = count_stands(rules, tokens);
  uint64_t pairs = 0, other[HANDS_MOST_STANDS];
  for (int b = 0; b < stands; b++) other[b] = count_rest(rules, tokens, b, other_home, false);
  for (int a = 0; a < stands; a++) {
    const uint64_t own = count_rest(rules, tokens, a, home, true);
    for (int b = 0; b < stands; b++) pairs = add(pairs, multiply(ways[a * stands + b], own * other[b]));
  }
  return pairs;
}

uint64_t ase_hands_count(const game_rules *rules, int tokens, int home) {
  const int stands = count_stands(rules, tokens);
  uint64_t *ways, hands = 0;
  if (ase_hands_ways(rules, tokens, 1, &ways)) return UINT64_MAX;
  for (int stand = 0; stand < stands; stand++)
    hands = add(hands, multiply(ways[stand], count_rest(rules, tokens, stand, home, true)));
  free(ways);
  return hands;
}

/* --- their order --- */

static void set_square(strip_squares *set, int square) {
  set->bits[square / 64] |= UINT64_C(1) << square % 64;
}

/* Squares with two tokens; `barriers`: of one colour. */
static void find_full(const game_rules *rules, const ase_hands *hands, const ase_hand *hand,
                      strip_squares *barriers, strip_squares *full) {
  *barriers = *full = (strip_squares){{0, 0}};
  const int all = hands->tokens * rules->flags.colours;
  for (int i = 0; i < all; i++) {
    const int square = hand->square[i];
    if (square == 0 || square == ase_home(rules)) continue;
    for (int k = i + 1; k < all; k++) {
      if (hand->square[k] != square) continue;
      set_square(full, square);
      if (i / hands->tokens == k / hands->tokens) set_square(barriers, square);
    }
  }
}

/* The highest square first. */
static void put_set(uint8_t *bytes, const strip_squares *set) {
  for (int i = 0; i < SET_BYTES; i++)
    bytes[i] = (uint8_t)(set->bits[i < SET_BYTES / 2] >> 8 * (SET_BYTES / 2 - 1 - i % (SET_BYTES / 2)));
}

static int count_zeros(const game_rules *rules, const ase_hands *hands, const ase_hand *hand) {
  int zeros = 0;
  for (int i = 0; i < hands->tokens * rules->flags.colours; i++) zeros += hand->square[i] == 0;
  return zeros;
}

/* Bytes: forced colour, tokens off the start, full squares of either kind, squares. */
static hand_key key_of(const game_rules *rules, const ase_hands *hands, const ase_hand *hand) {
  hand_key key = {{0}};
  strip_squares sets[SETS];
  find_full(rules, hands, hand, &sets[0], &sets[1]);
  key.bytes[0] = hand->forced;
  key.bytes[1] = (uint8_t)(ASE_MOST_TOKENS - count_zeros(rules, hands, hand));
  if (!rules->flags.no_interaction)
    for (int i = 0; i < SETS; i++) put_set(key.bytes + KEY_SETS_AT + SET_BYTES * i, &sets[i]);
  memcpy(key.bytes + KEY_STRIP_BYTES, hand->square, ASE_MOST_TOKENS);
  return key;
}

static int compare_keys(const void *a, const void *b) {
  return memcmp(a, b, sizeof(hand_key));
}

static void sort_hands(const game_rules *rules, ase_hands *hands) {
  for (uint32_t i = 0; i < hands->all; i++) hands->key[i] = key_of(rules, hands, &hands->hand[i]);
  qsort(hands->key, hands->all, sizeof *hands->key, compare_keys);
  for (uint32_t i = 0; i < hands->all; i++) {
    hands->hand[i].forced = hands->key[i].bytes[0];
    memcpy(hands->hand[i].square, hands->key[i].bytes + KEY_STRIP_BYTES, ASE_MOST_TOKENS);
  }
}

static void find_occupied(const game_rules *rules, ase_hands *hands) {
  for (uint32_t i = 0; i < hands->all && !rules->flags.no_interaction; i++) {
    for (int k = 0; k < hands->tokens * rules->flags.colours; k++) {
      const int square = hands->hand[i].square[k];
      if (square > 0 && square < ase_home(rules)) set_square(&hands->occupied[i], square);
    }
  }
}

/* --- strips --- */

static bool begins_strip(const ase_hands *hands, uint32_t hand, uint32_t first) {
  if (hand == 0 || hand == hands->free || hand - first == STRIP_LANES) return true;
  return hand < hands->free && memcmp(&hands->key[hand], &hands->key[first], KEY_SETS_AT) != 0;
}

/* True if the same squares are full. */
static bool fill_alike(const ase_hands *hands, uint32_t a, uint32_t b) {
  return memcmp(hands->key[a].bytes + KEY_SETS_AT, hands->key[b].bytes + KEY_SETS_AT, SETS * SET_BYTES) == 0;
}

/* Those of the hand before, or others. */
static uint32_t fill_of(ase_hands *hands, uint32_t hand) {
  if (hand > 0 && fill_alike(hands, hand, hand - 1)) return hands->fill_of[hand - 1];
  for (uint32_t i = 0; i < hands->fills; i++)
    if (fill_alike(hands, hand, hands->fill_first[i])) return i;
  hands->fill_first[hands->fills] = hand;
  return hands->fills++;
}

static void cut_strips(ase_hands *hands) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < hands->all; i++) {
    if (i < hands->free) hands->fill_of[i] = fill_of(hands, i);
    if (begins_strip(hands, i, first)) {
      first = i;
      if (i < hands->free) {
        hands->strip_zeros[hands->strips] = (uint8_t)(ASE_MOST_TOKENS - hands->key[i].bytes[1]);
        hands->free_strips = hands->strips + 1;
      }
      hands->strip_first[hands->strips++] = i;
    }
    hands->strip_of[i] = hands->strips - 1;
  }
  hands->strip_first[hands->strips] = hands->all;
}

/* --- all together --- */

static bool take_arrays(ase_hands *hands) {
  const size_t n = hands->all ? hands->all : 1; /* nothing asked for may come back as NULL */
  hands->hand = calloc(n, sizeof *hands->hand);
  hands->key = calloc(n, sizeof *hands->key);
  hands->occupied = calloc(n, sizeof *hands->occupied);
  hands->strip_first = calloc(n + 1, sizeof *hands->strip_first);
  hands->strip_zeros = calloc(n, sizeof *hands->strip_zeros);
  hands->fill_of = calloc(n, sizeof *hands->fill_of);
  hands->strip_of = calloc(n, sizeof *hands->strip_of);
  hands->fill_first = calloc(n, sizeof *hands->fill_first);
  return hands->hand && hands->key && hands->occupied && hands->strip_first && hands->strip_zeros &&
         hands->fill_of && hands->strip_of && hands->fill_first;
}

tauler_error ase_hands_open(const game_rules *rules, int tokens, int home, ase_hands **out) {
  *out = NULL;
  const uint64_t all = ase_hands_count(rules, tokens, home);
  if (all >= UINT32_MAX / 2) return TAULER_NO_MEMORY;
  ase_hands *hands = calloc(1, sizeof *hands);
  if (!hands) return TAULER_NO_MEMORY;
  hands->tokens = tokens;
  hands->home = home;
  hands->all = (uint32_t)all;
  if (!take_arrays(hands)) {
    ase_hands_close(hands);
    return TAULER_NO_MEMORY;
  }
  walker w = walker_of(rules, tokens, home, hands);
  place_tokens(&w, 0, false);
  hands->free = (uint32_t)w.found;
  if (can_be_forced(rules, tokens, home)) {
    w.at_home++;
    place_tokens(&w, 0, true);
  }
  sort_hands(rules, hands);
  find_occupied(rules, hands);
  cut_strips(hands);
  *out = hands;
  return TAULER_OK;
}

void ase_hands_close(ase_hands *hands) {
  if (!hands) return;
  free(hands->hand);
  free(hands->key);
  free(hands->occupied);
  free(hands->strip_first);
  free(hands->strip_zeros);
  free(hands->fill_of);
  free(hands->strip_of);
  free(hands->fill_first);
  free(hands);
}

uint64_t ase_hands_bytes(const ase_hands *hands) {
  return sizeof *hands + sizeof *hands->strip_first +
         hands->all *
             (uint64_t)(sizeof *hands->hand + sizeof *hands->key + sizeof *hands->occupied +
                        sizeof *hands->strip_first + sizeof *hands->strip_zeros + sizeof *hands->fill_of +
                        sizeof *hands->strip_of + sizeof *hands->fill_first);
}

uint32_t ase_hands_find(const game_rules *rules, const ase_hands *hands, const ase_hand *hand) {
  const hand_key key = key_of(rules, hands, hand);
  const hand_key *found = bsearch(&key, hands->key, hands->all, sizeof key, compare_keys);
  return found ? (uint32_t)(found - hands->key) : HANDS_NONE;
}

strip_side ase_hands_rows(const ase_hands *hands) {
  return (strip_side){hands->strips, hands->strip_first, hands->occupied};
}

strip_side ase_hands_lanes(const ase_hands *hands) {
  return (strip_side){hands->free_strips, hands->strip_first, hands->occupied};
}
