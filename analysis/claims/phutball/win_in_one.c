/* phutball-win-in-one: how many paths of jumps must be looked at to know whether one of them wins? */
#include <inttypes.h>
#include <string.h>

#include "analysis/claims/phutball/survey.h"

enum { DECIMALS = 3, NO_ROW = INT16_MAX };
enum { WON, WON_NEEDED, OPEN, OPEN_NEEDED, PATHS };

static void visit(const phutball_surveyed *at, phutball_counts *counts) {
  uint64_t needed = 0, all = 0;
  const bool wins = phutball_jumps_to(at->rules, &at->position, at->position.rows - 1, &needed);
  phutball_jumps_to(at->rules, &at->position, NO_ROW, &all);
  counts->of[wins ? WON : OPEN] += at->copies;
  counts->of[wins ? WON_NEEDED : OPEN_NEEDED] += at->copies * needed;
  counts->of[PATHS] += at->copies * all;
  if (needed) phutball_take(counts, needed, at->number);
}

static report_figure fig_mean_of(uint64_t sum, uint64_t n) {
  return fig_if(n, fig_mean(n ? (double)sum / (double)n : 0, DECIMALS));
}

static void add(report *out, const phutball_board *board, const phutball_counts *counts) {
  const uint64_t *of = counts->of, positions = of[WON] + of[OPEN];
  REPORT_ADD(out, fig_text(board->name), fig_number(board->rows * board->columns), fig_count(positions),
             fig_count(of[WON]), fig_mean_of(of[PATHS], positions),
             fig_mean_of(of[WON_NEEDED] + of[OPEN_NEEDED], positions), fig_mean_of(of[WON_NEEDED], of[WON]),
             fig_mean_of(of[OPEN_NEEDED], of[OPEN]), fig_count(counts->most));
}

/* The turns of the rules, listed: paths up to the first that wins, or all. */
static uint64_t list_paths(const claim_tables *t, const game_position *position) {
  game_moves moves;
  uint64_t paths = 0;
  bool won = false;
  claim_moves(t, position, &moves);
  for (size_t i = 0; i < moves.used && !won; i++) {
    paths += strchr(moves.moves[i].name, '-') != NULL;
    won = moves.moves[i].over && moves.moves[i].gain > 0;
  }
  game_moves_free(&moves);
  return paths;
}

static void show(phutball_findings *f) {
  claim_tables *t = f->c.t;
  const game_position position = claim_position_at(t, (game_place){f->shown->slice, f->sum.place});
  const uint64_t listed = list_paths(t, &position);
  CLAIM_SHOW(t, &position, "witness", fig_text(f->shown->name), fig_count(f->sum.most));
  REPORT_RECHECK(t->out, "listed turns", true, listed == f->sum.most, "recheck-listed", fig_count(listed));
}

static void examine(void *user) {
  phutball_findings *f = user;
  report *out = f->c.out;
  const uint64_t *of = f->sum.of;
  phutball_survey_all(f, visit, add, false);
  if (out->error) return;
  REPORT_NOTE(out, "note");
  if (f->shown) show(f);
  REPORT_VERDICT(out, VERDICT_OPEN, "open", fig_mean_of(of[WON_NEEDED] + of[OPEN_NEEDED], of[WON] + of[OPEN]),
                 fig_count(f->sum.most), fig_text(f->shown ? f->shown->name : "none"));
}

const claim_code claim_code_win_in_one = {sizeof(phutball_findings), examine, phutball_forget};
