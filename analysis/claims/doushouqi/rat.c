/* doushouqi-rat: is the rat the most tactical animal? */
#include <stdio.h>

#include "analysis/claims/doushouqi/animal_counts.h"

enum {
  LEAST_PIECES = 2,
  USUAL_PIECES = 4,
  RAT = 0,
  WORTH_COLUMNS = 7,
  RESULT_COLUMNS = 7,
  RESULTS = 3,
  ENEMY_COLUMNS = 1 + ANIMALS,
  DECIMALS = 2
};

static const report_column worth_columns[] = {{"animal", "animal added"}, {"alone", "alone against one"},
                                              {"mean", "mean gain"},      {"least_enemy", "least against"},
                                              {"least", "least gain"},    {"most_enemy", "most against"},
                                              {"most", "most gain"}};
static const report_column result_columns[] = {
    {"animal", "animal added"}, {"first_won", "to move: won"},      {"first_drawn", "drawn"},
    {"first_lost", "lost"},     {"second_won", "not to move: won"}, {"second_drawn", "drawn"},
    {"second_lost", "lost"}};
static const report_column enemy_columns[] = {
    {"animal", "animal"},   {"rat", "rat"},     {"cat", "cat"},   {"wolf", "wolf"},        {"dog", "dog"},
    {"leopard", "leopard"}, {"tiger", "tiger"}, {"lion", "lion"}, {"elephant", "elephant"}};

typedef struct {
  animal_counts counts;
  double alone[ANIMALS];            /* one animal against one, mean over all enemies */
  double against[ANIMALS][ANIMALS]; /* two animals: the same against each */
  double gain[ANIMALS][ANIMALS];    /* of adding one, by an enemy that is there; 100 a game */
  double mean[ANIMALS], spread[ANIMALS];
  double results[ANIMALS][2 * RESULTS]; /* how much more is won, drawn, lost, by who moves; of 100 */
  int least[ANIMALS], most[ANIMALS];    /* enemies */
} findings;

static bool has(uint8_t animals, int animal) {
  return animals >> animal & 1;
}

/* Whether White has not got the animal and can have it, against that enemy. */
static bool takes_animal(const animal_counts *counts, animal_material m, int animal, int enemy) {
  if (!m.white || has(m.white, animal) || !has(m.black, enemy)) return false;
  return animal_pieces(m) < counts->pieces;
}

/* Over all materials with the enemy, to which the animal can still be added. */
static double mean_gain(const animal_counts *counts, int animal, int enemy) {
  double sum = 0;
  size_t n = 0;
  for (unsigned number = 0; number < 1U << (2 * ANIMALS); number++) {
    const animal_material before = {(uint8_t)number, (uint8_t)(number >> ANIMALS)};
    animal_material after = before;
    after.white |= (uint8_t)(1 << animal);
    if (!takes_animal(counts, before, animal, enemy)) continue;
    sum += animal_score(counts, after) - animal_score(counts, before);
    n++;
  }
  return 100 * sum / (double)n;
}

/* Parts of 100 that the owner of White's animals wins, draws and loses, on the move and then off it. */
static void find_results(const animal_counts *counts, animal_material m, double out[2 * RESULTS]) {
  const animal_count *own = &counts->of[animal_number(m)];
  const animal_count *other = &counts->of[animal_number((animal_material){m.black, m.white})];
  const uint64_t parts[2 * RESULTS] = {own->wins,     own->draws,   own->losses,
                                       other->losses, other->draws, other->wins};
  for (int i = 0; i < 2 * RESULTS; i += RESULTS) {
    const double all = (double)(parts[i] + parts[i + 1] + parts[i + 2]);
    for (int k = i; k < i + RESULTS; k++) out[k] = 100 * (double)parts[k] / all;
  }
}

/* In the mean of all enemies that may be there, as gains are. */
static void measure_results(findings *f, int animal) {
  for (int enemy = 0; enemy < ANIMALS; enemy++) {
    double sum[2 * RESULTS] = {0};
    size_t n = 0;
    for (unsigned number = 0; number < 1U << (2 * ANIMALS); number++) {
      double before[2 * RESULTS], after[2 * RESULTS];
      animal_material m = {(uint8_t)number, (uint8_t)(number >> ANIMALS)};
      if (!takes_animal(&f->counts, m, animal, enemy)) continue;
      find_results(&f->counts, m, before);
      m.white |= (uint8_t)(1 << animal);
      find_results(&f->counts, m, after);
      for (int i = 0; i < 2 * RESULTS; i++) sum[i] += after[i] - before[i];
      n++;
    }
    for (int i = 0; i < 2 * RESULTS; i++) f->results[animal][i] += sum[i] / (double)n / ANIMALS;
  }
}

static void measure_gains(findings *f, int animal) {
  for (int enemy = 0; enemy < ANIMALS; enemy++) {
    f->gain[animal][enemy] = mean_gain(&f->counts, animal, enemy);
    f->mean[animal] += f->gain[animal][enemy] / ANIMALS;
    if (f->gain[animal][enemy] < f->gain[animal][f->least[animal]]) f->least[animal] = enemy;
    if (f->gain[animal][enemy] > f->gain[animal][f->most[animal]]) f->most[animal] = enemy;
  }
  f->spread[animal] = f->gain[animal][f->most[animal]] - f->gain[animal][f->least[animal]];
}

static void measure(findings *f) {
  for (int animal = 0; animal < ANIMALS; animal++) {
    for (int enemy = 0; enemy < ANIMALS; enemy++) {
      const animal_material m = {(uint8_t)(1 << animal), (uint8_t)(1 << enemy)};
      f->against[animal][enemy] = 100 * animal_score(&f->counts, m);
      f->alone[animal] += f->against[animal][enemy] / ANIMALS;
    }
    if (f->counts.pieces > LEAST_PIECES) measure_gains(f, animal);
    if (f->counts.pieces > LEAST_PIECES) measure_results(f, animal);
  }
}

