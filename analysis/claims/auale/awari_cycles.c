/* auale-awari-cycles: with how many seeds infinite play decides anything in awari. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/auale/tables.h"
#include "analysis/claims/reference.h"

enum { COLUMNS = 9, DECIMALS = 3, SLOW_SEEDS = 8 };

static const report_column columns[COLUMNS] = {
    {"seeds", "seeds"},        {"boards", "boards"},        {"zero", "worth 0"},
    {"forced_zero", "forced"}, {"endless_zero", "endless"}, {"leaning", "not 0"},
    {"open", "open"},          {"open_share", "% open"},    {"open_others", "open, others"}};

typedef struct {
  uint64_t boards, zero, forced_zero, endless_zero, leaning, open, open_others;
} layer_counts;

typedef struct {
  auale_tables awari;
  report *out;
  int seeds;
  game_rules *forced; /* awari, infinite play worth nothing to nobody */
  void *kernels;
  slice_store *finished; /* plain: of each smaller slice its values, as both bounds; the tables own them */
  layer_counts layers[AUALE_MOST_SEEDS + 1];
  uint64_t wrong; /* values that do not follow from the bounds */
  bool found;
  game_place first; /* the first open board, of value 0 */
  int lower, upper;
  uint64_t slow_wrong, slow_boards;
  int slow_seeds;
} findings;

/* --- finite play in a layer --- */

static const game *game_of(const findings *f) {
  return f->awari.t.tables->game;
}

static void keep_values(findings *f, int n) {
  const auale_layer *layer = &f->awari.layers[n];
  const plain_slices plain = store_plain(f->finished);
  solved_slice *kept = &plain.list[n];
  *kept = (solved_slice){.slice = (uint32_t)n, .positions = layer->boards, .planes = SOLVE_PLANES};
  for (int plane = 0; plane < SOLVE_PLANES; plane++) kept->cells[plane] = (int8_t *)(uintptr_t)layer->lower;
}

static tauler_error solve_layer(findings *f, int n, solved_slice *out, tauler_message *message) {
  const claim_job *job = f->awari.t.job;
  const solve_job solve = {.problem.game = game_of(f),
                           .problem.rules = f->forced,
                           .work.threads = job->threads,
                           .work.memory = job->memory,
                           .grid_tables = f->kernels,
                           .packed = f->finished};
  return solve_alone(&solve, (uint32_t)n, false, out, message);
}

static void count_board(findings *f, layer_counts *c, game_place place, int value, int lower, int upper) {
  const int follows = lower > 0 ? lower : upper < 0 ? upper : 0;
  const bool open = lower < upper;
  f->wrong += value != follows || lower > upper;
  c->zero += value == 0;
  c->forced_zero += value == 0 && !open;
  c->endless_zero += value == 0 && open;
  c->leaning += value != 0 && open;
  c->open += open;
  if (f->found || !open || value != 0) return;
  f->found = true;
  f->first = place;
  f->lower = lower;
  f->upper = upper;
}

/* Whether a board that no move leads to is open, by the bounds of those that it leads to. */
static tauler_error add_other(findings *f, const solved_slice *solved, uint64_t i, tauler_message *message) {
  const game *g = game_of(f);
  game_position position;
  game_moves moves = {0};
  g->outside_at(f->forced, solved->slice, i, &position);
  tauler_error error = g->moves(f->forced, &position, &moves);
  if (error) tauler_fail(message, error, "the moves of a board cannot be had");
  int lower = INT8_MIN, upper = INT8_MIN;
  for (size_t k = 0; k < moves.used && !error; k++) {
    const game_move *move = &moves.moves[k];
    game_place to;
    if (!g->locate(f->forced, &move->child, &to)) {
      error = tauler_fail(message, TAULER_INTERNAL, "a move leads to a board without index");
      continue;
    }
    const solved_slice *in = to.slice == solved->slice ? solved : &store_plain(f->finished).list[to.slice];
    const int least = move->gain - in->cells[1][to.index], most = move->gain - in->cells[0][to.index];
    lower = least > lower ? least : lower;
    upper = most > upper ? most : upper;
  }
  f->layers[solved->slice].open_others += lower < upper;
  game_moves_free(&moves);
  return error;
}

