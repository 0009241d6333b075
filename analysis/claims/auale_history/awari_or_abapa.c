/* auale-awari-or-abapa: on how many boards abapa has another winner than awari, and by how much. */
#include <stdlib.h>

#include "analysis/claims/auale/compare.h"
#include "analysis/claims/auale/played_lines.h"
#include "analysis/claims/claim.h"
#include "analysis/claims/recheck.h"

enum { AWARI, FORCED, OWN_ROW, LINES, KINDS };
enum { MOST_SEEDS = CLAIM_MOST_LAYERS - 1, DECIMALS = 3, SLOW_SEEDS = 8, LINES_SEEDS = 9 };

typedef struct {
  uint64_t changed, reversed, unknown;
} winner_counts;

typedef struct {
  uint64_t boards;
  winner_counts winners[KINDS]; /* but for AWARI */
  uint64_t values, by_four, by_eight, least, most;
  int largest;
} layer_counts;

typedef struct {
  int lower, upper;
} bounds;

typedef struct {
  claim_base c;
  layer_counts layers[MOST_SEEDS + 1];
  uint64_t wrong; /* bounds that are not within wider ones */
  bool always_found, cycle_found;
  game_place always, cycle; /* the first boards that change winner: by FORCED, by OWN_ROW alone */
} findings;

/* --- counting --- */

/* Whatever a cycle is worth, any worth between the bounds is possible; of own rows every other one. */
static bool may_have_sign(int kind, int sign, bounds b) {
  if (kind == FORCED && sign == 0) return b.lower <= 0 && b.upper >= 0;
  return auale_may_have_sign(sign, b.lower, b.upper);
}

static bool is_reversed(int value, bounds b) {
  return (value > 0 && b.upper < 0) || (value < 0 && b.lower > 0);
}

static void count_winner(winner_counts *c, int kind, int value, bounds b) {
  const int sign = auale_sign(value);
  bool other = false;
  for (int s = -1; s <= 1; s++) other = other || (s != sign && may_have_sign(kind, s, b));
  const bool same = may_have_sign(kind, sign, b);
  c->changed += !same;
  c->reversed += is_reversed(value, b);
  c->unknown += same && other;
}

static int least_apart(int value, bounds b) {
  if (value < b.lower) return b.lower - value;
  if (value > b.upper) return value - b.upper;
  return (value - b.lower) % 2 != 0;
}

static int most_apart(int value, bounds b) {
  const int down = abs(value - b.lower), up = abs(b.upper - value);
  return down > up ? down : up;
}

static void count_amount(layer_counts *c, int value, bounds b) {
  const int least = least_apart(value, b);
  c->values += least > 0;
  c->by_four += least >= 4;
  c->by_eight += least >= 8;
  c->least += (uint64_t)least;
  c->most += (uint64_t)most_apart(value, b);
  if (least > c->largest) c->largest = least;
}

static bool is_within(bounds b, bounds wider) {
  return b.lower <= b.upper && b.lower >= wider.lower && b.upper <= wider.upper;
}

static void note_board(findings *f, game_place place, int value, bounds forced, bounds own_row) {
  const int sign = auale_sign(value);
  const bool always = !may_have_sign(FORCED, sign, forced);
  if (!f->always_found && always) {
    f->always_found = true;
    f->always = place;
  }
  if (!f->cycle_found && !always && !may_have_sign(OWN_ROW, sign, own_row)) {
    f->cycle_found = true;
    f->cycle = place;
  }
}

static bounds bounds_of(const findings *f, int set, game_place place) {
  const claim_layer *layer = &f->c.t[set].layers[place.slice];
  return (bounds){layer->lower[place.index], layer->upper[place.index]};
}

static void count_layer(findings *f, uint32_t n) {
  layer_counts *c = &f->layers[n];
  c->boards = f->c.t[AWARI].layers[n].boards;
  for (uint64_t i = 0; i < c->boards; i++) {
    const game_place place = {n, i};
    const int value = bounds_of(f, AWARI, place).lower;
    const bounds forced = bounds_of(f, FORCED, place), own_row = bounds_of(f, OWN_ROW, place);
    count_winner(&c->winners[FORCED], FORCED, value, forced);
    count_winner(&c->winners[OWN_ROW], OWN_ROW, value, own_row);
    count_amount(c, value, own_row);
    f->wrong += !is_within(own_row, forced);
    if (!f->always_found || !f->cycle_found) note_board(f, place, value, forced, own_row);
  }
}

/* The same by values right after a capture. */
static void follow_lines(findings *f, uint32_t n) {
  for (uint64_t i = 0; i < f->c.t[OWN_ROW].layers[n].boards; i++) {
    const game_place place = {n, i};
    count_winner(&f->layers[n].winners[LINES], LINES, bounds_of(f, AWARI, place).lower,
                 bounds_of(f, OWN_ROW, place));
  }
}

/* --- figures --- */

static void add_winners(const findings *f) {
  report *out = f->c.out;
  report_table_begin(out, "winners");
  for (int n = 1; n <= f->c.limit; n++) {
    REPORT_ADD(out, fig_number(n), fig_count(f->layers[n].boards));
    for (int kind = FORCED; kind < KINDS; kind++) {
      const winner_counts *c = &f->layers[n].winners[kind];
      const bool known = kind != LINES || n <= LINES_SEEDS;
      REPORT_ADD(out, fig_if(known, fig_count(c->changed)), fig_if(known, fig_count(c->reversed)),
                 fig_if(known, fig_count(c->unknown)));
    }
  }
  report_table_begin(out, "shares");
  for (int n = 1; n <= f->c.limit; n++) {
    const uint64_t boards = f->layers[n].boards;
    REPORT_ADD(out, fig_number(n));
    for (int kind = FORCED; kind < KINDS; kind++) {
      const winner_counts *c = &f->layers[n].winners[kind];
      const bool known = kind != LINES || n <= LINES_SEEDS;
      REPORT_ADD(out, fig_if(known, fig_share(c->changed, boards, DECIMALS)),
                 fig_if(known, fig_share(c->changed + c->unknown, boards, DECIMALS)));
    }
  }
}

