/* doushouqi-equal-material: can a game be drawn in which both sides have the same animals? */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/draw_proof.h"
#include "analysis/claims/reference.h"

enum {
  LEAST_PIECES = 2,
  MOST_PIECES = 4,
  COLUMNS = 11,
  SUMMARY_COLUMNS = 7,
  DECIMALS = 3,
  MOST_PROVEN = 1000000
};
enum { LIACS, BASE, RULE_SETS };

static const char *const rule_names[RULE_SETS] = {"liacs", "base"};

static const report_column columns[COLUMNS] = {
    {"material", "material"},          {"pieces", "pieces"},           {"positions", "positions"},
    {"liacs_wins", "liacs: wins"},     {"liacs_draws", "draws"},       {"liacs_losses", "losses"},
    {"base_wins", "base: wins"},       {"base_draws", "draws"},        {"base_losses", "losses"},
    {"liacs_drawn", "liacs: % drawn"}, {"base_drawn", "base: % drawn"}};
static const report_column summary_columns[SUMMARY_COLUMNS] = {
    {"rules", "rules"},           {"pieces", "pieces"},       {"materials", "materials"},
    {"with_draws", "with draws"}, {"positions", "positions"}, {"draws", "draws"},
    {"drawn", "% drawn"}};

typedef struct {
  uint64_t materials, with_draws, positions, draws;
} summary;

typedef struct {
  const claim_job *job;
  report *out;
  int pieces;
  claim_tables t[RULE_SETS];
  animal_counts counts[RULE_SETS];
  summary found[RULE_SETS][MOST_PIECES + 1];
} findings;

static uint64_t all_of(const animal_count *count) {
  return count->wins + count->draws + count->losses;
}

/* --- figures --- */

static double percent(uint64_t part, uint64_t all) {
  return all ? 100.0 * (double)part / (double)all : 0;
}

static void add_material(findings *f, animal_material m) {
  const int pieces = animal_pieces(m);
  const animal_count *of[RULE_SETS];
  char name[2 * ANIMALS + 1];
  for (int k = 0; k < RULE_SETS; k++) {
    of[k] = &f->counts[k].of[animal_number(m)];
    summary *found = &f->found[k][pieces];
    found->materials++;
    found->with_draws += of[k]->draws > 0;
    found->positions += all_of(of[k]);
    found->draws += of[k]->draws;
  }
  animal_material_name(m, name);
  report_text(f->out, name);
  report_number(f->out, pieces);
  report_number(f->out, (int64_t)all_of(of[LIACS]));
  for (int k = 0; k < RULE_SETS; k++) {
    report_number(f->out, (int64_t)of[k]->wins);
    report_number(f->out, (int64_t)of[k]->draws);
    report_number(f->out, (int64_t)of[k]->losses);
  }
  for (int k = 0; k < RULE_SETS; k++) report_mean(f->out, percent(of[k]->draws, all_of(of[k])), DECIMALS);
}

static void add_materials(findings *f) {
  report_table_begin(
      f->out, "materials",
      "Both sides have the same animals (E elephant, L lion, T tiger, P leopard, D dog, W wolf, C cat, "
      "R rat): results as White, to move, sees them, mirror images counted:",
      columns, COLUMNS);
  for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces += 2) {
    for (unsigned side = 1; side < 1U << ANIMALS; side++) {
      const animal_material m = {(uint8_t)side, (uint8_t)side};
      if (animal_pieces(m) == pieces) add_material(f, m);
    }
  }
  report_plot_begin(f->out, "drawn", "Drawn positions where both sides have the same animals", PLOT_BARS,
                    "material", "material", "% drawn");
  report_plot_series(f->out, "base_drawn");
  report_plot_series(f->out, "liacs_drawn");
}

static void add_summary(const findings *f) {
  report_table_begin(f->out, "summary", "Together:", summary_columns, SUMMARY_COLUMNS);
  for (int k = 0; k < RULE_SETS; k++) {
    for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces += 2) {
      const summary *found = &f->found[k][pieces];
      report_text(f->out, rule_names[k]);
      report_number(f->out, pieces);
      report_number(f->out, (int64_t)found->materials);
      report_number(f->out, (int64_t)found->with_draws);
      report_number(f->out, (int64_t)found->positions);
      report_number(f->out, (int64_t)found->draws);
      report_mean(f->out, percent(found->draws, found->positions), DECIMALS);
    }
  }
}

/* --- the witness --- */

typedef struct {
  claim_tables *t;
  uint32_t slice;
  tauler_error error;
  tauler_message message;
} hints;

static void give_hint(void *user, uint64_t index, int8_t *value, uint16_t *depth) {
  hints *h = user;
  int known = 0, plies = 0;
  if (!h->error)
    h->error = claim_tables_ask(h->t, (game_place){h->slice, index}, &known, &plies, &h->message);
  *value = (int8_t)known;
  *depth = known ? (uint16_t)plies : 0;
}

/* The first drawn position of a slice, and how many are drawn, by the moves alone. */
static tauler_error find_draw(claim_tables *t, uint32_t slice, uint64_t *index, uint64_t *drawn,
                              uint64_t *wrong, tauler_message *message) {
  reference_results slow;
  tauler_error error = reference_results_solve(t->tables->game, t->tables->rules, slice, &slow, message);
  if (error) return error;
  for (uint64_t i = slow.positions; i > 0 && !error; i--) {
    int value = 0, depth = 0;
    error = claim_tables_ask(t, (game_place){slice, i - 1}, &value, &depth, message);
    *wrong += value != slow.value[i - 1];
    if (slow.value[i - 1]) continue;
    *index = i - 1;
    ++*drawn;
  }
  reference_results_free(&slow);
  return error;
}