/* A board leads to an open one only if there are some. */
static tauler_error add_others(findings *f, const solved_slice *solved, tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (f->layers[solved->slice].open == 0) return TAULER_OK;
  const uint64_t n = game_of(f)->outside(f->forced, solved->slice);
  for (uint64_t i = 0; i < n && !error; i++) error = add_other(f, solved, i, message);
  return error;
}

static tauler_error count_layer(findings *f, int n, tauler_message *message) {
  solved_slice solved;
  layer_counts *c = &f->layers[n];
  const int8_t *values = f->awari.layers[n].lower;
  tauler_error error = solve_layer(f, n, &solved, message);
  if (error) return error;
  c->boards = solved.positions;
  for (uint64_t i = 0; i < solved.positions; i++)
    count_board(f, c, (game_place){(uint32_t)n, i}, values[i], solved.cells[0][i], solved.cells[1][i]);
  error = add_others(f, &solved, message);
  solved_slice_free(f->awari.t.job->memory, &solved);
  keep_values(f, n);
  return error;
}

/* --- figures, witness, verdict --- */

static void add_figures(findings *f) {
  report_table_begin(
      f->out, "layers",
      "Boards of n seeds: worth 0; of these forced by play that ends or leaves the layer, and by nothing but "
      "endless play; not worth 0, but worth more to somebody if endless play were; both kinds of open boards "
      "together; and open ones among the boards that no move leads to:",
      columns, COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    const layer_counts *c = &f->layers[n];
    report_number(f->out, n);
    report_number(f->out, (int64_t)c->boards);
    report_number(f->out, (int64_t)c->zero);
    report_number(f->out, (int64_t)c->forced_zero);
    report_number(f->out, (int64_t)c->endless_zero);
    report_number(f->out, (int64_t)c->leaning);
    report_number(f->out, (int64_t)c->open);
    report_mean(f->out, auale_percent(c->open, c->boards), DECIMALS);
    report_number(f->out, (int64_t)c->open_others);
  }
  report_plot_begin(f->out, "open", "Boards of awari that finite play leaves open", PLOT_BARS, "seeds",
                    "seeds on the board", "% of the boards");
  report_plot_series(f->out, "open_share");
}

static void compare_slowly(findings *f, const reference_scores *slow) {
  for (int n = 0; n <= f->slow_seeds; n++) {
    uint64_t open = 0;
    f->slow_boards += slow->positions[n];
    for (uint64_t i = 0; i < slow->positions[n]; i++) {
      open += slow->lower[n][i] < slow->upper[n][i];
      f->slow_wrong += slow->value[n][i] != f->awari.layers[n].lower[i];
    }
    f->slow_wrong += open != f->layers[n].open;
  }
}

static tauler_error show_first(findings *f, tauler_message *message) {
  char title[256];
  reference_scores slow;
  snprintf(title, sizeof title,
           "The smallest open board: %u seeds, worth 0; by play that ends the mover can force no more than "
           "%d and can "
           "be held to no less than %d.",
           f->first.slice, f->lower, f->upper);
  auale_tables_show(&f->awari, f->first, title, f->out);
  f->slow_seeds = f->seeds < SLOW_SEEDS ? f->seeds : SLOW_SEEDS;
  const tauler_error error = reference_scores_solve(
      game_of(f), f->awari.t.tables->rules, (uint32_t)f->slow_seeds, REFERENCE_VALUES, &slow, message);
  if (error) return error;
  compare_slowly(f, &slow);
  const bool same = slow.lower[f->first.slice][f->first.index] == f->lower &&
                    slow.upper[f->first.slice][f->first.index] == f->upper;
  report_add_recheck(
      f->out, "plain iteration", true, f->slow_wrong == 0 && same,
      "All %llu boards of up to %d seeds, solved by the moves of the rules alone: %llu values or "
      "counts of open boards differ.",
      (unsigned long long)f->slow_boards, f->slow_seeds, (unsigned long long)f->slow_wrong);
  reference_scores_free(&slow);
  return TAULER_OK;
}

