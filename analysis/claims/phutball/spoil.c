/* phutball-spoil: can a chain of jumps be spoilt by making a row of it longer? */
#include "analysis/claims/phutball/defences.h"

enum { DECIMALS = 2 };

static void visit(const phutball_surveyed *at, phutball_counts *counts) {
  phutball_count_defences(at, ONLY_MEN, counts);
}

static uint64_t men_of(const uint64_t *kinds) {
  return kinds[DEFENCE_LONGER] + kinds[DEFENCE_EDGE];
}

static void add(report *out, const phutball_board *board, const phutball_counts *counts) {
  const uint64_t *of = counts->of, men = men_of(of + STOPS), jumps = of[STOPS + DEFENCE_JUMP];
  REPORT_ADD(out, fig_text(board->name), fig_count(of[THREATENED]), fig_count(of[SPOILT]),
             fig_share(of[SPOILT], of[THREATENED], DECIMALS), fig_count(of[SAVED]), fig_count(men),
             fig_count(men_of(of + KEPT)), fig_if(men, fig_share(men_of(of + KEPT), men, DECIMALS)),
             fig_count(jumps), fig_count(of[KEPT + DEFENCE_JUMP]),
             fig_if(jumps, fig_share(of[KEPT + DEFENCE_JUMP], jumps, DECIMALS)), fig_count(of[ONLY_MEN]),
             fig_count(of[ONLY_JUMPS]));
}

static void judge(const phutball_findings *f) {
  const uint64_t *of = f->sum.of;
  if (!f->shown) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
    return;
  }
  REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(of[THREATENED]),
                 fig_share(of[SPOILT], of[THREATENED], DECIMALS), fig_count(of[SAVED]),
                 fig_share(of[ONLY_MEN], of[SAVED], DECIMALS),
                 fig_share(men_of(of + KEPT), men_of(of + STOPS), DECIMALS),
                 fig_share(of[KEPT + DEFENCE_JUMP], of[STOPS + DEFENCE_JUMP], DECIMALS));
}

static void examine(void *user) {
  phutball_findings *f = user;
  phutball_survey_all(f, visit, add, true);
  if (f->c.out->error) return;
  REPORT_NOTE(f->c.out, "note");
  phutball_show(f);
  judge(f);
}

const claim_code claim_code_spoil = {sizeof(phutball_findings), examine, phutball_forget};
