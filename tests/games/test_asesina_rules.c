/* La oca asesina against its rule book: turns one by one, and what flags change. */
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina.h"

#define FEW_GEESE                                                                                            \
  "board=length-30_geese-3-9-18-27-30_bridges-none_dice-none_inn-none_prison-none_well-none_"                \
  "labyrinth-none_death-none"
#define NONE "none"
enum { PASS = ASE_NOWHERE };

/* The result of moving the token on `from` by a roll: see toy_ase_print; NONE: it may not move. */
typedef struct {
  const char *rules, *position;
  int roll, from;
  const char *after;
} turn;

static const turn turns[] = {
    /* The source's own: (a) to (f). */
    {"base", "0,1,1/5,62,62 lost=0,0 seat=1", 1, 0, "1,1,63/5,62,62 lost=0,0 seat=2"},
    {"board=20", "0,1,1/5,19,19 lost=0,0 seat=1", 1, 0, "1,1,20/5,19,19 lost=0,0 seat=2"},
    {"base", "0,1,1/5,61,61 lost=0,0 seat=1", 2, 0, "1,1,63/5,61,61 lost=0,0 seat=2"},
    {"base", "0,1,1/5,61,61 lost=0,0 seat=1", 1, 0, "1,1,62/5,61,61 lost=0,0 seat=2"},
    {FEW_GEESE, "1,5,5/20,26,26 lost=0,0 seat=1", 2, 1, "+5,5,27/20,26,26 lost=0,0 seat=1"},
    {"base", "0,8,8/25,25,40 lost=0,0 seat=1", 5, 0, "+8,8,27/25,25,40 lost=0,0 seat=1"},
    {FEW_GEESE, "0,1,5,5/26,26,27,27 lost=0,0 seat=1", 2, 1, "0,3,5,5/26,26,27,27 lost=0,0 seat=2"},
    {"base", "0,8,8,20/25,25,27,27 lost=0,0 seat=1", 5, 0, "5,8,8,20/25,25,27,27 lost=0,0 seat=2"},
    {FEW_GEESE ",colours=2", "0a,1a,0b,0b/0a,9a,0b,9b lost=0,0 seat=1", 2, 1,
     "0a,0b,0b,3a/0a,0b,9a,9b lost=0,0 seat=2"},
    {"base", "5,42/0,0 lost=0,0 seat=1", 3, 42, NONE},
    {"base", "5,42/0,0 lost=0,0 seat=1", 3, 5, "8,42/0,0 lost=0,0 seat=2"},
    {"base", "10,20,63/5,62,62 lost=0,0 seat=1 forced", 1, 63, "10,20,63/5,62,62 lost=0,0 seat=2"},

    /* Walks. */
    {"base", "10,20/1,2 lost=0,0 seat=1", 3, 10, "13,20/1,2 lost=0,0 seat=2"},
    {"base", "0,3/5,5 lost=0,0 seat=1", 6, 0, NONE},
    {"base", "0,3/5,5 lost=0,0 seat=1", 5, 0, NONE},
    {"base", "0,3/5,5 lost=0,0 seat=1", 4, 0, "3,4/5,5 lost=0,0 seat=2"},
    {"base", "4,5,5/1,10,10 lost=0,0 seat=1", 1, 4, "5,5,11/1,10,10 lost=0,0 seat=2"},
    {"base", "4,5,5,8,8/1,6,6,9,9 lost=0,0 seat=1", 2, 4, "5,5,8,8,10/1,6,6,9,9 lost=0,0 seat=2"},
    {"base", "4,5,5,7,7/1,6,6,8,8 lost=0,0 seat=1", 2, 4, "5,5,7,7,10/1,6,6,8,8 lost=0,0 seat=2"},
    {"base", "4,5,5,8,8/1,6,6,20,21 lost=0,0 seat=1", 1, 4, "5,5,7,8,8/1,6,6,20,21 lost=0,0 seat=2"},
    {"base", "4,5,5,8,8/1,6,6,20,21 lost=0,0 seat=1", 2, 4, NONE},
    {"base", "2,2,10/30,33,34 lost=0,0 seat=1", 1, 10, "2,2,11/30,33,34 lost=0,0 seat=2"},
    {"base", "2,2,10/8,8,34 lost=0,0 seat=1", 1, 10, "2,2,11/8,8,34 lost=0,0 seat=2"},
    {"base", "5,5/30,33 lost=0,0 seat=1", 2, 5, "5,7/30,33 lost=0,0 seat=2"},
    {"base", "0,3/5,7 lost=0,0 seat=1", 4, 3, "0,7/0,5 lost=0,0 seat=2"},
    {"base", "3,7/5,6 lost=0,0 seat=1", 4, 3, "7,7/5,6 lost=0,0 seat=2"},
    {"base", "1,60/2,3 lost=0,0 seat=1", 3, 60, "1,63/2,3 lost=0,0 seat=2"},
    {"base", "1,60/2,3 lost=0,0 seat=1", 5, 60, "1,61/2,3 lost=0,0 seat=2"},
    {"base", "1,61/2,3 lost=0,0 seat=1", 4, 61, "1,61/2,3 lost=0,0 seat=2"},
    {"base", "1,62/2,3 lost=0,0 seat=1", 5, 62, "+1,63/2,3 lost=0,0 seat=1 forced"},
    {"base", "1,62/60,60 lost=0,0 seat=1", 5, 62, NONE},
    {"base", "1,62,7/55,55,8 lost=0,0 seat=1", 3, 62, "1,7,61/8,55,55 lost=0,0 seat=2"},
    {"base", "55,55,62/8,60,60 lost=0,0 seat=1", 4, 62, "+55,55,63/8,60,60 lost=0,0 seat=1 forced"},
    {"base", "62,62/2,3 lost=0,0 seat=1", 3, 62, "61,62/2,3 lost=0,0 seat=2"},
    {"base", "62,62/2,3 lost=0,0 seat=1", 2, 62, "62,62/2,3 lost=0,0 seat=2"},
    {"base", "1,63/2,3 lost=0,0 seat=1", 3, 63, NONE},
    {"colours=2", "3a,7a,7b,40b/0a,0a,0b,0b lost=0,0 seat=1", 4, 3, NONE},
    {"colours=2", "3a,7a,7b,40b/0a,0a,0b,0b lost=0,0 seat=1", 5, 3,
     "7a,7b,8a,40b/0a,0a,0b,0b lost=0,0 seat=2"},
    {"colours=2", "3a,7a,7a,40b,41b,43b/0a,0a,0a,0b,0b,0b lost=0,0 seat=1", 5, 3, NONE},

    /* Dice, over any barriers. */
    {"base", "20,30,30/1,2,3 lost=0,0 seat=1", 6, 20, "+30,30,53/1,2,3 lost=0,0 seat=1"},
    {"base", "49,50/1,2 lost=0,0 seat=1", 4, 49, "+26,50/1,2 lost=0,0 seat=1"},
    {"base", "1,2,20/3,53,53 lost=0,0 seat=1", 6, 20, "1,2,26/3,53,53 lost=0,0 seat=2"},
    {"base", "1,20,53/3,4,7 lost=0,0 seat=1", 6, 20, "+1,53,53/3,4,7 lost=0,0 seat=1"},
    {"base", "1,20/26,53 lost=0,0 seat=1", 6, 20, "+1,53/0,0 lost=0,0 seat=1"},
    {"capture=final-square", "1,20/26,53 lost=0,0 seat=1", 6, 20, "+1,53/0,26 lost=0,0 seat=1"},
    {"capture=final-square", "1,2,20/26,53,53 lost=0,0 seat=1", 6, 20, "1,2,26/0,53,53 lost=0,0 seat=2"},

    /* Geese. */
    {"base", "0,20/9,30 lost=0,0 seat=1", 5, 0, "+9,20/0,30 lost=0,0 seat=1"},
    {"base", "0,7,7/40,41,43 lost=0,0 seat=1", 5, 0, "5,7,7/40,41,43 lost=0,0 seat=2"},
    {"base", "0,8,8,40/10,10,41,43 lost=0,0 seat=1", 5, 0, "+8,8,14,40/10,10,41,43 lost=0,0 seat=1"},
    {"base", "0,7,7,40/9,9,41,43 lost=0,0 seat=1", 5, 0, "+7,7,14,40/9,9,41,43 lost=0,0 seat=1"},
    {"base", "0,8,8,12,12/10,10,15,15,41 lost=0,0 seat=1", 5, 0,
     "5,8,8,12,12/10,10,15,15,41 lost=0,0 seat=2"},
    {"base", "0,8,8,16,16/10,10,17,17,41 lost=0,0 seat=1", 5, 0,
     "+8,8,14,16,16/10,10,17,17,41 lost=0,0 seat=1"},
    {"base", "9,9,40/1,2,3 lost=0,0 seat=1", 5, 9, "+9,18,40/1,2,3 lost=0,0 seat=1"},
    {"base", "0,40/2,3 lost=0,0 seat=1", 1, 0, "+5,40/2,3 lost=0,0 seat=1"},
    {"goose-1=off", "0,40/2,3 lost=0,0 seat=1", 1, 0, "1,40/2,3 lost=0,0 seat=2"},
    {"board=20", "0,10/2,3 lost=0,0 seat=1", 1, 0, "1,10/2,3 lost=0,0 seat=2"},

    /* Bridges, both ways. */
    {"base", "0,1/2,3 lost=0,0 seat=1", 6, 0, "+1,12/2,3 lost=0,0 seat=1"},
    {"base", "1,10/2,12 lost=0,0 seat=1", 2, 10, "+1,6/0,2 lost=0,0 seat=1"},
    {"base", "0,11,11/13,13,40 lost=0,0 seat=1", 6, 0, "6,11,11/13,13,40 lost=0,0 seat=2"},
    {"base", "0,8,8/13,14,40 lost=0,0 seat=1", 6, 0, "6,8,8/13,14,40 lost=0,0 seat=2"},
    {"base", "0,8,8/10,10,40 lost=0,0 seat=1", 6, 0, "+8,8,12/10,10,40 lost=0,0 seat=1"},
    {"base", "0,7,7,10,10/8,8,11,11,40 lost=0,0 seat=1", 6, 0, "6,7,7,10,10/8,8,11,11,40 lost=0,0 seat=2"},
    {"base", "10,8,8/5,5,40 lost=0,0 seat=1", 2, 10, "8,8,12/5,5,40 lost=0,0 seat=2"},
    {"base", "0,40,41/12,12,50 lost=0,0 seat=1", 6, 0, "6,40,41/12,12,50 lost=0,0 seat=2"},

    /* Inn, well, prison, labyrinth, death. */
    {"base", "1,18/2,3 lost=0,0 seat=1", 1, 18, "1,19/2,3 lost=1,0 seat=2"},
    {"base", "1,30/2,3 lost=0,0 seat=1", 1, 30, "1,31/2,3 lost=2,0 seat=2"},
    {"base", "1,51/2,3 lost=0,0 seat=1", 1, 51, "1,52/2,3 lost=3,0 seat=2"},
    {"base", "1,57/2,3 lost=0,0 seat=1", 1, 57, "0,1/2,3 lost=0,0 seat=2"},
    {"base", "1,57/2,58 lost=0,0 seat=1", 1, 57, "0,1/0,2 lost=0,0 seat=2"},
    {"capture=final-square", "1,57/2,58 lost=0,0 seat=1", 1, 57, "0,1/0,2 lost=0,0 seat=2"},
    {"base", "1,41/2,42 lost=0,0 seat=1", 1, 41, "1,42/0,2 lost=0,0 seat=2"},
    {"base", "1,41/42,42 lost=0,0 seat=1", 2, 41, NONE},
    {"base", "1,42/5,30 lost=0,0 seat=1", 6, 42, "1,30/0,5 lost=0,0 seat=2"},
    {"base", "1,42,2/35,35,7 lost=0,0 seat=1", 6, 42, "1,2,30/7,35,35 lost=0,0 seat=2"},
    {"base", "1,42,30/5,6,7 lost=0,0 seat=1", 6, 42, "1,30,30/5,6,7 lost=0,0 seat=2"},
    {"base", "1,42/30,30 lost=0,0 seat=1", 6, 42, NONE},
    {"base", "1,42/30,31 lost=0,0 seat=1", 5, 42, NONE},
    {"board=20", "1,14/5,6 lost=0,0 seat=1", 6, 14, "1,11/5,6 lost=0,0 seat=2"},
    {"labyrinth-exit=roll", "1,42/5,30 lost=0,0 seat=1", 6, 42, "+1,30/0,5 lost=0,0 seat=1"},
    {"base", "42,63/0,1 lost=0,0 seat=1", 3, PASS, "42,63/0,1 lost=0,0 seat=2"},
    {"base", "1,18/5,19 lost=0,1 seat=1", 1, 18, "1,19/0,5 lost=1,1 seat=2"},
    {"lost-turns=die-with-token", "1,18/5,19 lost=0,1 seat=1", 1, 18, "1,19/0,5 lost=1,0 seat=2"},
    {"lost-turns=die-with-token", "1,18/19,31 lost=0,1@31 seat=1", 1, 18, "1,19/0,31 lost=1,1 seat=2"},
    {"lost-turns=die-with-token", "1,18/19,31 lost=0,1@19 seat=1", 1, 18, "1,19/0,31 lost=1,0 seat=2"},

    /* Forced marks. */
    {"base", "1,57/2,3 lost=0,0 seat=1", 2, 57, "+1,63/2,3 lost=0,0 seat=1 forced"},
    {"base", "1,63/2,3 lost=0,0 seat=1 forced", 6, 63, "1,57/2,3 lost=0,0 seat=2"},
    {"base", "1,63/2,3 lost=0,0 seat=1 forced", 5, 63, "0,1/2,3 lost=0,0 seat=2"},
    {"base", "1,63/2,3 lost=0,0 seat=1 forced", 4, 63, "+1,63/2,3 lost=0,0 seat=1 forced"},
    {"base", "1,63/2,3 lost=0,0 seat=1 forced", 6, 1, NONE},
    {"base", "40,55,63/1,60,61 lost=0,0 seat=1 forced", 2, 63, "40,55,61/0,1,60 lost=0,0 seat=2"},
    {"base", "55,55,63/1,61,61 lost=0,0 seat=1 forced", 2, 63, "+55,55,63/1,61,61 lost=0,0 seat=1 forced"},
    {"board=20", "19,19,20/2,2,5 lost=0,0 seat=1 forced", 1, 20, "1,19,19/2,2,5 lost=0,0 seat=2"},
    {"board=20", "19,19,20/2,2,5 lost=0,0 seat=1 forced", 2, 20, "19,19,20/2,2,5 lost=0,0 seat=2"},
    {"base", "63,63/62,62 lost=0,0 seat=1 forced", 1, 63, "63,63/62,62 lost=0,0 seat=2"},
    {"base", "62,62/63,63 lost=0,0 seat=2 forced", 1, 63, "over 2"},

    /* The end. */
    {"base", "60,63/1,2 lost=0,0 seat=1", 3, 60, "63,63/1,2 lost=0,0 seat=2"},
    {"base", "60,63/1,19 lost=0,1 seat=1", 3, 60, "over 1"},
    {"base", "1,2/60,63 lost=0,0 seat=2", 3, 60, "over 2"},
    {"base", "63,63/60,63 lost=0,0 seat=2", 3, 60, "over 1,2"},
    {"base", "63,63/10,63 lost=0,0 seat=2", 1, 10, "over 1"},
    {"base", "63,63/20,63 lost=0,0 seat=2", 6, 20, "+63,63/53,63 lost=0,0 seat=2"},
    {"base", "60/1/2 lost=0,0,0 seat=1", 3, 60, "63/1/2 lost=0,0,0 seat=2"},
    {"base", "60/1/2 lost=0,2,0 seat=1", 3, 60, "63/1/2 lost=0,2,0 seat=3"},
    {"base", "63/1/2 lost=0,0,0 seat=2", 1, 1, "63/2/0 lost=0,0,0 seat=3"},
    {"base", "63/60/2 lost=0,0,0 seat=2", 3, 60, "63/63/2 lost=0,0,0 seat=3"},
    {"base", "63/60/2 lost=0,0,1 seat=2", 3, 60, "over 1,2"},
    {"base", "63/63/60 lost=0,0,0 seat=3", 3, 60, "over 1,2,3"},
    {"base", "1/60/2 lost=0,0,0 seat=2", 3, 60, "1/63/2 lost=0,0,0 seat=3"},
    {"base", "1/2/3 lost=0,0,0 seat=3", 1, 3, "1/2/4 lost=0,0,0 seat=1"},
    {"last-turn=off", "60,63/1,2 lost=0,0 seat=1", 3, 60, "over 1"},

    /* A seat with one token left. */
    {"home=one-left", "10,60/1,2 lost=0,0 seat=1", 3, 60, "10,63/1,2 lost=0,0 seat=2"},
    {"home=one-left", "1,2/10,60 lost=0,0 seat=2", 3, 60, "over 2"},
    {"home=one-left", "1,2/10,57 lost=0,0 seat=2", 2, 57, "+1,2/10,63 lost=0,0 seat=2 forced"},
    {"home=one-left", "1,2/10,63 lost=0,0 seat=2 forced", 1, 63, "1,2/10,62 lost=0,0 seat=1"},
    {"home=one-left", "62,62/10,63 lost=0,0 seat=2 forced", 1, 63, "over 2"},

    /* The last token. */
    {"last-token=no-death", "57,63/1,2 lost=0,0 seat=1", 1, 57, "58,63/1,2 lost=0,0 seat=2"},
    {"last-token=no-death", "10,57/1,2 lost=0,0 seat=1", 1, 57, "0,10/1,2 lost=0,0 seat=2"},
    {"last-token=no-lost-turns", "51,63/1,2 lost=0,0 seat=1", 1, 51, "52,63/1,2 lost=0,0 seat=2"},
    {"last-token=no-lost-turns", "10,51/1,2 lost=0,0 seat=1", 1, 51, "10,52/1,2 lost=3,0 seat=2"},
    {"last-token=no-overshoot", "60,63/1,2 lost=0,0 seat=1", 6, 60, "63,63/1,2 lost=0,0 seat=2"},
    {"last-token=no-overshoot", "10,60/1,2 lost=0,0 seat=1", 5, 60, "10,61/1,2 lost=0,0 seat=2"},
    {"last-token=no-overshoot", "60,63/62,62 lost=0,0 seat=1", 6, 60, NONE},
    {"last-token=no-overshoot", "57,63/1,2 lost=0,0 seat=1", 2, 57, "+63,63/1,2 lost=0,0 seat=1 forced"},
    {"last-token=no-overshoot", "63,63/1,2 lost=0,0 seat=1 forced", 1, 63, "62,63/1,2 lost=0,0 seat=2"},
    {"last-token=no-bounce", "57,63/1,2 lost=0,0 seat=1", 2, 57, "63,63/1,2 lost=0,0 seat=2"},
    {"last-token=no-bounce", "10,57/1,2 lost=0,0 seat=1", 2, 57, "+10,63/1,2 lost=0,0 seat=1 forced"},
    {"last-token=no-bounce", "60,63/1,2 lost=0,0 seat=1", 5, 60, "61,63/1,2 lost=0,0 seat=2"},
    {"last-token=immune", "57,63/1,2 lost=0,0 seat=1", 1, 57, "58,63/1,2 lost=0,0 seat=2"},
    {"last-token=immune", "51,63/1,2 lost=0,0 seat=1", 1, 51, "52,63/1,2 lost=0,0 seat=2"},
    {"last-token=immune", "60,63/1,2 lost=0,0 seat=1", 6, 60, "63,63/1,2 lost=0,0 seat=2"},
    {"last-token=immune", "57,63/1,2 lost=0,0 seat=1", 2, 57, "63,63/1,2 lost=0,0 seat=2"},
    {"last-token=immune", "42,63/1,2 lost=0,0 seat=1", 5, 42, NONE},
    {"last-token=immune", "40,63/1,2 lost=0,0 seat=1 forced", 5, 63, "0,40/1,2 lost=0,0 seat=2"},

    /* Nothing interacts. */
    {"interaction=off", "3,7,7/5,5,7 lost=0,0 seat=1", 4, 3, "7,7,7/5,5,7 lost=0,0 seat=2"},
    {"interaction=off", "0,12,12/12,12,12 lost=0,0 seat=1", 6, 0, "+12,12,12/12,12,12 lost=0,0 seat=1"},
    {"interaction=off", "1,42/30,30 lost=0,0 seat=1", 6, 42, "1,30/30,30 lost=0,0 seat=2"},
};

