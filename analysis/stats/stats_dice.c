/* Prints the expectations from the start of each slice, and how much choices matter. */
#include "analysis/stats/stats.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/exact/exact.h"
#include "analysis/print/print.h"
#include "analysis/probe/chance_worth.h"
#include "base/command/terminal.h"

/* The figures of a slice or of the whole game. */
typedef struct {
  const char *name;
  uint32_t slice;
  char position[GAME_TEXT_BYTES]; /* start of the slice */
  const chance_quantities *quantities;
  chance_values values;
  const survey *survey; /* or NULL */
  bool is_total;
} slice_figures;

static const char *counted_name(const survey *s) {
  return s->every ? "every" : "reached";
}

static const char *roll_name(const stats_job *job, const survey_policy *policy) {
  const chance_roll *rolls;
  job->tables->game->chance->rolls(job->tables->rules, &rolls);
  return rolls[policy->roll].name;
}

static void write_worst_position(const stats_job *job, uint32_t slice, const survey_policy *policy,
                                 char text[GAME_TEXT_BYTES]) {
  const tauler_tables *tables = job->tables;
  game_position position;
  tables->game->position_at(tables->rules, (game_place){slice, policy->index}, &position);
  tables->game->print(tables->rules, &position, text);
}

/* --- CSV --- */

static void print_csv_choices(bool keys, const char *slice, const survey *s) {
  stats_row(keys, JSON_TEXT("slice", slice), JSON_COUNT("stride", s->stride),
            JSON_COUNT("positions", s->positions), JSON_COUNT("decisions", s->decisions),
            JSON_COUNT("real", s->real_ones), JSON_TEXT("counted", counted_name(s)));
}

static void print_csv_policy(bool keys, const char *slice, const survey_policy *policy, const char *position,
                             const char *roll, const char *of) {
  stats_row(keys, JSON_TEXT("slice", slice), JSON_TEXT("policy", policy->policy),
            JSON_BELOW("largest_regret", policy->regret), JSON_TEXT("position", position),
            JSON_TEXT("roll", roll), JSON_TEXT("counted", of));
}

static void print_csv_quantity(bool keys, const char *slice, const char *name, tauler_worth worth) {
  stats_row(keys, JSON_TEXT("slice", slice), JSON_TEXT("quantity", name), JSON_BELOW("lower", worth.lower),
            JSON_TEXT("upper", text_above(worth.upper).text));
}

static void print_csv_header(const stats_job *job) {
  if (job->survey == SURVEY_CHOICES) {
    print_csv_choices(true, "", &(survey){.stride = 0});
  } else if (job->survey == SURVEY_POLICIES) {
    print_csv_policy(true, "", &(survey_policy){.policy = ""}, "", "", "");
  } else {
    print_csv_quantity(true, "", "", (tauler_worth){.known = false});
  }
}

static void print_csv(const stats_job *job, const slice_figures *f) {
  const survey *s = f->survey;
  const shown_quantities shown = chance_show_quantities(f->quantities, &f->values);
  if (s && job->survey == SURVEY_CHOICES) print_csv_choices(false, f->name, s);
  for (size_t i = 0; s && job->survey == SURVEY_POLICIES && i < s->policies_used; i++) {
    char text[GAME_TEXT_BYTES];
    if (!s->policies[i].any) continue;
    write_worst_position(job, f->slice, &s->policies[i], text);
    print_csv_policy(false, f->name, &s->policies[i], text, roll_name(job, &s->policies[i]), counted_name(s));
  }
  for (int i = 0; job->survey == SURVEY_NONE && i < shown.used; i++)
    print_csv_quantity(false, f->name, shown.list[i].name, shown.list[i].worth);
}

/* --- JSON --- */

static void survey_to_json(const stats_job *job, json_writer *json, const slice_figures *f) {
  const survey *s = f->survey;
  json_fields(json, JSON_TEXT("counted", counted_name(s)), JSON_COUNT("stride", s->stride),
              JSON_COUNT("positions", s->positions), JSON_COUNT("decisions", s->decisions),
              JSON_COUNT("real", s->real_ones));
  json_field_array(json, "policies");
  for (size_t i = 0; i < s->policies_used; i++) {
    const survey_policy *policy = &s->policies[i];
    char text[GAME_TEXT_BYTES];
    if (!policy->any) continue;
    write_worst_position(job, f->slice, policy, text);
    json_object(json, JSON_TEXT("policy", policy->policy), JSON_BELOW("largest_regret", policy->regret),
                JSON_TEXT("position", text), dice_roll_field(roll_name(job, policy)),
                JSON_BELOW("mean_regret", survey_mean_regret(s, i)));
  }
  json_end_array(json);
}

