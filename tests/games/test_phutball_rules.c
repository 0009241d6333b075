/* The rules of Phutball: the source's jumps and published counts, each rule and flag at work by hand, and
 * what mirrors, turning the board and flags must not change. */
#include "tests/support/oracle.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_phutball.h"

static game_rules *all_rules[TOY_PHB_RULE_SETS];

static void open_all(void) {
  for (int i = 0; i < TOY_PHB_RULE_SETS; i++) all_rules[i] = toy_phb_open(toy_phb_rule_sets[i]);
}

/* --- published counts ---------------------------------------------------------------------------------- */

/* Leaves of all lines of so many turns, those of the last ply that score, and live positions, each once. */
typedef struct {
  uint64_t turns, goals, positions;
} line_counts;

typedef struct {
  const game_rules *rules;
  int plies; /* left */
  line_counts counts;
  phb_position *live;
  size_t used, room;
} counter;

static void count_lines(counter *c, const phb_position *position);

static tauler_error count_turn(void *user, const phb_turn *turn) {
  counter *c = user;
  c->plies--;
  if (turn->result == PHB_LIVE) {
    count_lines(c, &turn->after);
  } else if (c->plies == 0) {
    c->counts.turns++;
    c->counts.goals++;
  }
  c->plies++;
  return TAULER_OK;
}

static void count_lines(counter *c, const phb_position *position) {
  if (c->plies > 0) {
    MUST(phb_each_turn(c->rules, position, count_turn, c));
    return;
  }
  c->counts.turns++;
  if (c->used == c->room) {
    c->room = 2 * c->room + 64;
    c->live = realloc(c->live, c->room * sizeof *c->live);
    ck_assert_ptr_nonnull(c->live);
  }
  c->live[c->used++] = *position;
}

static int by_bytes(const void *one, const void *other) {
  return memcmp(one, other, sizeof(phb_position));
}

static line_counts lines_of(const game_rules *rules, const phb_position *position, int plies) {
  counter c = {.rules = rules, .plies = plies};
  count_lines(&c, position);
  if (c.used) qsort(c.live, c.used, sizeof *c.live, by_bytes);
  for (size_t i = 0; i < c.used; i++) c.counts.positions += i == 0 || by_bytes(&c.live[i - 1], &c.live[i]);
  free(c.live);
  return c.counts;
}

static const struct {
  int rows, columns, plies;
  line_counts counts[3];
} trees[] = {{3, 3, 3, {{8, 0, 8}, {58, 2, 28}, {364, 28, 56}}},
             {5, 3, 3, {{14, 0, 14}, {184, 2, 91}, {2236, 52, 364}}},
             {5, 5, 3, {{24, 0, 24}, {560, 6, 278}, {12596, 300, 2074}}},
             {19, 15, 2, {{284, 0, 284}, {80380, 0, 40194}}}};

static uint64_t count_leaves(const game_rules *rules, const phb_position *position, int plies, bool made) {
  game_position game;
  phb_to_game(position, &game);
  return phb_leaves(rules, &game, plies, made);
}

CASE(lines_are_as_many_as_published) {
  const int rows = trees[_i].rows, columns = trees[_i].columns;
  phb_position start = {.rows = (uint8_t)rows, .columns = (uint8_t)columns};
  start.ball = (uint16_t)(rows * columns / 2);
  for (int ply = 1; ply <= trees[_i].plies; ply++) {
    const line_counts *expected = &trees[_i].counts[ply - 1], count = lines_of(all_rules[0], &start, ply);
    ck_assert_uint_eq(count.turns, expected->turns);
    ck_assert_uint_eq(count.goals, expected->goals);
    ck_assert_uint_eq(count.positions, expected->positions);
    ck_assert_uint_eq(count_leaves(all_rules[0], &start, ply, false), expected->turns);
    ck_assert_uint_eq(count_leaves(all_rules[0], &start, ply, true), expected->turns);
  }
  ck_assert_uint_eq(count_leaves(all_rules[0], &start, 0, true), 1);
}

CASE(both_ways_of_counting_agree) {
  uint64_t state = 362436069;
  for (int i = 0; i < 60; i++) {
    const game_rules *rules = all_rules[i % TOY_PHB_RULE_SETS];
    const phb_position position = toy_phb_position(4 + i % 3, 2 + i % 4, (uint64_t)i, &state);
    const uint64_t turns = lines_of(rules, &position, 2).turns;
    ck_assert_uint_eq(count_leaves(rules, &position, 2, false), turns);
    ck_assert_uint_eq(count_leaves(rules, &position, 2, true), turns);
  }
}

