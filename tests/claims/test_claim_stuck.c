/* Positions of la oca asesina in which nobody moves, or play need not end: how many of each kind, against the
 * slow definition of the rules. */
/* Tier: make check */

#include "analysis/claims/goose/asesina_stuck.h"
#include "tests/naive/naive_asesina_match.h"
#include "tests/naive/naive_asesina_solve.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"
#include "tests/support/toy/toy_asesina_slow.h"

enum { SEATS = 2, ROLLS = 6, MOST_STORED = 20000 };

/* The second one's labyrinth leads to the square just behind it, so that nobody may move ever after. */
enum { BOARDS = 3, STILL = 1 };
static const char *const boards[BOARDS] = {
    "base," TOY_ASE_BOARD_6,
    "base,board=length-7_geese-7_bridges-none_dice-none_inn-2-1_prison-3-2_well-none_labyrinth-5-to-4_"
    "death-6-to-0",
    "base," TOY_ASE_BOARD_7};

static naive_ase_game slow_game(const game_rules *rules, int board, int tokens) {
  naive_ase_game game = toy_ase_slow_game(rules, SEATS, tokens);
  if (board == STILL) {
    game.board.prison = 3;
    game.board.out_of_labyrinth = 4;
  }
  return game;
}

/* --- the slow definition --- */

/* Of each position of a world, whether it is of a kind. */
typedef struct {
  const naive_ase_game *game;
  const naive_ase_world *world;
  bool *is[STUCK_KINDS];
} slow;

/* All that can come of a position, under a roll or by a turn that is lost. */
static int list_events(const slow *s, const naive_ase_position *at, int roll,
                       naive_ase_event events[NAIVE_ASE_MOST_TOKENS]) {
  if (!naive_ase_must_pass(at)) return naive_ase_choices(s->game, at, roll, events);
  events[0] = naive_ase_pass(s->game, at);
  return 1;
}

static bool leads_to(const slow *s, const naive_ase_event *event, stuck_kind kind) {
  return !event->winners && s->is[kind][naive_ase_number_of(s->world, &event->after)];
}

/* Whether a position still is of a kind that is about what comes after it. */
static bool remains(const slow *s, int number, stuck_kind kind) {
  const naive_ase_position at = naive_ase_position_of(s->world, number);
  for (int roll = 1; roll <= ROLLS; roll++) {
    naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
    const int used = list_events(s, &at, roll, events);
    int staying = 0;
    for (int i = 0; i < used; i++) {
      staying += leads_to(s, &events[i], kind);
      if (kind == STUCK_NOBODY && !naive_ase_must_pass(&at) && events[i].token >= 0) return false;
    }
    const bool chooses = kind == STUCK_BOTH || (kind == STUCK_SEAT_1 && at.seat == 0) ||
                         (kind == STUCK_SEAT_2 && at.seat == 1);
    if (staying < (chooses ? 1 : used)) return false;
  }
  return true;
}

/* Takes away what does not remain, until all does. */
static void narrow(const slow *s, stuck_kind kind) {
  const int positions = naive_ase_positions(s->world);
  bool changed = true;
  memset(s->is[kind], 1, (size_t)positions * sizeof(bool));
  while (changed) {
    changed = false;
    for (int number = 0; number < positions; number++) {
      if (!s->is[kind][number] || remains(s, number, kind)) continue;
      s->is[kind][number] = false;
      changed = true;
    }
  }
}

static bool stays_home(const naive_ase_position *at, const naive_ase_event *event) {
  return at->forced && (event->winners || !event->after.forced) &&
         memcmp(at->square[at->seat], event->after.square[at->seat], sizeof at->square[0]) == 0;
}

static stuck_kind where(const slow *s, const naive_ase_position *at) {
  int waiting = 0, others = 0;
  for (int token = 0; token < s->game->tokens; token++) {
    const int square = at->square[at->seat][token];
    if (square == s->game->board.labyrinth) waiting++;
    if (square != s->game->board.labyrinth && square != s->game->board.home) others++;
  }
  return others == 0 ? STUCK_LABYRINTH : waiting == 0 ? STUCK_BARRIER : STUCK_MIXED;
}

