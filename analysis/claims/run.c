/* Lists the claims and runs them. */
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/draw_report.h"
#include "analysis/claims/stored.h"

#define TAKE(said, name_, game_, options_, usual_, most_, rules_, loaded_, sets_, ...)                       \
  &(const claim){.name = name_,                                                                              \
                 .game = game_,                                                                              \
                 .text = &claim_text_##said,                                                                 \
                 .code = &claim_code_##said,                                                                 \
                 .options = options_,                                                                        \
                 .usual = usual_,                                                                            \
                 .most = most_,                                                                              \
                 .rules = rules_,                                                                            \
                 .loaded = loaded_,                                                                          \
                 .sets_used = sets_,                                                                         \
                 .sets = {__VA_ARGS__}},
const claim *const claim_list[] = {CLAIMS(TAKE) NULL};

const claim *claim_find(const char *name) {
  for (const claim *const *one = claim_list; *one; one++)
    if (strcmp((*one)->name, name) == 0) return *one;
  return NULL;
}

static tauler_error check_option(const claim *one, const char *option, const char *given,
                                 tauler_message *message) {
  if (!given || strstr(one->options, option)) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE, "the claim %s knows no --%s", one->name, option);
}

/* Refuses options that a claim does not know, but for limits (seeds, pieces, players, tokens). */
static tauler_error claim_check(const claim *one, const claim_job *job, tauler_message *message) {
  const tauler_error error = check_option(one, "rules", job->rules, message);
  return error ? error : check_option(one, "board", job->board, message);
}

static tauler_error check_limit(const claim *const *chosen, size_t n, const char *option, int given,
                                tauler_message *message) {
  size_t all = 0;
  while (claim_list[all]) all++;
  bool known = given == 0 || n == all;
  for (size_t i = 0; i < n && !known; i++) known = strstr(chosen[i]->options, option) != NULL;
  if (known) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE, "no claim that is run knows --%s", option);
}

/* Returns the command line's value of the one limit that a claim has; 0: none is given. */
static int limit_given(const claim *one, const claim_job *job) {
  if (strstr(one->options, "seeds")) return job->seeds;
  if (strstr(one->options, "pieces")) return job->pieces;
  if (strstr(one->options, "players")) return job->players;
  return strstr(one->options, "tokens") ? job->tokens : 0;
}

/* True if the stored findings are of rules whose tables were read, or the claim has no option --rules. */
static bool has_stored(const claim *one, const report *out) {
  stored_tables tables;
  size_t at = 0;
  if (!one->text || !one->text->stored) return false;
  if (!strstr(one->options, "rules")) return true;
  while (stored_next_tables(one->text->stored, &at, &tables))
    for (size_t i = 0; i < out->sources_used; i++)
      if (strcmp(tables.rules, out->sources[i].rules) == 0) return true;
  return false;
}

/* Checks that the stored findings of a larger size contain the rows found here. */
static void hold_against_stored(const claim *one, report *out) {
  if (out->error || !has_stored(one, out)) return;
  stored_add(out, one->text->stored);
  if (!out->error && out->kept && out->compared.differs)
    report_verdict(out, VERDICT_FAILS, "Figures that are stored of %s are not those found here.",
                   out->stored->size);
}

static void examine(claim_base *c) {
  const claim *one = c->about;
  const int given = limit_given(one, c->job);
  bool open = true;
  c->limited = given > 0;
  c->limit = given ? given : one->usual;
  if (one->most && c->limit > one->most) c->limit = one->most;
  for (int i = 0; i < one->sets_used && open; i++) {
    const char *rules = one->sets[i].rules ? one->sets[i].rules : c->job->rules;
    open = claim_tables_open(&c->t[i], c->job, c->out, one->game, rules, one->sets[i].cycles);
    c->t[i].values_only = one->loaded;
    if (open && one->loaded) open = claim_tables_load(&c->t[i], c->limit);
  }
  if (!open) return;
  if (one->rules || one->sets_used > 0)
    report_rules(c->out, one->rules ? one->rules : c->t[0].game->rules_text(c->t[0].rules));
  one->code->examine(c);
  if (!c->out->error && c->out->verdict != VERDICT_FAILS && !report_is_sound(c->out))
    REPORT_VERDICT(c->out, VERDICT_FAILS, "unsound");
}

static void run_examine(claim_base *c) {
  const claim *one = c->about;
  if (one->text) {
    c->out->layouts = one->text->layouts;
    c->out->layouts_used = one->text->layouts_used;
    c->out->sentences = one->text->sentences;
    c->out->sentences_used = one->text->sentences_used;
  }
  examine(c);
  if (one->code->close) one->code->close(c);
  for (int i = 0; i < CLAIM_MOST_SETS; i++) claim_tables_close(&c->t[i]);
  hold_against_stored(one, c->out);
}

tauler_error claim_run(const claim *one, const claim_job *job, report *out, tauler_message *message) {
  claim_base *c = report_calloc(out, 1, one->code->findings);
  if (c) {
    *c = (claim_base){.about = one, .job = job, .out = out};
    run_examine(c);
    free(c);
  }
  const tauler_error error = report_error(out, message);
  return !error && job->plots ? draw_report(one, job->plots, out, message) : error;
}

tauler_error claim_run_all(const claim *const *chosen, size_t n, const claim_job *job,
                           bool (*show)(void *user, const claim *one, const report *found), void *user,
                           tauler_message *message) {
  tauler_error error = TAULER_OK;
  bool fails = false, goes_on = true;
  for (size_t i = 0; i < n && !error; i++) error = claim_check(chosen[i], job, message);
  if (!error) error = check_limit(chosen, n, "seeds", job->seeds, message);
  if (!error) error = check_limit(chosen, n, "pieces", job->pieces, message);
  if (!error) error = check_limit(chosen, n, "players", job->players, message);
  if (!error) error = check_limit(chosen, n, "tokens", job->tokens, message);
  if (!error && job->plots) error = draw_report_prepare(job->plots, message);
  for (size_t i = 0; i < n && goes_on && !error; i++) {
    report found = {.rules = NULL};
    error = claim_run(chosen[i], job, &found, message);
    if (!error) goes_on = show(user, chosen[i], &found);
    fails = fails || (!error && found.verdict == VERDICT_FAILS);
    report_free(&found);
  }
  return error ? error : fails ? TAULER_NOT_PROVEN : TAULER_OK;
}
