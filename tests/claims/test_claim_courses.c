/* Courses of games of la oca asesina under best play: every propagated figure against the slow definition of
 * the rules, propagated position by position with passes and all. */
/* Tier: make check */
#include <math.h>

#include "analysis/claims/goose/asesina_course.h"
#include "tests/naive/naive_asesina_match.h"
#include "tests/naive/naive_asesina_solve.h"
#include "tests/support/analysis/claim_figures.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"
#include "tests/support/toy/toy_asesina_slow.h"

enum { BOARDS = 2 };
static const char *const boards[BOARDS] = {"base," TOY_ASE_BOARD_6, "base," TOY_ASE_BOARD_7};
enum { SEATS = 2, TOKENS = 2, MOST_ROLLS = 64 };
static const double close_enough = 1e-8;

/* --- the slow course --- */

typedef struct {
  const naive_ase_game *game;
  const naive_ase_world *world;
  asesina_course *out;
  double *now, *next, *turns, *rolling, *rolled; /* [positions] */
  bool turn_by_turn;                             /* play stops where a turn ends */
} slow;

static int home_of(const naive_ase_game *game, const naive_ase_position *position, int seat) {
  int home = position->forced && position->seat == seat ? -1 : 0;
  for (int token = 0; token < TOKENS; token++) home += position->square[seat][token] == game->board.home;
  return home;
}

static int off_start(const naive_ase_position *position, int seat) {
  int off = 0;
  for (int token = 0; token < TOKENS; token++) off += position->square[seat][token] > 0;
  return off;
}

static void count(course_ratio *r, double top, double bottom) {
  r->top += top;
  r->bottom += bottom;
}

static void arrive(slow *s, int number, double flow) {
  const naive_ase_position position = naive_ase_position_of(s->world, number);
  const int homes[SEATS] = {home_of(s->game, &position, 0), home_of(s->game, &position, 1)};
  const int leader = homes[1] > homes[0], pair = course_pair(homes[leader], homes[!leader]);
  const double first = (double)naive_ase_score(s->world, number, 0);
  if (homes[leader] == TOKENS) return;
  s->out->of[COURSE_REACHED + pair].top += flow;
  if (homes[0] != homes[1])
    count(&s->out->of[COURSE_BEHIND + pair], flow * (leader ? first : 1 - first), flow);
  if (homes[0] == TOKENS - 1 && homes[1] == TOKENS - 1)
    count(&s->out->of[COURSE_EVEN], flow * fmin(first, 1 - first), flow);
}

static void finish(slow *s, const naive_ase_event *event, double flow) {
  const int loser = event->winners == 1 ? 1 : 0;
  int left = 0;
  for (int token = 0; token < TOKENS && event->winners != 3; token++)
    left += event->after.square[loser][token] != s->game->board.home;
  s->out->of[COURSE_LEFT + left].top += flow;
}

static void add_event(slow *s, const naive_ase_position *from, const naive_ase_event *event, double flow,
                      bool rolled) {
  const int phase = home_of(s->game, from, 0) + home_of(s->game, from, 1);
  const bool finished = home_of(s->game, from, 0) == TOKENS || home_of(s->game, from, 1) == TOKENS;
  const int number = event->winners ? -1 : naive_ase_number_of(s->world, &event->after);
  const bool goes_on = number >= 0 && rolled && event->after.seat == from->seat;
  if (s->turn_by_turn) {
    if (goes_on) s->next[number] += flow;
    return;
  }
  if (rolled && !finished)
    count(&s->out->of[COURSE_CAPTURES + phase],
          flow * (off_start(from, !from->seat) - off_start(&event->after, !from->seat)), flow);
  if (event->winners) {
    finish(s, event, flow);
    return;
  }
  s->next[number] += flow;
  if (!goes_on) s->turns[number] += flow;
  for (int seat = 0; seat < SEATS; seat++)
    if (home_of(s->game, &event->after, seat) != home_of(s->game, from, seat)) {
      arrive(s, number, flow);
      break;
    }
}

static double worth_of(const slow *s, const naive_ase_event *event, int seat) {
  if (event->winners == 3) return 0.5;
  if (event->winners) return event->winners == 1 << seat;
  return (double)naive_ase_score(s->world, naive_ase_number_of(s->world, &event->after), seat);
}

static void roll_slowly(slow *s, const naive_ase_position *from, int roll, double flow) {
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  const int used = naive_ase_choices(s->game, from, roll, events);
  double most = 0;
  int best = 0;
  for (int i = 0; i < used; i++) most = fmax(most, worth_of(s, &events[i], from->seat));
  while (worth_of(s, &events[best], from->seat) < most - 1e-9) best++;
  add_event(s, from, &events[best], flow, true);
}

static void step(slow *s, int number) {
  const naive_ase_position position = naive_ase_position_of(s->world, number);
  const double flow = s->now[number];
  if (naive_ase_must_pass(&position)) {
    const naive_ase_event event = naive_ase_pass(s->game, &position);
    add_event(s, &position, &event, flow, false);
    return;
  }
  const double first = (double)naive_ase_score(s->world, number, 0);
  if (!s->turn_by_turn) count(&s->out->of[COURSE_OPEN], 2 * fmin(first, 1 - first) * flow, flow);
  for (int roll = 1; roll <= 6; roll++) roll_slowly(s, &position, roll, flow / 6);
}

