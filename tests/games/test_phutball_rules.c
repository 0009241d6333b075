/* The rules of Phutball: the source's jumps and published counts, each rule and flag at work by hand, and
 * what mirrors, turning the board and flags must not change. */
#include "tests/support/suite.h"
#include "tests/support/toy/toy_phutball.h"

static game_rules *all_rules[TOY_PHB_RULE_SETS];

static void open_all(void) {
  for (int i = 0; i < TOY_PHB_RULE_SETS; i++) all_rules[i] = toy_phb_open(toy_phb_rule_sets[i]);
}
static void close_all(void) {
  for (int i = 0; i < TOY_PHB_RULE_SETS; i++) game_base_close(all_rules[i]);
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

CASE(lines_are_as_many_as_published) {
  const int rows = trees[_i].rows, columns = trees[_i].columns;
  phb_position start = {.rows = (uint8_t)rows, .columns = (uint8_t)columns};
  start.ball = (uint16_t)(rows * columns / 2);
  for (int ply = 1; ply <= trees[_i].plies; ply++) {
    const line_counts *expected = &trees[_i].counts[ply - 1], count = lines_of(all_rules[0], &start, ply);
    ck_assert_uint_eq(count.turns, expected->turns);
    ck_assert_uint_eq(count.goals, expected->goals);
    ck_assert_uint_eq(count.positions, expected->positions);
    ck_assert_uint_eq(phb_count_leaves(all_rules[0], &start, ply, false), expected->turns);
    ck_assert_uint_eq(phb_count_leaves(all_rules[0], &start, ply, true), expected->turns);
  }
  ck_assert_uint_eq(phb_count_leaves(all_rules[0], &start, 0, true), 1);
}

CASE(both_ways_of_counting_agree) {
  uint64_t state = 362436069;
  for (int i = 0; i < 60; i++) {
    const game_rules *rules = all_rules[i % TOY_PHB_RULE_SETS];
    const phb_position position = toy_phb_position(4 + i % 3, 2 + i % 4, (uint64_t)i, &state);
    const uint64_t turns = lines_of(rules, &position, 2).turns;
    ck_assert_uint_eq(phb_count_leaves(rules, &position, 2, false), turns);
    ck_assert_uint_eq(phb_count_leaves(rules, &position, 2, true), turns);
  }
}

/* --- jumps by hand -------------------------------------------------------------------------------------- */

#define SOURCE_TOP "15/15/15/15/15/15/15/15/7x7/6x8/"
#define SOURCE_BOTTOM "7x7/8x6/9o5/15/15/15/15/15"

/* Jump turns in their order; * behind one that scores for the mover, # for the other side. */
static const struct {
  const char *rules, *position, *jumps;
} cases[] = {
    /* the source's own */
    {"base", SOURCE_TOP "15/" SOURCE_BOTTOM " O", "K6-G9 K6-G9-G11 K6-G9-G11-J11"},
    {"base", SOURCE_TOP "7x7/" SOURCE_BOTTOM " O", "K6-G9 K6-G9-G11 K6-G9-G11-J11 K6-G9-J9"},
    /* onto and over goal lines, whoever moves */
    {"base", "3/1x1/1o1/3/3 O", "B3-B5*"},
    {"base", "3/1x1/1o1/3/3 E", "B3-B5#"},
    {"base", "1x1/1o1/3 O", "B2-B4*"},
    {"base", "1x1/1o1/3 E", "B2-B4#"},
    {"base", "3/1o1/1x1 E", "B2-B0*"},
    {"base", "3/1o1/1x1 O", "B2-B0#"},
    {"base", "3x1/2o2/5 O", "C2-E4*"},
    {"base", "x/x/x/o/1 O", "A2-A6*"},
    {"base,goal-line=stop", "x/x/x/o/1 E", "A2-A6#"},
    /* men in a row, vacant points between, side lines */
    {"base", "4/oxx1/4 O", "A2-D2"},
    {"base", "4/ox2/4 O", "A2-C2"},
    {"base", "19/oxxxxxxxxxxxxxxxxx1/19 O", "A2-T2"},
    {"base", "19/1xxxxxxxxxxxxxxxxxo/19 E", "T2-A2"},
    {"base", "4/o1x1/4 O", ""},
    {"base", "3/1ox/3 O", ""},
    {"base,corner=exit", "3/xo1/3 E", ""},
    {"base", "3/2x/1o1/3 O", ""},
    {"base,corner=exit", "3/2x/1o1/3 O", ""},
    {"base", "5/xo1x1/5 O", ""},
    {"base", "6/ox1x2/6 E", "A2-C2 A2-C2-E2"},
    /* corners */
    {"base", "2x/1o1/3 O", ""},
    {"base,corner=exit", "2x/1o1/3 O", "B2-exit+*"},
    {"base,corner=exit", "2x/1o1/3 E", "B2-exit+#"},
    {"base,corner=exit", "3/1o1/x2 E", "B2-exit-*"},
    {"base,corner=exit,goal-line=stop", "x1x/1o1/2x O", "B2-exit+* B2-exit-# B2-exit+*"},
    {"base", "x1x/1o1/2x O", ""},
    /* the ball passes goal lines in the middle of a turn */
    {"base", "2x2/1x3/1o3/5/5 O", "B3-B5* B3-B5-D5*"},
    {"base,goal-line=stop", "2x2/1x3/1o3/5/5 O", "B3-B5*"},
    {"base", "5/1xx2/1o3/5/5 O", "B3-B5* B3-B5-D3 B3-D5*"},
    {"base", "5/1xx2/1o3/5/5 E", "B3-B5# B3-B5-D3 B3-D5#"},
    {"base,corner=exit", "5/1xx2/1o3/5/5 E", "B3-B5# B3-B5-D3 B3-D5#"},
    {"base,goal-line=stop", "5/1xx2/1o3/5/5 E", "B3-B5# B3-D5#"},
    {"base", "5/5/1o3/1xx2/5 O", "B3-D1# B3-B1# B3-B1-D3"},
    {"base,goal-line=stop", "5/5/1o3/1xx2/5 O", "B3-D1# B3-B1#"},
    /* round in a circle to where it began */
    {"base", "5/5/2x2/1x1x1/1ox2/5 O",
     "B2-B4 B2-B4-D4 B2-B4-D4-D2 B2-B4-D4-D2-B2 B2-D2 B2-D2-D4 B2-D2-D4-B4 B2-D2-D4-B4-B2"},
    /* directions clockwise from the row that the mover attacks */
    {"base,goal-line=stop", "5/1xxx1/1xox1/1xxx1/5 O",
     "C3-C5* C3-E5* C3-E3 C3-E3-C1# C3-E3-C5* C3-E1# C3-C1# C3-A1# C3-A3 C3-A3-C5* C3-A3-C1# C3-A5*"},
    {"base,goal-line=stop", "5/1xxx1/1xox1/1xxx1/5 E",
     "C3-C1* C3-A1* C3-A3 C3-A3-C5# C3-A3-C1* C3-A5# C3-C5# C3-E5# C3-E3 C3-E3-C1* C3-E3-C5# C3-E1*"},
};

enum { LIST_BYTES = 4096 };

static tauler_error write_jump(void *user, const phb_turn *turn) {
  static const char *const marks[] = {[PHB_LIVE] = "", [PHB_MOVER_SCORES] = "*", [PHB_OTHER_SCORES] = "#"};
  char *list = user, name[1024];
  if (!turn->jumps) return TAULER_OK;
  ck_assert_uint_le(phb_turn_name_bytes(turn), sizeof name);
  phb_turn_name(turn, name);
  const size_t used = strlen(list);
  snprintf(list + used, LIST_BYTES - used, "%s%s%s", used ? " " : "", name, marks[turn->result]);
  return TAULER_OK;
}

CASE(jumps_are_those_of_the_rules) {
  game_rules *rules = toy_phb_open(cases[_i].rules);
  const phb_position position = toy_phb_read(rules, cases[_i].position);
  char list[LIST_BYTES] = "";
  MUST(phb_each_turn(rules, &position, write_jump, list));
  if (strcmp(list, cases[_i].jumps) != 0)
    ck_abort_msg("%s: %s: %s, not %s", cases[_i].rules, cases[_i].position, list, cases[_i].jumps);
  game_base_close(rules);
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
  phb_position (*image)(const phb_position *position);             /* of what is after a turn; NULL: itself */
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
  const int rows = 3 + (int)toy_phb_any(state, 6), columns = 1 + (int)toy_phb_any(state, 7);
  return toy_phb_position(rows, columns, 10 + toy_phb_any(state, 25), state);
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
    const int rows = 3 + i % 3, columns = 1 + (int)toy_phb_any(&state, 2);
    const phb_position position = toy_phb_position(rows, columns, 100, &state);
    bool goal = false;
    MUST(phb_each_turn(all_rules[i % TOY_PHB_RULE_SETS], &position, note_goal, &goal));
    ck_assert(goal);
  }
}

SUITE("phutball_rules") {
  FIXTURE_ONCE(open_all, close_all);
  LOOP(lines_are_as_many_as_published, ROWS(trees));
  TEST(both_ways_of_counting_agree);
  LOOP(jumps_are_those_of_the_rules, ROWS(cases));
  TESTS(jumps_take_men_away, moves_say_what_they_are_worth);
  LOOP(mirrors_have_mirrored_turns, TOY_PHB_RULE_SETS);
  LOOP(turned_boards_have_the_same_turns_in_order, TOY_PHB_RULE_SETS);
  TESTS(symmetries_move_points, flags_change_nothing_else, boards_full_of_jumps_are_walked_as_far_as_wanted,
        long_paths_are_named_and_read, full_boards_can_be_left);
}
