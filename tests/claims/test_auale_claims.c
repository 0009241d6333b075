/* Claims about aualé's rule sets: every figure against the slow definition, for few seeds; a table that lies
 * fails. */

#include "games/registry.h"
#include "tests/support/analysis/claim_figures.h"
#include "tests/support/naive_tables.h"
#include "tests/support/suite.h"

enum { SEEDS = 5, OPEN_SEEDS = 6, LINES = 3 };

static memory_budget memory;
static naive_tables *awari, *abapa, *forced, *own_row;
static naive_game *few;
static int8_t **lines; /* own-row, exact, by naive rank */
static naive_game *more;
static naive_bounds *searched; /* the same for more seeds */

static void prepare(void) {
  make_folder();
  memory_budget_open(&memory, 256 << 20);
  awari = naive_tables_new("awari", "even", OPEN_SEEDS);
  abapa = naive_tables_new("abapa", "even", SEEDS);
  forced = naive_tables_new("abapa", "forced", SEEDS);
  own_row = naive_tables_new("abapa", "own-row", SEEDS);
  naive_tables_make_exact(own_row);
  few = naive_game_new(NAIVE_ABAPA, LINES);
  lines = naive_solve_own_row_lines(few);
  more = naive_game_new(NAIVE_ABAPA, SEEDS);
  searched = naive_solve_own_row_search(more);
}

static int sign(int value) {
  return (value > 0) - (value < 0);
}

/* --- rules that differ --- */

/* The possible values for the mover under own-row: a bit for each net result, −n … n. */
static unsigned possible_worths(int seeds, int index) {
  unsigned set = 0;
  const naive_slice *slice = &own_row->slices[seeds];
  int least = slice->plain[0][index], most = slice->plain[1][index];
  if (seeds <= LINES) least = most = 2 * lines[seeds][slice->rank[index]] - seeds;
  for (int kept = 0; kept <= seeds; kept++) {
    const int net = kept - (seeds - kept);
    if (net >= least && net <= most) set |= 1u << (net + seeds);
  }
  return set;
}

/* The same in signs: a bit for each of −1, 0, 1. */
static unsigned possible_signs(unsigned worths, int seeds) {
  unsigned set = 0;
  for (int net = -seeds; net <= seeds; net++)
    if (worths >> (net + seeds) & 1) set |= 1u << (sign(net) + 1);
  return set;
}

typedef struct {
  int64_t differ, same, unknown;
} comparison;

static void compare_boards(comparison *c, unsigned set, unsigned one) {
  c->differ += !(set & one);
  c->same += set == one;
  c->unknown += (set & one) && set != one;
}

static void check_comparison(const claim_found *r, const char *table, int seeds, const char *names[3],
                             comparison c) {
  check_number(r, table, seeds - 1, names[0], c.differ);
  check_number(r, table, seeds - 1, names[1], c.same);
  check_number(r, table, seeds - 1, names[2], c.unknown);
}

static void check_layer(const claim_found *r, int seeds, bool winners) {
  static const char *cycles[] = {"cycles", "cycles_same", "cycles_unknown"};
  static const char *both[] = {"both", "both_same", "both_unknown"};
  const char *table = winners ? "winners" : "values";
  comparison alone = {0}, together = {0};
  int64_t slam = 0;
  const int boards = awari->slices[seeds].positions;
  for (int i = 0; i < boards; i++) {
    int one = awari->slices[seeds].plain[0][i], other = abapa->slices[seeds].plain[0][i];
    unsigned set = possible_worths(seeds, i);
    if (winners) {
      one = sign(one);
      other = sign(other);
      set = possible_signs(set, seeds);
    }
    const int middle = winners ? 1 : seeds;
    slam += one != other;
    compare_boards(&alone, set, 1u << (other + middle));
    compare_boards(&together, set, 1u << (one + middle));
  }
  check_number(r, table, seeds - 1, "boards", boards);
  check_number(r, table, seeds - 1, "grand_slam", slam);
  check_comparison(r, table, seeds, cycles, alone);
  check_comparison(r, table, seeds, both, together);
  check_mean(r, "shares", seeds - 1, winners ? "winner_grand_slam" : "grand_slam",
             100.0 * (double)slam / boards);
  check_mean(r, "shares", seeds - 1, winners ? "winner_cycles_most" : "cycles_most",
             100.0 * (double)(alone.differ + alone.unknown) / boards);
}

