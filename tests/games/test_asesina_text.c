/* La oca asesina in words: positions, rule sets and what is wrong with them. */
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina.h"

/* --- positions ------------------------------------------------------------------------------------------ */

typedef struct {
  const char *rules, *text, *canonical;
} reading;

static const reading readings[] = {
    {"base", "0,5/12,63 lost=0,1 seat=1", "0,5/12,63 lost=0,1 seat=1"},
    {"base", "  5,0/63,12\tlost=0,1   seat=1 ", "0,5/12,63 lost=0,1 seat=1"},
    {"base", "007/8 lost=0,3 seat=2", "7/8 lost=0,3 seat=2"},
    {"base", "1,63/2,3 lost=0,0 seat=1  forced ", "1,63/2,3 lost=0,0 seat=1 forced"},
    {"base", "0,0,0,0/63,63,63,0 lost=0,0 seat=2", "0,0,0,0/0,63,63,63 lost=0,0 seat=2"},
    {"base", "1/2/3/4/5/6 lost=0,0,0,0,0,1 seat=6", "1/2/3/4/5/6 lost=0,0,0,0,0,1 seat=6"},
    {"base", "63/2/3 lost=0,0,0 seat=2", "63/2/3 lost=0,0,0 seat=2"},
    {"base", "12,11,10,9,8,7,6,5,4,3,2,1/0,0,0,0,0,0,0,0,0,0,0,0 lost=0,0 seat=1",
     "1,2,3,4,5,6,7,8,9,10,11,12/0,0,0,0,0,0,0,0,0,0,0,0 lost=0,0 seat=1"},
    {"board=20", "20/0 lost=0,0 seat=2", "20/0 lost=0,0 seat=2"},
    {"colours=2", "12b,12a/5a,5b lost=0,0 seat=1", "12a,12b/5a,5b lost=0,0 seat=1"},
    {"colours=2", "30a,4b,12b,9a/0b,0b,0a,0a lost=0,0 seat=1", "4b,9a,12b,30a/0a,0a,0b,0b lost=0,0 seat=1"},
    {"colours=3", "63c,4b,63a/0b,0c,0a lost=0,0 seat=1 forced=c",
     "4b,63a,63c/0a,0b,0c lost=0,0 seat=1 forced=c"},
    {"interaction=off", "5,5,5/5,6,7 lost=0,0 seat=1", "5,5,5/5,6,7 lost=0,0 seat=1"},
    {"home=one-left", "5,63/4,6 lost=0,0 seat=2", "5,63/4,6 lost=0,0 seat=2"},
    {"lost-turns=die-with-token", "5,19/6,7 lost=1,0 seat=1", "5,19/6,7 lost=1,0 seat=1"},
    {"lost-turns=die-with-token", "5,19/6,7 lost=1@19,0 seat=1", "5,19/6,7 lost=1,0 seat=1"},
    {"lost-turns=die-with-token", "19,31/6,7 lost=1@31,0 seat=1", "19,31/6,7 lost=1@31,0 seat=1"},
    {"lost-turns=die-with-token", "19,31/6,7 lost=2,0 seat=1", "19,31/6,7 lost=2,0 seat=1"},
};

CASE(positions_are_read_and_printed) {
  const reading *t = &readings[_i];
  game_rules *rules = toy_ase_open(t->rules);
  const ase_position position = toy_ase_read(rules, t->text);
  game_position game;
  char text[GAME_TEXT_BYTES];
  ase_to_game(&position, &game);
  ase_print(rules, &game, text);
  ck_assert_str_eq(text, t->canonical);
  ase_close(rules);
}

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

/* With words that the message must have. */
typedef struct {
  const char *rules, *text, *words;
} fault;

