/* auale-cycle-free: how much of abapa is decided whatever a cycle is worth. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/auale/tables.h"
#include "analysis/claims/reference.h"

enum { COLUMNS = 10, DECIMALS = 2, SLOW_SEEDS = 7 };

static const report_column columns[COLUMNS] = {{"seeds", "seeds"},
                                               {"boards", "boards"},
                                               {"forced", "value forced"},
                                               {"forced_share", "% value, any cycle rule"},
                                               {"winner_forced", "winner forced"},
                                               {"winner_share", "% winner, any cycle rule"},
                                               {"own_row", "own row: value"},
                                               {"own_row_share", "% value, own row"},
                                               {"own_row_winner", "own row: winner"},
                                               {"own_row_winner_share", "% winner, own row"}};

enum { FORCED, OWN_ROW, SETS };
static const auale_rule_set sets[SETS] = {{"abapa", "forced"}, {"abapa", "own-row"}};

typedef struct {
  uint64_t value, winner;
} decided;

typedef struct {
  auale_tables sets[SETS];
  report *out;
  int seeds;
  uint64_t boards[AUALE_MOST_SEEDS + 1];
  decided of[AUALE_MOST_SEEDS + 1][SETS];
  uint64_t all; /* boards */
  decided total[SETS];
  uint64_t wrong; /* own-row bounds that are not within the forced ones */
  bool found;
  game_place first; /* a board that is not decided */
} findings;

static decided count_decided(const auale_layer *layer) {
  decided found = {0, 0};
  for (uint64_t i = 0; i < layer->boards; i++) {
    const int lower = layer->lower[i], upper = layer->upper[i];
    found.value += lower == upper;
    found.winner += lower > 0 || upper < 0 || lower == upper;
  }
  return found;
}

static void compare_bounds(findings *f, int n) {
  const auale_layer *forced = &f->sets[FORCED].layers[n], *own_row = &f->sets[OWN_ROW].layers[n];
  for (uint64_t i = 0; i < forced->boards; i++) {
    f->wrong += own_row->lower[i] < forced->lower[i] || own_row->upper[i] > forced->upper[i] ||
                own_row->lower[i] > own_row->upper[i];
    if (f->found || forced->lower[i] == forced->upper[i]) continue;
    f->found = true;
    f->first = (game_place){(uint32_t)n, i};
  }
}

static void count_layer(findings *f, int n) {
  f->boards[n] = f->sets[FORCED].layers[n].boards;
  f->all += f->boards[n];
  for (int set = 0; set < SETS; set++) {
    f->of[n][set] = count_decided(&f->sets[set].layers[n]);
    f->total[set].value += f->of[n][set].value;
    f->total[set].winner += f->of[n][set].winner;
  }
  compare_bounds(f, n);
}

static void add_figures(findings *f) {
  report_table_begin(f->out, "layers",
                     "Boards of n seeds under abapa, right after a capture: how many have a value, and a "
                     "winner (or a draw), that "
                     "play which ends by "
                     "itself forces, whatever a cycle is worth; and how many if a board that comes back ends "
                     "play and each side "
                     "takes its own row:",
                     columns, COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    report_number(f->out, n);
    report_number(f->out, (int64_t)f->boards[n]);
    for (int set = 0; set < SETS; set++) {
      report_number(f->out, (int64_t)f->of[n][set].value);
      report_mean(f->out, auale_percent(f->of[n][set].value, f->boards[n]), DECIMALS);
      report_number(f->out, (int64_t)f->of[n][set].winner);
      report_mean(f->out, auale_percent(f->of[n][set].winner, f->boards[n]), DECIMALS);
    }
  }
  report_plot_begin(f->out, "values", "Boards of abapa whose value is known", PLOT_LINES, "seeds",
                    "seeds on the board", "% of the boards");
  report_plot_series(f->out, "forced_share");
  report_plot_series(f->out, "own_row_share");
  report_plot_begin(f->out, "winners", "Boards of abapa whose winner is known", PLOT_LINES, "seeds",
                    "seeds on the board", "% of the boards");
  report_plot_series(f->out, "winner_share");
  report_plot_series(f->out, "own_row_winner_share");
}

