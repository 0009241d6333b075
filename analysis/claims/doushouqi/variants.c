/* doushouqi-variants: what each variant of Dou Shou Qi changes, and the longest play under it. */
#include <stdio.h>
#include <string.h>

#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/doushouqi/animal_line.h"

enum { LEAST_PIECES = 2, MOST_PIECES = 4, COLUMNS = 13, DECIMALS = 3, MOST_VARIANTS = 16 };

static const report_column columns[COLUMNS] = {{"rules", "rules"},
                                               {"pieces", "pieces"},
                                               {"positions", "positions"},
                                               {"wins", "wins"},
                                               {"losses", "losses"},
                                               {"draws", "draws"},
                                               {"drawn", "% drawn"},
                                               {"won", "% won"},
                                               {"equal_draws", "equal draws"},
                                               {"mean", "mean plies"},
                                               {"longest", "longest"},
                                               {"longest_other", "of the other side"},
                                               {"position", "one of the longest"}};

static const report_column share_columns[] = {
    {"rules", "rules"}, {"two", "two animals"}, {"three", "three animals"}, {"four", "four animals"}};

/* Without --pieces those that the source names, and the rules that others have solved, are looked at with
 * four pieces, single points of these with three. */
static const struct {
  const char *rules;
  int pieces;
} variants[] = {{"base", 4},
                {"base,wolf-over-dog", 4},
                {"base,leopard=wide", 4},
                {"base,leopard=none", 3},
                {"base,clearings", 4},
                {"base,lakes=plain", 4},
                {"base,lakes=drink", 4},
                {"base,lakes=drink,drinkers=block", 3},
                {"base,jump-block=path", 3},
                {"base,elephant-takes-rat", 3},
                {"base,rat-shore=liacs", 3},
                {"base,stalemate=loss", 3},
                {"liacs", 4},
                {NULL, 0}};

typedef struct {
  const claim_job *job;
  report *out;
  int pieces;
  uint64_t base_draws[MOST_PIECES + 1]; /* by pieces */
  int looked_at, changing;              /* variants, and those that change how often most pieces are drawn */
  int shown;                            /* plies of the line that is shown */
  const char *seen[MOST_VARIANTS];
  int pieces_seen[MOST_VARIANTS];
  double drawn[MOST_VARIANTS][MOST_PIECES + 1]; /* of a hundred */
  size_t seen_used;
} findings;

/* Draws of materials in which both sides have the same animals. */
static uint64_t equal_draws(const animal_counts *counts, int pieces) {
  uint64_t draws = 0;
  for (unsigned side = 1; side < 1U << ANIMALS; side++) {
    const animal_material m = {(uint8_t)side, (uint8_t)side};
    if (animal_pieces(m) == pieces) draws += counts->of[animal_number(m)].draws;
  }
  return draws;
}

static void add_row(findings *f, const claim_tables *t, const animal_counts *counts, int pieces) {
  const tauler_tables *tables = t->tables;
  const uint64_t wins = counts->total[pieces].wins, losses = counts->total[pieces].losses;
  const uint64_t draws = counts->total[pieces].draws;
  char text[GAME_TEXT_BYTES];
  const animal_lengths *plies = &counts->total[pieces].plies;
  game_position position;
  tables->game->position_at(tables->rules, plies->place, &position);
  tables->game->print(tables->rules, &position, text);
  report_text(f->out, tables->game->rules_text(tables->rules));
  report_number(f->out, pieces);
  report_number(f->out, (int64_t)(wins + losses + draws));
  report_number(f->out, (int64_t)wins);
  report_number(f->out, (int64_t)losses);
  report_number(f->out, (int64_t)draws);
  f->drawn[f->seen_used][pieces] = 100.0 * (double)draws / (double)(wins + losses + draws);
  report_mean(f->out, f->drawn[f->seen_used][pieces], DECIMALS);
  report_mean(f->out, 100.0 * (double)wins / (double)(wins + losses + draws), DECIMALS);
  if (pieces % 2 == 0) {
    report_number(f->out, (int64_t)equal_draws(counts, pieces));
  } else {
    report_none(f->out);
  }
  report_mean(f->out, animal_mean_length(plies), DECIMALS);
  report_number(f->out, plies->longest);
  report_number(f->out, plies->longest == plies->longest_win ? plies->longest_loss : plies->longest_win);
  report_text(f->out, text);
}