static const fault faults[] = {
    {"base", "", "a square is missing at its end"},
    {"base", "", "write 0,5/12,63 lost=0,1 seat=1"},
    {"base", "x", "a square is expected at character 1, not 'x'"},
    {"base", "1,,2/3,4 lost=0,0 seat=1", "a square is expected at character 3, not ','"},
    {"base", "1,2/3,4", "a blank is missing"},
    {"base", "1,2;3,4 lost=0,0 seat=1", "a blank is expected at character 4, not ';'"},
    {"base", "1,2/3,4 seat=1", "lost= is expected at character 9"},
    {"base", "1,2/3,4 lost=0 seat=1", "a comma and the turns that the next player has to lose"},
    {"base", "1,2/3,4 lost=,0 seat=1", "a number of turns is expected"},
    {"base", "1,2/3,4 lost=0,4 seat=1", "player 2 has more than 3 turns to lose, the most of this board"},
    {"base", "1,2/3,4 lost=0,0", "a blank is missing"},
    {"base", "1,2/3,4 lost=0,0 ", "seat= is missing"},
    {"base", "1,2/3,4 lost=0,0 seat=", "the seat to roll is missing"},
    {"base", "1,2/3,4 lost=0,0 seat=3", "the seat to roll must be 1 to 2"},
    {"base", "1,2/3,4 lost=0,0 seat=0", "the seat to roll must be 1 to 2"},
    {"base", "1,2/3,4 lost=0,0 seat=1 force", "the end or forced is expected at character 25"},
    {"base", "1,63/3,4 lost=0,0 seat=1 forced x", "the end or forced is expected at character 33"},
    {"base", "1,64/3,4 lost=0,0 seat=1", "player 1 has a token beyond square 63, the last"},
    {"base", "1,2/3,99999999999 lost=0,0 seat=1", "player 2 has a token beyond square 63"},
    {"base", "1,2/3,4294967300 lost=0,0 seat=1", "player 2 has a token beyond square 63"},
    {"board=20", "1,2/3,21 lost=0,0 seat=1", "player 2 has a token beyond square 20"},
    {"base", "1,2 lost=0 seat=1", "it has one player"},
    {"base", "1/2/3/4/5/6/7 lost=0 seat=1", "it has more than 6 players"},
    {"base", "1,2/3 lost=0,0 seat=1", "player 2 has 1 token, but player 1 has 2"},
    {"base", "1/3,4 lost=0,0 seat=1", "player 2 has 2 tokens, but player 1 has 1"},
    {"base", "0,0,0,0,0,0,0,0,0,0,0,0,0/0 lost=0,0 seat=1", "player 1 has more than 12 tokens of a colour"},
    {"colours=2", "1a,2b/3a,4a lost=0,0 seat=1", "player 2 has 2 tokens of colour a, but player 1 has 1 of"},
    {"colours=2", "1a,2a/3a,4b lost=0,0 seat=1", "player 1 has 0 tokens of colour b, but player 1 has 2 of"},
    {"colours=2", "1,2/3,4 lost=0,0 seat=1", "a colour, a or b, is expected at character 2"},
    {"colours=2", "1c,2a/3a,4b lost=0,0 seat=1", "a colour, a or b, is expected"},
    {"colours=3", "1d,2a/3a,4b lost=0,0 seat=1", "a colour, a, b or c, is expected"},
    {"base", "1a,2a/3a,4a lost=0,0 seat=1", "a blank is expected at character 2, not 'a'"},
    {"base", "5,5,5/1,2,3 lost=0,0 seat=1", "player 1 has 3 tokens on square 5, which holds two"},
    {"base", "5,5,6/5,2,3 lost=0,0 seat=1", "players 1 and 2 both stand on square 5"},
    {"base", "1/2/3/62/62 lost=0,0,0,0,0 seat=1", "players 4 and 5 both stand on square 62"},
    {"base", "1,2/3,4 lost=0,0 seat=1 forced", "player 1 is forced, but has no such token on 63"},
    {"base", "1,63/3,4 lost=0,0 seat=2 forced", "player 2 is forced, but has no such token on 63"},
    {"colours=2", "63a,4b/0a,0b lost=0,0 seat=1 forced=b", "player 1 is forced, but has no such token"},
    {"colours=2", "63a,4b/0a,0b lost=0,0 seat=1 forced", "= and a colour is missing"},
    {"colours=2", "63a,4b/0a,0b lost=0,0 seat=1 forced=c", "a colour, a or b, is expected"},
    {"base", "1,63/3,4 lost=1,0 seat=1 forced", "player 1 is forced, but has turns to lose"},
    {"base", "63,63/3,4 lost=0,0 seat=1", "player 1 has finished, and seat 1 has no last turn"},
    {"base", "3,4/63,63 lost=0,0 seat=1", "player 2 has finished, and seat 1 has no last turn"},
    {"base", "63/63 lost=0,0 seat=2", "player 1 has finished, and seat 2 has no last turn"},
    {"base", "63,63/3,4 lost=0,1 seat=2", "player 1 has finished, and seat 2, with turns to lose"},
    {"base", "63/3/63 lost=0,0,0 seat=2", "player 3 has finished out of turn: seat 2 rolls before"},
    {"last-turn=off", "63,63/3,4 lost=0,0 seat=2", "player 1 has finished, and seat 2 has no last turn"},
    {"home=one-left", "63,3/3,4 lost=0,0 seat=1", "players 1 and 2 both stand"},
    {"home=one-left", "63,5/3,4 lost=0,0 seat=1", "player 1 has finished, and seat 1 has no last turn"},
    {"home=one-left", "1/2 lost=0,0 seat=1", "home=one-left takes two tokens or more"},
    {"base", "5,19/6,7 lost=1@19,0 seat=1", "is named, @, with lost-turns=die-with-token only"},
    {"lost-turns=die-with-token", "5,19/6,7 lost=1@0,0 seat=1", "must stand on 1 to 62"},
    {"lost-turns=die-with-token", "5,19/6,7 lost=1@5,0 seat=1", "no token on the square named"},
    {"lost-turns=die-with-token", "5,19/6,7 lost=2,0 seat=1", "but no token that can have lost them"},
    {"lost-turns=die-with-token", "5,19/6,7 lost=0@19,0 seat=1", "no turns to lose, but a token"},
    {"lost-turns=die-with-token", "19,31/6,7 lost=1,0 seat=1", "one of several tokens; write lost=1@19"},
};

