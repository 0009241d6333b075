#include "analysis/claims/auale/boards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/registry.h"

tauler_error auale_rules_open(const char *rules, const char *cycles, auale_rule_set *out,
                              tauler_message *message) {
  *out = (auale_rule_set){game_find("auale"), NULL};
  return out->game->open(rules, cycles, &out->rules, message);
}

void auale_rules_close(auale_rule_set *set) {
  if (set->rules) set->game->close(set->rules);
  *set = (auale_rule_set){NULL, NULL};
}

tauler_error auale_visit_boards(const auale_rule_set *set, unsigned seeds,
                                tauler_error (*visit)(void *user, const game_position *board, bool table),
                                void *user) {
  const uint64_t after_moves = set->game->positions(set->rules, seeds);
  const uint64_t others = set->game->outside(set->rules, seeds);
  tauler_error error = TAULER_OK;
  game_position board;
  for (uint64_t i = 0; i < after_moves && !error; i++) {
    set->game->position_at(set->rules, (game_place){seeds, i}, &board);
    error = visit(user, &board, true);
  }
  for (uint64_t i = 0; i < others && !error; i++) {
    set->game->outside_at(set->rules, seeds, i, &board);
    error = visit(user, &board, false);
  }
  return error;
}

uint64_t auale_all_boards(unsigned seeds) {
  return binomial(seeds + AUALE_BOARD_PITS - 1, AUALE_BOARD_PITS - 1);
}

void auale_board_text(const uint8_t pits[AUALE_BOARD_PITS], char turn, char text[GAME_TEXT_BYTES]) {
  size_t used = 0;
  for (int i = 0; i < AUALE_BOARD_PITS; i++)
    used += (size_t)snprintf(text + used, GAME_TEXT_BYTES - used, "%u-", (unsigned)pits[i]);
  snprintf(text + used, GAME_TEXT_BYTES - used, "0-0-%c", turn);
}

void auale_board_pits(const auale_rule_set *set, const game_position *board, uint8_t pits[AUALE_BOARD_PITS]) {
  char text[GAME_TEXT_BYTES];
  set->game->print(set->rules, board, text);
  const char *at = text;
  for (int i = 0; i < AUALE_BOARD_PITS; i++) {
    char *end;
    const size_t seen = set->game->turn(set->rules, board)[0] == 'N' ? (size_t)(i + ROW_PITS) : (size_t)i;
    pits[seen % AUALE_BOARD_PITS] = (uint8_t)strtoul(at, &end, 10);
    at = end + 1;
  }
}

tauler_error auale_play_move(const auale_rule_set *set, const game_position *from, const char *name,
                             bool *legal, int *gain, game_position *to) {
  game_moves moves = {0};
  const tauler_error error = set->game->moves(set->rules, from, &moves);
  size_t at = 0;
  while (at < moves.used && strcmp(moves.moves[at].name, name) != 0) at++;
  *legal = !error && at < moves.used;
  if (*legal) {
    *gain = moves.moves[at].gain;
    *to = moves.moves[at].child;
  }
  game_moves_free(&moves);
  return error;
}

tauler_error auale_most_taken(const auale_rule_set *set, const game_position *from, int *taken) {
  game_moves moves = {0};
  const tauler_error error = set->game->moves(set->rules, from, &moves);
  *taken = 0;
  for (size_t i = 0; i < moves.used; i++)
    if (moves.moves[i].gain > *taken) *taken = moves.moves[i].gain;
  game_moves_free(&moves);
  return error;
}
