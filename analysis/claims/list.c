#include <stddef.h>
#include <string.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/draw_report.h"

/* In the order of their names. */
#define CLAIMS(EACH)                                                                                         \
  EACH(auale_abapa_path)                                                                                     \
  EACH(auale_awari_cycles)                                                                                   \
  EACH(auale_awari_in_abapa)                                                                                 \
  EACH(auale_awari_path)                                                                                     \
  EACH(auale_cycle_free)                                                                                     \
  EACH(auale_largest_capture)                                                                                \
  EACH(auale_no_move)                                                                                        \
  EACH(auale_own_row_bounds)                                                                                 \
  EACH(auale_own_row_exact)                                                                                  \
  EACH(auale_rules_differ)                                                                                   \
  EACH(doushouqi_equal_material)                                                                             \
  EACH(doushouqi_longest)                                                                                    \
  EACH(doushouqi_rat)                                                                                        \
  EACH(doushouqi_variants)                                                                                   \
  EACH(oca_asesina_carry_over)                                                                               \
  EACH(oca_asesina_catch_up)                                                                                 \
  EACH(oca_asesina_one_left)                                                                                 \
  EACH(oca_asesina_skill)                                                                                    \
  EACH(oca_asesina_strategies)                                                                               \
  EACH(oca_first_player)                                                                                     \
  EACH(oca_well)                                                                                             \
  EACH(phutball_one_dimension)                                                                               \
  EACH(phutball_small_boards)

#define DECLARE(name) extern const claim claim_##name;
#define TAKE(name) &claim_##name,
CLAIMS(DECLARE)
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

tauler_error claim_check(const claim *one, const claim_job *job, tauler_message *message) {
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

tauler_error claim_run(const claim *one, const claim_job *job, report *out, tauler_message *message) {
  tauler_error error = one->run(job, out, message);
  if (!error) error = report_error(out, message);
  if (!error && job->plots) error = draw_report(one, job->plots, out, message);
  return error;
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