CASE(turns_are_those_of_the_rule_book) {
  const turn *t = &turns[_i];
  game_rules *rules = toy_ase_open(t->rules);
  const ase_position position = toy_ase_read(rules, t->position);
  ase_moves moves;
  ase_list_moves(rules, &position, t->roll, &moves);
  const ase_move *move = toy_ase_move_from(&moves, t->from);
  char text[GAME_TEXT_BYTES] = NONE;
  if (move) toy_ase_print(rules, move, text);
  if (strcmp(text, t->after) != 0)
    ck_abort_msg("%s, %s, %d from %d: %s, not %s", t->rules, t->position, t->roll, t->from, text, t->after);
  ase_close(rules);
}

CASE(lost_turns_are_served_one_by_one) {
  game_rules *rules = toy_ase_open("base"), *dying = toy_ase_open("lost-turns=die-with-token");
  char text[GAME_TEXT_BYTES];
  ase_position position = toy_ase_read(rules, "1,31/2,3 lost=2,0 seat=1");
  ck_assert(ase_must_pass(&position));
  ase_move move = ase_pass(rules, &position);
  toy_ase_print(rules, &move, text);
  ck_assert_str_eq(text, "1,31/2,3 lost=1,0 seat=2");
  ck_assert(!ase_must_pass(&move.next));
  position = toy_ase_read(dying, "1,31/2,3 lost=1,0 seat=1");
  ck_assert_int_eq(position.culprit[0], 31);
  move = ase_pass(dying, &position);
  toy_ase_print(dying, &move, text);
  ck_assert_str_eq(text, "1,31/2,3 lost=0,0 seat=2");
  ck_assert_int_eq(move.next.culprit[0], 0);
  ase_close(rules);
  ase_close(dying);
}

