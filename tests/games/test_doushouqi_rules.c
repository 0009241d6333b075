/* The rules of Dou Shou Qi: the rule book's positions and counts, each flag against the base rules, and what
 * mirrors, colours and names must not change. */
#include "tests/support/oracle.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_doushouqi.h"

static game_rules *base;

static void open_base(void) {
  base = toy_dsq_open("base");
}

/* --- the rule book ------------------------------------------------------------------------------------- */

static const struct {
  const char *rules;
  int plies;
  uint64_t nodes[5];
} trees[] = {{"base", 5, {24, 576, 12240, 260099, 5112638}},
             {"liacs", 5, {24, 576, 12240, 260100, 5111725}},
             {"base,leopard=wide", 4, {25, 622, 13785, 303932}},
             {"base,lakes=plain", 4, {26, 676, 15860, 372098}},
             {"base,lakes=drink", 4, {26, 676, 15730, 365974}}};

static uint64_t count_leaves(const game_rules *rules, const dsq_position *position, int plies, bool made) {
  game_position game;
  dsq_to_game(position, &game);
  return dsq_leaves(rules, &game, plies, made);
}

CASE(trees_have_the_nodes_of_the_rule_book) {
  game_rules *rules = toy_dsq_open(trees[_i].rules);
  const dsq_position start = toy_dsq_read(rules, "startpos");
  for (int ply = 1; ply <= trees[_i].plies; ply++) {
    ck_assert_uint_eq(count_leaves(rules, &start, ply, false), trees[_i].nodes[ply - 1]);
    ck_assert_uint_eq(count_leaves(rules, &start, ply, true), trees[_i].nodes[ply - 1]);
  }
  ck_assert_uint_eq(count_leaves(rules, &start, 0, false), 1);
}

/* Boards with an animal in a den are for the slow definition alone. */
CASE(positions_have_the_moves_of_the_rules) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("doushouqi-moves.csv"); oracle_next(file, &row); rows++) {
    if (strncmp(row.cell[0], "naive", 5) == 0) continue;
    game_rules *rules = toy_dsq_open(row.cell[1]);
    const dsq_position position = toy_dsq_read(rules, row.cell[2]);
    char moves[TOY_DSQ_MOVES_BYTES];
    toy_dsq_moves(rules, &position, moves);
    EXPECT(strcmp(moves, row.cell[3]) == 0, "%s, %s: %s", row.cell[1], row.cell[2], moves);
  }
  ck_assert_int_eq(rows, 100);
}

/* --- flags change what they say and nothing else -------------------------------------------------------- */

typedef struct {
  bool has[64][64]; /* from, to */
} move_set;

static void list_set(const game_rules *rules, const dsq_position *position, move_set *out) {
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, position, moves);
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < n; i++) out->has[moves[i].from][moves[i].to] = true;
}

typedef struct {
  const dsq_position *position;
  int animal, from, to;
  int victim; /* DSQ_NOBODY */
} change;

static bool wet(int square) {
  const int file = square % 7, rank = square / 7;
  return rank >= 3 && rank <= 5 && (file == 1 || file == 2 || file == 4 || file == 5);
}

static int length(const change *c) {
  return abs(c->from / 7 - c->to / 7) + abs(c->from % 7 - c->to % 7);
}

