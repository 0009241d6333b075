/* auale-awari-cycles: with how many seeds infinite play decides anything in awari. */

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/claim.h"
#include "analysis/claims/reference.h"
#include "solver/engines/solve.h"

enum { DECIMALS = 3, SLOW_SEEDS = 8 };

typedef struct {
  uint64_t boards, zero, forced_zero, endless_zero, leaning, open, open_others;
} layer_counts;

typedef struct {
  claim_base c;
  game_rules *forced; /* awari, infinite play worth nothing to nobody */
  void *kernels;
  slice_store *finished; /* plain: of each smaller slice its values, as both bounds; the tables own them */
  layer_counts layers[AUALE_MOST_SEEDS + 1];
  uint64_t wrong; /* values that do not follow from the bounds */
  bool found;
  game_place first; /* the first open board, of value 0 */
  int lower, upper;
} findings;

/* --- finite play in a layer --- */

static bool solve_layer(findings *f, uint32_t n, solved_slice *out) {
  const solve_job solve = {.problem.game = f->c.t->game,
                           .problem.rules = f->forced,
                           .work.threads = f->c.job->threads,
                           .work.memory = f->c.job->memory,
                           .grid_tables = f->kernels,
                           .store = f->finished};
  return !REPORT_CATCH(f->c.out, solve_alone(&solve, n, false, out, &f->c.out->message));
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

/* Boards that no move leads to, of which some are open only if the layer has an open board. */
static void count_others(findings *f, uint32_t n) {
  const game *g = f->c.t->game;
  const uint64_t others = f->layers[n].open ? g->outside(f->forced, n) : 0;
  for (uint64_t i = 0; i < others; i++) {
    auale_bounds bounds;
    if (REPORT_CATCH(f->c.out, auale_outside_bounds(g, f->forced, store_plain(f->finished).list, n, i,
                                                    &bounds, &f->c.out->message)))
      return;
    f->layers[n].open_others += bounds.lower < bounds.upper;
  }
}

static void count_layer(findings *f, uint32_t n) {
  const claim_layer *layer = &f->c.t->layers[n];
  layer_counts *c = &f->layers[n];
  solved_slice solved;
  if (!solve_layer(f, n, &solved)) return;
  c->boards = solved.positions;
  for (uint64_t i = 0; i < solved.positions; i++)
    count_board(f, c, (game_place){n, i}, layer->lower[i], solved.cells[0][i], solved.cells[1][i]);
  const plain_slices plain = store_plain(f->finished);
  solved_slice *kept = &plain.list[n];
  *kept = solved;
  count_others(f, n);
  solved_slice_free(f->c.job->memory, &solved);
  *kept = (solved_slice){.slice = n, .positions = layer->boards, .planes = SOLVE_PLANES};
  for (int plane = 0; plane < SOLVE_PLANES; plane++) kept->cells[plane] = (int8_t *)(uintptr_t)layer->lower;
}

/* --- figures, witness, verdict --- */

static void add_figures(findings *f) {
  report_table_begin(f->c.out, "layers");
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    REPORT_ADD(f->c.out, fig_number(n), fig_count(c->boards), fig_count(c->zero), fig_count(c->forced_zero),
               fig_count(c->endless_zero), fig_count(c->leaning), fig_count(c->open),
               fig_share(c->open, c->boards, DECIMALS), fig_count(c->open_others));
  }
}

/* Values, and counts of open boards, that differ. */
static uint64_t count_wrong(const findings *f, const reference_scores *slow) {
  uint64_t wrong = 0;
  for (uint32_t n = 0; n <= slow->largest; n++) {
    uint64_t open = 0;
    for (uint64_t i = 0; i < slow->positions[n]; i++) {
      open += slow->lower[n][i] < slow->upper[n][i];
      wrong += slow->value[n][i] != f->c.t->layers[n].lower[i];
    }
    wrong += open != f->layers[n].open;
  }
  return wrong;
}

static void show_first(findings *f) {
  const claim_tables *t = f->c.t;
  const uint32_t largest = (uint32_t)(f->c.limit < SLOW_SEEDS ? f->c.limit : SLOW_SEEDS);
  const game_position first = claim_position_at(t, f->first);
  reference_scores slow;
  uint64_t boards = 0;
  CLAIM_SHOW(t, &first, "witness", fig_number(f->first.slice), fig_number(f->lower), fig_number(f->upper));
  if (REPORT_CATCH(f->c.out, reference_scores_solve(t->game, t->rules, largest, REFERENCE_VALUES, &slow,
                                                    &f->c.out->message)))
    return;
  const uint64_t wrong = count_wrong(f, &slow);
  for (uint32_t n = 0; n <= largest; n++) boards += slow.positions[n];
  REPORT_RECHECK(f->c.out, "plain iteration", true,
                 wrong == 0 && slow.lower[f->first.slice][f->first.index] == f->lower &&
                     slow.upper[f->first.slice][f->first.index] == f->upper,
                 "recheck-plain-iteration", fig_count(boards), fig_number(largest), fig_count(wrong));
  reference_scores_free(&slow);
}

static void judge(const findings *f) {
  bool open[AUALE_MOST_SEEDS + 1] = {false};
  char list[AUALE_LIST_BYTES];
  const int seeds = f->c.limit;
  int last = 0;
  for (int n = 1; n <= seeds; n++) {
    open[n] = f->layers[n].open > 0;
    if (open[n]) last = n;
  }
  auale_list_seeds(open, seeds, list);
  if (f->wrong || !report_is_sound(f->c.out)) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails", fig_count(f->wrong));
  } else if (last == 0) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_number(seeds));
  } else if (last < seeds) {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_number(seeds), fig_text(list),
                   fig_number(last + 1), fig_number(seeds));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for-2", fig_number(seeds), fig_text(list));
  }
}

static bool open_solver(findings *f) {
  report *out = f->c.out;
  const game *g = f->c.t->game;
  const uint32_t largest = (uint32_t)f->c.limit;
  const store_settings settings = {.plain = true, .room = largest + 1};
  return !REPORT_CATCH(out, store_open(&settings, f->c.job->memory, &f->finished, &out->message)) &&
         !REPORT_CATCH(out, g->open("awari", "forced", &f->forced, &out->message)) &&
         !REPORT_CATCH(out, memory_plan(f->c.job->memory, g->grid->prepared_bytes(f->forced, largest),
                                        "what a game knows of its moves", &out->message)) &&
         !REPORT_CATCH(out, g->grid->prepare(f->forced, largest, &f->kernels));
}

static void examine(void *user) {
  findings *f = user;
  if (!open_solver(f)) return;
  for (int n = 0; n <= f->c.limit && !f->c.out->error; n++) count_layer(f, (uint32_t)n);
  add_figures(f);
  if (f->found) show_first(f);
  REPORT_NOTE(f->c.out, "note");
  judge(f);
}

static void close_solver(void *user) {
  findings *f = user;
  const game *g = f->c.t->game;
  const plain_slices lent = store_plain(f->finished);
  if (f->kernels) g->grid->release(f->kernels);
  if (f->forced) g->close(f->forced);
  for (uint32_t n = 0; n < lent.room; n++) lent.list[n] = (solved_slice){.positions = 0};
  store_close(f->finished);
}

const claim_code claim_code_awari_cycles = {sizeof(findings), examine, close_solver};