CASE(moves_say_what_moved) {
  game_rules *rules = toy_ase_open("colours=2");
  const ase_position position = toy_ase_read(rules, "5a,20a,5b,6b/0a,0a,0b,0b lost=0,0 seat=1");
  static const int expected[][4] = {{0, 0, 5, 7}, {1, 0, 20, 22}, {2, 1, 5, 7}, {3, 1, 6, 8}};
  ase_moves moves;
  ase_list_moves(rules, &position, 2, &moves);
  ck_assert_int_eq(moves.used, 4);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(moves.move[i].token, expected[i][0]);
    ck_assert_int_eq(moves.move[i].colour, expected[i][1]);
    ck_assert_int_eq(moves.move[i].from, expected[i][2]);
    ck_assert_int_eq(moves.move[i].to, expected[i][3]);
  }
  ase_close(rules);
}

/* --- what flags change ---------------------------------------------------------------------------------- */

enum { TRIALS = 20000 };

/* Whether a flag may matter to a move of the position, as `base` has it. */
typedef bool may_matter(const game_rules *base, const ase_position *position, const ase_move *move);

static int unfinished(const game_rules *rules, const ase_position *position, int seat) {
  int tokens = position->forced && position->seat == seat;
  for (int i = 0; i < ase_tokens(rules, position); i++)
    tokens += position->square[seat][i] != ase_home(rules);
  return tokens;
}

