/* Dou Shou Qi through the general engine, against published counts: van Rijn & Vis for liacs, the rule book's
 * figures for base. All counts are of ordered materials, White to move, mirror images included. */
#include "games/registry.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "tests/support/rules.h"
#include "tests/support/solver/world.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

enum { VALUES = 3, LOSS = 0, DRAW = 1, WIN = 2 };

static const game *const dsq = &doushouqi_game;

/* All slices of so many pieces, by the general engine. */
typedef struct {
  game_rules *rules;
  solved_slice *cells; /* by number of slice */
  game_slices list;
} solved;

static solved solve_pieces(const char *rules, const char *pieces, int threads, bool predecessors) {
  static game forward;
  const game_request request = {.largest = pieces};
  forward = *dsq;
  forward.retract = NULL;
  solved s = {.rules = suite_rules(dsq, rules, NULL)};
  s.list = suite_slices(dsq, s.rules, &request);
  world w = world_open(predecessors ? dsq : &forward, s.rules, game_slices_largest(&s.list) + 1, threads);
  w.job.problem.engine = &engine_retrograde;
  for (size_t i = 0; i < s.list.used; i++) {
    const uint32_t slice = s.list.slices[i].slice;
    MUST(solve_alone(&w.job, slice, true, &w.list[slice], hear()));
  }
  s.cells = w.list;
  return s;
}

typedef struct {
  uint64_t of[VALUES], stalemated;
  unsigned longest[VALUES];
} counts;

/* Of a part of a slice. */
static void count_part(const solved *w, const solved_slice *slice, const game_part *part, counts *out) {
  for (uint64_t i = part->first; i < part->first + part->count; i++) {
    uint8_t copies;
    dsq->copies(w->rules, slice->slice, i, 1, &copies);
    const int value = slice->cells[0][i] + 1;
    const unsigned depth = slice->depths[0][i];
    if ((depth == SOLVE_NO_DEPTH) != (value == DRAW)) ck_abort_msg("a draw has depth %u", depth);
    out->of[value] += copies;
    if (value == LOSS && depth == 0) out->stalemated += copies;
    if (value != DRAW && depth > out->longest[value]) out->longest[value] = depth;
  }
}

/* Of the material called `name`, or of all that were asked for. Materials shard cells: each counts. */
static counts count(const solved *w, const char *name) {
  counts all = {0};
  for (size_t s = 0; s < w->list.used; s++) {
    if (!w->list.slices[s].asked) continue;
    game_part part;
    for (size_t i = 0; dsq->part(w->rules, w->list.slices[s].slice, i, &part); i++) {
      if (!name || strcmp(name, part.name) == 0)
        count_part(w, &w->cells[w->list.slices[s].slice], &part, &all);
    }
  }
  return all;
}

typedef struct {
  const char *material; /* NULL: all */
  uint64_t wins, draws, losses;
} row;

static const row base_rows[] = {{NULL, 82525, 13568, 63975}, {"Rr", 1712, 742, 1206}, {"Lr", 2181, 215, 544},
                                {"Er", 1043, 101, 1796},     {"Ce", 779, 97, 1476},   {NULL, 0, 0, 0}};

static const row liacs_rows[] = {
    {NULL, 82852, 12715, 64501}, {"Rr", 2055, 0, 1605},  {"Rc", 915, 698, 1327}, {"Rw", 915, 698, 1327},
    {"Rd", 915, 698, 1327},      {"Rp", 915, 698, 1327}, {"Cr", 1700, 640, 600}, {"Wr", 1700, 640, 600},
    {"Dr", 1700, 640, 600},      {"Pr", 1700, 640, 600}, {"Rt", 849, 203, 1888}, {"Rl", 849, 203, 1888},
    {"Tr", 2229, 177, 534},      {"Lr", 2229, 177, 534}, {"Re", 1565, 407, 968}, {"Er", 1352, 365, 1223},
    {"Pl", 749, 71, 1532},       {"Lp", 1774, 74, 504},  {"Pe", 779, 97, 1476},  {"Ep", 1716, 98, 538},
    {"Tl", 905, 155, 1292},      {"Lt", 1676, 134, 542}, {"Ll", 1403, 0, 949},   {"Le", 993, 584, 775},
    {"El", 1086, 632, 634},      {"Ee", 1317, 0, 1035},  {NULL, 0, 0, 0}};

static void check_rows(const solved *w, const row *rows) {
  do {
    const counts found = count(w, rows->material);
    const char *name = rows->material ? rows->material : "all";
    ck_assert_msg(found.of[WIN] == rows->wins && found.of[DRAW] == rows->draws &&
                      found.of[LOSS] == rows->losses,
                  "%s: %llu wins, %llu draws, %llu losses", name, (unsigned long long)found.of[WIN],
                  (unsigned long long)found.of[DRAW], (unsigned long long)found.of[LOSS]);
    rows++;
  } while (rows->material);
}

CASE(two_pieces_are_as_published) {
  const bool liacs = _i / 2;
  const solved w = solve_pieces(liacs ? "liacs" : "base", "2", 1 + _i % 2, _i % 2 == 0);
  check_rows(&w, liacs ? liacs_rows : base_rows);
  if (liacs) {
    const counts all = count(&w, NULL);
    ck_assert_uint_eq(all.longest[LOSS] > all.longest[WIN] ? all.longest[LOSS] : all.longest[WIN], 34);
    ck_assert_uint_eq(all.stalemated, 0);
  }
}

static const struct {
  const char *text;
  int value;
  unsigned depth;
} positions[] = {{"7/7/3e3/7/7/7/3E3/7/7 w", -1, 12},
                 {"t6/7/T6/7/7/7/7/7/7 w", 1, 19},
                 {"d6/7/7/7/7/7/5C1/7/7 w", 0, SOLVE_NO_DEPTH},
                 {"7/7/3e3/7/6L/7/7/7/7 w", -1, 16},
                 /* upside down, for Black */
                 {"7/7/3e3/7/7/7/3E3/7/7 b", -1, 12},
                 {"7/7/7/7/7/7/t6/7/T6 b", 1, 19}};
enum { POSITIONS = sizeof positions / sizeof *positions };

CASE(positions_are_as_published) {
  const solved w = solve_pieces("liacs", "2", 1, true);
  for (int i = 0; i < POSITIONS; i++) {
    game_position position;
    game_place place;
    MUST(dsq->parse(w.rules, positions[i].text, &position, NULL));
    ck_assert(dsq->locate(w.rules, &position, &place));
    const solved_slice *slice = &w.cells[place.slice];
    ck_assert_int_eq(slice->cells[0][place.index], positions[i].value);
    ck_assert_uint_eq(slice->depths[0][place.index], positions[i].depth);
  }
}

/* Van Rijn and Vis leave stalemated positions out. */
CASE(three_pieces_are_as_published) {
  const solved w = solve_pieces("liacs", "3", 2, true);
  const counts all = count(&w, NULL);
  ck_assert_uint_eq(all.of[WIN], 30297857);
  ck_assert_uint_eq(all.of[DRAW], 687007);
  ck_assert_uint_eq(all.stalemated, 1212);
  ck_assert_uint_eq(all.of[LOSS], 23369820 + 1212);
  ck_assert_uint_eq(all.longest[WIN] > all.longest[LOSS] ? all.longest[WIN] : all.longest[LOSS], 67);
}

SUITE("dou shou qi, solved") {
  LOOP(two_pieces_are_as_published, 4);
  TEST(positions_are_as_published);
  if (suite_is_long()) TEST(three_pieces_are_as_published);
}