static void look_at_rolls(const slow *s, int number) {
  const naive_ase_position at = naive_ase_position_of(s->world, number);
  int passes = 0;
  for (int roll = 1; roll <= ROLLS; roll++) {
    naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
    naive_ase_choices(s->game, &at, roll, events);
    const bool stays = stays_home(&at, &events[0]);
    passes += events[0].token < 0 && !at.forced;
    s->is[STUCK_FORCED][number] = s->is[STUCK_FORCED][number] || stays;
  }
  s->is[STUCK_ROLL][number] = passes > 0;
  if (passes == ROLLS) s->is[where(s, &at)][number] = true;
}

static stuck_count count_slowly(const naive_ase_game *game, const naive_ase_world *world) {
  static const stuck_kind lasting[] = {STUCK_NOBODY, STUCK_NO_END, STUCK_BOTH, STUCK_SEAT_1, STUCK_SEAT_2};
  const int positions = naive_ase_positions(world);
  slow s = {.game = game, .world = world};
  stuck_count out = {.positions = 0};
  for (int kind = 0; kind < STUCK_KINDS; kind++) s.is[kind] = suite_zeros((size_t)positions, sizeof(bool));
  for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++) narrow(&s, lasting[i]);
  for (int number = 0; number < positions; number++) {
    const naive_ase_position at = naive_ase_position_of(world, number);
    if (naive_ase_must_pass(&at)) continue;
    look_at_rolls(&s, number);
    out.positions++;
    for (int kind = 0; kind < STUCK_KINDS; kind++) out.of[kind] += s.is[kind][number];
  }
  return out;
}

/* --- against the claim's --- */

static void compare_stuck(const stuck_count *is, const stuck_count *wanted) {
  ck_assert_uint_eq(is->positions, wanted->positions);
  for (int kind = 0; kind < STUCK_KINDS; kind++)
    ck_assert_msg(is->of[kind] == wanted->of[kind], "kind %d: %lu, not %lu", kind,
                  (unsigned long)is->of[kind], (unsigned long)wanted->of[kind]);
}

/* All positions that are stored, as texts. */
static int read_stored(const asesina_stuck *s, const naive_ase_game *game, naive_ase_position *out) {
  int used = 0;
  for (uint64_t number = 0; number < asesina_positions(&s->at); number++) {
    if (!s->marks[number]) continue;
    const game_position position = claim_position_at(s->t, asesina_place(&s->at, number));
    ck_assert_int_lt(used, MOST_STORED);
    ck_assert(naive_ase_read(game, claim_print(s->t, &position).text, &out[used++]));
  }
  return used;
}

static void check_board(int board, int tokens) {
  memory_budget *memory = suite_budget(256 << 20);
  const claim_job job = {.folder = folder, .threads = 2, .memory = memory};
  claim_error out = {.error = TAULER_OK};
  claim_tables t;
  asesina_stuck s;
  ck_assert_msg(claim_tables_open(&t, &job, &out, "oca-asesina", boards[board], NULL), "%s",
                out.message.text);
  const naive_ase_game game = slow_game(t.rules, board, tokens);
  ck_assert(asesina_stuck_open(&s, &t, tokens));
  naive_ase_position *all = suite_zeros(MOST_STORED, sizeof *all);
  naive_ase_world *played = naive_ase_solve(&game, 0.5);
  naive_ase_world *stored = naive_ase_solve_with(&game, all, read_stored(&s, &game, all), 0.5);
  const stuck_count wanted_played = count_slowly(&game, played), wanted = count_slowly(&game, stored);
  compare_stuck(&s.played, &wanted_played);
  compare_stuck(&s.stored, &wanted);
  ck_assert_int_eq(s.stored.of[STUCK_NOBODY] > 0, board == STILL && tokens > 1);
  asesina_stuck_close(&s);
  claim_tables_close(&t);
  ck_assert_int_eq(out.error, TAULER_OK);
}

CASE(each_kind_as_the_slow_definition_says) {
  for (int board = 0; board < BOARDS; board++)
    for (int tokens = 1; tokens <= 2; tokens++) check_board(board, tokens);
}

SUITE("claim_stuck") {
  FIXTURE(make_folder, remove_folder);
  TEST(each_kind_as_the_slow_definition_says);
}
