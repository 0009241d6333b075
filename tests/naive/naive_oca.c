#include "naive_oca.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BRIDGE = 6, LAST_BRIDGE = 12, INN = 19, FIRST_DICE = 26, LAST_DICE = 53 };
enum { LABYRINTH = 42, OUT_OF_LABYRINTH = 30, PRISON = 52, DEATH = 58, LAST_GOOSE = 59 };

static const int geese[] = {1, 5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54, 59, 63};
enum { GEESE = sizeof geese / sizeof *geese };

static bool is_goose(const naive_oca_rules *rules, int square) {
  if (square == 1 && rules->goose_1_off) return false;
  for (int i = 0; i < GEESE; i++)
    if (geese[i] == square) return true;
  return false;
}

static int next_goose(int square) {
  for (int i = 0; i < GEESE; i++)
    if (geese[i] > square) return geese[i];
  return NAIVE_OCA_HOME;
}

int naive_oca_turns_lost(const naive_oca_rules *rules, int square) {
  if (square == INN) return rules->inn_1 ? 1 : 2;
  if (square == LABYRINTH) return rules->labyrinth_30 ? 0 : 2;
  if (square == PRISON) return rules->prison_2 ? 2 : 3;
  return 0;
}

int naive_oca_cases(const naive_oca_rules *rules, int roll) {
  if (!rules->two_dice) return roll >= 1 && roll <= 6 ? 1 : 0;
  int cases = 0;
  for (int die = 1; die <= 6; die++)
    if (roll - die >= 1 && roll - die <= 6) cases++;
  return cases;
}

naive_oca_position naive_oca_start(const naive_oca_rules *rules, int players) {
  naive_oca_position start = {.players = players};
  for (int seat = 0; seat < players; seat++) start.token[seat].square = rules->start_1 ? 1 : 0;
  return start;
}

static bool is_in_well(const naive_oca_rules *rules, const naive_oca_position *position, int seat) {
  return !rules->well_off && position->token[seat].square == NAIVE_OCA_WELL;
}

bool naive_oca_must_pass(const naive_oca_rules *rules, const naive_oca_position *position) {
  return position->token[position->seat].lost > 0 || is_in_well(rules, position, position->seat);
}

/* --- turns --- */

static naive_oca_event end_turn(naive_oca_position position) {
  position.seat = (position.seat + 1) % position.players;
  return (naive_oca_event){position, NAIVE_OCA_NOBODY, true};
}

static naive_oca_event stand(naive_oca_position position, int square, int lost) {
  position.token[position.seat] = (naive_oca_token){square, lost};
  return end_turn(position);
}

static naive_oca_event roll_again(naive_oca_position position, int square) {
  position.token[position.seat].square = square;
  return (naive_oca_event){position, NAIVE_OCA_NOBODY, false};
}

static naive_oca_event win(naive_oca_position position) {
  position.token[position.seat].square = NAIVE_OCA_HOME;
  return (naive_oca_event){position, position.seat, true};
}

static naive_oca_event go_with_last_goose(const naive_oca_rules *rules, naive_oca_position position) {
  if (rules->goose_59 == NAIVE_OCA_STAY) return roll_again(position, LAST_GOOSE);
  if (rules->goose_59 == NAIVE_OCA_BOUNCE) return roll_again(position, NAIVE_OCA_HOME);
  return win(position);
}

static naive_oca_event fall_into_well(const naive_oca_rules *rules, naive_oca_position position) {
  int left = position.token[position.seat].square;
  for (int seat = 0; seat < position.players; seat++)
    if (is_in_well(rules, &position, seat)) position.token[seat].square = left;
  return stand(position, NAIVE_OCA_WELL, 0);
}

