/* Numbers the arrangements of one player's tokens in la oca asesina. */
#include "games/oca_asesina/arrangements.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 2, SET_BYTES = 16, KEY_SETS_AT = 2, KEY_STRIP_BYTES = KEY_SETS_AT + SET_BYTES * SETS };

_Static_assert(KEY_STRIP_BYTES + ASE_MOST_TOKENS <= ARRANGEMENTS_KEY_BYTES, "a key must fit");
_Static_assert(GOOSE_LONGEST < 8 * SET_BYTES, "a set must have a bit for each square");

/* --- lists of arrangements --- */

typedef struct {
  const game_rules *rules;
  int tokens, all_tokens, at_home; /* tokens of each colour, of all colours, and on N */
  uint8_t on[GOOSE_LONGEST + 1];
  ase_arrangement arrangement;
  ase_arrangements *out;
  uint64_t found;
} walker;

static void add_arrangement(walker *w) {
  w->out->list[w->found++] = w->arrangement;
}

static void add_forced(walker *w) {
  for (int colour = 0; colour < w->rules->flags.colours; colour++) {
    if (w->arrangement.square[(colour + 1) * w->tokens - 1] != ase_home(w->rules)) continue;
    w->arrangement.forced = (uint8_t)(1 + colour);
    add_arrangement(w);
  }
  w->arrangement.forced = 0;
}

static int most_tokens_on(const walker *w, int square) {
  if (square == ase_home(w->rules)) return w->at_home;
  const bool any_number = square == 0 || w->rules->flags.no_interaction;
  return any_number ? w->all_tokens : 2;
}

static void place_tokens(walker *w, int token, bool forced) {
  const int home = ase_home(w->rules);
  if (token == w->all_tokens) {
    if (w->on[home] != w->at_home) return;
    if (forced) {
      add_forced(w);
    } else {
      add_arrangement(w);
    }
    return;
  }
  const int least = token % w->tokens ? w->arrangement.square[token - 1] : 0;
  for (int square = least; square <= home; square++) {
    if (w->on[square] == most_tokens_on(w, square)) continue;
    w->on[square]++;
    w->arrangement.square[token] = (uint8_t)square;
    place_tokens(w, token + 1, forced);
    w->on[square]--;
  }
  w->arrangement.square[token] = 0;
}

/* --- counts by formula --- */

