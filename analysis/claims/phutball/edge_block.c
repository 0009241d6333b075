/* phutball-edge-block: can a jump to the left or right edge be blocked by leaving no vacant point? */
#include "analysis/claims/phutball/defences.h"

enum { DECIMALS = 2 };

static void visit(const phutball_surveyed *at, phutball_counts *counts) {
  phutball_count_defences(at, ONLY_EDGE, counts);
}

static report_figure fig_kept(const uint64_t *of, phutball_defence kind) {
  return fig_if(of[STOPS + kind], fig_share(of[KEPT + kind], of[STOPS + kind], DECIMALS));
}

static void add(report *out, const phutball_board *board, const phutball_counts *counts) {
  const uint64_t *of = counts->of;
  REPORT_ADD(out, fig_text(board->name), fig_count(of[EDGE_JUMPS]), fig_count(of[EDGE_BLOCKED]),
             fig_count(of[SAVED]));
  for (int kind = DEFENCE_LONGER; kind <= DEFENCE_EDGE; kind++)
    REPORT_ADD(out, fig_count(of[STOPS + kind]), fig_count(of[KEPT + kind]),
               fig_kept(of, (phutball_defence)kind));
  REPORT_ADD(out, fig_count(of[ONLY_EDGE]));
}

static void judge(const phutball_findings *f) {
  const uint64_t *of = f->sum.of;
  if (of[EDGE_JUMPS] == 0) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
  } else if (of[EDGE_BLOCKED] < of[EDGE_JUMPS]) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2", fig_count(of[EDGE_JUMPS] - of[EDGE_BLOCKED]),
                   fig_count(of[EDGE_JUMPS]));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS, "holds", fig_count(of[EDGE_JUMPS]), fig_kept(of, DEFENCE_EDGE),
                   fig_kept(of, DEFENCE_LONGER), fig_count(of[ONLY_EDGE]),
                   fig_share(of[ONLY_EDGE], of[SAVED], DECIMALS));
  }
}

static void examine(void *user) {
  phutball_findings *f = user;
  phutball_survey_all(f, visit, add, true);
  if (f->c.out->error) return;
  phutball_show(f);
  judge(f);
}

const claim_code claim_code_edge_block = {sizeof(phutball_findings), examine, phutball_forget};