static bool is_wolf_and_dog(const change *c) {
  return (c->animal == DSQ_WOLF && c->victim == DSQ_DOG) || (c->animal == DSQ_DOG && c->victim == DSQ_WOLF);
}
static bool is_long_leopard(const change *c) {
  return c->animal == DSQ_LEOPARD && length(c) == 4;
}
static bool is_short_leopard(const change *c) {
  return c->animal == DSQ_LEOPARD && length(c) == 3;
}
static bool is_in_own_trap(const change *c) {
  const int file = c->to % 7, rank = c->position->side == DSQ_WHITE ? c->to / 7 : 8 - c->to / 7;
  return c->victim != DSQ_NOBODY && ((rank == 8 && (file == 2 || file == 4)) || (rank == 7 && file == 3));
}
static bool is_jump(const change *c) {
  return length(c) > 1;
}
static bool is_elephant_on_rat(const change *c) {
  return c->animal == DSQ_ELEPHANT && c->victim == DSQ_RAT;
}
static bool is_rats_on_shore(const change *c) {
  return c->animal == DSQ_RAT && c->victim == DSQ_RAT && wet(c->from) != wet(c->to);
}
static bool is_at_lake(const change *c) {
  return length(c) > 1 || wet(c->from) || wet(c->to);
}
static bool is_drinking(const change *c) {
  return length(c) == 1 && c->animal != DSQ_RAT && c->animal != DSQ_CAT && wet(c->to) && !wet(c->from) &&
         c->victim == DSQ_NOBODY;
}
static bool is_over_drinker(const change *c) {
  const int way = (c->to - c->from) / length(c);
  for (int square = c->from + way; square != c->to; square += way) {
    for (int animal = DSQ_CAT; animal < DSQ_ANIMALS; animal++) {
      if (c->position->square[0][animal] == square || c->position->square[1][animal] == square) return true;
    }
  }
  return false;
}
static bool is_nothing(const change *c) {
  return false;
}

/* The moves with the flag alone and without it alone. */
static const struct {
  const char *without, *with;
  bool (*more)(const change *), (*less)(const change *);
} flags[] = {
    {"base", "base,wolf-over-dog", is_wolf_and_dog, is_wolf_and_dog},
    {"base", "base,leopard=wide", is_long_leopard, is_nothing},
    {"base", "base,leopard=none", is_nothing, is_short_leopard},
    {"base", "base,clearings", is_in_own_trap, is_nothing},
    {"base", "base,jump-block=path", is_jump, is_nothing},
    {"base", "base,elephant-takes-rat", is_elephant_on_rat, is_nothing},
    {"base", "base,rat-shore=liacs", is_rats_on_shore, is_nothing},
    {"base", "base,stalemate=loss", is_nothing, is_nothing},
    {"base", "base,lakes=plain", is_at_lake, is_at_lake},
    {"base", "base,lakes=drink", is_drinking, is_nothing},
    {"base,lakes=drink", "base,lakes=drink,drinkers=block", is_nothing, is_over_drinker},
    {"base,lakes=drink", "base,lakes=drink,jump-block=path", is_jump, is_nothing},
};

static int find_animal(const uint8_t square[DSQ_ANIMALS], int wanted) {
  int animal = 0;
  while (animal < DSQ_ANIMALS && square[animal] != wanted) animal++;
  return animal;
}

CASE(flags_change_what_they_say) {
  game_rules *without = toy_dsq_open(flags[_i].without), *with = toy_dsq_open(flags[_i].with);
  uint64_t state = 88172645463325252u;
  uint64_t more = 0, less = 0;
  for (int i = 0; i < 5000; i++) {
    const dsq_position position = toy_dsq_position(without, &state);
    move_set one, other;
    list_set(without, &position, &one);
    list_set(with, &position, &other);
    for (int from = 0; from < DSQ_SQUARES; from++) {
      for (int to = 0; to < DSQ_SQUARES; to++) {
        if (one.has[from][to] == other.has[from][to]) continue;
        const int side = position.side;
        const change c = {&position, find_animal(position.square[side], from), from, to,
                          find_animal(position.square[!side], to)};
        const bool added = other.has[from][to];
        ck_assert_msg((added ? flags[_i].more : flags[_i].less)(&c), "%s: animal %d %d-%d", flags[_i].with,
                      c.animal, from, to);
        *(added ? &more : &less) += 1;
      }
    }
  }
  ck_assert_int_eq(more > 0, flags[_i].more != is_nothing);
  ck_assert_int_eq(less > 0, flags[_i].less != is_nothing);
}

/* --- what must not matter ------------------------------------------------------------------------------- */

static bool same_position(const dsq_position *one, const dsq_position *other) {
  return memcmp(one, other, sizeof *one) == 0;
}