static uint64_t add_capped(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply_capped(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static int count_stands(const game_rules *rules, int tokens) {
  int stands = 1;
  for (int colour = 0; colour < rules->flags.colours; colour++) stands *= tokens + 1;
  return stands;
}

typedef struct {
  int base, colours, digits, states;
  int weight[2 * ASE_MOST_COLOURS]; /* weight of one token of each player and colour */
  uint64_t *ways;
} counter;

static int digit_of_state(const counter *c, int state, int d) {
  return state / c->weight[d] % c->base;
}

/* Adds one square on which one token or two of one player may stand. States are updated from the largest
 * down, since each one needs the old numbers of smaller states. */
static void add_square(counter *c) {
  for (int state = c->states - 1; state > 0; state--) {
    uint64_t *ways = &c->ways[state];
    for (int d = 0; d < c->digits; d++) {
      if (digit_of_state(c, state, d) == 0) continue;
      const int one_less = state - c->weight[d], end = d / c->colours * c->colours + c->colours;
      *ways = add_capped(*ways, c->ways[one_less]);
      for (int e = d; e < end; e++)
        if (digit_of_state(c, one_less, e) > 0) *ways = add_capped(*ways, c->ways[one_less - c->weight[e]]);
    }
  }
}

/* Adds one square on which any number of tokens may stand. For each colour states are updated from the
 * smallest up, so that the square may take several tokens. */
static void add_free_square(counter *c) {
  for (int d = 0; d < c->digits; d++)
    for (int state = 0; state < c->states; state++)
      if (digit_of_state(c, state, d) > 0)
        c->ways[state] = add_capped(c->ways[state], c->ways[state - c->weight[d]]);
}

void ase_arrangements_ways(const game_rules *rules, int tokens, int players, uint64_t *ways) {
  const int stands = count_stands(rules, tokens), colours = rules->flags.colours;
  counter c = {.base = tokens + 1, .colours = colours, .digits = players * colours, .ways = ways};
  c.states = players == 1 ? stands : stands * stands;
  for (int d = 0, weight = 1; d < c.digits; d++, weight *= c.base) c.weight[d] = weight;
  memset(ways, 0, (size_t)c.states * sizeof *ways);
  ways[0] = 1;
  for (int square = 1; square < ase_home(rules); square++) {
    if (rules->flags.no_interaction) {
      add_free_square(&c);
    } else {
      add_square(&c);
    }
  }
}

/* Returns in how many ways `home` of the tokens `left` of each colour are at home while the others are on the
 * start. */
static uint64_t count_splits(const int left[ASE_MOST_COLOURS], int home) {
  uint64_t ways = 0;
  for (int a = 0; a <= left[0] && a <= home; a++)
    for (int b = 0; b <= left[1] && a + b <= home; b++) ways += home - a - b <= left[2];
  return ways;
}

static uint64_t count_rest(const game_rules *rules, int tokens, int stand, int home, bool forced) {
  int left[ASE_MOST_COLOURS] = {0};
  for (int colour = 0; colour < rules->flags.colours; colour++, stand /= tokens + 1)
    left[colour] = tokens - stand % (tokens + 1);
  uint64_t ways = count_splits(left, home);
  for (int colour = 0; forced && colour < rules->flags.colours; colour++) {
    if (left[colour] == 0) continue;
    left[colour]--;
    ways += count_splits(left, home);
    left[colour]++;
  }
  return ways;
}

uint64_t ase_arrangements_pairs(const game_rules *rules, int tokens, const uint64_t *ways, int home,
                                int other_home) {
  const int stands = count_stands(rules, tokens);
  uint64_t pairs = 0, other[ARRANGEMENTS_MOST_STANDS];
  for (int b = 0; b < stands; b++) other[b] = count_rest(rules, tokens, b, other_home, false);
  for (int a = 0; a < stands; a++) {
    const uint64_t own = count_rest(rules, tokens, a, home, true);
    for (int b = 0; b < stands; b++)
      pairs = add_capped(pairs, multiply_capped(ways[a * stands + b], own * other[b]));
  }
  return pairs;
}

uint64_t ase_arrangements_count(const game_rules *rules, int tokens, int home) {
  const int stands = count_stands(rules, tokens);
  uint64_t ways[ARRANGEMENTS_MOST_STANDS], arrangements = 0;
  ase_arrangements_ways(rules, tokens, 1, ways);
  for (int stand = 0; stand < stands; stand++)
    arrangements =
        add_capped(arrangements, multiply_capped(ways[stand], count_rest(rules, tokens, stand, home, true)));
  return arrangements;
}

/* --- the order of arrangements --- */

static void set_square(strip_squares *set, int square) {
  set->bits[square / 64] |= UINT64_C(1) << square % 64;
}

/* Sets *full to the squares with two tokens, and *barriers to those with two tokens of one colour. */
static void find_full(const game_rules *rules, const ase_arrangements *arrangements,
                      const ase_arrangement *arrangement, strip_squares *barriers, strip_squares *full) {
  *barriers = *full = (strip_squares){{0, 0}};
  const int all = arrangements->tokens * rules->flags.colours;
  for (int i = 0; i < all; i++) {
    const int square = arrangement->square[i];
    if (square == 0 || square == ase_home(rules)) continue;
    for (int k = i + 1; k < all; k++) {
      if (arrangement->square[k] != square) continue;
      set_square(full, square);
      if (i / arrangements->tokens == k / arrangements->tokens) set_square(barriers, square);
    }
  }
}

/* Writes a set of squares so that memcmp orders sets: squares below 64 first, the highest of them in front,
 * then the others in the same way. */
static void write_set(uint8_t *bytes, const strip_squares *set) {
  for (int i = 0; i < SET_BYTES; i++)
    bytes[i] = (uint8_t)(set->bits[i < SET_BYTES / 2] >> 8 * (SET_BYTES / 2 - 1 - i % (SET_BYTES / 2)));
}

/* Returns the key of an arrangement. Its bytes are the forced colour, ASE_MOST_TOKENS less the number of
 * tokens on the start, the sets of barriers and of full squares (zeros if tokens do not interact), and the
 * squares of the tokens. */
static arrangement_key key_of(const game_rules *rules, const ase_arrangements *arrangements,
                              const ase_arrangement *arrangement) {
  arrangement_key key = {{0}};
  strip_squares sets[SETS];
  find_full(rules, arrangements, arrangement, &sets[0], &sets[1]);
  key.bytes[0] = arrangement->forced;
  key.bytes[1] = ASE_MOST_TOKENS;
  for (int i = 0; i < arrangements->tokens * rules->flags.colours; i++)
    if (arrangement->square[i] == 0) key.bytes[1]--;
  if (!rules->flags.no_interaction)
    for (int i = 0; i < SETS; i++) write_set(key.bytes + KEY_SETS_AT + SET_BYTES * i, &sets[i]);
  memcpy(key.bytes + KEY_STRIP_BYTES, arrangement->square, ASE_MOST_TOKENS);
  return key;
}

static int compare_keys(const void *a, const void *b) {
  return memcmp(a, b, sizeof(arrangement_key));
}

static void sort_arrangements(const game_rules *rules, ase_arrangements *arrangements) {
  for (uint32_t i = 0; i < arrangements->all; i++)
    arrangements->key[i] = key_of(rules, arrangements, &arrangements->list[i]);
  qsort(arrangements->key, arrangements->all, sizeof *arrangements->key, compare_keys);
  for (uint32_t i = 0; i < arrangements->all; i++) {
    arrangements->list[i].forced = arrangements->key[i].bytes[0];
    memcpy(arrangements->list[i].square, arrangements->key[i].bytes + KEY_STRIP_BYTES, ASE_MOST_TOKENS);
  }
}

static void find_occupied(const game_rules *rules, ase_arrangements *arrangements) {
  for (uint32_t i = 0; i < arrangements->all && !rules->flags.no_interaction; i++) {
    for (int k = 0; k < arrangements->tokens * rules->flags.colours; k++) {
      const int square = arrangements->list[i].square[k];
      if (square > 0 && square < ase_home(rules)) set_square(&arrangements->occupied[i], square);
    }
  }
}

/* --- strips --- */

static bool begins_strip(const ase_arrangements *arrangements, uint32_t arrangement, uint32_t first) {
  if (arrangement == 0 || arrangement == arrangements->free || arrangement - first == STRIP_LANES)
    return true;
  return arrangement < arrangements->free &&
         memcmp(&arrangements->key[arrangement], &arrangements->key[first], KEY_SETS_AT) != 0;
}

static bool has_same_fill(const ase_arrangements *arrangements, uint32_t a, uint32_t b) {
  return memcmp(arrangements->key[a].bytes + KEY_SETS_AT, arrangements->key[b].bytes + KEY_SETS_AT,
                SETS * SET_BYTES) == 0;
}

static uint32_t find_fill(ase_arrangements *arrangements, uint32_t arrangement) {
  if (arrangement > 0 && has_same_fill(arrangements, arrangement, arrangement - 1))
    return arrangements->fill_of[arrangement - 1];
  for (uint32_t i = 0; i < arrangements->fills; i++)
    if (has_same_fill(arrangements, arrangement, arrangements->fill_first[i])) return i;
  arrangements->fill_first[arrangements->fills] = arrangement;
  return arrangements->fills++;
}

static void cut_strips(ase_arrangements *arrangements) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < arrangements->all; i++) {
    if (i < arrangements->free) arrangements->fill_of[i] = find_fill(arrangements, i);
    if (begins_strip(arrangements, i, first)) {
      first = i;
      if (i < arrangements->free) {
        arrangements->strip_zeros[arrangements->strips] =
            (uint8_t)(ASE_MOST_TOKENS - arrangements->key[i].bytes[1]);
        arrangements->free_strips = arrangements->strips + 1;
      }
      arrangements->strip_first[arrangements->strips++] = i;
    }
    arrangements->strip_of[i] = arrangements->strips - 1;
  }
  arrangements->strip_first[arrangements->strips] = arrangements->all;
}

