/* doushouqi-traps: do traps make animals vulnerable, and what is it worth to stand on one? */
#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/doushouqi/animal_line.h"
#include "analysis/claims/doushouqi/animal_survey.h"

enum { BASE, CLEARINGS, RULE_SETS, RESULTS = 3, DECIMALS = 2, LEAST_PIECES = 2, MOST_PIECES = 4 };

/* Where an animal stands, as its owner sees it: beside the other den, beside its own, in the water, on land
 * beside it, elsewhere. */
typedef enum { ENEMY_TRAP, OWN_TRAP, WATER, SHORE, LAND, GROUNDS } ground;

/* For a piece of a slice, and each ground: positions by what they are worth to its owner, and of Black's
 * those in which White can take it at once. */
enum { TAKEN = RESULTS, KINDS };

typedef struct {
  claim_base c;
  int set;
  double score[RULE_SETS][2][ANIMALS][GROUNDS]; /* of 100, by whether the owner is on the move */
  double won[ANIMALS][GROUNDS][RESULTS];        /* off the move, by the base rules: lost, drawn, won */
  double taken[RULE_SETS][ANIMALS][GROUNDS];    /* off the move */
  uint64_t materials[2][ANIMALS][GROUNDS];      /* that the means are of */
  struct {
    double taken;
    uint64_t materials;
  } up_to[MOST_PIECES + 1][ANIMALS][OWN_TRAP + 1]; /* off the move, by the base rules, up to so many pieces */
  bool found;
  game_place place;
} findings;

static bool is_beside(int square, int other) {
  const int files = square % DSQ_FILES - other % DSQ_FILES, ranks = square / DSQ_FILES - other / DSQ_FILES;
  return files * files + ranks * ranks == 1;
}

static ground ground_of(const game_rules *rules, int side, int square) {
  if (is_beside(square, rules->den[!side])) return ENEMY_TRAP;
  if (is_beside(square, rules->den[side])) return OWN_TRAP;
  if (DSQ_WATER >> square & 1) return WATER;
  const uint64_t shore = DSQ_WATER << 1 | DSQ_WATER >> 1 | DSQ_WATER << DSQ_FILES | DSQ_WATER >> DSQ_FILES;
  return shore >> square & 1 ? SHORE : LAND;
}

/* True if the one move that wins takes a stronger animal in a trap. */
static bool wins_by_trap(const animal_surveyed *at, const dsq_move *moves, size_t used) {
  int wins = 0, by_trap = 0;
  for (size_t i = 0; i < used; i++) {
    const bool stronger =
        moves[i].taken != DSQ_NOBODY && !(at->rules->takes[moves[i].animal] >> moves[i].taken & 1);
    const bool won = animal_worth(at, &moves[i]) > 0;
    wins += won;
    by_trap += won && stronger;
  }
  return wins == 1 && by_trap == 1;
}

static void visit(const animal_surveyed *at, animal_tally *counts) {
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t used = dsq_list_moves(at->rules, &at->position, moves);
  unsigned taken = 0;
  bool stronger = false;
  for (size_t i = 0; i < used; i++) {
    if (moves[i].taken == DSQ_NOBODY) continue;
    taken |= 1U << moves[i].taken;
    stronger = stronger || !(at->rules->takes[moves[i].animal] >> moves[i].taken & 1);
  }
  for (int i = 0; i < at->slice->pieces; i++) {
    const dsq_piece piece = at->piece[i];
    const bool white = piece.side == DSQ_WHITE;
    uint64_t *of = &counts->of[i][KINDS * (int)ground_of(at->rules, piece.side, at->square[i])];
    of[(white ? at->value : -at->value) + 1] += at->copies;
    if (!white && taken >> piece.animal & 1) of[TAKEN] += at->copies;
  }
  if (stronger && at->value > 0 && wins_by_trap(at, moves, used)) animal_take(counts, at->place);
}

static void add_taken(findings *f, int pieces, int animal, ground g, double taken) {
  for (int p = pieces; p <= MOST_PIECES && g <= OWN_TRAP; p++) {
    f->up_to[p][animal][g].taken += taken;
    f->up_to[p][animal][g].materials++;
  }
}

/* The means of materials come as sums; `examine` divides them. */
static void add_piece(findings *f, dsq_piece piece, int pieces, const uint64_t *counts) {
  const bool moves = piece.side == DSQ_WHITE;
  const int animal = piece.animal;
  for (int g = 0; g < GROUNDS; g++) {
    const uint64_t *of = &counts[KINDS * g], all = of[0] + of[1] + of[2];
    if (all == 0) continue;
    f->score[f->set][moves][animal][g] += percent(2 * of[2] + of[1], 2 * all);
    if (f->set == BASE) f->materials[moves][animal][g]++;
    if (moves) continue;
    f->taken[f->set][animal][g] += percent(of[TAKEN], all);
    if (f->set == BASE) add_taken(f, pieces, animal, (ground)g, percent(of[TAKEN], all));
    for (int k = 0; k < RESULTS && f->set == BASE; k++) f->won[animal][g][k] += percent(of[k], all);
  }
}

static void add(void *user, const dsq_piece *pieces, int used, const animal_tally *counts) {
  findings *f = user;
  for (int i = 0; i < used; i++) add_piece(f, pieces[i], used, counts->of[i]);
  if (f->set == BASE && counts->found && !f->found) f->place = counts->place;
  f->found = f->found || (f->set == BASE && counts->found);
}