/* --- figures --- */

static void add_matrix(report *out, const char *key, const char *title, double (*values)[ANIMALS]) {
  report_table_begin(out, key, title, enemy_columns, ENEMY_COLUMNS);
  for (int animal = 0; animal < ANIMALS; animal++) {
    report_text(out, animal_names[animal]);
    for (int enemy = 0; enemy < ANIMALS; enemy++) report_mean(out, values[animal][enemy], DECIMALS);
  }
}

static void add_worths(report *out, const findings *f) {
  report_table_begin(
      out, "worth",
      "What an animal is worth: its score alone against one enemy, and how much it adds to the score of a "
      "side, in the mean and against the enemies where it adds least and most:",
      worth_columns, WORTH_COLUMNS);
  for (int animal = 0; animal < ANIMALS; animal++) {
    const int least = f->least[animal], most = f->most[animal];
    report_text(out, animal_names[animal]);
    report_mean(out, f->alone[animal], DECIMALS);
    report_mean(out, f->mean[animal], DECIMALS);
    report_text(out, animal_names[least]);
    report_mean(out, f->gain[animal][least], DECIMALS);
    report_text(out, animal_names[most]);
    report_mean(out, f->gain[animal][most], DECIMALS);
  }
  report_plot_begin(out, "worth", "How much an animal adds to its side, by the enemy that it meets",
                    PLOT_BARS, "animal", "animal added", "points of a hundred");
  report_plot_series(out, "least");
  report_plot_series(out, "mean");
  report_plot_series(out, "most");
}

static void add_results(report *out, const findings *f) {
  report_table_begin(
      out, "results",
      "How much oftener, of a hundred positions, a side wins, draws and loses with the animal than without "
      "it, when it is to move and when the other side is; who loses the animal has the opposite:",
      result_columns, RESULT_COLUMNS);
  for (int animal = 0; animal < ANIMALS; animal++) {
    report_text(out, animal_names[animal]);
    for (int i = 0; i < 2 * RESULTS; i++) report_mean(out, f->results[animal][i], DECIMALS);
  }
}

/* How many animals have more of it than the rat. */
static int more_than_rat(const double of[ANIMALS]) {
  int n = 0;
  for (int animal = 1; animal < ANIMALS; animal++) n += of[animal] > of[RAT];
  return n;
}

/* Of the animals but the rat, the one that depends most on the enemy. */
static int next_spread(const findings *f) {
  int next = RAT + 1;
  for (int animal = next; animal < ANIMALS; animal++)
    if (f->spread[animal] > f->spread[next]) next = animal;
  return next;
}

static void judge(const findings *f, report *out) {
  const int ahead = more_than_rat(f->spread), better = more_than_rat(f->mean);
  if (f->counts.pieces == LEAST_PIECES) {
    report_verdict(out, VERDICT_OPEN, "With two pieces there is none to be added; --pieces 3 looks further.");
  } else if (ahead == 0) {
    const int next = next_spread(f);
    char mean[128] = "in the mean it adds the least of all";
    if (better < ANIMALS - 1)
      snprintf(mean, sizeof mean,
               "and it only looks like the least of all: in the mean %d animals add more, %d less", better,
               ANIMALS - 1 - better);
    report_verdict(
        out, VERDICT_HOLDS_FOR,
        "With up to %d pieces nothing depends as much on the enemy as the worth of a rat: it adds %.1f "
        "points of a hundred against the %s and %.1f against the %s, %.2f less; next comes the %s with %.2f; "
        "%s.",
        f->counts.pieces, f->gain[RAT][f->most[RAT]], animal_names[f->most[RAT]], f->gain[RAT][f->least[RAT]],
        animal_names[f->least[RAT]], f->spread[RAT], animal_names[next], f->spread[next], mean);
  } else {
    report_verdict(
        out, VERDICT_FAILS,
        "With up to %d pieces the worth of %d other animals depends more on the enemy than that of the rat.",
        f->counts.pieces, ahead);
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  claim_tables t;
  findings f = {.counts = {.of = NULL}};
  tauler_error error = claim_tables_open(job, "doushouqi", job->rules, NULL, &t, message);
  if (error) return error;
  report_rules(out, t.tables->game->rules_text(t.tables->rules));
  error = animal_counts_read(&t, job->pieces ? job->pieces : USUAL_PIECES, &f.counts, message);
  if (!error) {
    measure(&f);
    add_matrix(out, "alone", "One animal (row) against one (column): its score:", f.against);
    if (f.counts.pieces > LEAST_PIECES) {
      add_worths(out, &f);
      add_results(out, &f);
      add_matrix(out, "gains", "What an animal (row) adds where the enemy has that one (column):", f.gain);
    }
    report_note(out,
                "Scores are of 100: a won position is 100, a drawn one 50, a lost one 0, in the mean of "
                "all positions, either side to move. What a side loses with an animal is what it gains by "
                "it.");
    judge(&f, out);
    error = claim_tables_tell(&t, out, message);
  }
  animal_counts_free(&f.counts);
  claim_tables_close(&t);
  return error;
}

extern const claim_text claim_text_rat;
extern const claim claim_doushouqi_rat;
const claim claim_doushouqi_rat = {.name = "doushouqi-rat",
                                   .game = "doushouqi",
                                   .text = &claim_text_rat,
                                   .options = "rules pieces",
                                   .run = run};