/* --- jumps by hand -------------------------------------------------------------------------------------- */

#define SOURCE_TOP "15/15/15/15/15/15/15/15/7x7/6x8/"
#define SOURCE_BOTTOM "7x7/8x6/9o5/15/15/15/15/15"

enum { LIST_BYTES = 4096 };

typedef struct {
  int side; /* that moves */
  char jumps[LIST_BYTES];
} listed;

static tauler_error write_jump(void *user, const phb_turn *turn) {
  listed *list = user;
  char name[1024];
  if (!turn->jumps) return TAULER_OK;
  ck_assert_uint_le(phb_turn_name_bytes(turn), sizeof name);
  phb_turn_name(turn, name);
  const bool ohs = (list->side == PHB_OHS) == (turn->result == PHB_MOVER_SCORES);
  const char *scores = turn->result == PHB_LIVE ? "" : ohs ? "O:" : "E:";
  const size_t used = strlen(list->jumps);
  snprintf(list->jumps + used, LIST_BYTES - used, "%s%s%s", used ? " " : "", scores, name);
  return TAULER_OK;
}

/* In their order. */
CASE(jumps_are_those_of_the_rules) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("phutball-jumps.csv"); oracle_next(file, &row); rows++) {
    game_rules *rules = toy_phb_open(row.cell[1]);
    const phb_position position = toy_phb_read(rules, row.cell[2]);
    listed list = {position.side, ""};
    MUST(phb_each_turn(rules, &position, write_jump, &list));
    if (strcmp(list.jumps, row.cell[3]) != 0)
      ck_abort_msg("%s: %s: %s, not %s", row.cell[1], row.cell[2], list.jumps, row.cell[3]);
  }
  ck_assert_int_eq(rows, 70);
}

CASE(jumps_take_men_away) {
  char text[GAME_TEXT_BYTES];
  phb_position after = toy_phb_read(all_rules[0], SOURCE_TOP "15/" SOURCE_BOTTOM " O moves K6-G9-G11-J11");
  toy_phb_print(&after, text);
  ck_assert_str_eq(text, "15/15/15/15/15/15/15/15/8o6/15/15/15/15/15/15/15/15/15/15 E");
  after = toy_phb_read(all_rules[0], SOURCE_TOP "15/" SOURCE_BOTTOM " E moves K6-G9");
  toy_phb_print(&after, text);
  ck_assert_str_eq(text, SOURCE_TOP "6o8/15/15/15/15/15/15/15/15 O");
}

static void expect_child(const game_move *move, const char *name, const char *text) {
  char printed[GAME_TEXT_BYTES];
  ck_assert_str_eq(move->name, name);
  ck_assert_int_eq(move->gain, 0);
  ck_assert(!move->over && !move->converts);
  phb_print(all_rules[0], &move->child, printed);
  ck_assert_str_eq(printed, text);
}

CASE(moves_say_what_they_are_worth) {
  const phb_position position = toy_phb_read(all_rules[0], "1x1/1ox/xx1 E");
  game_position game;
  phb_to_game(&position, &game);
  game_moves moves = {0};
  MUST(phb_moves(all_rules[0], &game, &moves));
  ck_assert_uint_eq(moves.used, 6);
  expect_child(&moves.moves[0], "C1", "1x1/1ox/xxx O");
  expect_child(&moves.moves[1], "A2", "1x1/xox/xx1 O");
  expect_child(&moves.moves[2], "A3", "xx1/1ox/xx1 O");
  expect_child(&moves.moves[3], "C3", "1xx/1ox/xx1 O");
  ck_assert_str_eq(moves.moves[4].name, "B2-B0");
  ck_assert(moves.moves[4].over && moves.moves[4].converts && moves.moves[4].gain == 1);
  ck_assert_str_eq(moves.moves[5].name, "B2-B4");
  ck_assert(moves.moves[5].over && moves.moves[5].converts && moves.moves[5].gain == -1);
  game_moves_free(&moves);
  int value;
  ck_assert(!phb_position_ended(all_rules[0], &game, &value));
}

/* --- any position --------------------------------------------------------------------------------------- */

/* Turns as a sum in which their order does not count, and as a chain in which it does. */
typedef struct {
  bool (*counts)(const phb_position *board, const phb_turn *turn); /* NULL: all */
  phb_position (*image)(
      const phb_position *position); /* image of the position after a turn, or NULL for itself */
  uint64_t turns, sum, jumps, chain;
} digest;

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}

