/* Holds tables against slices that are solved by the moves alone. */
#include "analysis/claims/recheck.h"

#include <stdio.h>

#include "analysis/verify/verify.h"

recheck_scores recheck_layers(const claim_tables *t, int largest, reference_known known, game_place place) {
  recheck_scores found = {0, 0, 0};
  reference_scores slow;
  if (REPORT_CATCH(t->out, reference_scores_solve(t->game, t->rules, (uint32_t)largest, known, &slow,
                                                  &t->out->message)))
    return found;
  const bool values = known == REFERENCE_VALUES;
  for (int n = 0; n <= largest; n++) {
    const claim_layer *layer = &t->layers[n];
    const int8_t *lower = (values ? slow.value : slow.lower)[n],
                 *upper = (values ? slow.value : slow.upper)[n];
    found.positions += slow.positions[n];
    for (uint64_t i = 0; i < slow.positions[n]; i++)
      found.wrong += lower[i] != layer->lower[i] || upper[i] != layer->upper[i];
  }
  found.value = slow.value[place.slice][place.index];
  reference_scores_free(&slow);
  return found;
}

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