static tauler_error show_first(findings *f, tauler_message *message) {
  const tauler_tables *tables = f->sets[FORCED].t.tables;
  const auale_layer *layers = f->sets[FORCED].layers;
  const uint32_t largest = (uint32_t)(f->seeds < SLOW_SEEDS ? f->seeds : SLOW_SEEDS);
  uint64_t wrong = 0, boards = 0;
  reference_scores slow;
  char title[256];
  snprintf(title, sizeof title,
           "The smallest board that needs a cycle rule: %u seeds; play that ends forces no more than that "
           "the mover "
           "gets from %d to %d.",
           f->first.slice, layers[f->first.slice].lower[f->first.index],
           layers[f->first.slice].upper[f->first.index]);
  auale_tables_show(&f->sets[FORCED], f->first, title, f->out);
  const tauler_error error =
      reference_scores_solve(tables->game, tables->rules, largest, REFERENCE_BOUNDS, &slow, message);
  if (error) return error;
  for (uint32_t n = 0; n <= largest; n++) {
    boards += slow.positions[n];
    for (uint64_t i = 0; i < slow.positions[n]; i++)
      wrong += slow.lower[n][i] != layers[n].lower[i] || slow.upper[n][i] != layers[n].upper[i];
  }
  reference_scores_free(&slow);
  report_add_recheck(
      f->out, "plain iteration", true, wrong == 0,
      "All %llu boards of up to %u seeds, what either side can force worked out by the moves of the "
      "rules alone: %llu differ from the tables.",
      (unsigned long long)boards, largest, (unsigned long long)wrong);
  return TAULER_OK;
}

/* With how many seeds the share is less than with two seeds fewer. */
static void list_falls(const findings *f, char text[AUALE_LIST_BYTES]) {
  bool falls[AUALE_MOST_SEEDS + 1] = {false};
  for (int n = 3; n <= f->seeds; n++)
    falls[n] = auale_percent(f->of[n][FORCED].value, f->boards[n]) <
               auale_percent(f->of[n - 2][FORCED].value, f->boards[n - 2]);
  auale_list_seeds(falls, f->seeds, text);
}

/* With which odd numbers of seeds the winner is known more often than with either neighbour. */
static void list_odd_peaks(const findings *f, int set, char text[AUALE_LIST_BYTES]) {
  bool peaks[AUALE_MOST_SEEDS + 1] = {false};
  for (int n = 3; n < f->seeds; n += 2) {
    const double share = auale_percent(f->of[n][set].winner, f->boards[n]);
    peaks[n] = share > auale_percent(f->of[n - 1][set].winner, f->boards[n - 1]) &&
               share > auale_percent(f->of[n + 1][set].winner, f->boards[n + 1]);
  }
  auale_list_seeds(peaks, f->seeds, text);
}

static void add_notes(const findings *f) {
  char forced[AUALE_LIST_BYTES], own_row[AUALE_LIST_BYTES];
  list_odd_peaks(f, FORCED, forced);
  list_odd_peaks(f, OWN_ROW, own_row);
  report_note(f->out,
              "An odd number of seeds cannot be shared evenly. The winner is known more often than with one "
              "seed more or fewer for odd n: %s whatever a cycle is worth, and %s if each side takes its own "
              "row.",
              forced, own_row);
}

static void judge(const findings *f) {
  char falls[AUALE_LIST_BYTES];
  const int n = f->seeds;
  list_falls(f, falls);
  if (f->wrong || !report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "%llu bounds do not agree with each other or with the moves.",
                   (unsigned long long)f->wrong);
    return;
  }
  report_verdict(
      f->out, VERDICT_OPEN,
      "Right after a capture, of the %llu boards of 1-%d seeds whose opponent's row has an empty pit "
      "retrograde analysis gives the "
      "value "
      "of %.2f %% and the winner of %.2f %% whatever a cycle is worth, and of %.2f %% and %.2f %% if each "
      "side "
      "takes its own row; with %d seeds alone of %.2f %%, %.2f %%, %.2f %% and %.2f "
      "%%. The "
      "first share is less than with two seeds fewer for n: %s. The others need more than these bounds; that "
      "they "
      "cannot be solved is not shown.",
      (unsigned long long)f->all, n, auale_percent(f->total[FORCED].value, f->all),
      auale_percent(f->total[FORCED].winner, f->all), auale_percent(f->total[OWN_ROW].value, f->all),
      auale_percent(f->total[OWN_ROW].winner, f->all), n, auale_percent(f->of[n][FORCED].value, f->boards[n]),
      auale_percent(f->of[n][FORCED].winner, f->boards[n]),
      auale_percent(f->of[n][OWN_ROW].value, f->boards[n]),
      auale_percent(f->of[n][OWN_ROW].winner, f->boards[n]), falls);
}

static tauler_error look_at_boards(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int n = 1; n <= f->seeds; n++) count_layer(f, n);
  add_figures(f);
  if (f->found) error = show_first(f, message);
  if (error) return error;
  add_notes(f);
  judge(f);
  return auale_tables_tell_all(f->sets, SETS, f->out, message);
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about aualé");
  f->out = out;
  f->seeds = auale_tables_seeds(job);
  tauler_error error = auale_tables_open_all(job, sets, SETS, f->seeds, f->sets, message);
  if (!error) {
    report_rules(out, "abapa");
    error = look_at_boards(f, message);
    auale_tables_close_all(f->sets, SETS);
  }
  free(f);
  return error;
}

extern const claim_text claim_text_cycle_free;
extern const claim claim_auale_cycle_free;
const claim claim_auale_cycle_free = {.name = "auale-cycle-free",
                                      .game = "auale",
                                      .text = &claim_text_cycle_free,
                                      .options = "seeds",
                                      .run = run};
