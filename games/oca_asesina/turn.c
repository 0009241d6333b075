/* Plays a turn of la oca asesina: lists a player's moves under a roll, with the position after each. */
#include "games/oca_asesina/turn.h"

/* --- finished seats --- */

static int unfinished_tokens(const game_rules *rules, const ase_position *position, int seat) {
  return ase_tokens(rules, position) - ase_tokens_home(rules, position, seat);
}

bool ase_has_finished(const game_rules *rules, const ase_position *position, int seat) {
  return unfinished_tokens(rules, position, seat) <= (rules->flags.home_one_left ? 1 : 0);
}

static uint8_t finished_seats(const game_rules *rules, const ase_position *position) {
  unsigned seats = 0;
  for (int seat = 0; seat < position->seats; seat++)
    seats |= (unsigned)ase_has_finished(rules, position, seat) << seat;
  return (uint8_t)seats;
}

/* --- the end of a turn --- */

/* Returns the seat that plays after this one, or ASE_NOWHERE if the game is over. Once a seat has finished,
 * later seats without turns to lose have a last turn, except under last-turn=off. */
static int next_seat(const game_rules *rules, const ase_position *position, int seat) {
  if (!finished_seats(rules, position)) return (seat + 1) % position->seats;
  do seat++;
  while (seat < position->seats && position->lost[seat]);
  return seat < position->seats && !rules->flags.no_last_turn ? seat : ASE_NOWHERE;
}

static void end_turn(const game_rules *rules, ase_move *move) {
  ase_position *next = &move->next;
  next->forced = 0;
  const int seat = next_seat(rules, next, next->seat);
  move->over = seat == ASE_NOWHERE;
  if (move->over) {
    move->winners = finished_seats(rules, next);
  } else {
    next->seat = (uint8_t)seat;
  }
}

static ase_move pass_turn(const game_rules *rules, const ase_position *position) {
  ase_move move = {.token = ASE_NOWHERE, .from = ASE_NOWHERE, .to = ASE_NOWHERE, .next = *position};
  end_turn(rules, &move);
  return move;
}

ase_move ase_pass(const game_rules *rules, const ase_position *position) {
  ase_position served = *position;
  if (--served.lost[served.seat] == 0) served.culprit[served.seat] = 0;
  return pass_turn(rules, &served);
}

/* --- the move of a token --- */

typedef struct {
  const game_rules *rules;
  ase_road road; /* the board without the token */
  int token;
  bool is_last; /* true if the player has no other unfinished token */
  ase_move move;
} journey;

static journey begin_move(const game_rules *rules, const ase_position *position, int token) {
  const int seat = position->seat;
  journey j = {.rules = rules, .token = token, .move = {.next = *position}};
  ase_road_open(rules, position, token, &j.road);
  j.is_last = unfinished_tokens(rules, position, seat) == 1;
  j.move.token = (uint8_t)token;
  j.move.colour = (uint8_t)(token / position->tokens);
  j.move.from = position->square[seat][token];
  j.move.next.forced = 0;
  return j;
}

static int token_square(const journey *j) {
  return j->move.next.square[j->move.next.seat][j->token];
}

static void put_token(journey *j, int square) {
  j->move.next.square[j->move.next.seat][j->token] = (uint8_t)square;
}

static void send_to_start(journey *j, int seat, int token) {
  ase_position *next = &j->move.next;
  if (j->rules->flags.lost_turns_die && next->lost[seat] && next->culprit[seat] == next->square[seat][token])
    next->lost[seat] = next->culprit[seat] = 0;
  next->square[seat][token] = 0;
}

/* Captures the enemy token, one at most, on the square of the moved token, and adds the square to `landed`.
 * Does nothing on 0 and N, or if tokens do not interact. */
static void capture_enemy(journey *j) {
  const int square = token_square(j);
  const ase_position *next = &j->move.next;
  if (j->rules->flags.no_interaction || square == 0 || square == ase_home(j->rules)) return;
  uint8_t *landed = j->move.landed;
  if (landed[0] != square) landed[landed[0] ? 1 : 0] = (uint8_t)square;
  for (int seat = 0; seat < next->seats; seat++) {
    for (int i = 0; i < ase_tokens(j->rules, next); i++) {
      if (seat != next->seat && next->square[seat][i] == square) send_to_start(j, seat, i);
    }
  }
}

/* --- rule 5: landing --- */

static void jump_if_possible(journey *j, int target) {
  if (target == ASE_NOWHERE) return;
  put_token(j, target);
  j->move.roll_again = true;
}

/* Jumps from a goose to the next one. A token that reaches N must move back, unless it is immune to that. */
static void jump_from_goose(journey *j) {
  jump_if_possible(j, ase_goose_jump(&j->road, token_square(j)));
  if (token_square(j) != ase_home(j->rules)) return;
  const bool gets_home = j->is_last && j->rules->flags.no_bounce;
  j->move.roll_again = !gets_home;
  if (!gets_home) j->move.next.forced = (uint8_t)(1 + j->move.colour);
}

