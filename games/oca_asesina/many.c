/* The index of three players and more, with one token or two each. */
#include "games/oca_asesina/slices.h"

/* --- squares --- */

static int count_free_after(const game_rules *rules, int free, int taken) {
  return rules->flags.no_interaction ? free : free - taken;
}

/* Returns the number of ways in which a seat's tokens, two at most, stand on the start and on exactly `taken`
 * free squares. */
static uint64_t count_arrangements(int tokens, int taken, int free) {
  if (taken > tokens || taken > free) return 0;
  if (taken == 0) return 1;
  if (taken == 1)
    return (uint64_t)tokens *
           (uint64_t)free; /* with two tokens: one of them is on the start, or both are on the square */
  return (uint64_t)free * (uint64_t)(free - 1) / 2;
}

typedef struct {
  bool taken[GOOSE_LONGEST + 1];
  int free;
} road;

static road empty_road(const game_rules *rules) {
  return (road){.free = ase_home(rules) - 1};
}

static void occupy_squares(const game_rules *rules, road *r, const uint8_t *square, int tokens) {
  for (int i = 0; i < tokens && !rules->flags.no_interaction; i++) {
    if (square[i] == 0 || square[i] == ase_home(rules) || r->taken[square[i]]) continue;
    r->taken[square[i]] = true;
    r->free--;
  }
}

static uint64_t count_free_below(const road *r, int square) {
  uint64_t n = 0;
  for (int s = 1; s < square; s++) n += !r->taken[s];
  return n;
}

static uint8_t nth_free_square(const road *r, uint64_t n) {
  uint8_t square = 1;
  while (r->taken[square] || n-- > 0) square++;
  return square;
}

/* --- seats --- */

enum { MOST_TAKEN = 2 };

typedef struct {
  int seat[ASE_MOST_SEATS]; /* seats that have not finished, the seat to roll first */
  int left[ASE_MOST_SEATS]; /* number of tokens of each of these seats that are not home */
  int used;
  int codes;        /* 1 + the largest number of turns that a seat can have to lose */
  uint64_t forced;  /* number of arrangements of all tokens in which a token of the first seat is forced */
  uint64_t squares; /* number of arrangements of all tokens */
  uint64_t positions;
} section;

/* Returns the number of ways in which the tokens of the seats from place i on may stand. */
static uint64_t count_stands(const game_rules *rules, const section *s, int i, int free) {
  if (i == s->used) return 1;
  uint64_t n = 0;
  for (int taken = 0; taken <= s->left[i]; taken++) {
    const uint64_t arrangements = count_arrangements(s->left[i], taken, free);
    if (arrangements) n += arrangements * count_stands(rules, s, i + 1, count_free_after(rules, free, taken));
  }
  return n;
}

static section make_section(const game_rules *rules, const ase_slice *slice, int seat) {
  section s = {.seat = {seat}, .used = 1, .codes = ase_most_turns(rules) + 1};
  const int free = ase_home(rules) - 1;
  s.left[0] = slice->tokens - slice->home[seat];
  for (int other = 0; other < rules->flags.players; other++) {
    if (other == seat || slice->home[other] == slice->tokens) continue;
    s.left[s.used] = slice->tokens - slice->home[other];
    s.seat[s.used++] = other;
  }
  s.left[0]--;
  s.forced = count_stands(rules, &s, 0, free);
  s.left[0]++;
  s.squares = s.positions = s.forced + count_stands(rules, &s, 0, free);
  for (int i = 1; i < s.used; i++) s.positions *= (uint64_t)s.codes;
  return s;
}

uint64_t ase_many_positions(const game_rules *rules, const ase_slice *slice) {
  uint64_t n = 0;
  for (int seat = slice->first_to_roll; seat < rules->flags.players; seat++)
    n += make_section(rules, slice, seat).positions;
  return n;
}

/* --- the tokens of one seat ---
 * The order of arrangements is: all tokens on the start; for the seat to roll, those with a forced token; one
 * token on a square; both on one square; both on different squares.
 */

typedef struct {
  uint64_t after[MOST_TAKEN + 1]; /* [squares taken by this seat] number of arrangements of the later seats */
  /* For the seat to roll: number of arrangements of all tokens in which it has a forced one. 0 for later
   * seats, and once the forced token is placed. */
  uint64_t forced;
} arrangement_counts;

static arrangement_counts count_later_arrangements(const game_rules *rules, const section *s, int i,
                                                   const road *r) {
  arrangement_counts c = {.forced = i == 0 ? s->forced : 0};
  for (int taken = 0; taken <= s->left[i]; taken++)
    c.after[taken] = count_stands(rules, s, i + 1, count_free_after(rules, r->free, taken));
  return c;
}

/* Returns the rank of the first `tokens` squares, which are in rising order. */
static uint64_t rank_arrangement(const arrangement_counts *c, const road *r, const uint8_t *square,
                                 int tokens) {
  if (tokens == 0 || square[tokens - 1] == 0) return 0;
  const uint64_t last = count_free_below(r, square[tokens - 1]), free = (uint64_t)r->free;
  const uint64_t rank = c->after[0] + c->forced;
  if (tokens == 1 || square[0] == 0) return rank + last * c->after[1];
  if (square[0] == square[1]) return rank + (free + last) * c->after[1];
  return rank + 2 * free * c->after[1] +
         (last * (last - 1) / 2 + count_free_below(r, square[0])) * c->after[2];
}