static naive_oca_event land(const naive_oca_rules *rules, naive_oca_position position, int square) {
  if (square == NAIVE_OCA_HOME) return win(position);
  if (square == LAST_GOOSE) return go_with_last_goose(rules, position);
  if (is_goose(rules, square)) return roll_again(position, next_goose(square));
  if (square == FIRST_BRIDGE) return roll_again(position, LAST_BRIDGE);
  if (square == LAST_BRIDGE) return roll_again(position, FIRST_BRIDGE);
  if (square == FIRST_DICE) return roll_again(position, LAST_DICE);
  if (square == LAST_DICE) return roll_again(position, FIRST_DICE);
  if (square == DEATH) return stand(position, rules->death_start ? 0 : 1, 0);
  if (square == LABYRINTH && rules->labyrinth_30) return stand(position, OUT_OF_LABYRINTH, 0);
  if (square == NAIVE_OCA_WELL && !rules->well_off) return fall_into_well(rules, position);
  return stand(position, square, naive_oca_turns_lost(rules, square));
}

naive_oca_event naive_oca_pass(const naive_oca_rules *rules, const naive_oca_position *position) {
  naive_oca_position after = *position;
  if (!is_in_well(rules, position, position->seat)) after.token[after.seat].lost--;
  return end_turn(after);
}

naive_oca_event naive_oca_roll(const naive_oca_rules *rules, const naive_oca_position *position, int roll) {
  int from = position->token[position->seat].square, to = from + roll;
  if (from == NAIVE_OCA_HOME) to = from - roll;
  if (to > NAIVE_OCA_HOME) to = 2 * NAIVE_OCA_HOME - to;
  return land(rules, *position, to);
}

/* --- positions --- */

static bool is_token(const naive_oca_rules *rules, naive_oca_token token, bool to_roll) {
  if (token.square < 0 || token.square > NAIVE_OCA_HOME) return false;
  if (token.square == NAIVE_OCA_HOME && !(to_roll && rules->goose_59 == NAIVE_OCA_BOUNCE)) return false;
  return token.lost >= 0 && token.lost <= naive_oca_turns_lost(rules, token.square);
}

bool naive_oca_is_position(const naive_oca_rules *rules, const naive_oca_position *position) {
  int in_well = 0;
  if (position->players < 1 || position->players > NAIVE_OCA_MOST_PLAYERS) return false;
  if (position->seat < 0 || position->seat >= position->players) return false;
  for (int seat = 0; seat < position->players; seat++) {
    if (!is_token(rules, position->token[seat], seat == position->seat)) return false;
    in_well += is_in_well(rules, position, seat);
  }
  return in_well <= 1;
}

void naive_oca_write(const naive_oca_position *position, char text[NAIVE_OCA_TEXT_BYTES]) {
  int used = sprintf(text, "oca:");
  for (int seat = 0; seat < position->players; seat++) {
    const naive_oca_token *token = &position->token[seat];
    used += sprintf(text + used, "%s%d", seat == 0 ? "" : ",", token->square);
    if (token->lost > 0) used += sprintf(text + used, "~%d", token->lost);
  }
  sprintf(text + used, "/%d", position->seat + 1);
}

/* Reads the figures that must stand there, and says where they end. */
static const char *read_number(const char *text, int *number) {
  size_t figures = strspn(text, "0123456789");
  if (figures == 0 || figures > 2 || (figures == 2 && *text == '0')) return NULL;
  *number = atoi(text);
  return text + figures;
}

static const char *read_token(const char *text, naive_oca_token *token) {
  *token = (naive_oca_token){0, 0};
  text = read_number(text, &token->square);
  if (text == NULL || *text != '~') return text;
  text = read_number(text + 1, &token->lost);
  return token->lost > 0 ? text : NULL;
}

bool naive_oca_read(const naive_oca_rules *rules, const char *text, naive_oca_position *position) {
  *position = (naive_oca_position){0};
  if (strncmp(text, "oca:", 4) != 0) return false;
  text += 3;
  do {
    if (position->players == NAIVE_OCA_MOST_PLAYERS) return false;
    text = read_token(text + 1, &position->token[position->players++]);
  } while (text != NULL && *text == ',');
  if (text == NULL || *text != '/') return false;
  text = read_number(text + 1, &position->seat);
  position->seat--;
  return text != NULL && *text == '\0' && naive_oca_is_position(rules, position);
}