static tauler_error digest_turn(void *user, const phb_turn *turn) {
  digest *d = user;
  if (d->counts && !d->counts(&turn->after, turn)) return TAULER_OK;
  uint64_t hash = mix(mix(1 + turn->jumps, turn->result), turn->jumps ? turn->path_used : 0);
  if (turn->result == PHB_LIVE) {
    const phb_position after = d->image ? d->image(&turn->after) : turn->after;
    for (int word = 0; word < PHB_SET_WORDS; word++) hash = mix(hash, after.men[word]);
    hash = mix(mix(hash, after.ball), after.side);
    hash = mix(mix(hash, after.rows), after.columns);
  }
  d->turns++;
  d->sum += hash;
  d->jumps += turn->jumps;
  if (turn->jumps) d->chain = mix(d->chain, hash);
  return TAULER_OK;
}

static digest digest_of(const game_rules *rules, const phb_position *position,
                        bool (*counts)(const phb_position *, const phb_turn *),
                        phb_position (*image)(const phb_position *)) {
  digest d = {.counts = counts, .image = image};
  if (phb_each_turn(rules, position, digest_turn, &d)) ck_abort_msg("turns cannot be listed");
  return d;
}

static phb_position any_position(uint64_t *state) {
  const int rows = 3 + (int)draw_below(state, 6), columns = 1 + (int)draw_below(state, 7);
  return toy_phb_position(rows, columns, 10 + draw_below(state, 25), state);
}

enum { TRIALS = 4000 };

CASE(mirrors_have_mirrored_turns) {
  uint64_t state = 88172645463325252u, jumps = 0;
  for (int i = 0; i < TRIALS; i++) {
    const phb_position position = any_position(&state), mirror = toy_phb_mirror(&position);
    const phb_position again = toy_phb_mirror(&mirror);
    if (memcmp(&position, &again, sizeof position) != 0) ck_abort_msg("a mirror's mirror is another");
    const digest own = digest_of(all_rules[_i], &position, NULL, toy_phb_mirror);
    const digest other = digest_of(all_rules[_i], &mirror, NULL, NULL);
    if (own.turns != other.turns || own.sum != other.sum) ck_abort_msg("position %d: the mirror differs", i);
    jumps += own.jumps;
  }
  ck_assert_uint_gt(jumps, TRIALS);
}

CASE(turned_boards_have_the_same_turns_in_order) {
  uint64_t state = 521288629;
  for (int i = 0; i < TRIALS; i++) {
    const phb_position position = any_position(&state), turned = toy_phb_turn_round(&position);
    const phb_position again = toy_phb_turn_round(&turned);
    if (memcmp(&position, &again, sizeof position) != 0) ck_abort_msg("turned twice it is another");
    if (position.side == turned.side) ck_abort_msg("turned round the same side moves");
    const digest own = digest_of(all_rules[_i], &position, NULL, toy_phb_turn_round);
    const digest other = digest_of(all_rules[_i], &turned, NULL, NULL);
    if (own.turns != other.turns || own.sum != other.sum || own.chain != other.chain)
      ck_abort_msg("position %d: turned round it differs", i);
  }
}

CASE(symmetries_move_points) {
  const phb_position position = toy_phb_read(all_rules[0], "3x/x3/1o1x/4/xx2 O");
  char text[GAME_TEXT_BYTES];
  const phb_position mirror = toy_phb_mirror(&position), turned = toy_phb_turn_round(&position);
  toy_phb_print(&mirror, text);
  ck_assert_str_eq(text, "x3/3x/x1o1/4/2xx O");
  toy_phb_print(&turned, text);
  ck_assert_str_eq(text, "2xx/4/x1o1/3x/x3 E");
}

static bool avoids_corners(const phb_position *board, const phb_turn *turn) {
  if (!turn->jumps) return true;
  const phb_stop last = turn->path[turn->path_used - 1];
  return last.column >= 0 && last.column < board->columns;
}

static bool passes_no_goal_line(const phb_position *board, const phb_turn *turn) {
  for (size_t i = 1; turn->jumps && i + 1 < turn->path_used; i++) {
    if (turn->path[i].row == 0 || turn->path[i].row == board->rows - 1) return false;
  }
  return true;
}

/* Of the turns of one rule set those that count are all those of another. */
static void compare_flags(int one, bool (*counts)(const phb_position *, const phb_turn *), int other) {
  uint64_t state = 2463534242u, fewer = 0;
  for (int i = 0; i < TRIALS; i++) {
    const phb_position position = any_position(&state);
    const digest some = digest_of(all_rules[one], &position, counts, NULL);
    const digest all = digest_of(all_rules[other], &position, NULL, NULL);
    if (some.turns != all.turns || some.sum != all.sum || some.chain != all.chain)
      ck_abort_msg("position %d: %s and %s", i, toy_phb_rule_sets[one], toy_phb_rule_sets[other]);
    fewer += digest_of(all_rules[one], &position, NULL, NULL).turns - all.turns;
  }
  ck_assert_uint_gt(fewer, 100);
}