static void print_slice_json(const stats_job *job, const slice_figures *f) {
  const tauler_tables *tables = job->tables;
  json_writer json;
  const shown_quantities shown = chance_show_quantities(f->quantities, &f->values);
  json_open_line(&json, stdout);
  json_fields(&json, JSON_TEXT("game", tables->game->name),
              JSON_TEXT("rules", tables->game->rules_text(tables->rules)), JSON_TEXT("slice", f->name),
              JSON_TEXT("position", f->position));
  json_field_object(&json, "quantities");
  for (int i = 0; i < shown.used; i++) {
    const tauler_worth worth = shown.list[i].worth;
    json_fields(&json, JSON_OUTER(shown.list[i].name, worth.lower, worth.upper));
  }
  json_end_object(&json);
  if (f->survey) survey_to_json(job, &json, f);
  json_close_line(&json);
}

/* --- text --- */

static void print_survey(const stats_job *job, const slice_figures *f) {
  const survey *s = f->survey;
  const double all = s->decisions ? (double)s->decisions : 1;
  char sampled[64] = "", text[256];
  if (s->stride > 1) snprintf(sampled, sizeof sampled, " (a sample: one in %" PRIu64 ")", s->stride);
  snprintf(text, sizeof text,
           "%" PRIu64 " positions%s%s and their rolls: %" PRIu64 " decisions, %.3f %% of them real choices",
           s->positions, s->every ? ", all that tables hold," : " that play reaches", sampled, s->decisions,
           100.0 * (double)s->real_ones / all);
  printf("  ");
  terminal_wrap(stdout, text, 2, 4);
  if (s->policies_used)
    printf("  %-16s  %11s  %14s  %-6s  %s\n", "policy", "mean regret", "largest regret", "roll", "position");
  for (size_t i = 0; i < s->policies_used; i++) {
    const survey_policy *policy = &s->policies[i];
    char position[GAME_TEXT_BYTES];
    if (!policy->any) continue;
    write_worst_position(job, f->slice, policy, position);
    printf("  %-16s  %11.9f  %14.9f  %-6s  %s\n", policy->policy, survey_mean_regret(s, i), policy->regret,
           roll_name(job, policy), position);
  }
}

static void print_text(const stats_job *job, const slice_figures *f) {
  const shown_quantities shown = chance_show_quantities(f->quantities, &f->values);
  printf("%s%s, from %s\n", f->is_total ? "" : "slice ", f->name, f->position);
  for (int i = 0; i < shown.used; i++) {
    const tauler_worth worth = shown.list[i].worth;
    printf("  %-12s  %s\n", shown.list[i].name, dice_words_of(true, worth.lower, worth.upper).text);
  }
  if (f->survey) print_survey(job, f);
}

/* --- slices --- */

tauler_error stats_open_dice_tables(const stats_job *job, bool all, tauler_message *message) {
  for (size_t i = 0; i < job->slices->used; i++) {
    const game_slice *slice = &job->slices->slices[i];
    if (!slice->asked && !all) continue;
    slice_digests digests;
    slice_entry *entry = slice_entry_of(job->tables, slice->slice, message);
    const tauler_error error =
        entry ? slice_digests_of(job->tables, entry, &digests, NULL, message) : TAULER_NO_MEMORY;
    if (error == TAULER_TABLE_MISSING)
      return fail_slice_missing(job->tables, job->request, slice->slice, false, message);
    if (error) return error;
  }
  return TAULER_OK;
}