CASE(rules_differ_as_the_slow_definition_says) {
  claim_found found;
  run_claim("auale-rules-differ", (claim_job){.seeds = SEEDS, .memory = &memory}, VERDICT_HOLDS_FOR, &found);
  for (int seeds = 1; seeds <= SEEDS; seeds++) {
    check_layer(&found, seeds, false);
    check_layer(&found, seeds, true);
  }
  ck_assert_uint_eq(found.witnesses_used, 2);
  for (size_t w = 0; w < 2; w++) {
    ck_assert_uint_eq(found.witnesses[w].rechecks_used, 2);
    for (size_t i = 0; i < 2; i++) ck_assert(found.witnesses[w].holds[i]);
  }
}

/* --- awari against abapa --- */

/* Worths from `least` to `most`, every one or every other one: a bit for each net result, −n … n. */
static unsigned worths_between(int seeds, int least, int most, int step) {
  unsigned set = 0;
  for (int net = least; net <= most; net += step) set |= 1u << (net + seeds);
  return set;
}

typedef struct {
  comparison winners;
  int64_t reversed, values, by_four, largest, least, most;
} board_counts;

static void count_worths(board_counts *c, int seeds, int value, unsigned worths) {
  int least = 2 * seeds, most = 0;
  compare_boards(&c->winners, possible_signs(worths, seeds), 1u << (sign(value) + 1));
  c->reversed += value && possible_signs(worths, seeds) == 1u << (1 - sign(value));
  for (int net = -seeds; net <= seeds; net++) {
    const int apart = abs(net - value);
    if (!(worths >> (net + seeds) & 1)) continue;
    if (apart < least) least = apart;
    if (apart > most) most = apart;
  }
  c->values += least > 0;
  c->by_four += least >= 4;
  c->least += least;
  c->most += most;
  if (least > c->largest) c->largest = least;
}

static void check_winners(const claim_found *found, int seeds, const char *const names[3],
                          const board_counts *c) {
  check_number(found, "winners", seeds - 1, names[0], c->winners.differ);
  check_number(found, "winners", seeds - 1, names[1], c->reversed);
  check_number(found, "winners", seeds - 1, names[2], c->winners.unknown);
}

static void check_both_games(const claim_found *found, int seeds) {
  static const char *const names[][3] = {{"forced", "forced_reversed", "forced_unknown"},
                                         {"own_row", "own_row_reversed", "own_row_unknown"},
                                         {"lines", "lines_reversed", "lines_unknown"}};
  board_counts counts[3] = {0};
  const naive_slice *finite = &forced->slices[seeds], *rows = &own_row->slices[seeds];
  const board_counts *own = &counts[1];
  for (int i = 0; i < rows->positions; i++) {
    const int value = awari->slices[seeds].plain[0][i];
    const int exact = 2 * searched[seeds].mover[rows->rank[i]] - seeds;
    count_worths(&counts[0], seeds, value,
                 worths_between(seeds, finite->plain[0][i], finite->plain[1][i], 1));
    count_worths(&counts[1], seeds, value, worths_between(seeds, rows->plain[0][i], rows->plain[1][i], 2));
    count_worths(&counts[2], seeds, value, worths_between(seeds, exact, exact, 1));
  }
  for (int k = 0; k < 3; k++) check_winners(found, seeds, names[k], &counts[k]);
  check_number(found, "amounts", seeds - 1, "values", own->values);
  check_number(found, "amounts", seeds - 1, "by_four", own->by_four);
  check_number(found, "amounts", seeds - 1, "largest", own->largest);
  check_mean(found, "amounts", seeds - 1, "mean_least", (double)own->least / rows->positions);
  check_mean(found, "amounts", seeds - 1, "mean_most", (double)own->most / rows->positions);
  check_mean(found, "shares", seeds - 1, "own_row_most",
             100.0 * (double)(own->winners.differ + own->winners.unknown) / rows->positions);
}

CASE(both_games_as_the_slow_definition_says) {
  claim_found found;
  run_claim("auale-awari-or-abapa", (claim_job){.seeds = SEEDS, .memory = &memory}, VERDICT_HOLDS_FOR,
            &found);
  for (int seeds = 1; seeds <= SEEDS; seeds++) check_both_games(&found, seeds);
  ck_assert_uint_eq(found.witnesses_used, 2);
  for (size_t w = 0; w < 2; w++) {
    ck_assert_uint_eq(found.witnesses[w].rechecks_used, 2);
    for (size_t i = 0; i < 2; i++) ck_assert(found.witnesses[w].holds[i]);
  }
}

