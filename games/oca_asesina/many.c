/* The index of three players and more, with one token each. */
#include "games/oca_asesina/slices.h"

/* --- squares --- */

/* Free squares among 1 … N − 1 once a token more stands there. */
static int less_free(const game_rules *rules, int free) {
  return rules->flags.no_interaction ? free : free - 1;
}

/* Ways in which so many tokens stand on the start and on squares of which so many are free. */
static uint64_t count_stands(const game_rules *rules, int tokens, int free) {
  if (tokens == 0) return 1;
  uint64_t n = count_stands(rules, tokens - 1, free);
  if (free > 0) n += (uint64_t)free * count_stands(rules, tokens - 1, less_free(rules, free));
  return n;
}

typedef struct {
  bool taken[GOOSE_LONGEST + 1];
  int free;
} road;

static road empty_road(const game_rules *rules) {
  return (road){.free = ase_home(rules) - 1};
}

static void take(const game_rules *rules, road *r, int square) {
  if (square == 0 || square == ase_home(rules) || rules->flags.no_interaction) return;
  r->taken[square] = true;
  r->free--;
}

static int free_below(const road *r, int square) {
  int n = 0;
  for (int s = 1; s < square; s++) n += !r->taken[s];
  return n;
}

static int nth_free(const road *r, int n) {
  int square = 1;
  while (r->taken[square] || n-- > 0) square++;
  return square;
}

/* --- seats --- */

typedef struct {
  int seat[ASE_MOST_SEATS]; /* without those that have finished; the one to roll first */
  int used;
  int codes;                /* of one seat's turns to lose */
  uint64_t stands;          /* of all tokens but the first, where that one stands on the start or on N */
  uint64_t stands_on_track; /* where it stands elsewhere */
  uint64_t squares;         /* of all tokens */
  uint64_t positions;
} section;

static section section_of(const game_rules *rules, const ase_slice *slice, int seat) {
  section s = {.seat = {seat}, .used = 1, .codes = ase_most_turns(rules) + 1};
  const int free = ase_home(rules) - 1;
  for (int other = 0; other < rules->flags.players; other++)
    if (other != seat && !slice->home[other]) s.seat[s.used++] = other;
  s.stands = count_stands(rules, s.used - 1, free);
  s.stands_on_track = count_stands(rules, s.used - 1, less_free(rules, free));
  s.squares = s.positions = 2 * s.stands + (uint64_t)free * s.stands_on_track;
  for (int i = 1; i < s.used; i++) s.positions *= (uint64_t)s.codes;
  return s;
}

uint64_t ase_many_positions(const game_rules *rules, const ase_slice *slice) {
  uint64_t n = 0;
  for (int seat = slice->first_to_roll; seat < rules->flags.players; seat++)
    n += section_of(rules, slice, seat).positions;
  return n;
}

/* --- there --- */

/* The first token: the start, N under a forced mark, squares. */
static uint64_t rank_first(const game_rules *rules, const section *s, const ase_position *position) {
  const int square = position->square[s->seat[0]][0];
  if (square == 0) return 0;
  if (square == ase_home(rules)) return s->stands;
  return 2 * s->stands + (uint64_t)(square - 1) * s->stands_on_track;
}

static uint64_t rank_squares(const game_rules *rules, const section *s, const ase_position *position) {
  road r = empty_road(rules);
  uint64_t rank = rank_first(rules, s, position);
  take(rules, &r, position->square[s->seat[0]][0]);
  for (int i = 1; i < s->used; i++) {
    const int square = position->square[s->seat[i]][0];
    if (square > 0)
      rank +=
          count_stands(rules, s->used - i - 1, r.free) +
          (uint64_t)free_below(&r, square) * count_stands(rules, s->used - i - 1, less_free(rules, r.free));
    take(rules, &r, square);
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
    const int square = position->square[s->seat[i]][0];
    if (r.taken[square]) return false;
    take(rules, &r, square);
  }
  return true;
}

bool ase_many_rank(const game_rules *rules, const ase_slice *slice, const ase_position *position,
                   uint64_t *index) {
  const int seat = position->seat;
  if (position->lost[seat] || seat < slice->first_to_roll) return false;
  const section s = section_of(rules, slice, seat);
  if (!are_apart(rules, &s, position)) return false;
  uint64_t code = 0;
  for (int i = 1; i < s.used; i++) {
    const int lost = position->lost[s.seat[i]];
    if (lost >= s.codes || !may_have_lost(rules, position, s.seat[i])) return false;
    code = code * (uint64_t)s.codes + (uint64_t)lost;
  }
  for (int other = 0; other < rules->flags.players; other++)
    if (slice->home[other] && position->lost[other]) return false;
  *index = code * s.squares + rank_squares(rules, &s, position);
  for (int before = slice->first_to_roll; before < seat; before++)
    *index += section_of(rules, slice, before).positions;
  return true;
}

/* --- and back --- */

static section find_section(const game_rules *rules, const ase_slice *slice, uint64_t *index) {
  for (int seat = slice->first_to_roll;; seat++) {
    const section s = section_of(rules, slice, seat);
    if (*index < s.positions || seat + 1 >= rules->flags.players) return s;
    *index -= s.positions;
  }
}

static uint64_t unrank_first(const game_rules *rules, const section *s, uint64_t rank, ase_position *out) {
  uint8_t *square = &out->square[s->seat[0]][0];
  if (rank < s->stands) return rank;
  if (rank < 2 * s->stands) {
    *square = (uint8_t)ase_home(rules);
    out->forced = 1;
    return rank - s->stands;
  }
  rank -= 2 * s->stands;
  *square = (uint8_t)(1 + rank / s->stands_on_track);
  return rank % s->stands_on_track;
}

static void unrank_squares(const game_rules *rules, const section *s, uint64_t rank, ase_position *out) {
  road r = empty_road(rules);
  rank = unrank_first(rules, s, rank, out);
  take(rules, &r, out->square[s->seat[0]][0]);
  for (int i = 1; i < s->used; i++) {
    const uint64_t at_start = count_stands(rules, s->used - i - 1, r.free);
    if (rank < at_start) continue;
    rank -= at_start;
    const uint64_t each = count_stands(rules, s->used - i - 1, less_free(rules, r.free));
    const int square = nth_free(&r, (int)(rank / each));
    rank %= each;
    out->square[s->seat[i]][0] = (uint8_t)square;
    take(rules, &r, square);
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
  *out = (ase_position){.seats = rules->flags.players, .tokens = 1, .seat = (uint8_t)s.seat[0]};
  for (int seat = 0; seat < rules->flags.players; seat++)
    if (slice->home[seat]) out->square[seat][0] = (uint8_t)ase_home(rules);
  unrank_squares(rules, &s, index % s.squares, out);
  return unrank_lost(rules, &s, index / s.squares, out);
}

int ase_many_seat(const game_rules *rules, const ase_slice *slice, uint64_t index) {
  return find_section(rules, slice, &index).seat[0];
}
