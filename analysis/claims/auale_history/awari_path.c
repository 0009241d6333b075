/* auale-awari-path: in awari, where a cycle splits the seeds evenly, the way to a board does not matter. */
#include <stdio.h>

#include "analysis/claims/auale_history/history_show.h"
#include "analysis/claims/claim.h"
#include "analysis/claims/recheck.h"

enum { USUAL_SEEDS = 12, ANY_GAP = 1, SEEDS_OF_WITNESS = 3, WITNESS_GAP = 3 };

typedef struct {
  claim_base c;
  auale_lines lines;
  uint64_t boards, unlike, turned;
  recheck_tables proof;
  history_counts counts[LINES_MOST_SEEDS + 1];
  bool shown;
} findings;

/* --- infinite play split evenly --- */

static void count_slice(findings *f, uint32_t seeds) {
  const uint64_t boards = f->c.t->game->positions(f->c.t->rules, seeds);
  uint64_t of[3] = {0, 0, 0};
  for (uint64_t i = 0; i < boards && !f->c.out->error; i++) {
    const int value = claim_tables_ask(f->c.t, (game_place){seeds, i}, NULL);
    of[1 + (value > 0) - (value < 0)]++;
  }
  f->boards += boards;
  REPORT_ADD(f->c.out, fig_number(seeds), fig_count(boards), fig_count(of[2]), fig_count(of[1]),
             fig_count(of[0]));
}

/* --- the first repetition ends the game --- */

static void search_slice(findings *f, int seeds) {
  report *out = f->c.out;
  const lines_slice *s = &f->lines.slice[seeds];
  auale_histories histories;
  uint64_t unlike = 0, turned = 0;
  for (uint32_t i = 0; i < s->boards; i++) {
    unlike += s->fresh[i] != claim_tables_ask(f->c.t, (game_place){(uint32_t)seeds, i}, NULL);
    turned += s->least[i] < 0 && s->most[i] > 0;
  }
  if (REPORT_CATCH(out, auale_histories_open(&f->lines, seeds, &histories, &out->message))) return;
  auale_histories_walk(&histories, f->c.limited ? HISTORY_EFFORT_LIMITED : HISTORY_EFFORT);
  const history_counts c = f->counts[seeds] = auale_histories_count(&histories, ANY_GAP);
  f->unlike += unlike;
  f->turned += turned;
  REPORT_ADD(out, fig_number(seeds), fig_number(c.boards), fig_count(unlike), fig_number(c.reached),
             fig_number(c.depends), fig_number(c.depends_most), fig_count(turned));
  if (seeds == SEEDS_OF_WITNESS)
    f->shown =
        auale_history_show(&histories, WITNESS_GAP, "met before, the seeds left are split evenly", out);
  auale_histories_close(&histories);
}

static void search(findings *f) {
  report *out = f->c.out;
  const int seeds = f->c.limit < LINES_MOST_SEEDS ? f->c.limit : LINES_MOST_SEEDS;
  if (REPORT_CATCH(out, auale_lines_open(f->c.t->game, f->c.t->rules, seeds, &f->lines, &out->message)))
    return;
  report_table_begin(out, "histories");
  for (int n = 1; n <= seeds; n++) search_slice(f, n);
  auale_lines_close(&f->lines);
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const history_counts *three = &f->counts[SEEDS_OF_WITNESS];
  char formal[512] = "";
  if (f->shown)
    snprintf(
        formal, sizeof formal,
        " If a game is ended by its first repetition, it no longer holds: with 3 seeds a win can be "
        "lost to an even split because the way to it leads over a position met before, on %u of %u boards%s; "
        "with fewer it cannot.",
        three->depends, three->reached, three->depends == three->depends_most ? "" : " at least");
  if (!report_is_sound(f->c.out) || f->unlike || f->turned || !f->proof.holds) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails");
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(f->boards), fig_number(f->c.limit),
                   fig_text(formal));
  }
}

static void examine(void *user) {
  findings *f = user;
  if (!claim_tables_need_up_to(f->c.t, f->c.limit)) return;
  report_table_begin(f->c.out, "values");
  for (int n = 1; n <= f->c.limit; n++) count_slice(f, (uint32_t)n);
  f->proof = recheck_proof(f->c.t, f->c.limit);
  search(f);
  REPORT_NOTE(f->c.out, "note", fig_number(f->c.limit), fig_count(f->proof.proven),
              fig_count(f->proof.tables - f->proof.proven));
  REPORT_NOTE(f->c.out, "note-2");
  judge(f);
}

const claim_code claim_code_awari_path = {sizeof(findings), examine, NULL};
