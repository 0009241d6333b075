/* La oca asesina against its slow definition: all events of many states under every flag. */
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"

enum { TRIALS = 3000 };

/* Culprits that no longer matter and seats of games that are over are left out. */
static bool same(const game_rules *rules, const ase_move *move, const naive_ase_event *event) {
  if (event->winners || move->over) return move->over && event->winners == move->winners;
  naive_ase_position a = toy_ase_slow_position(rules, &move->next), b = event->after;
  if (!rules->flags.lost_turns_die) {
    memset(a.culprit, 0, sizeof a.culprit);
    memset(b.culprit, 0, sizeof b.culprit);
  }
  return a.seat == b.seat && a.forced == b.forced && memcmp(a.square, b.square, sizeof a.square) == 0 &&
         memcmp(a.lost, b.lost, sizeof a.lost) == 0;
}

static void compare_events(const game_rules *rules, const ase_position *position, int roll) {
  const naive_ase_game game = toy_ase_slow_game(rules, position->seats, position->tokens);
  const naive_ase_position slow = toy_ase_slow_position(rules, position);
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  ase_moves moves;
  const int used = naive_ase_events(&game, &slow, roll, events);
  ase_list_moves(rules, position, roll, &moves);
  char text[GAME_TEXT_BYTES];
  game_position own;
  ase_to_game(position, &own);
  ase_print(rules, &own, text);
  for (int m = 0; m < moves.used; m++) {
    int e = 0;
    while (e < used && !same(rules, &moves.move[m], &events[e])) e++;
    if (e == used) {
      char after[GAME_TEXT_BYTES];
      toy_ase_print(rules, &moves.move[m], after);
      ck_abort_msg("%s: %s, roll %d: only the fast one has %s", rules->base.text, text, roll, after);
    }
  }
  for (int e = 0; e < used; e++) {
    int m = 0;
    while (m < moves.used && !same(rules, &moves.move[m], &events[e])) m++;
    if (m == moves.used) {
      char after[NAIVE_ASE_TEXT_BYTES];
      naive_ase_write(&game, &events[e].after, after);
      ck_abort_msg("%s: %s, roll %d: only the slow one has %s winners %d", rules->base.text, text, roll,
                   after, events[e].winners);
    }
  }
}

static void compare_many(const char *text) {
  game_rules *rules = toy_ase_open(text);
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < SOME(TRIALS / 3, TRIALS); i++) {
    const int least = rules->flags.home_one_left ? 2 : 1;
    const int tokens = least + i % (rules->flags.colours > 1 ? 2 : 4);
    const ase_position position = toy_ase_position(rules, 2 + i % 7 / 5, tokens, &state);
    for (int roll = 1; roll <= ASE_DIE; roll++) compare_events(rules, &position, roll);
  }
}

CASE(both_writings_agree) {
  char text[128];
  compare_many(toy_ase_flags[_i]);
  snprintf(text, sizeof text, "board=20,%s", toy_ase_flags[_i]);
  compare_many(_i ? text : "board=20");
  if (_i == 0) compare_many("goose-1=off");
}

SUITE("asesina_naive") {
  LOOP(both_writings_agree, toy_ase_flag_sets);
}