static bool is_of_last_token(const game_rules *base, const ase_position *position, const ase_move *move) {
  (void)move;
  return unfinished(base, position, position->seat) == 1;
}

static bool leaves_labyrinth(const game_rules *base, const ase_position *position, const ase_move *move) {
  (void)position;
  return base->board.square[move->from].kind == GOOSE_LABYRINTH;
}

static bool ends_soon(const game_rules *base, const ase_position *position, const ase_move *move) {
  (void)position;
  for (int seat = 0; seat < move->next.seats; seat++) {
    if (unfinished(base, &move->next, seat) <= 1) return true;
  }
  return false;
}

static bool finishes(const game_rules *base, const ase_position *position, const ase_move *move) {
  (void)base;
  (void)position;
  return move->over;
}

static bool captures(const game_rules *base, const ase_position *position, const ase_move *move) {
  for (int seat = 0; seat < position->seats; seat++) {
    for (int i = 0; seat != position->seat && i < ase_tokens(base, position); i++) {
      if (position->square[seat][i] != move->next.square[seat][i]) return true;
    }
  }
  return false;
}

static bool captures_losers(const game_rules *base, const ase_position *position, const ase_move *move) {
  return captures(base, position, move) && position->lost[!position->seat];
}

/* From a square before the first goose, whatever wormholes there are. */
static bool jumps_from_the_first(const game_rules *base, const ase_position *position, const ase_move *move) {
  (void)base;
  (void)position;
  return move->roll_again;
}