/* --- opened arrangements --- */

static void list_arrangement_arrays(arena *a, void *of) {
  ase_arrangements *arrangements = of;
  const uint64_t n = arrangements->all;
  arrangements->list = arena_allocate(a, n, sizeof *arrangements->list);
  arrangements->key = arena_allocate(a, n, sizeof *arrangements->key);
  arrangements->occupied = arena_allocate(a, n, sizeof *arrangements->occupied);
  arrangements->strip_first = arena_allocate(a, n + 1, sizeof *arrangements->strip_first);
  arrangements->strip_zeros = arena_allocate(a, n, sizeof *arrangements->strip_zeros);
  arrangements->fill_of = arena_allocate(a, n, sizeof *arrangements->fill_of);
  arrangements->strip_of = arena_allocate(a, n, sizeof *arrangements->strip_of);
  arrangements->fill_first = arena_allocate(a, n, sizeof *arrangements->fill_first);
}

tauler_error ase_arrangements_open(const game_rules *rules, int tokens, int home, ase_arrangements **out) {
  *out = NULL;
  const uint64_t all = ase_arrangements_count(rules, tokens, home);
  if (all >= UINT32_MAX / 2) return TAULER_NO_MEMORY;
  ase_arrangements *arrangements = calloc(1, sizeof *arrangements);
  if (!arrangements) return TAULER_NO_MEMORY;
  arrangements->tokens = tokens;
  arrangements->home = home;
  arrangements->all = (uint32_t)all;
  if (arena_fill(&arrangements->arrays, NULL, "arrangements", list_arrangement_arrays, arrangements, NULL)) {
    free(arrangements);
    return TAULER_NO_MEMORY;
  }
  walker w = {rules, tokens, tokens * rules->flags.colours, home, .out = arrangements};
  place_tokens(&w, 0, false);
  arrangements->free = (uint32_t)w.found;
  if (home < w.all_tokens) { /* one of the others can be forced */
    w.at_home++;
    place_tokens(&w, 0, true);
  }
  sort_arrangements(rules, arrangements);
  find_occupied(rules, arrangements);
  cut_strips(arrangements);
  *out = arrangements;
  return TAULER_OK;
}

void ase_arrangements_close(ase_arrangements *arrangements) {
  if (!arrangements) return;
  arena_close(&arrangements->arrays);
  free(arrangements);
}

uint64_t ase_arrangements_bytes(const ase_arrangements *arrangements) {
  ase_arrangements planned = *arrangements;
  return sizeof planned + arena_bytes(list_arrangement_arrays, &planned);
}

uint32_t ase_arrangements_find(const game_rules *rules, const ase_arrangements *arrangements,
                               const ase_arrangement *arrangement) {
  const arrangement_key key = key_of(rules, arrangements, arrangement);
  const arrangement_key *found =
      bsearch(&key, arrangements->key, arrangements->all, sizeof key, compare_keys);
  return found ? (uint32_t)(found - arrangements->key) : ARRANGEMENTS_NONE;
}

strip_side ase_arrangements_rows(const ase_arrangements *arrangements) {
  return (strip_side){arrangements->strips, arrangements->strip_first, arrangements->occupied};
}

strip_side ase_arrangements_lanes(const ase_arrangements *arrangements) {
  return (strip_side){arrangements->free_strips, arrangements->strip_first, arrangements->occupied};
}
