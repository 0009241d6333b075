/* auale-awari-path: in awari, where a cycle splits the seeds evenly, the way to a board does not matter. */
#include <stdio.h>

#include "analysis/claims/auale_history/history_show.h"
#include "analysis/claims/claim_tables.h"
#include "analysis/verify/verify.h"

enum {
  USUAL_SEEDS = 12,
  VALUE_COLUMNS = 5,
  HISTORY_COLUMNS = 7,
  ANY_GAP = 1,
  SEEDS_OF_WITNESS = 3,
  WITNESS_GAP = 3,
  LONGEST_HISTORY = 12
};
static const uint64_t effort_usual = 300000000, effort_limited = 8000000;

static const report_column value_columns[VALUE_COLUMNS] = {{"seeds", "seeds"},
                                                           {"boards", "boards"},
                                                           {"wins", "mover gets more"},
                                                           {"even", "even"},
                                                           {"losses", "opponent gets more"}};
static const report_column history_columns[HISTORY_COLUMNS] = {{"seeds", "seeds"},
                                                               {"boards", "boards"},
                                                               {"unlike", "other than in the tables"},
                                                               {"reached", "reached"},
                                                               {"depends", "depends, at least"},
                                                               {"depends_most", "at most"},
                                                               {"turned", "sides change, at most"}};

typedef struct {
  claim_tables t;
  auale_lines lines;
  report *out;
  int seeds, searched; /* of tables, and of histories */
  uint64_t effort;
  uint64_t boards, unlike, turned;
  verify_summary proof;
  history_counts counts[LINES_MOST_SEEDS + 1];
  bool shown;
} findings;

/* --- infinite play split evenly --- */

static tauler_error count_slice(findings *f, int seeds, tauler_message *message) {
  const uint64_t boards = f->t.tables->game->positions(f->t.tables->rules, (uint32_t)seeds);
  uint64_t of[3] = {0, 0, 0};
  for (uint64_t i = 0; i < boards; i++) {
    int value;
    const tauler_error error =
        resolve_value(f->t.tables, 0, (game_place){(uint32_t)seeds, i}, &value, message);
    if (error) return error;
    of[1 + (value > 0) - (value < 0)]++;
  }
  f->boards += boards;
  report_number(f->out, seeds);
  report_number(f->out, (int64_t)boards);
  report_number(f->out, (int64_t)of[2]);
  report_number(f->out, (int64_t)of[1]);
  report_number(f->out, (int64_t)of[0]);
  return TAULER_OK;
}

static void ignore_finding(void *user, const verify_finding *finding) {
  (void)user, (void)finding;
}

static tauler_error prove_tables(findings *f, const game_request *request, tauler_message *message) {
  const verify_job job = {.folder = f->t.job->folder,
                          .game = f->t.tables->game,
                          .rules = f->t.tables->rules,
                          .request = request,
                          .threads = f->t.job->threads,
                          .memory = f->t.job->memory,
                          .shown = f->t.job->shown,
                          .report = ignore_finding};
  return verify_tables(&job, &f->proof, message);
}

static tauler_error look_at_tables(findings *f, tauler_message *message) {
  char largest[4];
  snprintf(largest, sizeof largest, "%d", f->seeds);
  const game_request request = {.largest = largest};
  tauler_error error = claim_tables_need(&f->t, &request, message);
  if (error) return error;
  report_table_begin(
      f->out, "values",
      "Infinite play split evenly: boards on whose seeds the mover gets more than half, half, less, by "
      "the tables:",
      value_columns, VALUE_COLUMNS);
  for (int seeds = 1; seeds <= f->seeds && !error; seeds++) error = count_slice(f, seeds, message);
  return error ? error : prove_tables(f, &request, message);
}

/* --- the first repetition ends the game --- */

static tauler_error compare(const findings *f, const lines_slice *s, uint64_t *unlike, uint64_t *turned,
                            tauler_message *message) {
  for (uint32_t i = 0; i < s->boards; i++) {
    int value;
    const tauler_error error =
        resolve_value(f->t.tables, 0, (game_place){(uint32_t)s->seeds, i}, &value, message);
    if (error) return error;
    *unlike += s->fresh[i] != value;
    *turned += s->least[i] < 0 && s->most[i] > 0;
  }
  return TAULER_OK;
}

static tauler_error show_pair(findings *f, auale_histories *histories, tauler_message *message) {
  history_pair pair;
  tauler_error error =
      auale_histories_find(histories, WITNESS_GAP, LONGEST_HISTORY, &pair, &f->shown, message);
  if (!error && f->shown)
    error = auale_history_show_pair(histories, &pair, "met before, the seeds left are split evenly", f->out,
                                    message);
  return error;
}

