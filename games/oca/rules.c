/* The rules of Oca: computes the positions after a roll or a pass. */
#include "games/oca/rules.h"

oca_position oca_start(const game_rules *rules, int players) {
  oca_position start = {.players = (uint8_t)players};
  for (int seat = 0; seat < players; seat++) start.token[seat].square = (uint8_t)rules->start;
  return start;
}

bool oca_waits(const game_rules *rules, oca_token token) {
  const goose_square *square = &rules->board.square[token.square];
  return square->kind == GOOSE_WELL && square->turns == 0;
}

bool oca_may_stand(const game_rules *rules, oca_token token, bool to_roll) {
  const goose_board *board = &rules->board;
  if (token.square < board->length) return token.lost <= board->square[token.square].turns;
  if (token.square > board->length || rules->last_goose != LAST_GOOSE_BOUNCES || token.lost) return false;
  const int well = goose_board_find(board, GOOSE_WELL), roll = board->length - well;
  const bool leads_to_well =
      well && board->square[well].turns == 0 && roll >= rules->dice && roll <= 6 * rules->dice;
  return to_roll || leads_to_well;
}

bool oca_must_pass(const game_rules *rules, const oca_position *position) {
  const oca_token token = position->token[position->seat];
  return token.lost > 0 || oca_waits(rules, token);
}

bool oca_is_stuck(const game_rules *rules, const oca_position *position) {
  return position->players == 1 && oca_waits(rules, position->token[0]);
}

static void end_turn(oca_position *position) {
  position->seat = (uint8_t)((position->seat + 1) % position->players);
}

oca_position oca_pass(const game_rules *rules, const oca_position *position) {
  oca_position next = *position;
  oca_token *mover = &next.token[next.seat];
  if (mover->lost > 0) mover->lost--;
  end_turn(&next);
  return next;
}

/* A token that would pass the last square turns back there. */
int oca_walk(const game_rules *rules, int square, int roll) {
  const int target = square + roll, length = rules->board.length;
  return target > length ? 2 * length - target : target;
}

static void fly_to_next_goose(const game_rules *rules, oca_token *mover, oca_step *step) {
  const uint8_t next_goose = rules->board.square[mover->square].to;
  const bool to_the_last = next_goose == rules->board.length;
  if (!to_the_last || rules->last_goose != LAST_GOOSE_STAYS) mover->square = next_goose;
  step->won = to_the_last && rules->last_goose == LAST_GOOSE_WINS;
  step->again = !step->won;
}

/* Moves a token that waits in the well to the square that the newcomer left. */
static void free_waiting_token(const game_rules *rules, oca_position *position, uint8_t left) {
  for (int seat = 0; seat < position->players; seat++) {
    oca_token *token = &position->token[seat];
    if (seat != position->seat && oca_waits(rules, *token)) token->square = left;
  }
}

static void apply_square(const game_rules *rules, uint8_t left, oca_step *step) {
  oca_token *mover = &step->next.token[step->next.seat];
  const goose_square *square = &rules->board.square[mover->square];
  switch ((goose_kind)square->kind) {
  case GOOSE_PLAIN:
    break;
  case GOOSE_GOOSE:
    fly_to_next_goose(rules, mover, step);
    break;
  case GOOSE_BRIDGE:
  case GOOSE_DICE:
    mover->square = square->to;
    step->again = true;
    break;
  case GOOSE_INN:
  case GOOSE_PRISON:
    mover->lost = square->turns;
    break;
  case GOOSE_WELL:
    mover->lost = square->turns;
    free_waiting_token(rules, &step->next, left);
    break;
  case GOOSE_LABYRINTH:
    mover->lost = square->turns;
    if (!square->turns) mover->square = square->to;
    break;
  case GOOSE_DEATH:
    mover->square = square->to;
    break;
  }
}

oca_step oca_roll(const game_rules *rules, const oca_position *position, int roll) {
  oca_step step = {.next = *position};
  oca_token *mover = &step.next.token[step.next.seat];
  const uint8_t left = mover->square;
  mover->square = (uint8_t)oca_walk(rules, left, roll);
  step.won = mover->square == rules->board.length;
  if (!step.won) apply_square(rules, left, &step);
  if (!step.won && !step.again) end_turn(&step.next);
  return step;
}