CASE(flags_change_nothing_else) {
  compare_flags(1, avoids_corners, 0);
  compare_flags(3, avoids_corners, 2);
  compare_flags(0, passes_no_goal_line, 2);
  compare_flags(1, passes_no_goal_line, 3);
}

/* --- bounds --------------------------------------------------------------------------------------------- */

static tauler_error stop_later(void *user, const phb_turn *turn) {
  uint64_t *left = user;
  if (turn->jumps && turn->path_used > PHB_MOST_POINTS) ck_abort_msg("a path is longer than the board");
  return --*left ? TAULER_OK : TAULER_STOPPED;
}

CASE(boards_full_of_jumps_are_walked_as_far_as_wanted) {
  phb_position position = {.rows = 19, .columns = 19, .ball = 9 * 19 + 9};
  for (int point = 0; point < 361; point++) {
    if (point % 19 % 2 != point / 19 % 2) phb_set_man(&position, point, true);
  }
  for (int i = 0; i < TOY_PHB_RULE_SETS; i++) {
    uint64_t left = 200000;
    ck_assert_int_eq(phb_each_turn(all_rules[i], &position, stop_later, &left), TAULER_STOPPED);
    ck_assert_uint_eq(left, 0);
    left = 1;
    ck_assert_int_eq(phb_each_turn(all_rules[i], &position, stop_later, &left), TAULER_STOPPED);
  }
}

/* To and fro along rows 2, 4, …, 18: one path of 89 jumps. */
CASE(long_paths_are_named_and_read) {
  enum { JUMPS = 89, VACANT = 361 - 1 - JUMPS };
  phb_position position = {.rows = 19, .columns = 19, .ball = 19};
  for (int row = 1; row < 18; row += 2) {
    for (int column = 1; column < 19; column += 2) phb_set_man(&position, row * 19 + column, true);
    if (row < 17) phb_set_man(&position, (row + 1) * 19 + (row % 4 == 1 ? 18 : 0), true);
  }
  game_position game;
  phb_to_game(&position, &game);
  game_moves moves = {0};
  MUST(phb_moves(all_rules[0], &game, &moves));
  ck_assert_uint_eq(moves.used, VACANT + JUMPS);
  char text[GAME_TEXT_BYTES], line[2 * GAME_TEXT_BYTES];
  phb_print(all_rules[0], &game, text);
  for (size_t i = VACANT; i < moves.used; i++) {
    snprintf(line, sizeof line, "%s moves %s", text, moves.moves[i].name);
    const phb_position after = toy_phb_read(all_rules[0], line);
    phb_to_game(&after, &game);
    ck_assert_mem_eq(&game, &moves.moves[i].child, sizeof game);
  }
  const phb_position last = phb_from_game(&game);
  for (int word = 0; word < PHB_SET_WORDS; word++) ck_assert_uint_eq(last.men[word], 0);
  ck_assert_uint_eq(last.ball, 17 * 19 + 18);
  game_moves_free(&moves);
}

static tauler_error note_goal(void *user, const phb_turn *turn) {
  *(bool *)user |= turn->result != PHB_LIVE;
  return TAULER_OK;
}

CASE(full_boards_can_be_left) {
  uint64_t state = 1;
  for (int i = 0; i < 200; i++) {
    const int rows = 3 + i % 3, columns = 1 + (int)draw_below(&state, 2);
    const phb_position position = toy_phb_position(rows, columns, 100, &state);
    bool goal = false;
    MUST(phb_each_turn(all_rules[i % TOY_PHB_RULE_SETS], &position, note_goal, &goal));
    ck_assert(goal);
  }
}

SUITE("phutball_rules") {
  FIXTURE_ONCE(open_all, NULL);
  LOOP(lines_are_as_many_as_published, ROWS(trees));
  TEST(both_ways_of_counting_agree);
  TESTS(jumps_are_those_of_the_rules, jumps_take_men_away, moves_say_what_they_are_worth);
  LOOP(mirrors_have_mirrored_turns, TOY_PHB_RULE_SETS);
  LOOP(turned_boards_have_the_same_turns_in_order, TOY_PHB_RULE_SETS);
  TESTS(symmetries_move_points, flags_change_nothing_else, boards_full_of_jumps_are_walked_as_far_as_wanted,
        long_paths_are_named_and_read, full_boards_can_be_left);
}
