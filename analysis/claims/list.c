#include <stddef.h>
#include <string.h>

#include "analysis/claims/claim.h"

extern const claim claim_doushouqi_rat, claim_doushouqi_variants, claim_oca_asesina_catch_up,
    claim_oca_first_player, claim_oca_well, claim_phutball_one_dimension, claim_phutball_small_boards;

const claim *const claim_list[] = {&claim_doushouqi_rat,
                                   &claim_doushouqi_variants,
                                   &claim_oca_asesina_catch_up,
                                   &claim_oca_first_player,
                                   &claim_oca_well,
                                   &claim_phutball_one_dimension,
                                   &claim_phutball_small_boards,
                                   NULL};

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
  bool known = given == 0;
  for (size_t i = 0; i < n && !known; i++) known = strstr(chosen[i]->options, option) != NULL;
  if (known) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE, "no claim that is run knows --%s", option);
}

tauler_error claim_run(const claim *one, const claim_job *job, report *out, tauler_message *message) {
  const tauler_error error = one->run(job, out, message);
  return error ? error : report_error(out, message);
}

tauler_error claim_run_all(const claim *const *chosen, size_t n, const claim_job *job,
                           bool (*show)(void *user, const claim *one, const report *found), void *user,
                           tauler_message *message) {
  tauler_error error = TAULER_OK;
  bool fails = false, goes_on = true;
  for (size_t i = 0; i < n && !error; i++) error = claim_check(chosen[i], job, message);
  if (!error) error = check_limit(chosen, n, "pieces", job->pieces, message);
  if (!error) error = check_limit(chosen, n, "players", job->players, message);
  if (!error) error = check_limit(chosen, n, "tokens", job->tokens, message);
  for (size_t i = 0; i < n && goes_on && !error; i++) {
    report found = {.rules = NULL};
    error = claim_run(chosen[i], job, &found, message);
    if (!error) goes_on = show(user, chosen[i], &found);
    fails = fails || (!error && found.verdict == VERDICT_FAILS);
    report_free(&found);
  }
  return error ? error : fails ? TAULER_NOT_PROVEN : TAULER_OK;
}
