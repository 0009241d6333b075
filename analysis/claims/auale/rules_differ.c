/* auale-rules-differ: how many boards the grand-slam rule changes, and how many the cycle rule. */
#include <stdlib.h>

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/auale/compare.h"
#include "analysis/claims/auale/played_lines.h"
#include "analysis/claims/claim.h"
#include "analysis/claims/recheck.h"

enum { DECIMALS = 3, SLOW_SEEDS = 8, AWARI = 0, ABAPA, OWN_ROW, SETS };

/* Counts of the boards that differ, in value or in winner. */
typedef struct {
  uint64_t grand_slam;
  auale_comparison cycles, both;
} changes;

typedef struct {
  changes values, winners;
} layer_counts;

typedef struct {
  claim_base c;
  layer_counts layers[AUALE_MOST_SEEDS + 1];
  int8_t *settled[PLAYED_LINES_MOST_SLICE + 1]; /* own-row values, by playing all lines out */
  uint64_t settled_wrong;                       /* of these, outside the bounds */
  bool slam_found, cycle_found;
  game_place slam, cycle; /* the first board whose winner changes */
} findings;

/* --- few seeds: what bounds leave open is played out --- */

static int play_out(const claim_tables *t, game_place place, report *steps) {
  int value = 0;
  REPORT_CATCH(t->out, played_lines_value(t->game, t->rules, place, steps, &value, &t->out->message));
  return value;
}

static void settle_layer(findings *f, uint32_t n) {
  claim_layer *layer = &f->c.t[OWN_ROW].layers[n];
  f->settled[n] = report_calloc(f->c.out, layer->boards, 1);
  if (!f->settled[n]) return;
  for (uint64_t i = 0; i < layer->boards; i++) {
    const bool open = layer->lower[i] < layer->upper[i];
    const int value = open ? play_out(&f->c.t[OWN_ROW], (game_place){n, i}, NULL) : layer->lower[i];
    f->settled[n][i] = (int8_t)value;
    f->settled_wrong += value < layer->lower[i] || value > layer->upper[i];
  }
  layer->lower = layer->upper = f->settled[n];
}

/* --- counting --- */

static void note_board(findings *f, game_place place, int awari, int abapa, int lower, int upper) {
  if (!f->slam_found && auale_sign(awari) != auale_sign(abapa)) {
    f->slam_found = true;
    f->slam = place;
  }
  if (!f->cycle_found && auale_is_winner_changed(abapa, lower, upper)) {
    f->cycle_found = true;
    f->cycle = place;
  }
}

static void count_layer(findings *f, int n) {
  const int8_t *awari = f->c.t[AWARI].layers[n].lower, *abapa = f->c.t[ABAPA].layers[n].lower;
  const claim_layer *own_row = &f->c.t[OWN_ROW].layers[n];
  layer_counts *c = &f->layers[n];
  for (uint64_t i = 0; i < own_row->boards; i++) {
    const int lower = own_row->lower[i], upper = own_row->upper[i];
    c->values.grand_slam += awari[i] != abapa[i];
    c->winners.grand_slam += auale_sign(awari[i]) != auale_sign(abapa[i]);
    auale_compare_value(&c->values.cycles, abapa[i], lower, upper);
    auale_compare_value(&c->values.both, awari[i], lower, upper);
    auale_compare_winner(&c->winners.cycles, abapa[i], lower, upper);
    auale_compare_winner(&c->winners.both, awari[i], lower, upper);
    note_board(f, (game_place){(uint32_t)n, i}, awari[i], abapa[i], lower, upper);
  }
}

/* --- figures --- */

static uint64_t boards_of(const findings *f, int n) {
  return f->c.t[OWN_ROW].layers[n].boards;
}

static const changes *changes_of(const findings *f, int n, bool winners) {
  return winners ? &f->layers[n].winners : &f->layers[n].values;
}

static void add_counts(findings *f, bool winners) {
  report_table_begin(f->c.out, winners ? "winners" : "values");
  for (int n = 1; n <= f->c.limit; n++) {
    const changes *c = changes_of(f, n, winners);
    REPORT_ADD(f->c.out, fig_number(n), fig_count(boards_of(f, n)), fig_count(c->grand_slam),
               fig_count(c->cycles.differ), fig_count(c->cycles.same), fig_count(c->cycles.unknown),
               fig_count(c->both.differ), fig_count(c->both.same), fig_count(c->both.unknown));
  }
}

static void add_shares(findings *f) {
  report_table_begin(f->c.out, "shares");
  for (int n = 1; n <= f->c.limit; n++) {
    const uint64_t boards = boards_of(f, n);
    REPORT_ADD(f->c.out, fig_number(n));
    for (int winners = 0; winners < 2; winners++) {
      const changes *c = changes_of(f, n, winners);
      REPORT_ADD(f->c.out, fig_share(c->grand_slam, boards, DECIMALS),
                 fig_share(c->cycles.differ, boards, DECIMALS),
                 fig_share(c->cycles.differ + c->cycles.unknown, boards, DECIMALS));
    }
  }
}

/* --- witnesses --- */

static int value_of(const findings *f, int set, game_place place) {
  return f->c.t[set].layers[place.slice].lower[place.index];
}