static void lose_turns(journey *j) {
  if (j->is_last && j->rules->flags.no_lost_turns) return;
  ase_position *next = &j->move.next;
  next->lost[next->seat] = j->rules->board.square[token_square(j)].turns;
  if (j->rules->flags.lost_turns_die) next->culprit[next->seat] = (uint8_t)token_square(j);
}

/* Sends the token to the start, unless it is immune to that. Since this is no jump, an enemy token on the
 * square is captured with and without capture=final-square. */
static void apply_death(journey *j) {
  capture_enemy(j);
  if (!(j->is_last && j->rules->flags.no_death)) put_token(j, 0);
}

static void apply_square(journey *j, int square) {
  if (square == ase_home(j->rules)) return;
  switch ((goose_kind)j->rules->board.square[square].kind) {
  case GOOSE_DICE:
    jump_if_possible(j, ase_way_out(&j->road, square));
    break;
  case GOOSE_GOOSE:
    jump_from_goose(j);
    break;
  case GOOSE_BRIDGE:
    jump_if_possible(j, ase_bridge_jump(&j->road, square));
    break;
  case GOOSE_INN:
  case GOOSE_WELL:
  case GOOSE_PRISON:
    lose_turns(j);
    break;
  case GOOSE_DEATH:
    apply_death(j);
    break;
  case GOOSE_LABYRINTH:
  case GOOSE_PLAIN:
    break;
  }
}

static void land_on(journey *j, int square) {
  put_token(j, square);
  if (!j->rules->flags.capture_on_final_square) capture_enemy(j);
  apply_square(j, square);
  capture_enemy(j);
}

static void finish_move(journey *j) {
  j->move.to = (uint8_t)token_square(j);
  ase_sort(j->rules, &j->move.next);
  if (!j->move.roll_again) end_turn(j->rules, &j->move);
}

/* --- rule 2: the forced mark --- */

static int forced_token(const game_rules *rules, const ase_position *position) {
  const int first = (position->forced - 1) * position->tokens;
  int token = first;
  while (token < first + position->tokens && position->square[position->seat][token] != ase_home(rules))
    token++;
  return token;
}

/* A token that cannot move back stays and is home. */
static ase_move move_forced(const game_rules *rules, const ase_position *position, int roll) {
  journey j = begin_move(rules, position, forced_token(rules, position));
  const int square = ase_walk(&j.road, ase_home(rules), roll, ASE_BACK, false);
  if (square != ASE_NOWHERE) land_on(&j, square);
  finish_move(&j);
  return j.move;
}

/* --- rule 3: the move of a chosen token --- */

/* Moves the token out of the labyrinth, which needs a 6. The square that it reaches has no effect. Returns
 * false if the token cannot leave. */
static bool leave_labyrinth(journey *j, int roll) {
  const int square = ase_way_out(&j->road, token_square(j));
  if (roll != ASE_DIE || square == ASE_NOWHERE) return false;
  put_token(j, square);
  capture_enemy(j);
  j->move.roll_again = j->rules->flags.labyrinth_exit_rolls;
  return true;
}

static bool try_walk(journey *j, int roll) {
  const bool stops = j->is_last && j->rules->flags.no_overshoot;
  const int square = ase_walk(&j->road, token_square(j), roll, ASE_FORWARD, stops);
  if (square == ASE_NOWHERE) return false;
  land_on(j, square);
  return true;
}

static bool move_token(const game_rules *rules, const ase_position *position, int token, int roll,
                       ase_move *out) {
  journey j = begin_move(rules, position, token);
  const int square = token_square(&j);
  if (square == ase_home(rules)) return false;
  const bool waits = rules->board.square[square].kind == GOOSE_LABYRINTH;
  if (!(waits ? leave_labyrinth(&j, roll) : try_walk(&j, roll))) return false;
  finish_move(&j);
  *out = j.move;
  return true;
}

static bool equals_one_before(const ase_position *position, int token) {
  const uint8_t *square = position->square[position->seat];
  return token % position->tokens > 0 && square[token] == square[token - 1];
}

void ase_list_moves(const game_rules *rules, const ase_position *position, int roll, ase_moves *out) {
  out->used = 0;
  if (position->forced) {
    out->move[out->used++] = move_forced(rules, position, roll);
    return;
  }
  for (int token = 0; token < ase_tokens(rules, position); token++) {
    if (equals_one_before(position, token)) continue;
    if (move_token(rules, position, token, roll, &out->move[out->used])) out->used++;
  }
  if (out->used == 0) out->move[out->used++] = pass_turn(rules, position);
}
