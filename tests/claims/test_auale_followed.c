/* Awari's best moves in abapa: single moves and whole games against the slow definition. */
/* Tier: make check */

#include "tests/naive/naive_solve.h"
#include "tests/support/analysis/claim_figures.h"
#include "tests/support/suite.h"

enum { SEEDS = 5, PITS = 6 };

/* How a side that follows chooses among the best moves of awari. */
typedef enum { FOLLOWED_WELL, FOLLOWED_IN_TIME, FOLLOWED_BADLY, FOLLOWED_WAYS } follower;

static memory_budget memory;
static claim_job job;
static naive_game *awari, *abapa;
static naive_forced *by_awari, *by_abapa;
static naive_bounds *forced;

static void prepare(void) {
  make_folder();
  memory_budget_open(&memory, 256 << 20);
  job = (claim_job){.seeds = SEEDS, .memory = &memory};
  awari = naive_game_new(NAIVE_AWARI, SEEDS);
  abapa = naive_game_new(NAIVE_ABAPA, SEEDS);
  by_awari = naive_solve_even(awari);
  by_abapa = naive_solve_even(abapa);
  forced = naive_solve_forced(abapa);
}

static int sign(int value) {
  return (value > 0) - (value < 0);
}

/* --- moves, slowly --- */

/* The move of a pit under a rule set: legal or not, and the position after it. */
typedef struct {
  bool legal;
  int captured, child, worth;
} slow_pit;

static void read_pits(const naive_game *game, const naive_forced *scores, int seeds, int rank,
                      slow_pit out[PITS]) {
  naive_move moves[PITS];
  const naive_layer *layer = &game->layers[seeds];
  memset(out, 0, PITS * sizeof *out);
  if (layer->ended[rank]) return;
  const int used = naive_moves(game->rules, &layer->boards[rank], moves);
  for (int m = 0; m < used; m++) {
    const int left = seeds - moves[m].captured;
    const int child = naive_rank(&game->layers[left], &moves[m].child);
    out[moves[m].pit] =
        (slow_pit){true, moves[m].captured, child, moves[m].captured - scores[left].value[0][child]};
  }
}

static int greatest(const slow_pit pits[PITS]) {
  int best = -100;
  for (int p = 0; p < PITS; p++)
    if (pits[p].legal && pits[p].worth > best) best = pits[p].worth;
  return best;
}

/* --- single moves --- */

typedef struct {
  int choices, all, some, none, surely, winner, slams, illegal, most;
  double lost;
} counts;

static void count_slowly(int seeds, int rank, counts *c) {
  slow_pit one[PITS], other[PITS];
  read_pits(awari, by_awari, seeds, rank, one);
  read_pits(abapa, by_abapa, seeds, rank, other);
  const int best_awari = greatest(one), best = greatest(other);
  int legal = 0, followed = 0, good = 0, lost = 0, most = 0;
  bool surely = true, winner = true, slams = true;
  for (int p = 0; p < PITS; p++) {
    legal += other[p].legal;
    if (other[p].legal && other[p].worth == best && one[p].legal) slams = false;
    if (!one[p].legal || one[p].worth != best_awari || !other[p].legal) continue;
    const int left = seeds - other[p].captured;
    const int bound = other[p].captured - naive_lower(&abapa->layers[left], forced, other[p].child);
    followed++;
    good += other[p].worth == best;
    lost += best - other[p].worth;
    if (best - other[p].worth > most) most = best - other[p].worth;
    if (bound >= naive_lower(&abapa->layers[seeds], forced, rank)) surely = false;
    if (sign(other[p].worth) == sign(best)) winner = false;
  }
  if (legal < 2) return;
  c->choices++;
  c->slams += slams;
  c->illegal += followed == 0;
  if (followed == 0) return;
  c->all += good == followed;
  c->some += good > 0 && good < followed;
  c->none += good == 0;
  c->surely += surely;
  c->winner += winner;
  c->lost += (double)lost / followed;
  if (most > c->most) c->most = most;
}

CASE(single_moves_as_the_slow_definition_says) {
  claim_found found;
  int row = 0;
  run_claim("auale-awari-in-abapa", job, VERDICT_HOLDS_FOR, &found);
  for (int seeds = 1; seeds <= SEEDS; seeds++) {
    counts c = {0};
    for (int rank = 0; rank < abapa->layers[seeds].count; rank++)
      if (naive_is_table_board(&abapa->layers[seeds].boards[rank])) count_slowly(seeds, rank, &c);
    if (c.choices == 0) continue;
    const struct {
      const char *column;
      int wanted;
    } figures[] = {{"seeds", seeds},       {"choices", c.choices}, {"all", c.all},       {"some", c.some},
                   {"none", c.none},       {"surely", c.surely},   {"winner", c.winner}, {"slams", c.slams},
                   {"illegal", c.illegal}, {"greatest", c.most}};
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
      check_number(&found, "moves", row, figures[k].column, figures[k].wanted);
    check_mean(&found, "moves", row, "none_share", 100.0 * c.none / c.choices);
    check_mean(&found, "moves", row, "mean_loss", c.lost / c.choices);
    row++;
  }
  ck_assert_uint_eq(found.witnesses_used, 2);
  for (size_t w = 0; w < 2; w++) ck_assert(found.witnesses[w].holds[0]);
}

/* --- whole games --- */

/* Net seeds of who follows, by rank, on boards where they move (0) and where the other side does (1). */
typedef struct {
  int8_t *of[SEEDS + 1][2];
} followed_slowly;