/* --- the line --- */

static tauler_error show_line(findings *f, claim_tables *t, const animal_counts *counts, int pieces,
                              tauler_message *message) {
  const animal_lengths *plies = &counts->total[pieces].plies;
  char title[256];
  snprintf(title, sizeof title,
           "The longest play to an end with %d pieces under %.100s: the winner takes the shortest way, the "
           "loser the longest.",
           pieces, t->tables->game->rules_text(t->tables->rules));
  f->shown = plies->longest;
  return animal_line_show(t, plies->place, plies->longest, title, f->out, message);
}

/* --- rule sets --- */

static tauler_error look_at(findings *f, const char *rules, int pieces, bool first, tauler_message *message) {
  claim_tables t;
  animal_counts counts = {.of = NULL};
  tauler_error error = claim_tables_open(f->job, "doushouqi", rules, NULL, &t, message);
  if (error) return error;
  error = animal_counts_read(&t, pieces, &counts, message);
  for (int k = LEAST_PIECES; k <= pieces && !error; k++) {
    add_row(f, &t, &counts, k);
    if (first) f->base_draws[k] = counts.total[k].draws;
  }
  f->seen[f->seen_used] = rules;
  f->pieces_seen[f->seen_used++] = pieces;
  if (!error && (first || f->job->rules)) error = show_line(f, &t, &counts, pieces, message);
  if (!error) error = claim_tables_tell(&t, f->out, message);
  if (!error && !first) {
    f->looked_at++;
    f->changing += counts.total[pieces].draws != f->base_draws[pieces];
  }
  animal_counts_free(&counts);
  claim_tables_close(&t);
  return error;
}

/* "lakes=plain" of "base,lakes=plain" */
static const char *flags_of(const char *rules) {
  static const char base[] = "base,";
  return strncmp(rules, base, sizeof base - 1) == 0 ? rules + sizeof base - 1 : rules;
}

static void add_shares(const findings *f) {
  report_table_begin(f->out, "shares",
                     "The same draws as shares of all positions, in percent:", share_columns,
                     (size_t)f->pieces);
  for (size_t i = 0; i < f->seen_used; i++) {
    report_text(f->out, flags_of(f->seen[i]));
    for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces++) {
      if (pieces <= f->pieces_seen[i]) {
        report_mean(f->out, f->drawn[i][pieces], DECIMALS);
      } else {
        report_none(f->out);
      }
    }
  }
  report_plot_begin(f->out, "draws", "How often endgames of Dou Shou Qi are drawn, rule by rule", PLOT_BARS,
                    "rules", "", "% of positions drawn");
  for (int pieces = LEAST_PIECES; pieces <= f->pieces; pieces++)
    report_plot_series(f->out, share_columns[pieces - 1].key);
}

static void judge(const findings *f) {
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "A line that is shown does not stand up to being played again.");
  } else {
    report_verdict(
        f->out, VERDICT_HOLDS_FOR,
        "With up to %d pieces %d of %d rule sets have another number of draws than the base rules, whose "
        "longest play takes %d plies.",
        f->pieces, f->changing, f->looked_at, f->shown);
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.job = job, .out = out, .pieces = job->pieces ? job->pieces : MOST_PIECES};
  report_rules(out, job->rules ? job->rules : "base and variants");
  report_table_begin(
      out, "variants",
      "All materials, White to move, mirror images counted: results as White sees them, draws of materials "
      "in which both sides have the same animals, and plies of best play to an end, in the mean and the "
      "longest (odd: White wins), and the longest of the side for which that one is not:",
      columns, COLUMNS);
  tauler_error error = look_at(&f, "base", f.pieces, true, message);
  if (!error && job->rules) error = look_at(&f, job->rules, f.pieces, false, message);
  for (size_t i = 1; variants[i].rules && !job->rules && !error; i++)
    error = look_at(&f, variants[i].rules, job->pieces ? job->pieces : variants[i].pieces, false, message);
  if (!error) add_shares(&f);
  if (!error) judge(&f);
  return error;
}

extern const claim_text claim_text_variants;
extern const claim claim_doushouqi_variants;
const claim claim_doushouqi_variants = {.name = "doushouqi-variants",
                                        .game = "doushouqi",
                                        .text = &claim_text_variants,
                                        .options = "rules pieces",
                                        .run = run};