static const struct {
  const char *flag;
  may_matter *may;
} changes[] = {
    {"labyrinth-exit=roll", leaves_labyrinth},
    {"capture=final-square", captures},
    {"lost-turns=die-with-token", captures_losers},
    {"last-turn=off", finishes},
    {"home=one-left", ends_soon},
    {"last-token=no-death", is_of_last_token},
    {"last-token=no-lost-turns", is_of_last_token},
    {"last-token=no-overshoot", is_of_last_token},
    {"last-token=no-bounce", is_of_last_token},
    {"last-token=immune", is_of_last_token},
    {"goose-1=off", jumps_from_the_first},
};

static bool same_moves(const ase_move *one, const ase_move *other) {
  ase_move a = *one, b = *other;
  memset(a.next.culprit, 0, sizeof a.next.culprit);
  memset(b.next.culprit, 0, sizeof b.next.culprit);
  return a.token == b.token && a.to == b.to && a.roll_again == b.roll_again && a.over == b.over &&
         a.winners == b.winners && memcmp(&a.next, &b.next, sizeof a.next) == 0;
}

/* Moves of the flag's rules are those of base, but where it may matter. */
static int compare(const game_rules *base, const game_rules *flagged, may_matter *may, uint64_t *state) {
  const ase_position position = toy_ase_position(flagged, 2, 3, state);
  const int roll = 1 + (int)toy_ase_any(state, ASE_DIE);
  ase_moves usual, changed;
  int differ = 0;
  ase_list_moves(base, &position, roll, &usual);
  ase_list_moves(flagged, &position, roll, &changed);
  ck_assert_int_eq(usual.used, changed.used);
  for (int i = 0; i < usual.used; i++) {
    if (same_moves(&usual.move[i], &changed.move[i])) continue;
    if (!may(base, &position, &usual.move[i]) && !may(base, &position, &changed.move[i]))
      ck_abort_msg("%s: from %d to %d with %d", flagged->base.text, usual.move[i].from, usual.move[i].to,
                   roll);
    differ++;
  }
  return differ;
}