/* Checks the witness against the slow solve of a rule set, unless there are too many boards. */
static void recheck_slowly(findings *f, int set, game_place place) {
  const claim_tables *t = &f->c.t[set];
  if (place.slice > SLOW_SEEDS) {
    REPORT_RECHECK(f->c.out, "plain iteration", false, false, "recheck-plain-iteration",
                   fig_number(SLOW_SEEDS));
    return;
  }
  const recheck_scores found = recheck_layers(t, (int)place.slice, REFERENCE_VALUES, place);
  REPORT_RECHECK(f->c.out, "plain iteration", true,
                 found.wrong == 0 && found.value == value_of(f, set, place), "recheck-plain-iteration-2",
                 fig_count(found.positions), fig_number(place.slice), fig_text(f->c.about->sets[set].rules),
                 fig_count(found.wrong), fig_number(found.value));
}

static void show_slam(findings *f) {
  const game_position slam = claim_position_at(&f->c.t[AWARI], f->slam);
  CLAIM_SHOW(&f->c.t[AWARI], &slam, "witness", fig_number(f->slam.slice),
             fig_number(value_of(f, AWARI, f->slam)), fig_number(value_of(f, ABAPA, f->slam)));
  recheck_slowly(f, AWARI, f->slam);
  recheck_slowly(f, ABAPA, f->slam);
}

static void recheck_lines(findings *f, game_place place, int even, int lower, int upper) {
  const bool done = place.slice <= PLAYED_LINES_MOST_SLICE;
  if (!done) {
    REPORT_RECHECK(f->c.out, "all lines of play", false, false, "recheck-all-lines-of-play",
                   fig_number(PLAYED_LINES_MOST_SLICE));
    return;
  }
  const int value = play_out(&f->c.t[OWN_ROW], place, f->c.out);
  REPORT_RECHECK(f->c.out, "all lines of play", true,
                 value >= lower && value <= upper && auale_sign(value) != auale_sign(even),
                 "recheck-all-lines-of-play-2", fig_number(value));
}

static void show_cycle(findings *f) {
  const claim_layer *own_row = &f->c.t[OWN_ROW].layers[f->cycle.slice];
  const int even = value_of(f, ABAPA, f->cycle);
  const int lower = own_row->lower[f->cycle.index], upper = own_row->upper[f->cycle.index];
  const game_position cycle = claim_position_at(&f->c.t[ABAPA], f->cycle);
  CLAIM_SHOW(&f->c.t[ABAPA], &cycle, "witness-2", fig_number(f->cycle.slice), fig_number(even),
             fig_number(lower), fig_number(upper));
  recheck_slowly(f, ABAPA, f->cycle);
  recheck_lines(f, f->cycle, even, lower, upper);
}

/* --- the verdict --- */

typedef struct {
  char more[AUALE_LIST_BYTES], fewer[AUALE_LIST_BYTES];
  bool any_more;
} standing;

/* For which seeds the cycle rule surely changes more boards than the grand-slam rule, or surely fewer. */
static standing stand(const findings *f, bool winners) {
  bool more[AUALE_MOST_SEEDS + 1] = {false}, fewer[AUALE_MOST_SEEDS + 1] = {false};
  standing s = {.any_more = false};
  for (int n = 1; n <= f->c.limit; n++) {
    const changes *c = changes_of(f, n, winners);
    more[n] = c->cycles.differ > c->grand_slam;
    fewer[n] = c->cycles.differ + c->cycles.unknown < c->grand_slam;
    s.any_more = s.any_more || more[n];
  }
  auale_list_seeds(more, f->c.limit, s.more);
  auale_list_seeds(fewer, f->c.limit, s.fewer);
  return s;
}

static void judge(const findings *f) {
  const standing values = stand(f, false), winners = stand(f, true);
  if (f->settled_wrong || !report_is_sound(f->c.out)) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails");
    return;
  }
  REPORT_VERDICT(f->c.out, values.any_more && winners.any_more ? VERDICT_HOLDS_FOR : VERDICT_OPEN, "verdict",
                 fig_number(f->c.limit), fig_text(values.more), fig_text(values.fewer),
                 fig_text(winners.more), fig_text(winners.fewer));
}

static void examine(void *user) {
  findings *f = user;
  const int seeds = f->c.limit;
  const bool more = seeds > PLAYED_LINES_MOST_SLICE;
  for (uint32_t n = 1; (int)n <= seeds && n <= PLAYED_LINES_MOST_SLICE; n++) settle_layer(f, n);
  if (f->c.out->error) return;
  for (int n = 1; n <= seeds; n++) count_layer(f, n);
  add_counts(f, false);
  add_counts(f, true);
  add_shares(f);
  if (f->slam_found) show_slam(f);
  if (f->cycle_found) show_cycle(f);
  REPORT_NOTE(f->c.out, "note", fig_number(more ? PLAYED_LINES_MOST_SLICE : seeds),
              fig_text(more ? ", of more between two proven bounds" : ""));
  REPORT_NOTE(f->c.out, "note-2");
  judge(f);
}

static void forget(void *user) {
  findings *f = user;
  for (int n = 0; n <= PLAYED_LINES_MOST_SLICE; n++) free(f->settled[n]);
}

const claim_code claim_code_rules_differ = {sizeof(findings), examine, forget};