static report_figure mean_of(uint64_t sum, uint64_t boards) {
  return fig_mean((double)sum / (double)boards, DECIMALS);
}

static void add_amounts(const findings *f) {
  report_table_begin(f->c.out, "amounts");
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    REPORT_ADD(f->c.out, fig_number(n), fig_count(c->values), fig_count(c->by_four), fig_count(c->by_eight),
               fig_number(c->largest), mean_of(c->least, c->boards), mean_of(c->most, c->boards));
  }
}

/* --- witnesses --- */

static void recheck_slowly(const findings *f, int set, game_place place) {
  if (place.slice > SLOW_SEEDS) {
    REPORT_RECHECK(f->c.out, "plain iteration", false, false, "recheck-plain-iteration",
                   fig_number(SLOW_SEEDS));
    return;
  }
  const reference_known known = set == AWARI ? REFERENCE_VALUES : REFERENCE_BOUNDS;
  const recheck_scores found = recheck_layers(&f->c.t[set], (int)place.slice, known, (game_place){0, 0});
  REPORT_RECHECK(f->c.out, "plain iteration", true, found.wrong == 0, "recheck-plain-iteration-2",
                 fig_count(found.positions), fig_number(place.slice), fig_text(f->c.about->sets[set].rules),
                 fig_count(found.wrong));
}

static void recheck_lines(const findings *f, game_place place) {
  const claim_tables *t = &f->c.t[OWN_ROW];
  report *out = f->c.out;
  int value = 0;
  if (place.slice > PLAYED_LINES_MOST_SLICE) {
    REPORT_RECHECK(out, "all lines of play", false, false, "recheck-all-lines-of-play",
                   fig_number(PLAYED_LINES_MOST_SLICE));
    return;
  }
  REPORT_CATCH(out, played_lines_value(t->game, t->rules, place, out, &value, &out->message));
  REPORT_RECHECK(out, "all lines of play", true,
                 auale_sign(value) != auale_sign(bounds_of(f, AWARI, place).lower),
                 "recheck-all-lines-of-play-2", fig_number(value));
}

static void show_always(const findings *f) {
  const claim_tables *t = &f->c.t[AWARI];
  const game_position position = claim_position_at(t, f->always);
  const bounds b = bounds_of(f, FORCED, f->always);
  CLAIM_SHOW(t, &position, "witness", fig_number(f->always.slice),
             fig_number(bounds_of(f, AWARI, f->always).lower), fig_number(b.lower), fig_number(b.upper));
  recheck_slowly(f, AWARI, f->always);
  recheck_slowly(f, FORCED, f->always);
}

static void show_cycle(const findings *f) {
  const claim_tables *t = &f->c.t[AWARI];
  const game_position position = claim_position_at(t, f->cycle);
  const bounds b = bounds_of(f, OWN_ROW, f->cycle);
  CLAIM_SHOW(t, &position, "witness-2", fig_number(f->cycle.slice),
             fig_number(bounds_of(f, AWARI, f->cycle).lower), fig_number(b.lower), fig_number(b.upper));
  recheck_slowly(f, AWARI, f->cycle);
  recheck_lines(f, f->cycle);
}

/* --- the verdict --- */

static void judge(const findings *f) {
  uint64_t boards = 0;
  winner_counts own_row = {0, 0, 0}, forced = {0, 0, 0};
  const layer_counts *last = &f->layers[f->c.limit];
  for (int n = 1; n <= f->c.limit; n++) {
    const winner_counts *c = f->layers[n].winners;
    boards += f->layers[n].boards;
    own_row.changed += c[OWN_ROW].changed;
    own_row.reversed += c[OWN_ROW].reversed;
    own_row.unknown += c[OWN_ROW].unknown;
    forced.changed += c[FORCED].changed;
  }
  if (f->wrong) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails", fig_count(f->wrong));
  } else if (own_row.changed == 0) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_number(f->c.limit));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(boards), fig_number(f->c.limit),
                   fig_count(own_row.changed), fig_share(own_row.changed, boards, 2),
                   fig_count(own_row.reversed), fig_share(own_row.unknown, boards, 2),
                   fig_count(forced.changed), fig_share(forced.changed, boards, DECIMALS),
                   fig_number(f->c.limit), mean_of(last->least, last->boards),
                   mean_of(last->most, last->boards));
  }
}

static void examine(void *user) {
  findings *f = user;
  for (int n = 1; n <= f->c.limit; n++) count_layer(f, (uint32_t)n);
  for (int n = 0; n <= f->c.limit && n <= LINES_SEEDS; n++) follow_lines(f, (uint32_t)n);
  add_winners(f);
  add_amounts(f);
  if (f->always_found) show_always(f);
  if (f->cycle_found) show_cycle(f);
  REPORT_NOTE(f->c.out, "note");
  judge(f);
}

const claim_code claim_code_awari_or_abapa = {sizeof(findings), examine, NULL};