CASE(flags_change_nothing_else) {
  uint64_t state = 88172645463325252u;
  int differ = 0;
  char text[64];
  snprintf(text, sizeof text, "board=20,%s", changes[_i].flag);
  if (strncmp(changes[_i].flag, "goose", 5) == 0) snprintf(text, sizeof text, "%s", changes[_i].flag);
  game_rules *flagged = toy_ase_open(text);
  game_rules *base = toy_ase_open(ase_home(flagged) == 20 ? "board=20" : "base");
  for (int i = 0; i < TRIALS; i++) differ += compare(base, flagged, changes[_i].may, &state);
  ck_assert_int_gt(differ, 5);
  ase_close(base);
  ase_close(flagged);
}

/* --- tokens that are alike ------------------------------------------------------------------------------ */

static ase_position shuffled(const game_rules *rules, const ase_position *position, uint64_t *state) {
  ase_position other = *position;
  for (int seat = 0; seat < other.seats; seat++) {
    for (int i = 0; i < ase_tokens(rules, &other); i++) {
      const int first = i - i % other.tokens;
      const int with = first + (int)toy_ase_any(state, other.tokens);
      const uint8_t square = other.square[seat][i];
      other.square[seat][i] = other.square[seat][with];
      other.square[seat][with] = square;
    }
  }
  return other;
}