static void judge(const findings *f) {
  bool open[AUALE_MOST_SEEDS + 1] = {false};
  char list[AUALE_LIST_BYTES];
  int last = 0;
  for (int n = 1; n <= f->seeds; n++) {
    open[n] = f->layers[n].open > 0;
    if (open[n]) last = n;
  }
  auale_list_seeds(open, f->seeds, list);
  if (f->wrong || !report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "%llu values do not follow from what finite play forces.",
                   (unsigned long long)f->wrong);
  } else if (last == 0) {
    report_verdict(f->out, VERDICT_OPEN, "Up to %d seeds no board is open.", f->seeds);
  } else if (last < f->seeds) {
    report_verdict(
        f->out, VERDICT_HOLDS_FOR,
        "Up to %d seeds, smaller layers being taken at their values, what endless play is worth decides "
        "boards of n seeds for n: %s only. With %d-%d seeds whoever is to get something can force it "
        "by play that captures or ends, on every board, and so can whoever is to keep the balance. For the n "
        "listed the sentence does not hold as it reads, for the others it does.",
        f->seeds, list, last + 1, f->seeds);
  } else {
    report_verdict(
        f->out, VERDICT_HOLDS_FOR,
        "Up to %d seeds, smaller layers being taken at their values, what endless play is worth decides "
        "boards of n seeds for n: %s. For these the sentence does not hold as it reads, for other n it does.",
        f->seeds, list);
  }
}

static tauler_error look_at_boards(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int n = 0; n <= f->seeds && !error; n++) error = count_layer(f, n, message);
  if (error) return error;
  add_figures(f);
  if (f->found) error = show_first(f, message);
  if (error) return error;
  report_note(f->out,
              "Boards are those whose opponent's row has an empty pit, as it has after every move; the "
              "last column is about all others, which stand only at the start of a line.");
  judge(f);
  return auale_tables_tell_all(&f->awari, 1, f->out, message);
}

static tauler_error look_at_layers(findings *f, tauler_message *message) {
  const game *g = game_of(f);
  const uint32_t largest = (uint32_t)f->seeds;
  const store_settings settings = {.plain = true, .room = largest + 1};
  tauler_error error = store_open(&settings, f->awari.t.job->memory, &f->finished, message);
  if (!error) error = g->open("awari", "forced", &f->forced, message);
  if (!error) {
    error = memory_plan(f->awari.t.job->memory, g->grid->prepared_bytes(f->forced, largest),
                        "what a game knows of its moves", message);
    if (!error) error = g->grid->prepare(f->forced, largest, &f->kernels);
    if (!error) {
      error = look_at_boards(f, message);
      g->grid->release(f->kernels);
    }
    g->close(f->forced);
  }
  const plain_slices lent = store_plain(f->finished);
  for (uint32_t n = 0; n < lent.room; n++) lent.list[n] = (solved_slice){.positions = 0};
  store_close(f->finished);
  return error;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about aualé");
  f->out = out;
  f->seeds = auale_tables_seeds(job);
  tauler_error error = auale_tables_open(job, "awari", "even", f->seeds, &f->awari, message);
  if (!error) {
    report_rules(out, "awari");
    error = look_at_layers(f, message);
    auale_tables_close(&f->awari);
  }
  free(f);
  return error;
}

extern const claim_text claim_text_awari_cycles;
extern const claim claim_auale_awari_cycles;
const claim claim_auale_awari_cycles = {.name = "auale-awari-cycles",
                                        .game = "auale",
                                        .text = &claim_text_awari_cycles,
                                        .options = "seeds",
                                        .run = run};
