/* Numbers the statuses of a token of Oca and computes the outcome of each roll for each status. */
#include "games/oca/rules.h"

#include <string.h>

_Static_assert(GOOSE_LONGEST + 1 + 4 * GOOSE_MOST_TURNS <= OCA_MOST_STATUSES, "every token has a status");

static void list_tokens(const game_rules *rules, oca_statuses *out) {
  for (int square = 0; square <= rules->board.length; square++) {
    for (int lost = rules->board.square[square].turns; lost >= 0; lost--) {
      const oca_token token = {(uint8_t)square, (uint8_t)lost};
      if (!oca_may_stand(rules, token, true)) continue;
      if (lost == 0) out->without[square] = (uint8_t)out->used;
      if (oca_waits(rules, token)) out->well = out->used;
      if (!oca_may_stand(rules, token, false)) out->mid_turn = out->used;
      out->token[out->used++] = token;
    }
  }
}

static oca_outcome find_outcome(const game_rules *rules, const oca_position *from, int roll) {
  const oca_step step = oca_roll(rules, from, roll);
  if (step.won) return (oca_outcome){0, OCA_WINS};
  const oca_token token = step.next.token[0];
  const uint8_t status = oca_status_of(rules, token);
  if (step.again) return (oca_outcome){status, OCA_ROLLS_AGAIN};
  return (oca_outcome){status, oca_waits(rules, token) ? OCA_FALLS : OCA_STANDS};
}

static void find_outcomes(const game_rules *rules, oca_statuses *out) {
  for (int status = 0; status < out->used; status++) {
    const oca_position from = {.token = {out->token[status]},
                               .players = 1}; /* one player, so that the well is empty */
    out->passes[status] = oca_must_pass(rules, &from);
    if (out->passes[status]) {
      out->passed[status] = oca_status_of(rules, oca_pass(rules, &from).token[0]);
      continue;
    }
    for (int roll = rules->dice; roll <= 6 * rules->dice; roll++)
      out->outcome[status][roll - rules->dice] = find_outcome(rules, &from, roll);
  }
}

void oca_statuses_open(game_rules *rules) {
  oca_statuses *out = &rules->statuses;
  memset(out, 0, sizeof *out);
  out->well = out->mid_turn = OCA_NO_STATUS;
  list_tokens(rules, out);
  find_outcomes(rules, out);
  tuple_sums_open(&out->sums, out->used, out->well);
}

uint8_t oca_status_of(const game_rules *rules, oca_token token) {
  return (uint8_t)(rules->statuses.without[token.square] - token.lost);
}

bool oca_statuses_stand(const oca_statuses *statuses, int players, const uint8_t status[]) {
  int in_well = 0;
  for (int place = 0; place < players; place++) {
    in_well += status[place] == statuses->well;
    if (place > 0 && status[place] == statuses->mid_turn) return false;
  }
  return in_well <= 1;
}
