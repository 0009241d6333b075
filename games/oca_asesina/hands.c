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

/* --- counting without walking --- */

static uint64_t add_counts(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

enum { COUNT_SIDE = ASE_MOST_TOKENS + 1, COUNT_STATES = HANDS_COUNT_STATES };

static int count_state(const int left[ASE_MOST_COLOURS]) {
  return (left[0] * COUNT_SIDE + left[1]) * COUNT_SIDE + left[2];
}

/* Adds the ways in which up to `most` of the tokens left stand on one more square. */
static void count_square(const uint64_t *before, uint64_t *after, int most) {
  int left[ASE_MOST_COLOURS], put[ASE_MOST_COLOURS];
  memset(after, 0, COUNT_STATES * sizeof *after);
  for (int state = 0; state < COUNT_STATES; state++) {
    if (!before[state]) continue;
    left[0] = state / (COUNT_SIDE * COUNT_SIDE);
    left[1] = state / COUNT_SIDE % COUNT_SIDE;
    left[2] = state % COUNT_SIDE;
    for (put[0] = 0; put[0] <= left[0] && put[0] <= most; put[0]++)
      for (put[1] = 0; put[1] <= left[1] && put[0] + put[1] <= most; put[1]++)
        for (put[2] = 0; put[2] <= left[2] && put[0] + put[1] + put[2] <= most; put[2]++) {
          const int rest[] = {left[0] - put[0], left[1] - put[1], left[2] - put[2]};
          uint64_t *to = &after[count_state(rest)];
          *to = add_counts(*to, before[state]);
        }
  }
}

/* Ways in which tokens of each colour, `left` of them, stand on 0 … N − 1. */
static uint64_t count_standing(const game_rules *rules, const int left[ASE_MOST_COLOURS], uint64_t *a,
                               uint64_t *b) {
  const int none[ASE_MOST_COLOURS] = {0};
  memset(a, 0, COUNT_STATES * sizeof *a);
  a[count_state(left)] = 1;
  for (int square = 0; square < ase_home(rules); square++) {
    count_square(a, b, square == 0 || rules->flags.no_interaction ? ASE_MOST_TOKENS : 2);
    uint64_t *swapped = a;
    a = b;
    b = swapped;
  }
  return a[count_state(none)];
}

static uint64_t count_hands(const game_rules *rules, int tokens, int at_home, bool forced, uint64_t *a,
                            uint64_t *b) {
  const int colours = rules->flags.colours;
  uint64_t n = 0;
  int home[ASE_MOST_COLOURS];
  for (home[0] = 0; home[0] <= tokens; home[0]++)
    for (home[1] = 0; home[1] <= (colours > 1 ? tokens : 0); home[1]++)
      for (home[2] = 0; home[2] <= (colours > 2 ? tokens : 0); home[2]++) {
        if (home[0] + home[1] + home[2] != at_home) continue;
        const int left[] = {tokens - home[0], colours > 1 ? tokens - home[1] : 0,
                            colours > 2 ? tokens - home[2] : 0};
        const int marks = forced ? (home[0] > 0) + (home[1] > 0) + (home[2] > 0) : 1;
        const uint64_t standing = count_standing(rules, left, a, b);
        for (int i = 0; i < marks; i++) n = add_counts(n, standing);
      }
  return n;
}

uint64_t ase_hands_count(const game_rules *rules, int tokens, int home) {
  uint64_t *counts = malloc(HANDS_COUNT_BYTES);
  if (!counts) return UINT64_MAX;
  uint64_t n = count_hands(rules, tokens, home, false, counts, counts + COUNT_STATES);
  if (can_be_forced(rules, tokens, home))
    n = add_counts(n, count_hands(rules, tokens, home + 1, true, counts, counts + COUNT_STATES));
  free(counts);
  return n;
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

/* Whether the same squares are full. */
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