/* As many moves, and each one's like among the other's. */
static void expect_alike(const game_rules *rules, const dsq_position *one, const dsq_position *other,
                         dsq_position (*turn)(const dsq_position *)) {
  dsq_move moves[DSQ_MOST_MOVES], others[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, one, moves);
  ck_assert_uint_eq(dsq_list_moves(rules, other, others), n);
  for (size_t i = 0; i < n; i++) {
    dsq_position child = *one;
    dsq_play(&child, &moves[i]);
    child = turn(&child);
    bool found = false;
    for (size_t j = 0; j < n && !found; j++) {
      dsq_position likely = *other;
      dsq_play(&likely, &others[j]);
      found = same_position(&child, &likely) && moves[i].wins == others[j].wins;
    }
    if (!found) ck_abort_msg("%s: no such move", rules->base.text);
  }
}

static uint64_t count_slowly(const game_rules *rules, const dsq_position *position, int plies) {
  if (plies == 0) return 1;
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, position, moves);
  uint64_t leaves = 0;
  for (size_t i = 0; i < n; i++) {
    if (moves[i].wins) {
      leaves += plies == 1;
      continue;
    }
    dsq_position child = *position;
    dsq_play(&child, &moves[i]);
    leaves += count_slowly(rules, &child, plies - 1);
  }
  return leaves;
}

enum { PARTS = 16 };

CASE(all_rule_sets_look_alike_from_all_sides) {
  for (int number = _i; number < TOY_DSQ_RULE_SETS; number += PARTS) {
    char text[RULE_BYTES];
    toy_dsq_rule_set(number, text);
    game_rules *rules = toy_dsq_open(text);
    uint64_t state = 88172645463325252u + (uint64_t)number;
    for (int i = 0; i < SOME(15, 60); i++) {
      const dsq_position position = toy_dsq_position(rules, &state);
      const dsq_position mirrored = toy_dsq_mirror(&position), flipped = dsq_flip_position(&position);
      const dsq_position back = dsq_flip_position(&flipped);
      ck_assert(same_position(&position, &back));
      expect_alike(rules, &position, &mirrored, toy_dsq_mirror);
      expect_alike(rules, &position, &flipped, dsq_flip_position);
      for (int plies = 1; plies <= 2; plies++) {
        const uint64_t leaves = count_slowly(rules, &position, plies);
        ck_assert_uint_eq(count_leaves(rules, &position, plies, i & 1), leaves);
      }
    }
  }
}

/* Few animals, so that games end within the tree. */
CASE(leaves_are_those_of_the_moves) {
  game_rules *rules = toy_dsq_open(_i ? "liacs,lakes=drink,drinkers=block" : "base");
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 400; i++) {
    dsq_position position = toy_dsq_position(rules, &state);
    for (int side = 0; side < 2; side++) {
      const int kept = (int)draw_below(&state, DSQ_ANIMALS);
      for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
        if (animal != kept && position.square[side][kept] != DSQ_NOWHERE)
          position.square[side][animal] = DSQ_NOWHERE;
      }
    }
    const uint64_t leaves = count_slowly(rules, &position, 4);
    ck_assert_uint_eq(count_leaves(rules, &position, 4, false), leaves);
    ck_assert_uint_eq(count_leaves(rules, &position, 4, true), leaves);
  }
}

static dsq_position rename_two(const dsq_position *position) {
  dsq_position renamed = *position;
  for (int side = 0; side < 2; side++) {
    renamed.square[side][DSQ_WOLF] = position->square[side][DSQ_DOG];
    renamed.square[side][DSQ_DOG] = position->square[side][DSQ_WOLF];
  }
  return renamed;
}

CASE(wolf_over_dog_renames_them) {
  game_rules *rules = toy_dsq_open("base,wolf-over-dog");
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 5000; i++) {
    const dsq_position position = toy_dsq_position(base, &state), renamed = rename_two(&position);
    char moves[TOY_DSQ_MOVES_BYTES], others[TOY_DSQ_MOVES_BYTES];
    toy_dsq_moves(base, &position, moves);
    toy_dsq_moves(rules, &renamed, others);
    ck_assert_str_eq(moves, others);
  }
}

/* --- tables --------------------------------------------------------------------------------------------- */

