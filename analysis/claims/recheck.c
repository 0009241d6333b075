/* Proves tables from the moves. */
#include "analysis/claims/recheck.h"

#include <stdio.h>

#include "analysis/verify/verify.h"

static void ignore_finding(void *user, const verify_finding *finding) {
  (void)user, (void)finding;
}

recheck_tables recheck_proof(const claim_tables *t, int largest) {
  char text[16];
  snprintf(text, sizeof text, "%d", largest);
  const game_request request = {.largest = text};
  const verify_job job = {.folder = t->job->folder,
                          .game = t->game,
                          .rules = t->rules,
                          .request = &request,
                          .threads = t->job->threads,
                          .memory = t->job->memory,
                          .shown = t->job->shown,
                          .report = ignore_finding};
  verify_summary summary = {.positions = 0};
  recheck_tables found = {.tables = 0};
  if (REPORT_CATCH(t->out, verify_tables(&job, &summary, &t->out->message))) return found;
  for (int verdict = 0; verdict < VERIFY_VERDICTS; verdict++) found.tables += summary.tables[verdict];
  found.positions = summary.positions;
  found.proven = summary.tables[VERIFY_PROVEN];
  found.holds = verify_outcome(&summary) == TAULER_OK;
  return found;
}