static int awari_depth(const slow_pit *pit, int seeds) {
  return pit->captured ? 0 : by_awari[seeds].depth[0][pit->child];
}

static void choose(int seeds, int rank, follower ties, bool good[PITS]) {
  slow_pit one[PITS], other[PITS];
  read_pits(awari, by_awari, seeds, rank, one);
  read_pits(abapa, by_abapa, seeds, rank, other);
  const int best = greatest(one);
  int used = 0, soonest = 1000, latest = -1;
  for (int p = 0; p < PITS; p++) {
    good[p] = one[p].legal && other[p].legal && one[p].worth == best;
    used += good[p];
    if (!good[p] || best == 0) continue;
    const int depth = awari_depth(&one[p], seeds);
    if (depth < soonest) soonest = depth;
    if (depth > latest) latest = depth;
  }
  for (int p = 0; p < PITS; p++) {
    if (used == 0) good[p] = other[p].legal;
    if (used == 0 || !good[p] || best == 0 || ties != FOLLOWED_IN_TIME) continue;
    good[p] = awari_depth(&one[p], seeds) == (best > 0 ? soonest : latest);
  }
}

/* Returns whether the follower reaches the threshold if play goes on for so many plies and then, or when it
 * stops changing, is worth 0. */
static bool reaches(const followed_slowly *f, int seeds, int rank, int side, int threshold, follower ties,
                    bool *const known[2]) {
  const naive_layer *layer = &abapa->layers[seeds];
  bool good[PITS], any = false, every = true;
  slow_pit pits[PITS];
  if (layer->ended[rank]) {
    const int net = side == 0 ? layer->net[rank] : -layer->net[rank];
    return threshold > 0 ? net >= threshold : net <= threshold;
  }
  choose(seeds, rank, ties, good);
  read_pits(abapa, by_abapa, seeds, rank, pits);
  for (int p = 0; p < PITS; p++) {
    if (!pits[p].legal || (side == 0 && !good[p])) continue;
    const int captured = side == 0 ? pits[p].captured : -pits[p].captured;
    bool in = false;
    if (pits[p].captured) {
      const int net = captured + f->of[seeds - pits[p].captured][!side][pits[p].child];
      in = threshold > 0 ? net >= threshold : net <= threshold;
    } else {
      in = known[!side][pits[p].child];
    }
    any = any || in;
    every = every && in;
  }
  const bool raises = side == 0 && ties == FOLLOWED_WELL;
  return raises == (threshold > 0) ? any : every;
}

static void follow_slowly(followed_slowly *f, int seeds, follower ties) {
  const int count = abapa->layers[seeds].count;
  bool *known[2];
  for (int side = 0; side < 2; side++) {
    f->of[seeds][side] = suite_zeros((size_t)count, 1);
    known[side] = suite_zeros((size_t)count, sizeof(bool));
  }
  for (int threshold = -seeds; threshold <= seeds; threshold++) {
    bool changed = threshold != 0;
    for (int side = 0; side < 2; side++) memset(known[side], 0, (size_t)count * sizeof(bool));
    while (changed) {
      changed = false;
      for (int at = 0; at < 2 * count; at++) {
        const int side = at % 2, rank = at / 2;
        if (known[side][rank] || !reaches(f, seeds, rank, side, threshold, ties, known)) continue;
        known[side][rank] = changed = true;
      }
    }
    for (int at = 0; at < 2 * count; at++) {
      int8_t *value = &f->of[seeds][at % 2][at / 2];
      const bool further = threshold > 0 || *value == 0; /* thresholds rise: the first below 0 is the least */
      if (known[at % 2][at / 2] && further) *value = (int8_t)threshold;
    }
  }
}

/* Boards of a layer that have an index: what is lost in the mean, at most, and how many have another result.
 */
static void check_followed(const claim_found *found, int seeds, const char *const names[3],
                           const followed_slowly *f) {
  const naive_layer *layer = &abapa->layers[seeds];
  int boards = 0, lost = 0, most = 0, results = 0;
  for (int rank = 0; rank < layer->count; rank++) {
    const int best = by_abapa[seeds].value[0][rank], is = f->of[seeds][0][rank];
    if (!naive_is_table_board(&layer->boards[rank])) continue;
    boards++;
    lost += best - is;
    results += sign(best) != sign(is);
    if (best - is > most) most = best - is;
  }
  check_number(found, "followed", seeds - 1, "boards", boards);
  check_mean(found, "followed", seeds - 1, names[0], (double)lost / boards);
  check_number(found, "followed", seeds - 1, names[1], most);
  check_mean(found, "followed", seeds - 1, names[2], 100.0 * results / boards);
}

CASE(followed_tables_as_the_slow_definition_says) {
  static const char *const names[FOLLOWED_WAYS][3] = {{"mean_well", "most_well", "results_well"},
                                                      {"mean_timely", "most_timely", "results_timely"},
                                                      {"mean_badly", "most_badly", "results_badly"}};
  claim_found found;
  run_claim("auale-awari-in-abapa", job, VERDICT_HOLDS_FOR, &found);
  for (int ties = 0; ties < FOLLOWED_WAYS; ties++) {
    followed_slowly slow;
    for (int seeds = 0; seeds <= SEEDS; seeds++) {
      follow_slowly(&slow, seeds, (follower)ties);
      if (seeds > 0) check_followed(&found, seeds, names[ties], &slow);
    }
  }
}

SUITE("auale_followed") {
  FIXTURE_ONCE(prepare, remove_folder);
  TEST(single_moves_as_the_slow_definition_says);
  TEST(followed_tables_as_the_slow_definition_says);
}
