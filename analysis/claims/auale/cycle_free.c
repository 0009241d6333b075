/* auale-cycle-free: how much of abapa is decided whatever a cycle is worth. */

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/claim.h"
#include "analysis/claims/recheck.h"

enum { DECIMALS = 2, SLOW_SEEDS = 7, FORCED = 0, OWN_ROW, SETS };

typedef struct {
  uint64_t value, winner;
} decided;

typedef struct {
  claim_base c;
  decided of[AUALE_MOST_SEEDS + 1][SETS];
  uint64_t all; /* boards */
  decided total[SETS];
  uint64_t wrong; /* own-row bounds that are not within the forced ones */
  bool found;
  game_place first; /* a board that is not decided */
} findings;

static decided count_decided(const claim_layer *layer) {
  decided found = {0, 0};
  for (uint64_t i = 0; i < layer->boards; i++) {
    const int lower = layer->lower[i], upper = layer->upper[i];
    found.value += lower == upper;
    found.winner += lower > 0 || upper < 0 || lower == upper;
  }
  return found;
}

static void compare_bounds(findings *f, int n) {
  const claim_layer *forced = &f->c.t[FORCED].layers[n], *own_row = &f->c.t[OWN_ROW].layers[n];
  for (uint64_t i = 0; i < forced->boards; i++) {
    f->wrong += own_row->lower[i] < forced->lower[i] || own_row->upper[i] > forced->upper[i] ||
                own_row->lower[i] > own_row->upper[i];
    if (f->found || forced->lower[i] == forced->upper[i]) continue;
    f->found = true;
    f->first = (game_place){(uint32_t)n, i};
  }
}

static void count_layer(findings *f, int n) {
  const uint64_t boards = f->c.t[FORCED].layers[n].boards;
  decided *of = f->of[n];
  f->all += boards;
  for (int set = 0; set < SETS; set++) {
    of[set] = count_decided(&f->c.t[set].layers[n]);
    f->total[set].value += of[set].value;
    f->total[set].winner += of[set].winner;
  }
  compare_bounds(f, n);
  REPORT_ADD(f->c.out, fig_number(n), fig_count(boards));
  for (int set = 0; set < SETS; set++)
    REPORT_ADD(f->c.out, fig_count(of[set].value), fig_share(of[set].value, boards, DECIMALS),
               fig_count(of[set].winner), fig_share(of[set].winner, boards, DECIMALS));
}

static void show_first(findings *f) {
  const claim_tables *t = &f->c.t[FORCED];
  const claim_layer *layer = &t->layers[f->first.slice];
  const game_position first = claim_position_at(t, f->first);
  CLAIM_SHOW(t, &first, "witness", fig_number(f->first.slice), fig_number(layer->lower[f->first.index]),
             fig_number(layer->upper[f->first.index]));
  const int largest = f->c.limit < SLOW_SEEDS ? f->c.limit : SLOW_SEEDS;
  const recheck_scores found = recheck_layers(t, largest, REFERENCE_BOUNDS, (game_place){0, 0});
  REPORT_RECHECK(f->c.out, "plain iteration", true, found.wrong == 0, "recheck-plain-iteration",
                 fig_count(found.positions), fig_number(largest), fig_count(found.wrong));
}

static double share_of(const findings *f, int n, int set, bool winner) {
  const decided *of = &f->of[n][set];
  return percent(winner ? of->winner : of->value, f->c.t[FORCED].layers[n].boards);
}

/* Lists the odd numbers of seeds at which the winner is known more often than at both neighbours. */
static void list_odd_peaks(const findings *f, int set, char text[AUALE_LIST_BYTES]) {
  bool peaks[AUALE_MOST_SEEDS + 1] = {false};
  for (int n = 3; n < f->c.limit; n += 2) {
    const double share = share_of(f, n, set, true);
    peaks[n] = share > share_of(f, n - 1, set, true) && share > share_of(f, n + 1, set, true);
  }
  auale_list_seeds(peaks, f->c.limit, text);
}

static void add_notes(const findings *f) {
  char forced[AUALE_LIST_BYTES], own_row[AUALE_LIST_BYTES];
  list_odd_peaks(f, FORCED, forced);
  list_odd_peaks(f, OWN_ROW, own_row);
  REPORT_NOTE(f->c.out, "note", fig_text(forced), fig_text(own_row));
}

static void judge(const findings *f) {
  bool falls[AUALE_MOST_SEEDS + 1] = {false};
  char list[AUALE_LIST_BYTES];
  const int last = f->c.limit;
  const decided *total = f->total;
  for (int n = 3; n <= last; n++)
    falls[n] = share_of(f, n, FORCED, false) < share_of(f, n - 2, FORCED, false);
  auale_list_seeds(falls, last, list);
  if (f->wrong || !report_is_sound(f->c.out)) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails", fig_count(f->wrong));
    return;
  }
  REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_count(f->all), fig_number(last),
                 fig_share(total[FORCED].value, f->all, 2), fig_share(total[FORCED].winner, f->all, 2),
                 fig_share(total[OWN_ROW].value, f->all, 2), fig_share(total[OWN_ROW].winner, f->all, 2),
                 fig_number(last), fig_mean(share_of(f, last, FORCED, false), 2),
                 fig_mean(share_of(f, last, FORCED, true), 2), fig_mean(share_of(f, last, OWN_ROW, false), 2),
                 fig_mean(share_of(f, last, OWN_ROW, true), 2), fig_text(list));
}

static void examine(void *user) {
  findings *f = user;
  report_table_begin(f->c.out, "layers");
  for (int n = 1; n <= f->c.limit; n++) count_layer(f, n);
  if (f->found) show_first(f);
  add_notes(f);
  judge(f);
}

const claim_code claim_code_cycle_free = {sizeof(findings), examine, NULL};