CASE(mistakes_are_named) {
  const fault *t = &faults[_i];
  game_rules *rules = toy_ase_open(t->rules);
  game_position game;
  tauler_message message;
  ck_assert_int_eq(ase_parse(rules, t->text, &game, &message), TAULER_BAD_POSITION);
  if (!strstr(message.text, t->words)) ck_abort_msg("'%s' says %s", t->text, message.text);
  ase_close(rules);
}

/* --- rule sets ------------------------------------------------------------------------------------------ */

#define LINE_20                                                                                              \
  "length-20_geese-4-8-13-17-20_bridges-3-7_dice-9-15_inn-6-1_prison-12-3_well-10-2_labyrinth-14-to-11_"     \
  "death-16-to-0"
#define LINE(death, well, labyrinth)                                                                         \
  "board=length-20_geese-4-8-13-17-20_bridges-3-7_dice-9-15_inn-6-1_prison-12-3_well-" well                  \
  "_labyrinth-" labyrinth "_death-" death

static const struct {
  const char *text, *canonical;
} rule_sets[] = {
    {NULL, "base"},
    {"base", "base"},
    {"board=63", "base"},
    {"base,board=20", "base,board=20"},
    {"board=" LINE_20, "base,board=20"},
    {LINE("none", "10-2", "none"), "base," LINE("none", "10-2", "none")},
    {"last-turn=off,colours=3,goose-1=off", "base,goose-1=off,colours=3,last-turn=off"},
    {"home=one-left,lost-turns=die-with-token,capture=final-square,labyrinth-exit=roll",
     "base,capture=final-square,lost-turns=die-with-token,labyrinth-exit=roll,home=one-left"},
    {"base,interaction=off,last-token=immune", "base,last-token=immune,interaction=off"},
    {"last-token=no-death", "base,last-token=no-death"},
    {"last-token=no-lost-turns", "base,last-token=no-lost-turns"},
    {"last-token=no-overshoot", "base,last-token=no-overshoot"},
    {"last-token=no-bounce", "base,last-token=no-bounce"},
};

CASE(rule_sets_have_one_text) {
  game_rules *rules = toy_ase_open(rule_sets[_i].text);
  ck_assert_str_eq(rules->base.text, rule_sets[_i].canonical);
  game_rules *again = toy_ase_open(rules->base.text);
  ck_assert_mem_eq(&again->flags, &rules->flags, sizeof rules->flags);
  ck_assert(goose_board_equal(&again->board, &rules->board));
  ck_assert_str_eq(again->base.text, rules->base.text);
  ase_close(rules);
  ase_close(again);
}

static const struct {
  const char *text, *words;
} refused[] = {
    {"", "no rule set or flag ''; its one rule set is base, and the flags are board=63|20|…, goose-1=off, "
         "colours"},
    {"basee", "did you mean base?"},
    {"base,color=2", "no flag 'color'; did you mean colours?"},
    {"base,base", "no flag 'base'"},
    {"colours", "is written colours=2|3"},
    {"colours=4", "colours=2|3"},
    {"last-token=imune", "did you mean last-token=immune?"},
    {"colours=2,colours=2", "the flag colours is given twice"},
    {"last-token=no-death,last-token=no-bounce", "the flag last-token is given twice"},
    {"capture=final-square,interaction=off", "capture=final-square contradicts interaction=off: nothing is"},
    {"lost-turns=die-with-token,interaction=off", "lost-turns=die-with-token contradicts interaction=off"},
    {"players=3,colours=2", "players=3 contradicts colours=2: three players"},
    {"alone=1", "alone=1 is for three players"},
    {"players=4,alone=2", "add players=3"},
    {"home=one-left,players=4", "players=4 contradicts home=one-left: three players"},
    {"home=one-left,last-token=no-death",
     "last-token=no-death contradicts home=one-left: a player with one token"},
    {"board=20,goose-1=off", "goose-1=off contradicts the board"},
    {"board=21", "the flag board"},
    {LINE("16-to-1", "10-2", "14-to-11"), "its death must lead to the start"},
    {LINE("16-to-0", "10", "14-to-11"), "its well keeps tokens"},
    {LINE("16-to-0", "10-2", "14-loses-2"), "its labyrinth takes turns"},
    {LINE("16-to-0", "10-2", "14-to-20"), "where the game is won"},
};

CASE(rule_sets_that_cannot_be_are_refused) {
  game_rules *rules;
  tauler_message message;
  ck_assert_int_eq(ase_open(refused[_i].text, NULL, &rules, &message), TAULER_BAD_USAGE);
  ck_assert_ptr_null(rules);
  if (!strstr(message.text, refused[_i].words)) ck_abort_msg("'%s' says %s", refused[_i].text, message.text);
  ck_assert_int_eq(ase_open("base", "even", &rules, &message), TAULER_BAD_USAGE);
}

SUITE("asesina_text") {
  LOOP(positions_are_read_and_printed, ROWS(readings));
  LOOP(any_position_comes_back_from_its_text, 4);
  LOOP(mistakes_are_named, ROWS(faults));
  LOOP(rule_sets_have_one_text, ROWS(rule_sets));
  LOOP(rule_sets_that_cannot_be_are_refused, ROWS(refused));
}
