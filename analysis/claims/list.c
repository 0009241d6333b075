#include <stddef.h>
#include <string.h>

#include "analysis/claims/claim.h"

extern const claim claim_phutball_small_boards;

const claim *const claim_list[] = {&claim_phutball_small_boards, NULL};

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
  for (size_t i = 0; i < n && goes_on && !error; i++) {
    report found = {.rules = NULL};
    error = claim_run(chosen[i], job, &found, message);
    if (!error) goes_on = show(user, chosen[i], &found);
    fails = fails || (!error && found.verdict == VERDICT_FAILS);
    report_free(&found);
  }
  return error ? error : fails ? TAULER_NOT_PROVEN : TAULER_OK;
}