/* Sets the squares from a rank. Returns the rest of the rank, which belongs to the later seats. */
static uint64_t unrank_arrangement(const arrangement_counts *c, const road *r, uint64_t rank, int tokens,
                                   uint8_t *square) {
  const uint64_t free = (uint64_t)r->free, one = (uint64_t)tokens * free;
  if (rank < c->after[0]) return rank;
  rank -= c->after[0] + c->forced;
  if (rank < one * c->after[1]) {
    const uint64_t n = rank / c->after[1];
    square[tokens - 1] = nth_free_square(r, n % free);
    if (n >= free) square[0] = square[1];
    return rank % c->after[1];
  }
  rank -= one * c->after[1];
  if (c->after[2] == 0) return rank;
  uint64_t n = rank / c->after[2], last = 1;
  for (; n >= last; last++) n -= last;
  square[0] = nth_free_square(r, n);
  square[1] = nth_free_square(r, last);
  return rank % c->after[2];
}

/* --- from a position to its index --- */

static uint64_t rank_squares(const game_rules *rules, const section *s, const ase_position *position) {
  road r = empty_road(rules);
  uint64_t rank = 0;
  for (int i = 0; i < s->used; i++) {
    const uint8_t *square = position->square[s->seat[i]];
    arrangement_counts c = count_later_arrangements(rules, s, i, &r);
    int tokens = s->left[i];
    if (position->forced && i == 0) {
      rank += c.after[0];
      c.forced = 0;
      tokens--;
    }
    rank += rank_arrangement(&c, &r, square, tokens);
    occupy_squares(rules, &r, square, tokens);
  }
  return rank;
}

static bool may_have_lost(const game_rules *rules, const ase_position *position, int seat) {
  const int square = position->square[seat][0];
  if (!rules->flags.lost_turns_die || position->lost[seat] == 0) return true;
  return rules->board.square[square].turns >= position->lost[seat];
}

static bool are_apart(const game_rules *rules, const section *s, const ase_position *position) {
  road r = empty_road(rules);
  for (int i = 0; i < s->used; i++) {
    const uint8_t *square = position->square[s->seat[i]];
    for (int token = 0; token < s->left[i]; token++)
      if (r.taken[square[token]]) return false;
    occupy_squares(rules, &r, square, s->left[i]);
  }
  return true;
}

bool ase_many_rank(const game_rules *rules, const ase_slice *slice, const ase_position *position,
                   uint64_t *index) {
  const int seat = position->seat;
  if (position->lost[seat] || seat < slice->first_to_roll) return false;
  const section s = make_section(rules, slice, seat);
  if (!are_apart(rules, &s, position)) return false;
  uint64_t code = 0;
  for (int i = 1; i < s.used; i++) {
    const int lost = position->lost[s.seat[i]];
    if (lost >= s.codes || !may_have_lost(rules, position, s.seat[i])) return false;
    code = code * (uint64_t)s.codes + (uint64_t)lost;
  }
  for (int other = 0; other < rules->flags.players; other++)
    if (slice->home[other] == slice->tokens && position->lost[other]) return false;
  *index = code * s.squares + rank_squares(rules, &s, position);
  for (int before = slice->first_to_roll; before < seat; before++)
    *index += make_section(rules, slice, before).positions;
  return true;
}

/* --- from an index to its position --- */

static section find_section(const game_rules *rules, const ase_slice *slice, uint64_t *index) {
  for (int seat = slice->first_to_roll;; seat++) {
    const section s = make_section(rules, slice, seat);
    if (*index < s.positions || seat + 1 >= rules->flags.players) return s;
    *index -= s.positions;
  }
}

static void unrank_squares(const game_rules *rules, const section *s, uint64_t rank, ase_position *out) {
  road r = empty_road(rules);
  for (int i = 0; i < s->used; i++) {
    uint8_t *square = out->square[s->seat[i]];
    arrangement_counts c = count_later_arrangements(rules, s, i, &r);
    int tokens = s->left[i];
    if (rank >= c.after[0] && rank < c.after[0] + c.forced) {
      rank -= c.after[0];
      c.forced = 0;
      out->forced = 1;
      square[--tokens] = (uint8_t)ase_home(rules);
    }
    rank = unrank_arrangement(&c, &r, rank, tokens, square);
    occupy_squares(rules, &r, square, tokens);
  }
}

static bool unrank_lost(const game_rules *rules, const section *s, uint64_t code, ase_position *out) {
  bool there = true;
  for (int i = s->used - 1; i > 0; i--, code /= (uint64_t)s->codes) {
    const int seat = s->seat[i];
    out->lost[seat] = (uint8_t)(code % (uint64_t)s->codes);
    if (rules->flags.lost_turns_die && out->lost[seat]) out->culprit[seat] = out->square[seat][0];
    there = may_have_lost(rules, out, seat) && there;
  }
  return there;
}

bool ase_many_unrank(const game_rules *rules, const ase_slice *slice, uint64_t index, ase_position *out) {
  const section s = find_section(rules, slice, &index);
  *out = (ase_position){
      .seats = rules->flags.players, .tokens = (uint8_t)slice->tokens, .seat = (uint8_t)s.seat[0]};
  for (int seat = 0; seat < rules->flags.players; seat++)
    for (int token = slice->tokens - slice->home[seat]; token < slice->tokens; token++)
      out->square[seat][token] = (uint8_t)ase_home(rules);
  unrank_squares(rules, &s, index % s.squares, out);
  return unrank_lost(rules, &s, index / s.squares, out);
}

int ase_many_seat(const game_rules *rules, const ase_slice *slice, uint64_t index) {
  return find_section(rules, slice, &index).seat[0];
}
