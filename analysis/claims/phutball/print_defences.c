/* Prints the figures phutball-spoil and phutball-edge-block: chains of jumps that win at once, and the turns
 * that stop them. */
#include "analysis/claims/figures.h"
#include "analysis/claims/phutball/survey.h"

/* The kinds of defences: a man that makes a row longer, so that a jump over it is longer; a man that leaves
 * such a jump no vacant point before the side line; and a jump. */
typedef enum { DEFENCE_LONGER, DEFENCE_EDGE, DEFENCE_JUMP, DEFENCES } phutball_defence;

/* The counts of a survey. A position is threatened if the mover cannot win at once, but the other side could
 * if it were its turn; a threatened position is saved if it is not lost. STOPS and KEPT count turns in saved
 * positions. */
enum {
  THREATENED,
  SPOILT, /* threatened positions in which some placement stops all threats */
  SAVED,
  STOPS,                      /* turns that stop all threats, by kind of defence */
  KEPT = STOPS + DEFENCES,    /* turns of these that keep the value, by kind of defence */
  ONLY_MEN = KEPT + DEFENCES, /* saved positions in which placements alone keep the value */
  ONLY_EDGE,                  /* saved positions in which only placements at the edge keep the value */
  ONLY_JUMPS,                 /* saved positions in which only jumps keep the value */
  EDGE_JUMPS,                 /* single jumps of the mover from another column to the left or right edge */
  EDGE_BLOCKED,               /* jumps of these that a man on their last point makes impossible */
  COUNTS
};

/* The chains of the side to move that win. `common` has the points where all of them land, the only ones on
 * which a man can stop all; `edges` has the points on which a man leaves a jump of some chain no vacant point
 * before the side line. */
typedef struct {
  const game_rules *rules;
  bool wins;
  uint64_t common, edges;
} chains;

static uint64_t bit_of(int point) {
  return UINT64_C(1) << point;
}

/* Returns the point where a jump ends, or −1 if it leaves the board. */
static int landing_point(const phb_position *position, const phb_jump *jump) {
  const bool on_board = jump->to.row >= 0 && jump->to.row < position->rows;
  return on_board ? jump->to.row * position->columns + jump->to.column : -1;
}

static bool is_blocked_by(const game_rules *rules, phb_position position, int direction, int man) {
  phb_jump longer;
  phb_set_man(&position, man, true);
  return !phb_find_jump(rules, &position, direction, &longer);
}

static void follow_chain(chains *c, const phb_position *now, uint64_t landed, uint64_t blocked) {
  for (int direction = 0; direction < PHB_DIRECTIONS; direction++) {
    phb_position next = *now;
    phb_jump jump;
    if (!phb_find_jump(c->rules, now, direction, &jump)) continue;
    const int point = landing_point(now, &jump);
    const uint64_t here = point < 0 ? 0 : bit_of(point);
    const uint64_t edge = here && is_blocked_by(c->rules, *now, direction, point) ? here : 0;
    phb_make_jump(&next, &jump);
    if (phb_result_at(now, jump.to) == PHB_MOVER_SCORES) {
      c->common &= landed | here;
      c->edges |= blocked | edge;
      c->wins = true;
    }
    if (phb_may_jump_on(c->rules, &next, jump.to)) follow_chain(c, &next, landed | here, blocked | edge);
  }
}

typedef struct {
  const phutball_surveyed *at;
  const chains *threat;
  uint64_t stops[DEFENCES], kept[DEFENCES];
} turns;

static tauler_error count_defence(void *user, const phb_turn *turn) {
  turns *own = user;
  if (turn->result != PHB_LIVE) return TAULER_OK;
  if (!turn->jumps && !(own->threat->common & bit_of(turn->placed))) return TAULER_OK;
  if (phutball_wins_at_once(own->at->rules, &turn->after)) return TAULER_OK;
  const phutball_defence kind = turn->jumps                                 ? DEFENCE_JUMP
                                : own->threat->edges & bit_of(turn->placed) ? DEFENCE_EDGE
                                                                            : DEFENCE_LONGER;
  own->stops[kind]++;
  own->kept[kind] += phutball_worth(own->at, turn) == own->at->value;
  return TAULER_OK;
}

static void count_saved_position(const turns *own, int only, counted *counts) {
  const uint64_t copies = own->at->copies, *kept = own->kept;
  const uint64_t men = kept[DEFENCE_LONGER] + kept[DEFENCE_EDGE];
  const int alone = kept[DEFENCE_JUMP] == 0 ? ONLY_MEN : men == 0 ? ONLY_JUMPS : SAVED;
  const bool edge = alone == ONLY_MEN && kept[DEFENCE_LONGER] == 0;
  counts->of[SAVED] += copies;
  if (alone != SAVED) counts->of[alone] += copies;
  if (edge) counts->of[ONLY_EDGE] += copies;
  for (int kind = 0; kind < DEFENCES; kind++) {
    counts->of[STOPS + kind] += copies * own->stops[kind];
    counts->of[KEPT + kind] += copies * kept[kind];
  }
  if (alone == only || (edge && only == ONLY_EDGE))
    counted_note_most(counts, 64 - (uint64_t)__builtin_popcountll(own->at->position.men[0]), own->at->number);
}

static void count_edge_jumps(const phutball_surveyed *at, counted *counts) {
  const phb_position *now = &at->position;
  const int last = now->columns - 1, column = now->ball % now->columns;
  for (int direction = 0; direction < PHB_DIRECTIONS; direction++) {
    phb_jump jump;
    if (!phb_find_jump(at->rules, now, direction, &jump)) continue;
    const int point = landing_point(now, &jump), to = jump.to.column;
    if (point < 0 || to == column || (to != 0 && to != last)) continue;
    counts->of[EDGE_JUMPS] += at->copies;
    if (is_blocked_by(at->rules, *now, direction, point)) counts->of[EDGE_BLOCKED] += at->copies;
  }
}

/* Counts a position. If only turns of the wanted kind keep its value, notes it; of noted positions one with
 * the fewest men is kept. */
static void count_defences(const phutball_surveyed *at, counted *counts) {
  phb_position other = at->position;
  chains threat = {.rules = at->rules, .common = ~UINT64_C(0)};
  count_edge_jumps(at, counts);
  if (phutball_wins_at_once(at->rules, &at->position)) return;
  other.side = !other.side;
  follow_chain(&threat, &other, 0, 0);
  if (!threat.wins) return;
  turns own = {.at = at, .threat = &threat};
  if (phb_each_turn(at->rules, &at->position, count_defence, &own)) counts->failed = true;
  counts->of[THREATENED] += at->copies;
  if (own.stops[DEFENCE_LONGER] + own.stops[DEFENCE_EDGE]) counts->of[SPOILT] += at->copies;
  if (at->value >= 0) count_saved_position(&own, at->wanted, counts);
}

void figures_phutball_spoil(claim_tables *t, json_writer *json) {
  phutball_survey(t, json, COUNTS, ONLY_MEN, count_defences);
}

void figures_phutball_edge_block(claim_tables *t, json_writer *json) {
  phutball_survey(t, json, COUNTS, ONLY_EDGE, count_defences);
}