/* One roll or pass of all games. */
static double step_all(slow *s) {
  const int positions = naive_ase_positions(s->world);
  double left = 0;
  memset(s->next, 0, (size_t)positions * sizeof *s->next);
  for (int number = 0; number < positions; number++)
    if (s->now[number] > 0) step(s, number);
  for (int number = 0; number < positions; number++) left += s->next[number];
  double *const swap = s->now;
  s->now = s->next;
  s->next = swap;
  return left;
}

static void follow_turns(slow *s, int home) {
  const int positions = naive_ase_positions(s->world);
  double all = 0, going = 0;
  for (int number = 0; number < positions; number++) {
    const naive_ase_position position = naive_ase_position_of(s->world, number);
    const bool here = !naive_ase_must_pass(&position) && home_of(s->game, &position, position.seat) == home;
    s->now[number] = here ? s->turns[number] : 0;
    all += s->now[number];
  }
  count(&s->out->of[COURSE_ROLLS + home], all, all);
  for (int rolls = 2; rolls < MOST_ROLLS; rolls++) {
    going = step_all(s);
    s->out->of[COURSE_ROLLS + home].top += going;
    if (rolls <= COURSE_LONGEST) count(&s->out->of[course_long(home, rolls)], going, all);
  }
  ck_assert_double_lt(going, 1e-12);
}

static void follow_slowly(slow *s) {
  const size_t positions = (size_t)naive_ase_positions(s->world);
  s->now = suite_zeros(positions, sizeof *s->now);
  s->next = suite_zeros(positions, sizeof *s->next);
  s->turns = suite_zeros(positions, sizeof *s->turns);
  s->now[0] = s->turns[0] = 1;
  arrive(s, 0, 1);
  while (step_all(s) > 1e-13) continue;
  s->turn_by_turn = true;
  for (int home = 0; home < TOKENS; home++) follow_turns(s, home);
}

/* --- against the claims' --- */

typedef struct {
  memory_budget *memory;
  claim_job job;
  claim_error out;
  claim_tables t;
  asesina_table at;
} followed;

static void open_board(followed *f, int board) {
  f->memory = suite_budget(256 << 20);
  f->job = (claim_job){.folder = folder, .threads = 2, .memory = f->memory};
  f->out = (claim_error){.error = TAULER_OK};
  ck_assert(claim_tables_open(&f->t, &f->job, &f->out, "oca-asesina", boards[board], NULL));
  build_for_claim(&f->t, TOKENS, 1e-11);
  ck_assert(asesina_table_open(&f->at, &f->t, TOKENS));
}

static void close_board(followed *f) {
  asesina_table_close(&f->at);
  claim_tables_close(&f->t);
  ck_assert_int_eq(f->out.error, TAULER_OK);
}

static void compare_courses(const asesina_course *is, const asesina_course *wanted) {
  int compared = 0;
  for (int i = 0; i < COURSE_RATIOS; i++) {
    const double off = course_mean(&is->of[i]) - course_mean(&wanted->of[i]);
    ck_assert_msg(fabs(off) < close_enough, "ratio %d: %.12f, not %.12f", i, course_mean(&is->of[i]),
                  course_mean(&wanted->of[i]));
    compared += wanted->of[i].top > 0;
  }
  ck_assert_int_gt(compared, 10);
}

static void check_board(int board) {
  followed f;
  asesina_course is, wanted = {.tokens = TOKENS};
  open_board(&f, board);
  const naive_ase_game game = toy_ase_slow_game(f.t.rules, SEATS, TOKENS);
  naive_ase_world *world = naive_ase_solve(&game, 0.5);
  slow s = {.game = &game, .world = world, .out = &wanted};
  follow_slowly(&s);
  for (int i = COURSE_REACHED; i < COURSE_BEHIND; i++) wanted.of[i].bottom = 1;
  for (int i = COURSE_LEFT; i < COURSE_EVEN; i++) wanted.of[i].bottom = 1;
  asesina_course_exact(&f.at, TOKENS, &is);
  compare_courses(&is, &wanted);
  close_board(&f);
}

CASE(propagated_as_the_slow_definition_says) {
  for (int board = 0; board < BOARDS; board++) check_board(board);
}

/* The same games whatever the threads; and near what is exact. */
CASE(played_out_near_what_is_exact) {
  enum { GAMES = 4000 };
  followed f;
  asesina_course exact, played, again;
  open_board(&f, 0);
  asesina_course_exact(&f.at, TOKENS, &exact);
  asesina_course_of_best(&f.at, TOKENS, GAMES, &played);
  f.job.threads = 1;
  asesina_course_of_best(&f.at, TOKENS, GAMES, &again);
  ck_assert_mem_eq(&played, &again, sizeof played);
  ck_assert_uint_eq(played.games, GAMES);
  for (int i = 0; i < COURSE_RATIOS; i++) {
    const double off = course_mean(&played.of[i]) - course_mean(&exact.of[i]);
    if (i == COURSE_OPEN) continue;
    ck_assert_msg(fabs(off) <= 5 * course_standard_error(&played.of[i]) + 20.0 / GAMES,
                  "ratio %d: %g, not %g", i, course_mean(&played.of[i]), course_mean(&exact.of[i]));
  }
  close_board(&f);
}

SUITE("claim_courses") {
  TIMEOUT(1800);
  FIXTURE(make_folder, remove_folder);
  TEST(propagated_as_the_slow_definition_says);
  TEST(played_out_near_what_is_exact);
}
