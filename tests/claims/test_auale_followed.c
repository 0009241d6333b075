/* Awari's best moves in abapa: single moves and whole games against the slow definition; and who follows
 * awari's tables and depths in awari itself loses nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/auale/compare.h"
#include "analysis/claims/auale/followed.h"
#include "analysis/claims/claim.h"
#include "tests/naive/naive_solve.h"
#include "tests/support/suite.h"

enum { SEEDS = 5, LONGER = 7, PITS = 6 };

static memory_budget memory;
static claim_job job;
static naive_game *awari, *abapa;
static naive_scores *by_awari, *by_abapa;
static naive_bounds *forced;

static void prepare(void) {
  make_folder();
  memory_budget_open(&memory, 256 << 20);
  job = (claim_job){.folder = folder, .seeds = SEEDS, .level = 3, .threads = 1, .memory = &memory};
  awari = naive_game_new(NAIVE_AWARI, SEEDS);
  abapa = naive_game_new(NAIVE_ABAPA, SEEDS);
  by_awari = naive_solve_even(awari);
  by_abapa = naive_solve_even(abapa);
  forced = naive_solve_forced(abapa);
}

static void tidy(void) {
  remove_folder();
  naive_bounds_free(abapa, forced);
  naive_scores_free(abapa, by_abapa);
  naive_scores_free(awari, by_awari);
  naive_game_free(abapa);
  naive_game_free(awari);
}

/* --- moves, slowly --- */

/* The move of a pit under a rule set: legal or not, and the position after it. */
typedef struct {
  bool legal;
  int captured, child, worth;
} slow_pit;