static bool leads_to(const ase_moves *moves, const ase_move *move) {
  for (int i = 0; i < moves->used; i++) {
    ase_move other = moves->move[i];
    other.token = move->token;
    if (other.from == move->from && other.colour == move->colour && same_moves(&other, move)) return true;
  }
  return false;
}

CASE(equal_tokens_may_be_exchanged) {
  static const char *const sets[] = {"board=20", "board=20,colours=2", "colours=3",
                                     "board=20,interaction=off"};
  game_rules *rules = toy_ase_open(sets[_i]);
  uint64_t state = 2463534242u;
  for (int i = 0; i < 3000; i++) {
    const ase_position position = toy_ase_position(rules, 2, 2 + i % 3, &state);
    const ase_position other = shuffled(rules, &position, &state);
    const int roll = 1 + (int)toy_ase_any(&state, ASE_DIE);
    ase_moves moves, again;
    ase_list_moves(rules, &position, roll, &moves);
    ase_list_moves(rules, &other, roll, &again);
    for (int m = 0; m < again.used; m++) ase_sort(rules, &again.move[m].next);
    for (int m = 0; m < moves.used; m++) ck_assert(leads_to(&again, &moves.move[m]));
    for (int m = 0; m < again.used; m++) ck_assert(leads_to(&moves, &again.move[m]));
    for (int m = 1; m < moves.used; m++) {
      const ase_move *one = &moves.move[m - 1], *two = &moves.move[m];
      ck_assert(one->colour < two->colour || (one->colour == two->colour && one->from < two->from));
    }
  }
  ase_close(rules);
}

/* --- texts ------------------------------------------------------------------------------------------- */

CASE(any_position_comes_back_from_its_text) {
  static const char *const sets[] = {"base", "board=20,colours=2", "colours=3", "interaction=off"};
  game_rules *rules = toy_ase_open(sets[_i]);
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 2000; i++) {
    const ase_position position = toy_ase_position(rules, 2 + i % 3, 1 + i % 4, &state);
    game_position game, again;
    char text[GAME_TEXT_BYTES];
    ase_to_game(&position, &game);
    ase_print(rules, &game, text);
    if (ase_parse(rules, text, &again, NULL)) ck_abort_msg("%s is not read", text);
    if (memcmp(&game, &again, sizeof game) != 0) ck_abort_msg("%s is read as another", text);
  }
  ase_close(rules);
}

SUITE("asesina_rules") {
  LOOP(turns_are_those_of_the_rule_book, ROWS(turns));
  TESTS(lost_turns_are_served_one_by_one, moves_say_what_moved);
  LOOP(flags_change_nothing_else, ROWS(changes));
  LOOP(equal_tokens_may_be_exchanged, 4);
  LOOP(any_position_comes_back_from_its_text, 4);
}
