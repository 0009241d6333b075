/* Guarantees of the tables are forced over the board: the side that holds a guarantee follows the tables, the
 * other side plays anything, and every gain comes within the plies promised. */
#include <limits.h>

#include "analysis/probe/tauler.h"
#include "games/registry.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/rules.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

enum { SEEDS = 8, GAMES = 400, MOST_PLIES = 2000 };

static void build(const char *folder, const char *rules_text, const char *cycles) {
  const game *auale = game_find("auale");
  const game_request request = {.largest = "8"};
  suite_build((build_job){.problem = {.game = auale, .rules = suite_rules(auale, rules_text, cycles)},
                          .request = &request,
                          .folder = folder,
                          .depths = true});
}

/* Net seeds of South in the stores of a position's text. */
static int stores_of(const char *position) {
  int field = 0, south = 0, north = 0;
  for (const char *at = position; *at; at++) {
    if (*at == '-') field++;
    if (field == 12 && *at == '-') south = atoi(at + 1);
    if (field == 13 && *at == '-') north = atoi(at + 1);
  }
  return south - north;
}

static const char *random_board(uint64_t *state, char text[128]) {
  int pits[12] = {0}, used = 0;
  const int seeds = 2 + (int)(toy_draw(state) % (SEEDS - 1));
  for (int i = 0; i < seeds; i++) pits[toy_draw(state) % 12]++;
  for (int i = 0; i < 12; i++) used += snprintf(text + used, (size_t)(128 - used), "%d-", pits[i]);
  snprintf(text + used, (size_t)(128 - used), "0-0-S");
  return text;
}

/* Returns the least that the holder still gets, seen from the side to move, and within how many plies. */
static int guarantee(const tauler_answer *answer, bool holder_moves, int *plies) {
  *plies = holder_moves ? answer->worth.depth_lower : answer->worth.depth_upper;
  return holder_moves ? (int)answer->worth.lower : -(int)answer->worth.upper;
}

static bool guarantees_something(const tauler_answer *answer, bool scores, int amount) {
  return scores ? amount > 0 : amount > -atoi(answer->slice);
}

/* The move that keeps the guarantee and makes it good soonest. Moves stand in order of their bounds, so
 * one that might bring more but takes longer can stand before it. */
static size_t soonest(const tauler_answer *answer) {
  size_t best = 0;
  int best_plies = INT_MAX;
  for (size_t i = 0; i < answer->moves_used && answer->moves[i].worth.lower >= answer->worth.lower; i++) {
    const int plies = answer->moves[i].worth.depth_lower;
    if (plies == TAULER_NO_DEPTH || plies >= best_plies) continue;
    best = i;
    best_plies = plies;
  }
  return best;
}

/* South or North holds; returns plies played, 0 where nothing is guaranteed. */
static int play_out(tauler_tables *tables, const char *start, bool south_holds, bool scores,
                    uint64_t *state) {
  char position[128];
  snprintf(position, sizeof position, "%s", start);
  int promised = 0, left = 0, plies = 0;
  const int side = south_holds ? 1 : -1;
  for (bool fresh = true; plies < MOST_PLIES; plies++) {
    tauler_answer *answer = asked(tables, position, TAULER_OK);
    const bool holder_moves = (answer->turn[0] == 'S') == south_holds;
    int within;
    const int coming = guarantee(answer, holder_moves, &within), got = side * stores_of(position);
    if (plies == 0) promised = coming;
    const bool something = guarantees_something(answer, scores, coming);
    ck_assert_msg(got + coming >= promised, "%s: %d promised, %d and %d more at %s", start, promised, got,
                  coming, position);
    /* A mistake of the other side is worth more; the new guarantee has a depth of its own. */
    fresh = fresh || got + coming > promised;
    if (fresh) left = within, promised = got + coming;
    const bool over = answer->ended;
    if (!over && something)
      ck_assert_msg(within >= 0 && within <= left, "%s: %d plies left, depth %d at %s", start, left, within,
                    position);
    if (over || !something) { return plies; }
    const size_t choice = holder_moves ? soonest(answer) : toy_draw(state) % answer->moves_used;
    fresh = answer->moves[choice].converts;
    snprintf(position, sizeof position, "%s", answer->moves[choice].position);
    left--;
    ck_assert_msg(left >= 0, "%s: nothing gained in time at %s", start, position);
  }
  ck_abort_msg("%s: shuffles for ever", start);
  return plies;
}

static void play_games(const char *rules, const char *cycles) {
  char text[128];
  make_folder();
  build(folder, rules, cycles);
  tauler_tables *tables;
  tauler *db = asked_folder();
  MUST(tauler_select(db, "auale", rules, cycles, &tables, NULL));
  uint64_t state = 11;
  int plies = 0;
  for (int i = 0; i < GAMES; i++) {
    random_board(&state, text);
    plies += play_out(tables, text, i % 2 == 0, strcmp(cycles, "even") == 0, &state);
  }
  ck_assert_int_gt(plies, GAMES);
}

CASE(awari_gains_come_in_time) {
  play_games("awari", "even");
}
CASE(awari_with_grand_slams_gains_come_in_time) {
  play_games("awari,grand-slam=captures", "even");
}
CASE(abapa_gains_come_in_time) {
  play_games("abapa", "even");
}
CASE(forced_guarantees_are_made_good_in_time) {
  play_games("abapa", "forced");
}

SUITE("playout") {
  TESTS(awari_gains_come_in_time, awari_with_grand_slams_gains_come_in_time, abapa_gains_come_in_time,
        forced_guarantees_are_made_good_in_time);
}