/* Animals by their movement, a letter for each kind. */
static const struct {
  const char *rules, *kinds;
} movements[] = {{"base", "abbbcddb"},
                 {"liacs", "abbbbddb"},
                 {"base,leopard=wide", "abbbcccb"},
                 {"base,lakes=plain", "aaaaaaaa"},
                 {"base,lakes=plain,clearings", "aaaaaaaa"},
                 {"base,lakes=drink", "abccdeec"},
                 {"base,clearings,wolf-over-dog", "abbbcddb"}};

CASE(animals_that_move_alike_have_one_number) {
  game_rules *rules = toy_dsq_open(movements[_i].rules);
  const char *kinds = movements[_i].kinds;
  for (int one = 0; one < DSQ_ANIMALS; one++) {
    for (int other = 0; other < DSQ_ANIMALS; other++) {
      const bool alike = kinds[one] == kinds[other];
      ck_assert_msg((rules->movement[one] == rules->movement[other]) == alike, "%s: %d %d", rules->base.text,
                    one, other);
    }
  }
}

static int square_named(const char *name) {
  return (name[1] - '1') * 7 + name[0] - 'a';
}

static uint64_t squares_named(const char *names) {
  uint64_t set = 0;
  for (; *names; names += names[2] ? 3 : 2) set |= UINT64_C(1) << square_named(names);
  return set;
}

CASE(the_board_is_that_of_the_rule_book) {
  ck_assert_uint_eq(DSQ_WATER, squares_named("b4 c4 e4 f4 b5 c5 e5 f5 b6 c6 e6 f6"));
  const uint64_t white = squares_named("c1 e1 d2"), black = squares_named("c9 e9 d8");
  ck_assert_uint_eq(base->weak[DSQ_WHITE], black);
  ck_assert_uint_eq(base->weak[DSQ_BLACK], white);
  ck_assert_int_eq(base->den[DSQ_WHITE], square_named("d1"));
  ck_assert_int_eq(base->den[DSQ_BLACK], square_named("d9"));
  static const struct {
    const char *rules;
    int rat, cat, others;
  } grounds[] = {{"base", 61, 49, 49}, {"base,lakes=drink", 61, 49, 61}, {"base,lakes=plain", 61, 61, 61}};
  for (int i = 0; i < 3; i++) {
    game_rules *rules = toy_dsq_open(grounds[i].rules);
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int squares = animal == DSQ_RAT   ? grounds[i].rat
                          : animal == DSQ_CAT ? grounds[i].cat
                                              : grounds[i].others;
      ck_assert_int_eq(__builtin_popcountll(rules->ground[animal]), squares);
      ck_assert(!(rules->ground[animal] & squares_named("d1 d9")));
    }
  }
}

CASE(strength_is_that_of_the_rule_book) {
  static const uint8_t strength[DSQ_ANIMALS] = {1, 2, 3, 4, 5, 6, 7, 8};
  ck_assert_mem_eq(base->strength, strength, DSQ_ANIMALS);
  for (int one = 0; one < DSQ_ANIMALS; one++) {
    for (int other = 0; other < DSQ_ANIMALS; other++) {
      bool takes = one >= other;
      if (one == DSQ_RAT && other == DSQ_ELEPHANT) takes = true;
      if (one == DSQ_ELEPHANT && other == DSQ_RAT) takes = false;
      ck_assert_int_eq(base->takes[one] >> other & 1, takes);
    }
  }
}

SUITE("doushouqi_rules") {
  FIXTURE_ONCE(open_base, NULL);
  LOOP(trees_have_the_nodes_of_the_rule_book, ROWS(trees));
  TEST(positions_have_the_moves_of_the_rules);
  LOOP(flags_change_what_they_say, ROWS(flags));
  LOOP(all_rule_sets_look_alike_from_all_sides, PARTS);
  LOOP(leaves_are_those_of_the_moves, 2);
  TEST(wolf_over_dog_renames_them);
  LOOP(animals_that_move_alike_have_one_number, ROWS(movements));
  TESTS(the_board_is_that_of_the_rule_book, strength_is_that_of_the_rule_book);
}