static tauler_error search_slice(findings *f, int seeds, tauler_message *message) {
  auale_histories histories;
  uint64_t unlike = 0, turned = 0;
  tauler_error error = compare(f, &f->lines.slice[seeds], &unlike, &turned, message);
  if (!error) error = auale_histories_open(&f->lines, seeds, &histories, message);
  if (error) return error;
  auale_histories_walk(&histories, f->effort);
  const history_counts c = f->counts[seeds] = auale_histories_count(&histories, ANY_GAP);
  f->unlike += unlike;
  f->turned += turned;
  report_number(f->out, seeds);
  report_number(f->out, c.boards);
  report_number(f->out, (int64_t)unlike);
  report_number(f->out, c.reached);
  report_number(f->out, c.depends);
  report_number(f->out, c.depends_most);
  report_number(f->out, (int64_t)turned);
  if (seeds == SEEDS_OF_WITNESS) error = show_pair(f, &histories, message);
  auale_histories_close(&histories);
  return error;
}

static tauler_error search(findings *f, tauler_message *message) {
  tauler_error error =
      auale_lines_open(f->t.tables->game, f->t.tables->rules, f->searched, &f->lines, message);
  if (error) return error;
  report_table_begin(
      f->out, "histories",
      "If instead the first repetition since the last capture ends the game, seeds split evenly: boards "
      "whose worth with nothing met before is not the table's; boards that play comes to from a capture, "
      "and of these those whose worth depends on what was met; and boards where whatever was met could give "
      "more "
      "than half now to one side, now to the other:",
      history_columns, HISTORY_COLUMNS);
  for (int seeds = 1; seeds <= f->searched && !error; seeds++) error = search_slice(f, seeds, message);
  auale_lines_close(&f->lines);
  return error;
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const history_counts *three = &f->counts[SEEDS_OF_WITNESS];
  char formal[512] = "";
  if (f->shown)
    snprintf(
        formal, sizeof formal,
        " If a game is ended by its first repetition, it no longer holds: with 3 seeds a win can be "
        "lost to an even split because the way to it leads over a position met before, on %u of %u boards%s; "
        "with fewer it cannot.",
        three->depends, three->reached, three->depends == three->depends_most ? "" : " at least");
  if (!report_is_sound(f->out) || f->unlike || f->turned || verify_outcome(&f->proof) != TAULER_OK) {
    report_verdict(f->out, VERDICT_FAILS, "Tables, lines of play and rules do not agree.");
  } else {
    report_verdict(f->out, VERDICT_HOLDS_FOR,
                   "Where infinite play is split evenly, as in the published solution, a board has one "
                   "value, whatever was played "
                   "before: shown for all %llu boards of up to %d seeds.%s",
                   (unsigned long long)f->boards, f->seeds, formal);
  }
}

static tauler_error look(findings *f, tauler_message *message) {
  tauler_error error = look_at_tables(f, message);
  if (!error) error = search(f, message);
  if (error) return error;
  const uint64_t *tables = f->proof.tables;
  const uint64_t others =
      tables[VERIFY_CONSISTENT] + tables[VERIFY_FILES_ONLY] + tables[VERIFY_DAMAGED] + tables[VERIFY_WRONG];
  report_note(f->out,
              "The proof check holds every cell of the tables of up to %d seeds against the moves: %llu "
              "tables proven, %llu not.",
              f->seeds, (unsigned long long)tables[VERIFY_PROVEN], (unsigned long long)others);
  report_note(
      f->out,
      "Histories begin with a capture of two or three seeds, from a board on which the row of the side that "
      "did not move has an empty pit. Whether the start of the game leads there is not asked.");
  judge(f);
  return claim_tables_tell(&f->t, f->out, message);
}

static int lesser(int a, int b) {
  return a < b ? a : b;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.out = out,
                .seeds = lesser(job->seeds ? job->seeds : USUAL_SEEDS, USUAL_SEEDS),
                .effort = job->seeds ? effort_limited : effort_usual};
  f.searched = lesser(f.seeds, LINES_MOST_SEEDS);
  tauler_error error = claim_tables_open(job, "auale", "awari", "even", &f.t, message);
  if (error) return error;
  report_rules(out, f.t.tables->game->rules_text(f.t.tables->rules));
  error = look(&f, message);
  claim_tables_close(&f.t);
  return error;
}

extern const claim_text claim_text_awari_path;
extern const claim claim_auale_awari_path;
const claim claim_auale_awari_path = {.name = "auale-awari-path",
                                      .game = "auale",
                                      .text = &claim_text_awari_path,
                                      .options = "seeds",
                                      .run = run};