/* The first material of two pieces with draws. */
static bool choose_material(const findings *f, char name[2 * ANIMALS + 1]) {
  for (int animal = 0; animal < ANIMALS; animal++) {
    const animal_material m = {(uint8_t)(1 << animal), (uint8_t)(1 << animal)};
    animal_material_name(m, name);
    if (f->counts[BASE].of[animal_number(m)].draws) return true;
  }
  return false;
}

static tauler_error prove(findings *f, claim_tables *t, uint32_t slice, tauler_message *message) {
  const game *g = t->tables->game;
  hints h = {.t = t, .slice = slice};
  const draw_proof proof = {g, t->tables->rules, slice, give_hint, &h, f->job->memory, MOST_PROVEN};
  uint64_t index = 0, drawn = 0, wrong = 0;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES];
  game_position position;
  draw_proven proven;
  tauler_error error = find_draw(t, slice, &index, &drawn, &wrong, message);
  if (!error) error = draw_prove(&proof, index, &proven, message);
  if (!error && h.error) error = tauler_fail(message, h.error, "%s", h.message.text);
  if (error) return error;
  g->position_at(t->tables->rules, (game_place){slice, index}, &position);
  g->print(t->tables->rules, &position, text);
  g->draw(t->tables->rules, &position, drawing);
  report_witness_begin(f->out, "Two equal animals, and neither side can win, by the base rules.", text,
                       drawing);
  report_add_recheck(
      f->out, "proof", proven.done, proven.holds,
      "What the tables say agrees along the moves of the rules, all of drawn and lost positions and "
      "one of won ones: %llu drawn, %llu won and %llu lost positions looked at.",
      (unsigned long long)proven.drawn, (unsigned long long)proven.won, (unsigned long long)proven.lost);
  report_add_recheck(
      f->out, "plain iteration", true, drawn > 0 && wrong == 0,
      "All positions of this material, solved by the moves of the rules alone, ply by ply: %llu stored "
      "ones are drawn, and %llu results differ from the tables.",
      (unsigned long long)drawn, (unsigned long long)wrong);
  return TAULER_OK;
}

static tauler_error show_draw(findings *f, tauler_message *message) {
  claim_tables *t = &f->t[BASE];
  char name[2 * ANIMALS + 1];
  game_slices slices = {0};
  if (!choose_material(f, name)) return TAULER_OK;
  const game_request request = {.material = name};
  tauler_error error = t->tables->game->slices(t->tables->rules, &request, &slices, message);
  for (size_t i = 0; i < slices.used && !error; i++)
    if (slices.slices[i].asked) error = prove(f, t, slices.slices[i].slice, message);
  free(slices.slices);
  return error;
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const summary *liacs = &f->found[LIACS][LEAST_PIECES], *base = &f->found[BASE][LEAST_PIECES];
  char more[256] = "";
  if (f->pieces == MOST_PIECES)
    snprintf(more, sizeof more,
             " With two animals each there are drawn positions in %llu of %llu materials under liacs, "
             "in %llu by the base rules.",
             (unsigned long long)f->found[LIACS][MOST_PIECES].with_draws,
             (unsigned long long)f->found[LIACS][MOST_PIECES].materials,
             (unsigned long long)f->found[BASE][MOST_PIECES].with_draws);
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The draw that is shown does not stand up to being checked again.");
  } else if (liacs->draws) {
    report_verdict(f->out, VERDICT_FAILS, "Under liacs %llu positions of two equal animals are drawn.",
                   (unsigned long long)liacs->draws);
  } else {
    report_verdict(
        f->out, VERDICT_HOLDS_FOR,
        "Under liacs no position of two equal animals is drawn. By the base rules %llu are, in %llu of %llu "
        "materials.%s",
        (unsigned long long)base->draws, (unsigned long long)base->with_draws,
        (unsigned long long)base->materials, more);
  }
}

static tauler_error look(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int k = 0; k < RULE_SETS && !error; k++) {
    error = claim_tables_open(f->job, "doushouqi", rule_names[k], NULL, &f->t[k], message);
    if (!error) error = animal_counts_read_equal(&f->t[k], f->pieces, &f->counts[k], message);
  }
  if (error) return error;
  add_materials(f);
  add_summary(f);
  error = show_draw(f, message);
  for (int k = 0; k < RULE_SETS && !error; k++) error = claim_tables_tell(&f->t[k], f->out, message);
  if (!error) judge(f);
  return error;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about Dou Shou Qi");
  f->job = job;
  f->out = out;
  f->pieces = job->pieces ? job->pieces - job->pieces % 2 : MOST_PIECES;
  report_rules(out, "liacs and base");
  const tauler_error error = look(f, message);
  for (int k = 0; k < RULE_SETS; k++) {
    animal_counts_free(&f->counts[k]);
    claim_tables_close(&f->t[k]);
  }
  free(f);
  return error;
}

extern const claim_text claim_text_equal_material;
extern const claim claim_doushouqi_equal_material;
const claim claim_doushouqi_equal_material = {.name = "doushouqi-equal-material",
                                              .game = "doushouqi",
                                              .text = &claim_text_equal_material,
                                              .options = "pieces",
                                              .run = run};
