/* Refuses positions of la oca asesina that cannot occur or whose game is over. */
#include "games/oca_asesina/rules.h"

#include "games/oca_asesina/turn.h"

typedef struct {
  const game_rules *rules;
  ase_position *position;
  game_text *in;
} checker;

static bool check_players(const checker *c) {
  if (c->position->seats < 2)
    return game_text_refuse(c->in, "it has one player, and the game takes two or more");
  if (c->rules->flags.home_one_left && ase_tokens(c->rules, c->position) == 1)
    return game_text_refuse(c->in, "home=one-left takes two tokens or more of each player");
  return true;
}

static int count_tokens_on(const checker *c, int seat, int square) {
  int tokens = 0;
  for (int i = 0; i < ase_tokens(c->rules, c->position); i++)
    tokens += c->position->square[seat][i] == square;
  return tokens;
}

static bool check_square(const checker *c, int square) {
  int owner = ASE_NOWHERE;
  for (int seat = 0; seat < c->position->seats; seat++) {
    const int tokens = count_tokens_on(c, seat, square);
    if (tokens > 2)
      return game_text_refuse(c->in, "player %d has %d tokens on square %d, which holds two", seat + 1,
                              tokens, square);
    if (tokens && owner != ASE_NOWHERE)
      return game_text_refuse(c->in, "players %d and %d both stand on square %d", owner + 1, seat + 1,
                              square);
    if (tokens) owner = seat;
  }
  return true;
}

static bool check_squares(const checker *c) {
  for (int square = 1; !c->rules->flags.no_interaction && square < ase_home(c->rules); square++)
    if (!check_square(c, square)) return false;
  return true;
}

static bool check_forced(const checker *c) {
  const ase_position *position = c->position;
  if (!position->forced) return true;
  const int first = (position->forced - 1) * position->tokens;
  bool there = false;
  for (int i = first; i < first + position->tokens; i++)
    there |= position->square[position->seat][i] == ase_home(c->rules);
  if (!there)
    return game_text_refuse(c->in, "player %d is forced, but has no such token on %d", position->seat + 1,
                            ase_home(c->rules));
  if (ase_must_pass(position))
    return game_text_refuse(c->in, "player %d is forced, but has turns to lose", position->seat + 1);
  return true;
}

/* A seat finishes by a roll and then plays no more, so it has no turns to lose. */
static bool check_finished(const checker *c) {
  const ase_position *position = c->position;
  for (int seat = 0; seat < position->seats; seat++) {
    if (!ase_has_finished(c->rules, position, seat)) continue;
    if (position->lost[seat])
      return game_text_refuse(c->in, "player %d has finished, and has no turns to lose", seat + 1);
    if (c->rules->flags.home_one_left &&
        count_tokens_on(c, seat, ase_home(c->rules)) == ase_tokens(c->rules, position))
      return game_text_refuse(c->in, "player %d has all home, but had finished with one token left",
                              seat + 1);
  }
  return true;
}

static bool check_end(const checker *c) {
  const ase_position *position = c->position;
  int first = 0;
  while (first < position->seats && !ase_has_finished(c->rules, position, first)) first++;
  if (first == position->seats) return true;
  const int seat = position->seat;
  if (c->rules->flags.no_last_turn || first >= seat || ase_has_finished(c->rules, position, seat))
    return game_text_refuse(c->in, "player %d has finished, and seat %d has no last turn: the game is over",
                            first + 1, seat + 1);
  if (position->lost[seat])
    return game_text_refuse(c->in,
                            "player %d has finished, and seat %d, with turns to lose, has no last turn",
                            first + 1, seat + 1);
  int late = seat + 1;
  while (late < position->seats && !ase_has_finished(c->rules, position, late)) late++;
  return late == position->seats ||
         game_text_refuse(c->in, "player %d has finished out of turn: seat %d rolls before", late + 1,
                          seat + 1);
}

/* --- tokens that lost turns: lost-turns=die-with-token --- */

static bool may_be_culprit(const checker *c, int seat, int square) {
  return count_tokens_on(c, seat, square) && c->rules->board.square[square].turns >= c->position->lost[seat];
}

/* Returns the first square from `from` on with a token that may have lost the turns, or ASE_NOWHERE. */
static int find_culprit(const checker *c, int seat, int from) {
  while (from < ase_home(c->rules) && !may_be_culprit(c, seat, from)) from++;
  return from < ase_home(c->rules) ? from : ASE_NOWHERE;
}

static bool has_several_culprits(const checker *c, int seat) {
  const int first = find_culprit(c, seat, 1);
  return first != ASE_NOWHERE && find_culprit(c, seat, first + 1) != ASE_NOWHERE;
}

bool ase_culprit_is_doubtful(const game_rules *rules, const ase_position *position, int seat) {
  ase_position copy = *position;
  const checker c = {.rules = rules, .position = &copy};
  return rules->flags.lost_turns_die && position->lost[seat] && has_several_culprits(&c, seat);
}

static bool check_culprit(const checker *c, int seat) {
  uint8_t *culprit = &c->position->culprit[seat];
  const int first = find_culprit(c, seat, 1);
  if (*culprit ? !may_be_culprit(c, seat, *culprit) : first == ASE_NOWHERE)
    return game_text_refuse(c->in, "player %d has %d turn%s to lose, but no token %s", seat + 1,
                            c->position->lost[seat], c->position->lost[seat] == 1 ? "" : "s",
                            *culprit ? "on the square named that can have lost them"
                                     : "that can have lost them");
  if (!*culprit && has_several_culprits(c, seat))
    return game_text_refuse(c->in, "player %d has lost turns with one of several tokens; write lost=%d@%d",
                            seat + 1, c->position->lost[seat], first);
  if (!*culprit) *culprit = (uint8_t)first;
  return true;
}

static bool check_culprits(const checker *c) {
  for (int seat = 0; c->rules->flags.lost_turns_die && seat < c->position->seats; seat++) {
    if (c->position->lost[seat] && !check_culprit(c, seat)) return false;
    if (!c->position->lost[seat] && c->position->culprit[seat])
      return game_text_refuse(c->in, "player %d has no turns to lose, but a token that lost them", seat + 1);
  }
  return true;
}

bool ase_check(const game_rules *rules, ase_position *position, game_text *in) {
  const checker c = {.rules = rules, .position = position, .in = in};
  return check_players(&c) && check_squares(&c) && check_forced(&c) && check_finished(&c) && check_end(&c) &&
         check_culprits(&c);
}
