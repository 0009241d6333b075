/* phutball-way-back: is it bad to jump ahead and leave the other side a way back? */
#include "analysis/claims/phutball/survey.h"

enum { DECIMALS = 2 };

/* A jump ahead is free if it leaves no way back. Positions count that are not lost, cannot be won at once,
 * and have jumps ahead of both kinds. */
enum { POSITIONS, BACK, BACK_KEPT, FREE, FREE_KEPT, BOTH_KEEP, ONLY_BACK, ONLY_FREE };

typedef struct {
  const phutball_surveyed *at;
  int row; /* of the ball */
  uint64_t of[FREE_KEPT + 1];
} jumps;

static tauler_error take_turn(void *user, const phb_turn *turn) {
  jumps *own = user;
  uint64_t paths = 0;
  if (!turn->jumps || turn->result != PHB_LIVE) return TAULER_OK;
  if (turn->after.ball / turn->after.columns <= own->row) return TAULER_OK;
  const int kind = phutball_jumps_to(own->at->rules, &turn->after, own->row, &paths) ? BACK : FREE;
  own->of[kind]++;
  own->of[kind + 1] += phutball_worth(own->at, turn) == own->at->value;
  return TAULER_OK;
}

static void visit(const phutball_surveyed *at, phutball_counts *counts) {
  jumps own = {.at = at, .row = at->position.ball / at->position.columns};
  if (at->value < 0 || phutball_wins_at_once(at->rules, &at->position)) return;
  if (phb_each_turn(at->rules, &at->position, take_turn, &own)) counts->failed = true;
  if (own.of[BACK] == 0 || own.of[FREE] == 0) return;
  counts->of[POSITIONS] += at->copies;
  for (int i = BACK; i <= FREE_KEPT; i++) counts->of[i] += at->copies * own.of[i];
  if (own.of[BACK_KEPT] && own.of[FREE_KEPT]) counts->of[BOTH_KEEP] += at->copies;
  if (own.of[BACK_KEPT] && !own.of[FREE_KEPT]) counts->of[ONLY_BACK] += at->copies;
  if (own.of[BACK_KEPT] || !own.of[FREE_KEPT]) return;
  counts->of[ONLY_FREE] += at->copies;
  phutball_take(counts, 64 - (uint64_t)__builtin_popcountll(at->position.men[0]), at->number);
}

static void add(report *out, const phutball_board *board, const phutball_counts *counts) {
  const uint64_t *of = counts->of;
  REPORT_ADD(out, fig_text(board->name), fig_count(of[POSITIONS]));
  for (int i = BACK; i <= FREE; i += 2)
    REPORT_ADD(out, fig_count(of[i]), fig_count(of[i + 1]),
               fig_if(of[i], fig_share(of[i + 1], of[i], DECIMALS)));
  REPORT_ADD(out, fig_count(of[BOTH_KEEP]), fig_count(of[ONLY_BACK]), fig_count(of[ONLY_FREE]),
             fig_count(of[POSITIONS] - of[BOTH_KEEP] - of[ONLY_BACK] - of[ONLY_FREE]));
}

static void judge(const phutball_findings *f) {
  const uint64_t *of = f->sum.of;
  const double back = percent(of[BACK_KEPT], of[BACK]), free = percent(of[FREE_KEPT], of[FREE]);
  if (of[POSITIONS] == 0) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
  } else if (free > back) {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(of[POSITIONS]),
                   fig_mean(back, DECIMALS), fig_mean(free, DECIMALS),
                   fig_share(of[ONLY_FREE], of[POSITIONS], DECIMALS),
                   fig_share(of[ONLY_BACK], of[POSITIONS], DECIMALS));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2", fig_count(of[POSITIONS]), fig_mean(back, DECIMALS),
                   fig_mean(free, DECIMALS), fig_share(of[ONLY_FREE], of[POSITIONS], DECIMALS),
                   fig_share(of[ONLY_BACK], of[POSITIONS], DECIMALS));
  }
}

static void examine(void *user) {
  phutball_findings *f = user;
  phutball_survey_all(f, visit, add, true);
  if (f->c.out->error) return;
  REPORT_NOTE(f->c.out, "note");
  phutball_show(f);
  judge(f);
}

const claim_code claim_code_way_back = {sizeof(phutball_findings), examine, phutball_forget};