static void read_pits(const naive_game *game, const naive_scores *scores, int seeds, int rank,
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
        (slow_pit){true, moves[m].captured, child, moves[m].captured - scores[left].value[child]};
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
    if (auale_sign(other[p].worth) == auale_sign(best)) winner = false;
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

static void run_claim(report *out) {
  tauler_message message = {""};
  *out = (report){.rules = NULL};
  const tauler_error error = claim_run(claim_find("auale-awari-in-abapa"), &job, out, &message);
  ck_assert_msg(error == TAULER_OK, "%s", message.text);
  ck_assert_msg(out->verdict == VERDICT_HOLDS_FOR, "%s", out->reason);
  ck_assert_uint_eq(memory_taken(&memory), 0);
}

/* The figures of a row that begins with that number of seeds. */
static const report_figure *row_of(const report *r, const char *key, int seeds) {
  for (size_t t = 0; t < r->tables_used; t++) {
    const report_table *in = &r->tables[t];
    for (size_t i = 0; strcmp(in->key, key) == 0 && i < in->figures_used; i += in->columns_used)
      if (in->figures[i].number == seeds) return &in->figures[i];
  }
  return NULL;
}

static bool is_near(double one, double other) {
  return one - other < 1e-9 && other - one < 1e-9;
}

START_TEST(single_moves_as_the_slow_definition_says) {
  report found;
  run_claim(&found);
  for (int seeds = 1; seeds <= SEEDS; seeds++) {
    counts c = {0};
    for (int rank = 0; rank < abapa->layers[seeds].count; rank++)
      if (naive_is_table_board(&abapa->layers[seeds].boards[rank])) count_slowly(seeds, rank, &c);
    const report_figure *row = row_of(&found, "moves", seeds);
    ck_assert_int_eq(row != NULL, c.choices > 0);
    if (!row) continue;
    const int wanted[] = {seeds, c.choices, c.all,    c.some,  c.none,
                          -1,    c.surely,  c.winner, c.slams, c.illegal};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
      if (wanted[k] >= 0) ck_assert_msg(row[k].number == wanted[k], "%d seeds, column %zu", seeds, k);
    ck_assert(is_near(row[5].lower, 100.0 * c.none / c.choices));
    ck_assert(is_near(row[10].lower, c.lost / c.choices));
    ck_assert_int_eq(row[11].number, c.most);
  }
  ck_assert_uint_eq(found.witnesses_used, 2);
  for (size_t w = 0; w < 2; w++) {
    ck_assert_uint_eq(found.witnesses[w].steps_used, 1);
    ck_assert(found.witnesses[w].rechecks[0].done && found.witnesses[w].rechecks[0].holds);
  }
  report_free(&found);
}
END_TEST

/* --- whole games --- */

/* Net seeds of who follows, by rank, on boards where they move (0) and where the other side does (1). */
typedef struct {
  int8_t *of[SEEDS + 1][2];
} followed_slowly;

static int awari_depth(const slow_pit *pit, int seeds) {
  return pit->captured ? 0 : by_awari[seeds].depth[pit->child];
}

static void choose(int seeds, int rank, auale_ties ties, bool good[PITS]) {
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
static bool reaches(const followed_slowly *f, int seeds, int rank, int side, int threshold, auale_ties ties,
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

static void follow_slowly(followed_slowly *f, int seeds, auale_ties ties) {
  const int count = abapa->layers[seeds].count;
  bool *known[2];
  for (int side = 0; side < 2; side++) {
    f->of[seeds][side] = calloc((size_t)count, 1);
    known[side] = calloc((size_t)count, sizeof(bool));
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
  for (int side = 0; side < 2; side++) free(known[side]);
}

static report kept;

static void open_sets(claim_tables sets[PAIR_RULES], const char *second, int seeds) {
  kept = (report){.rules = NULL};
  for (int i = 0; i < PAIR_RULES; i++) {
    ck_assert(claim_tables_open(&sets[i], &job, &kept, "auale", i ? second : "awari", "even"));
    sets[i].values_only = true;
    ck_assert_msg(claim_tables_load(&sets[i], seeds), "%s", kept.message.text);
  }
}

static void close_sets(claim_tables sets[PAIR_RULES]) {
  for (int i = 0; i < PAIR_RULES; i++) claim_tables_close(&sets[i]);
  report_free(&kept);
}

static void compare_followed(const claim_tables *set, const auale_followed *fast, const followed_slowly *slow,
                             int seeds) {
  for (uint64_t i = 0; i < set->layers[seeds].boards; i++) {
    game_position position;
    char text[GAME_TEXT_BYTES];
    naive_board board;
    int pits[12];
    set->game->position_at(set->rules, (game_place){(uint32_t)seeds, i}, &position);
    set->game->print(set->rules, &position, text);
    const char *at = text;
    for (int p = 0; p < 12; p++, at++) {
      char *end;
      pits[p] = (int)strtol(at, &end, 10);
      board.pit[p] = (unsigned char)pits[p];
      at = end;
    }
    const int rank = naive_rank(&abapa->layers[seeds], &board);
    if (fast->moves[seeds][i] != slow->of[seeds][0][rank] ||
        fast->waits[seeds][i] != slow->of[seeds][1][rank])
      ck_abort_msg("%s: %d and %d, not %d and %d", text, fast->moves[seeds][i], fast->waits[seeds][i],
                   slow->of[seeds][0][rank], slow->of[seeds][1][rank]);
  }
}

START_TEST(followed_tables_as_the_slow_definition_says) {
  enum { FEW = 4 };
  claim_tables sets[PAIR_RULES];
  auale_depths depths;
  open_sets(sets, "abapa", FEW);
  auale_depths_read(&sets[PAIR_AWARI], FEW, &depths);
  ck_assert_msg(!kept.error, "%s", kept.message.text);
  for (int ties = 0; ties < FOLLOWED_WAYS; ties++) {
    auale_followed fast;
    followed_slowly slow;
    ck_assert_int_eq(auale_followed_solve(sets, &depths, FEW, (auale_ties)ties, &fast, NULL), TAULER_OK);
    for (int seeds = 0; seeds <= FEW; seeds++) {
      follow_slowly(&slow, seeds, (auale_ties)ties);
      compare_followed(&sets[PAIR_ABAPA], &fast, &slow, seeds);
    }
    for (int seeds = 0; seeds <= FEW; seeds++)
      for (int side = 0; side < 2; side++) free(slow.of[seeds][side]);
    auale_followed_free(&fast);
  }
  auale_depths_free(&depths);
  close_sets(sets);
}
END_TEST

START_TEST(in_awari_who_follows_awari_loses_nothing) {
  claim_tables sets[PAIR_RULES];
  auale_depths depths;
  open_sets(sets, "awari", LONGER);
  auale_depths_read(&sets[PAIR_AWARI], LONGER, &depths);
  ck_assert_msg(!kept.error, "%s", kept.message.text);
  for (int ties = 0; ties < FOLLOWED_WAYS; ties++) {
    auale_followed followed;
    uint64_t less = 0;
    ck_assert_int_eq(auale_followed_solve(sets, &depths, LONGER, (auale_ties)ties, &followed, NULL),
                     TAULER_OK);
    for (int n = 0; n <= LONGER; n++) {
      const claim_layer *layer = &sets[PAIR_AWARI].layers[n];
      for (uint64_t i = 0; i < layer->boards; i++) {
        less += followed.moves[n][i] < layer->lower[i];
        if (followed.moves[n][i] > layer->lower[i]) ck_abort_msg("%d seeds, board %d: a gain", n, (int)i);
      }
    }
    ck_assert_int_eq(less > 0, ties == FOLLOWED_BADLY); /* who puts a gain off may never make it */
    auale_followed_free(&followed);
  }
  auale_depths_free(&depths);
  close_sets(sets);
}
END_TEST

SUITE("auale_followed") {
  FIXTURE_ONCE(prepare, tidy);
  TEST(single_moves_as_the_slow_definition_says);
  TEST(followed_tables_as_the_slow_definition_says);
  TEST(in_awari_who_follows_awari_loses_nothing);
}