static tauler_error read_start(const stats_job *job, uint32_t slice, const char *name, slice_figures *out,
                               tauler_message *message) {
  tauler_tables *tables = job->tables;
  game_position start;
  const slice_entry *entry = slice_entry_of(tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  *out = (slice_figures){.name = name, .slice = slice, .quantities = &entry->quantities};
  tables->game->chance->start(tables->rules, slice, &start);
  tables->game->print(tables->rules, &start, out->position);
  return chance_values_of(tables, &start, &out->values, message);
}

static tauler_error make_survey(const stats_job *job, const reached *reached, uint32_t slice,
                                const char *name, survey *out, tauler_message *message) {
  const uint64_t positions = job->tables->game->positions(job->tables->rules, slice);
  const uint64_t stride = job->stride ? job->stride : survey_stride(positions);
  const workspace work = {
      .threads = job->settings.threads, .memory = job->memory, .comm = job->ranks, .shown = job->shown};
  const survey_job asked = {job->tables, reached, stride, job->more, &work};
  char step[GAME_TEXT_BYTES + 16];
  snprintf(step, sizeof step, "slice %.480s", name);
  progress_start(job->shown, step, "positions", positions, 0);
  const tauler_error error = survey_slice(&asked, slice, out, message);
  if (error) {
    progress_abandon(job->shown);
    return error;
  }
  progress_finish(job->shown);
  if (stride > 1 && job->form == FORM_CSV) {
    progress_note(job->shown,
                  "%s: a sample, one position in %" PRIu64 "; a larger regret may have been missed", step,
                  stride);
  }
  return TAULER_OK;
}

static void print_figures(const stats_job *job, const slice_figures *figures) {
  static void (*const forms[])(const stats_job *, const slice_figures *) = {
      [FORM_TEXT] = print_text, [FORM_CSV] = print_csv, [FORM_JSON] = print_slice_json};
  forms[job->form](job, figures);
}

static tauler_error print_slice(const stats_job *job, const reached *reached, uint32_t slice,
                                tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  slice_figures figures;
  survey looked;
  game_slice_title(job->tables->game, job->tables->rules, slice, name);
  tauler_error error = comm_agree(job->ranks, read_start(job, slice, name, &figures, message), message);
  if (!error && job->survey) {
    error = make_survey(job, reached, slice, name, &looked, message);
    figures.survey = &looked;
  }
  if (!error) print_figures(job, &figures);
  return error;
}

/* Finds the last slice asked for, in which the game begins. Returns false if there is none. */
static bool find_last_asked(const game_slices *slices, uint32_t *out) {
  for (size_t i = slices->used; i-- > 0;) {
    *out = slices->slices[i].slice;
    if (slices->slices[i].asked) return true;
  }
  return false;
}

static tauler_error print_slices(const stats_job *job, const reached *reached, tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (job->form == FORM_CSV) print_csv_header(job);
  for (size_t i = 0; i < job->slices->used && !error && !print_is_lost(job->ranks); i++) {
    const game_slice *slice = &job->slices->slices[i];
    if (slice->asked) error = print_slice(job, reached, slice->slice, message);
  }
  return error;
}

tauler_error stats_find_reached(const stats_job *job, reached *found, const reached **looked_at,
                                tauler_message *message) {
  const reached_job asked = {.game = job->game,
                             .rules = job->rules,
                             .slices = job->slices,
                             .threads = job->settings.threads,
                             .memory = job->memory,
                             .shown = job->shown};
  *looked_at = NULL;
  *found = (reached){.memory = job->memory};
  if (job->every) return TAULER_OK;
  *looked_at = found;
  return comm_agree(job->ranks, reached_open(&asked, found, message), message);
}

tauler_error stats_print_expectations(const stats_job *job, tauler_message *message) {
  uint32_t last;
  reached found = {.memory = job->memory};
  const reached *looked_at = NULL;
  if (!find_last_asked(job->slices, &last)) return TAULER_OK;
  if (job->survey && !stats_has_choices(job))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "nobody chooses in %s, so there are no decisions to look at", job->tables->game->name);
  /* Surveys need all tables, since moves lead to slices that were not asked for. */
  tauler_error error =
      comm_agree(job->ranks, stats_open_dice_tables(job, job->survey != SURVEY_NONE, message), message);
  if (!error && job->survey) error = stats_find_reached(job, &found, &looked_at, message);
  if (!error) error = print_slices(job, looked_at, message);
  reached_close(&found);
  if (error || !job->with_total) return error;
  slice_figures total;
  error = read_start(job, last, "total", &total, message);
  total.is_total = true;
  if (!error) print_figures(job, &total);
  return error;
}

/* --- exact rationals --- */

/* The texts have no characters that CSV or JSON would escape. */
static void print_exact_quantity(int form, const char *slice, const char *name, const mpq_t value,
                                 bool last) {
  if (form == FORM_CSV) {
    gmp_printf("%s,%s,%Qd\n", slice, name, value);
  } else if (form == FORM_JSON) {
    gmp_printf("\"%s\":\"%Qd\"%s", name, value, last ? "}}\n" : ",");
  } else {
    printf("  %-12s  %.15g\n", name, mpq_get_d(value));
    gmp_printf("  %-12s  %Qd\n", "exactly", value);
  }
}

static tauler_error print_exact_slice(const stats_job *job, uint32_t slice, tauler_message *message) {
  const game *game = job->game;
  const int form = job->form;
  char name[GAME_TEXT_BYTES];
  game_position start;
  game_place from;
  chance_quantities quantities;
  mpq_t value[CHANCE_MOST_QUANTITIES];
  game_slice_title(game, job->rules, slice, name);
  game->chance->quantities(job->rules, slice, &quantities);
  game->chance->start(job->rules, slice, &start);
  if (!game->locate(job->rules, &start, &from))
    return tauler_fail(message, TAULER_INTERNAL, "the start of slice %s has no index", name);
  for (int q = 0; q < quantities.used; q++) mpq_init(value[q]);
  const tauler_error error =
      exact_chain_solve(game, job->rules, from, job->memory, job->shown, value, message);
  if (!error && form == FORM_TEXT) printf("slice %s\n", name);
  if (!error && form == FORM_JSON) printf("{\"slice\":\"%s\",\"exact\":{", name);
  for (int q = 0; q < quantities.used; q++) {
    if (!error) print_exact_quantity(form, name, quantities.list[q].name, value[q], q + 1 == quantities.used);
    mpq_clear(value[q]);
  }
  return error;
}

tauler_error stats_print_exact(const stats_job *job, tauler_message *message) {
  const game_slices *slices = job->slices;
  tauler_error error = TAULER_OK;
  if (job->form == FORM_CSV) printf("slice,quantity,exact\n");
  for (size_t i = 0; i < slices->used && !error; i++)
    if (slices->slices[i].asked) error = print_exact_slice(job, slices->slices[i].slice, message);
  return error;
}
