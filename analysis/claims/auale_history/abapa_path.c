/* auale-abapa-path: in abapa the same board has one winner or another, by the last capture. */

#include "analysis/claims/auale_history/history_show.h"
#include "analysis/claims/claim.h"

enum {
  WINNER_OR_DRAW = 2, /* net seeds between two worths of a board */
  OTHER_WINNER = 4,
  SEEDS_OF_DRAW = 2,
  SEEDS_OF_WINNER = 3
};
static const char ending[] = "met before, each side takes its own row";

typedef struct {
  claim_base c;
  auale_lines lines;
  history_counts counts[LINES_MOST_SEEDS + 1];
  uint64_t compared, outside; /* boards, and those not within the tables' bounds */
  bool draw_shown, winner_shown;
} findings;

/* Worths right after a capture, held against the bounds of the tables. */
static void compare(findings *f, const lines_slice *s) {
  report *out = f->c.out;
  for (uint32_t i = 0; i < s->boards; i++) {
    const game_place place = {(uint32_t)s->seeds, i};
    int upper;
    const int lower = claim_tables_ask(f->c.t, place, NULL);
    if (REPORT_CATCH(out, resolve_value(f->c.t->tables, 1, place, NULL, &upper, &out->message))) return;
    f->compared++;
    f->outside += s->fresh[i] < lower || s->fresh[i] > upper;
  }
}

static void look_at_slice(findings *f, int seeds) {
  report *out = f->c.out;
  auale_histories histories;
  compare(f, &f->lines.slice[seeds]);
  if (REPORT_CATCH(out, auale_histories_open(&f->lines, seeds, &histories, &out->message))) return;
  auale_histories_walk(&histories, f->c.limited ? HISTORY_EFFORT_LIMITED : HISTORY_EFFORT);
  const history_counts c = f->counts[seeds] = auale_histories_count(&histories, OTHER_WINNER);
  REPORT_ADD(out, fig_number(seeds), fig_number(c.boards), fig_number(c.entries), fig_number(c.reached),
             fig_number(c.depends), fig_number(c.depends_most), fig_number(c.apart), fig_number(c.apart_most),
             fig_number(c.widest));
  if (seeds == SEEDS_OF_DRAW) f->draw_shown = auale_history_show(&histories, WINNER_OR_DRAW, ending, out);
  if (seeds == SEEDS_OF_WINNER) f->winner_shown = auale_history_show(&histories, OTHER_WINNER, ending, out);
  auale_histories_close(&histories);
}

static void judge(const findings *f) {
  const history_counts *two = &f->counts[SEEDS_OF_DRAW], *three = &f->counts[SEEDS_OF_WINNER];
  report *out = f->c.out;
  if (!report_is_sound(out) || f->outside) {
    REPORT_VERDICT(out, VERDICT_FAILS, "fails");
  } else if (f->winner_shown) {
    REPORT_VERDICT(out, VERDICT_HOLDS, "holds", fig_number(three->apart), fig_number(three->reached),
                   fig_text(three->apart == three->apart_most ? "" : ", at least"), fig_number(two->depends),
                   fig_number(two->reached));
  } else if (f->draw_shown) {
    REPORT_VERDICT(out, VERDICT_HOLDS_FOR, "holds-for", fig_number(two->depends), fig_number(two->reached));
  } else {
    REPORT_VERDICT(out, VERDICT_OPEN, "open");
  }
}

static void examine(void *user) {
  findings *f = user;
  claim_tables *t = f->c.t;
  report *out = f->c.out;
  t->values_only = true;
  if (!claim_tables_need_up_to(t, f->c.limit) ||
      REPORT_CATCH(out, auale_lines_open(t->game, t->rules, f->c.limit, &f->lines, &out->message)))
    return;
  report_table_begin(out, "histories");
  for (int seeds = 1; seeds <= f->c.limit; seeds++) look_at_slice(f, seeds);
  auale_lines_close(&f->lines);
  REPORT_NOTE(out, "note", fig_count(f->compared), fig_count(f->outside));
  REPORT_NOTE(out, "note-2");
  judge(f);
}

const claim_code claim_code_abapa_path = {sizeof(findings), examine, NULL};