/* --- cycles that are not needed --- */

CASE(decided_boards_as_the_slow_definition_says) {
  claim_found found;
  run_claim("auale-cycle-free", (claim_job){.seeds = SEEDS, .memory = &memory}, VERDICT_OPEN, &found);
  for (int seeds = 1; seeds <= SEEDS; seeds++) {
    for (int set = 0; set < 2; set++) {
      const naive_slice *slice = &(set ? own_row : forced)->slices[seeds];
      int64_t values = 0, winners = 0;
      for (int i = 0; i < slice->positions; i++) {
        const int lower = slice->plain[0][i], upper = slice->plain[1][i];
        values += lower == upper;
        winners += lower == upper || sign(lower) * sign(upper) > 0;
      }
      check_number(&found, "layers", seeds - 1, set ? "own_row" : "forced", values);
      check_number(&found, "layers", seeds - 1, set ? "own_row_winner" : "winner_forced", winners);
      check_mean(&found, "layers", seeds - 1, set ? "own_row_share" : "forced_share",
                 100.0 * (double)values / slice->positions);
    }
  }
  ck_assert(found.witnesses_used == 1 && found.witnesses[0].holds[0]);
}

/* --- awari's cycles --- */

/* Awari's scores are what captures are worth; within the layer only play that ends or captures counts. */
static void check_open_layer(const claim_found *found, const naive_game *all, const naive_forced *scores,
                             int seeds) {
  const naive_layer *layer = &all->layers[seeds];
  naive_forced *forced_layers = suite_zeros((size_t)seeds + 1, sizeof *forced_layers);
  int64_t open = 0, others = 0, zero = 0, endless = 0;
  for (int below = 0; below < seeds; below++) {
    forced_layers[below] = scores[below];
    forced_layers[below].value[1] = scores[below].value[0];
  }
  naive_force_layer(all, forced_layers, seeds, 2);
  for (int rank = 0; rank < layer->count; rank++) {
    const bool is_open = forced_layers[seeds].value[0][rank] < forced_layers[seeds].value[1][rank];
    if (!naive_is_table_board(&layer->boards[rank])) {
      others += is_open;
      continue;
    }
    open += is_open;
    zero += scores[seeds].value[0][rank] == 0;
    endless += is_open && scores[seeds].value[0][rank] == 0;
  }
  check_number(found, "layers", seeds - 1, "open", open);
  check_number(found, "layers", seeds - 1, "open_others", others);
  check_number(found, "layers", seeds - 1, "zero", zero);
  check_number(found, "layers", seeds - 1, "endless_zero", endless);
  check_number(found, "layers", seeds - 1, "forced_zero", zero - endless);
  check_number(found, "layers", seeds - 1, "leaning", open - endless);
}

CASE(open_boards_as_the_slow_definition_says) {
  claim_found found;
  run_claim("auale-awari-cycles", (claim_job){.seeds = OPEN_SEEDS, .memory = &memory}, VERDICT_HOLDS_FOR,
            &found);
  naive_forced *scores = naive_solve_even(awari->naive);
  for (int seeds = 1; seeds <= OPEN_SEEDS; seeds++) check_open_layer(&found, awari->naive, scores, seeds);
  ck_assert(found.witnesses_used == 1 && found.witnesses[0].holds[0]);
}

CASE(awari_tables_that_lie_fail) {
  claim_found found;
  naive_tables *lying = naive_tables_new("awari", "even", 4);
  int8_t *cells = lying->slices[4].plain[0];
  int last = lying->slices[4].positions - 1; /* last position that a table stores */
  while (cells[last] != 0) last--;
  cells[last] = 1;
  naive_tables_encode(lying, 4);
  MUST(naive_tables_write(lying, folder, TABLE_I8, hear()));
  run_claim("auale-awari-cycles", (claim_job){.seeds = 4, .memory = &memory}, VERDICT_FAILS, &found);
  /* Stored figures of all layers differ from those of the lie too, and are named first. */
  ck_assert_msg(strtol(found.reason, NULL, 10) > 0 || strstr(found.reason, "stored"), "%s", found.reason);
}

SUITE("auale_claims") {
  FIXTURE_ONCE(prepare, remove_folder);
  TEST(rules_differ_as_the_slow_definition_says);
  TEST(both_games_as_the_slow_definition_says);
  TEST(decided_boards_as_the_slow_definition_says);
  TEST(open_boards_as_the_slow_definition_says);
  TEST(awari_tables_that_lie_fail); /* leaves its tables in the folder */
}
