#include "tests/support/toy/toy_asesina_slow.h"

#include "tests/support/suite.h"

const char *const toy_ase_flags[] = {
    "base",
    "colours=2",
    "colours=3",
    "capture=final-square",
    "lost-turns=die-with-token",
    "labyrinth-exit=roll",
    "home=one-left",
    "last-token=immune",
    "last-token=no-death",
    "last-token=no-lost-turns",
    "last-token=no-overshoot",
    "last-token=no-bounce",
    "interaction=off",
    "last-turn=off",
    "capture=final-square,lost-turns=die-with-token,last-token=immune,colours=2",
};
const int toy_ase_flag_sets = (int)(sizeof toy_ase_flags / sizeof *toy_ase_flags);

static naive_ase_board slow_board(const game_rules *rules) {
  naive_ase_board board = {.home = 12,
                           .geese = {3, 7, 12},
                           .bridge = {2, 5},
                           .dice = {4, 9},
                           .inn = 6,
                           .inn_turns = 1,
                           .prison = 10,
                           .prison_turns = 2,
                           .labyrinth = 8,
                           .out_of_labyrinth = 3,
                           .death = 11};
  naive_ase_board least = {.home = 7,
                           .geese = {7},
                           .inn = 2,
                           .inn_turns = 1,
                           .prison = 4,
                           .prison_turns = 2,
                           .labyrinth = 5,
                           .out_of_labyrinth = 1,
                           .death = 6};
  naive_ase_board jumps = {
      .home = 6, .geese = {2, 4, 6}, .inn = 1, .inn_turns = 1, .labyrinth = 5, .out_of_labyrinth = 3};
  naive_ase_board tiny = {
      .home = 5, .geese = {5}, .inn = 1, .inn_turns = 1, .labyrinth = 3, .out_of_labyrinth = 2, .death = 4};
  switch (ase_home(rules)) {
  case 63:
    return naive_ase_board_63;
  case 20:
    return naive_ase_board_20;
  case 12:
    return board;
  case 7:
    return least;
  case 6:
    return jumps;
  case 5:
    return tiny;
  default:
    ck_abort_msg("no such board");
  }
}

naive_ase_game toy_ase_slow_game(const game_rules *rules, int players, int tokens) {
  const ase_flags *f = &rules->flags;
  return (naive_ase_game){.rules = {.colours = f->colours,
                                    .goose_1_off = f->goose_1_off,
                                    .capture_final_square = f->capture_on_final_square,
                                    .lost_turns_die = f->lost_turns_die,
                                    .labyrinth_exit_roll = f->labyrinth_exit_rolls,
                                    .one_left = f->home_one_left,
                                    .no_death = f->no_death,
                                    .no_lost_turns = f->no_lost_turns,
                                    .no_overshoot = f->no_overshoot,
                                    .no_bounce = f->no_bounce,
                                    .interaction_off = f->no_interaction,
                                    .last_turn_off = f->no_last_turn},
                          .board = slow_board(rules),
                          .players = players,
                          .tokens = tokens * f->colours,
                          .alone = f->alone};
}

naive_ase_position toy_ase_slow_position(const game_rules *rules, const ase_position *position) {
  naive_ase_position slow = {.seat = position->seat, .forced = position->forced};
  for (int seat = 0; seat < position->seats; seat++) {
    slow.lost[seat] = position->lost[seat];
    slow.culprit[seat] = position->culprit[seat];
    for (int i = 0; i < ase_tokens(rules, position); i++) slow.square[seat][i] = position->square[seat][i];
  }
  return slow;
}

ase_position toy_ase_fast_position(const game_rules *rules, const naive_ase_game *game,
                                   const naive_ase_position *slow) {
  ase_position position = {.seats = (uint8_t)game->players,
                           .tokens = (uint8_t)(game->tokens / rules->flags.colours),
                           .seat = (uint8_t)slow->seat,
                           .forced = (uint8_t)slow->forced};
  for (int seat = 0; seat < game->players; seat++) {
    position.lost[seat] = (uint8_t)slow->lost[seat];
    if (rules->flags.lost_turns_die && slow->lost[seat])
      position.culprit[seat] = (uint8_t)slow->culprit[seat];
    for (int i = 0; i < game->tokens; i++) position.square[seat][i] = (uint8_t)slow->square[seat][i];
  }
  ase_sort(rules, &position);
  return position;
}