static void divide(findings *f) {
  for (int animal = 0; animal < ANIMALS; animal++) {
    for (int g = 0; g < GROUNDS; g++) {
      for (int set = 0; set < RULE_SETS; set++) {
        for (int moves = 0; moves < 2; moves++)
          f->score[set][moves][animal][g] /= (double)f->materials[moves][animal][g];
        f->taken[set][animal][g] /= (double)f->materials[0][animal][g];
      }
      for (int k = 0; k < RESULTS; k++) f->won[animal][g][k] /= (double)f->materials[0][animal][g];
    }
  }
}

/* --- figures --- */

static void add_grounds(const findings *f, const char *key, const double (*of)[GROUNDS], bool moves) {
  report_table_begin(f->c.out, key);
  for (int animal = 0; animal < ANIMALS; animal++) {
    REPORT_ADD(f->c.out, fig_text(animal_names[animal]));
    for (int g = 0; g < GROUNDS; g++)
      REPORT_ADD(f->c.out, fig_if(f->materials[moves][animal][g], fig_mean(of[animal][g], DECIMALS)));
  }
}

static void add_size(const findings *f, int pieces, ground g) {
  double mean[ANIMALS], sum = 0;
  for (int animal = 0; animal < ANIMALS; animal++) {
    mean[animal] = f->up_to[pieces][animal][g].taken / (double)f->up_to[pieces][animal][g].materials;
    sum += mean[animal];
  }
  REPORT_ADD(f->c.out, fig_number(pieces), fig_text(g == ENEMY_TRAP ? "enemy's" : "own"),
             fig_mean(sum / ANIMALS, DECIMALS));
  for (int animal = 0; animal < ANIMALS; animal++) REPORT_ADD(f->c.out, fig_mean(mean[animal], DECIMALS));
}

static void add_tables(const findings *f) {
  report *out = f->c.out;
  report_table_begin(out, "sizes");
  for (int pieces = LEAST_PIECES; pieces <= f->c.limit; pieces++)
    for (int g = ENEMY_TRAP; g <= OWN_TRAP; g++) add_size(f, pieces, (ground)g);
  add_grounds(f, "taken", f->taken[BASE], false);
  add_grounds(f, "off_move", f->score[BASE][0], false);
  add_grounds(f, "on_move", f->score[BASE][1], true);
  report_table_begin(out, "results");
  for (int animal = 0; animal < ANIMALS; animal++) {
    REPORT_ADD(out, fig_text(animal_names[animal]));
    for (int g = ENEMY_TRAP; g <= OWN_TRAP; g++)
      for (int k = RESULTS - 1; k >= 0; k--) REPORT_ADD(out, fig_mean(f->won[animal][g][k], DECIMALS));
  }
  report_table_begin(out, "clearings");
  for (int animal = 0; animal < ANIMALS; animal++) {
    REPORT_ADD(out, fig_text(animal_names[animal]));
    for (int set = 0; set < RULE_SETS; set++)
      REPORT_ADD(out, fig_mean(f->taken[set][animal][OWN_TRAP], DECIMALS));
    for (int set = 0; set < RULE_SETS; set++)
      REPORT_ADD(out, fig_mean(f->score[set][0][animal][OWN_TRAP], DECIMALS));
  }
}

/* --- the verdict --- */

/* Returns how much more often an animal is taken in the enemy's traps than in its own. */
static double danger(const findings *f, int animal) {
  return f->taken[BASE][animal][ENEMY_TRAP] - f->taken[BASE][animal][OWN_TRAP];
}

static void judge(const findings *f) {
  int least = 0, most = 0;
  double enemy = 0, own = 0;
  for (int animal = 0; animal < ANIMALS; animal++) {
    if (danger(f, animal) < danger(f, least)) least = animal;
    if (danger(f, animal) > danger(f, most)) most = animal;
    enemy += f->taken[BASE][animal][ENEMY_TRAP] / ANIMALS;
    own += f->taken[BASE][animal][OWN_TRAP] / ANIMALS;
  }
  if (enemy > own) {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_number(f->c.limit),
                   fig_mean(enemy, DECIMALS), fig_mean(own, DECIMALS), fig_text(animal_names[most]),
                   fig_mean(danger(f, most), DECIMALS), fig_text(animal_names[least]),
                   fig_mean(danger(f, least), DECIMALS));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2", fig_number(f->c.limit), fig_mean(enemy, DECIMALS),
                   fig_mean(own, DECIMALS), fig_text(animal_names[most]), fig_mean(danger(f, most), DECIMALS),
                   fig_text(animal_names[least]), fig_mean(danger(f, least), DECIMALS));
  }
}

static void examine(void *user) {
  findings *f = user;
  for (f->set = 0; f->set < RULE_SETS; f->set++) animal_survey(&f->c.t[f->set], f->c.limit, visit, add, f);
  if (f->c.out->error) return;
  divide(f);
  add_tables(f);
  REPORT_NOTE(f->c.out, "note");
  if (f->found) animal_line_show_won(&f->c.t[BASE], f->place, REPORT_SAY(f->c.out, "witness"));
  judge(f);
}

const claim_code claim_code_traps = {sizeof(findings), examine, NULL};
