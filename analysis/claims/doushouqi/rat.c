/* doushouqi-rat: is the rat the most tactical animal? */
#include <stdio.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/doushouqi/animal_counts.h"

enum { LEAST_PIECES = 2, RAT = 0, RESULTS = 3, DECIMALS = 2 };

typedef struct {
  claim_base c;
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

/* True if White has not got the animal and can have it, against that enemy. */
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

static void add_matrix(report *out, const char *key, double (*values)[ANIMALS]) {
  report_table_begin(out, key);
  for (int animal = 0; animal < ANIMALS; animal++) {
    REPORT_ADD(out, fig_text(animal_names[animal]));
    for (int enemy = 0; enemy < ANIMALS; enemy++) REPORT_ADD(out, fig_mean(values[animal][enemy], DECIMALS));
  }
}

static void add_worths(report *out, const findings *f) {
  report_table_begin(out, "worth");
  for (int animal = 0; animal < ANIMALS; animal++) {
    const int least = f->least[animal], most = f->most[animal];
    REPORT_ADD(out, fig_text(animal_names[animal]), fig_mean(f->alone[animal], DECIMALS),
               fig_mean(f->mean[animal], DECIMALS), fig_text(animal_names[least]),
               fig_mean(f->gain[animal][least], DECIMALS), fig_text(animal_names[most]),
               fig_mean(f->gain[animal][most], DECIMALS));
  }
}

static void add_results(report *out, const findings *f) {
  report_table_begin(out, "results");
  for (int animal = 0; animal < ANIMALS; animal++) {
    REPORT_ADD(out, fig_text(animal_names[animal]));
    for (int i = 0; i < 2 * RESULTS; i++) REPORT_ADD(out, fig_mean(f->results[animal][i], DECIMALS));
  }
}

/* How many animals have more of it than the rat. */
static int more_than_rat(const double of[ANIMALS]) {
  int n = 0;
  for (int animal = 1; animal < ANIMALS; animal++) n += of[animal] > of[RAT];
  return n;
}

/* The animal, the rat apart, that depends most on the enemy. */
static int next_spread(const findings *f) {
  int next = RAT + 1;
  for (int animal = next; animal < ANIMALS; animal++)
    if (f->spread[animal] > f->spread[next]) next = animal;
  return next;
}

static void judge(const findings *f, report *out) {
  const int ahead = more_than_rat(f->spread), better = more_than_rat(f->mean);
  if (f->counts.pieces == LEAST_PIECES) {
    REPORT_VERDICT(out, VERDICT_OPEN, "open");
  } else if (ahead == 0) {
    const int next = next_spread(f);
    char mean[128] = "in the mean it adds the least of all";
    if (better < ANIMALS - 1)
      snprintf(mean, sizeof mean,
               "and it only looks like the least of all: in the mean %d animals add more, %d less", better,
               ANIMALS - 1 - better);
    REPORT_VERDICT(out, VERDICT_HOLDS_FOR, "holds-for", fig_number(f->counts.pieces),
                   fig_mean(f->gain[RAT][f->most[RAT]], 1), fig_text(animal_names[f->most[RAT]]),
                   fig_mean(f->gain[RAT][f->least[RAT]], 1), fig_text(animal_names[f->least[RAT]]),
                   fig_mean(f->spread[RAT], 2), fig_text(animal_names[next]), fig_mean(f->spread[next], 2),
                   fig_text(mean));
  } else {
    REPORT_VERDICT(out, VERDICT_FAILS, "fails", fig_number(f->counts.pieces), fig_number(ahead));
  }
}

static void examine(void *user) {
  findings *f = user;
  report *out = f->c.out;
  animal_counts_read(f->c.t, f->c.limit, &f->counts);
  if (out->error) return;
  measure(f);
  add_matrix(out, "alone", f->against);
  if (f->counts.pieces > LEAST_PIECES) {
    add_worths(out, f);
    add_results(out, f);
    add_matrix(out, "gains", f->gain);
  }
  REPORT_NOTE(out, "note");
  judge(f, out);
}

static void forget(void *user) {
  findings *f = user;
  animal_counts_free(&f->counts);
}

const claim_code claim_code_rat = {sizeof(findings), examine, forget};
