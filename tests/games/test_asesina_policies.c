/* Simple ways to choose in la oca asesina, on positions made by hand. */
#include "games/oca_asesina/chance.h"
#include "games/registry.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina.h"

static const game *const ase = &oca_asesina_game;

typedef enum { RANDOM, FURTHEST, REARMOST, CAPTURE, HOME, POLICIES } policy;

/* Moves by policy from FURTHEST on. */
static const struct {
  const char *rules, *position;
  int roll;
  const char *furthest, *rearmost, *capture, *home;
} choices[] = {
    {"base", "10,20/2,3 lost=0,0 seat=1", 1, "20-21", "10-11", "20-21", "20-21"},
    {"base", "2,3/10,20 lost=0,0 seat=2", 1, "20-21", "10-11", "20-21", "20-21"},
    /* one in the labyrinth is moved as any other, with a 6 */
    {"base", "15,42/2,3 lost=0,0 seat=1", 6, "42-30", "15-21", "42-30", "42-30"},
    /* a capture */
    {"base", "10,20/3,11 lost=0,0 seat=1", 1, "20-21", "10-11", "10-11", "20-21"},
    {"base", "3,11/10,20 lost=0,0 seat=2", 1, "20-21", "10-11", "10-11", "20-21"},
    {"interaction=off", "10,20/3,11 lost=0,0 seat=1", 1, "20-21", "10-11", "20-21", "20-21"},
    /* the token furthest on is captured: at the end of a jump, or where one starts */
    {"base", "20,30/41,53 lost=0,0 seat=1", 6, "30-41", "20-53", "20-53", "30-41"},
    {"base", "20,30/26,36 lost=0,0 seat=1", 6, "30-41", "20-53", "30-41", "30-41"},
    {"base", "20,30/26,50 lost=0,0 seat=1", 6, "30-41", "20-53", "20-53", "30-41"},
    {"capture=final-square", "20,30/26,50 lost=0,0 seat=1", 6, "30-41", "20-53", "30-41", "30-41"},
    /* home, but not under a forced mark */
    {"base", "60,62/2,3 lost=0,0 seat=1", 3, "62-61", "60-63", "62-61", "60-63"},
    {"base", "57,62/2,3 lost=0,0 seat=1", 2, "62-62", "57-63", "62-62", "62-62"},
    {"base", "60,62/61,3 lost=0,0 seat=1", 3, "62-61", "60-63", "62-61", "60-63"},
    /* the first among equal ones */
    {"colours=2", "10a,10b,20a,20b/0a,0b,1a,2b lost=0,0 seat=1", 1, "20a-21", "10a-11", "20a-21", "20a-21"},
};

static size_t list_moves(const game_rules *rules, const char *text, int roll, game_position *position,
                         game_moves *moves) {
  const ase_position read = toy_ase_read(rules, text);
  ase_to_game(&read, position);
  MUST(ase->chance->moves(rules, position, (size_t)roll - 1, moves));
  return moves->used;
}

CASE(policies_choose) {
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    const char *const wanted[] = {NULL, choices[i].furthest, choices[i].rearmost, choices[i].capture,
                                  choices[i].home};
    game_rules *rules = toy_ase_open(choices[i].rules);
    game_position position;
    game_moves moves;
    const size_t used = list_moves(rules, choices[i].position, choices[i].roll, &position, &moves);
    for (size_t p = FURTHEST; p < POLICIES; p++) {
      const int picked = ase_policies.pick(rules, p, &position, (size_t)choices[i].roll - 1, &moves);
      ck_assert(picked >= 0 && (size_t)picked < used);
      ck_assert_msg(strcmp(moves.moves[picked].name, wanted[p]) == 0, "%s, %s: %s", choices[i].position,
                    ase_policies.names[p], moves.moves[picked].name);
    }
    ck_assert_int_eq(ase_policies.pick(rules, RANDOM, &position, (size_t)choices[i].roll - 1, &moves), -1);
    game_moves_free(&moves);
  }
}

/* A forced mark, one token left, two tokens on one square, nobody who can move. */
CASE(one_move_is_taken) {
  static const struct {
    const char *position;
    int roll;
  } single[] = {{"10,63/2,3 lost=0,0 seat=1 forced", 1},
                {"10,63/2,3 lost=0,0 seat=1", 1},
                {"10,10/2,3 lost=0,0 seat=1", 1},
                {"42,63/2,3 lost=0,0 seat=1", 3}};
  game_rules *rules = toy_ase_open("base");
  for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
    game_position position;
    game_moves moves;
    ck_assert_uint_eq(list_moves(rules, single[i].position, single[i].roll, &position, &moves), 1);
    for (size_t p = RANDOM; p < POLICIES; p++)
      ck_assert_int_eq(ase_policies.pick(rules, p, &position, (size_t)single[i].roll - 1, &moves), 0);
    game_moves_free(&moves);
  }
}

/* H, C, P: home, capture, pair, in the order of moves. */
CASE(moves_have_traits) {
  static const struct {
    const char *position;
    int roll;
    const char *wanted; /* moves and what they do */
  } cases[] = {
      {"10,20/2,3 lost=0,0 seat=1", 1, "10-11 20-21"},   {"10,20/3,11 lost=0,0 seat=1", 1, "10-11C 20-21"},
      {"3,11/10,20 lost=0,0 seat=2", 1, "10-11C 20-21"}, {"20,30/26,53 lost=0,0 seat=1", 6, "20-53C 30-41"},
      {"60,62/2,3 lost=0,0 seat=1", 3, "60-63H 62-61"},  {"60,62/61,3 lost=0,0 seat=1", 3, "60-63H 62-61C"},
      {"57,62/2,3 lost=0,0 seat=1", 2, "57-63 62-62"},   {"10,11/2,3 lost=0,0 seat=1", 1, "10-11P 11-6"},
      {"10,15/11,3 lost=0,0 seat=1", 5, "10-15P 15-20"}, {"0,58/2,3 lost=0,0 seat=1", 6, "0-12 58-62"},
      {"0,52/2,3 lost=0,0 seat=1", 6, "0-12 52-0"}};
  game_rules *rules = toy_ase_open("base");
  ck_assert_ptr_eq(ase->chance->traits, &ase_traits);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    game_position position;
    game_moves moves;
    uint8_t traits[ASE_MOST_TOKENS];
    char text[128] = "";
    const size_t used = list_moves(rules, cases[i].position, cases[i].roll, &position, &moves);
    ase_traits.list(rules, &position, (size_t)cases[i].roll - 1, &moves, traits);
    for (size_t m = 0; m < used; m++)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%s%s%s", m ? " " : "",
               moves.moves[m].name, traits[m] & 1 ? "H" : "", traits[m] & 2 ? "C" : "",
               traits[m] & 4 ? "P" : "");
    ck_assert_str_eq(text, cases[i].wanted);
    game_moves_free(&moves);
  }
}

CASE(names) {
  static const char *const wanted[] = {"random", "furthest-first", "rearmost-first", "capture-first",
                                       "home-first"};
  ck_assert_ptr_eq(ase->chance->policies, &ase_policies);
  for (int p = 0; p < POLICIES; p++) ck_assert_str_eq(ase_policies.names[p], wanted[p]);
  ck_assert_ptr_null(ase_policies.names[POLICIES]);
}

SUITE("asesina_policies") {
  TESTS(policies_choose, one_move_is_taken, moves_have_traits, names);
}
