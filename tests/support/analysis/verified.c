#include "tests/support/analysis/verified.h"

char findings[FINDINGS_BYTES];
verify_summary summary;

static void note(void *user, const verify_finding *found) {
  const size_t used = strlen(findings);
  snprintf(findings + used, sizeof findings - used, "%s/%s %s: %s\n",
           found->header ? found->header->cycles : "", strrchr(found->path, '/') + 1,
           verify_verdict_name(found->verdict), found->reason);
  ck_assert((found->verdict == VERIFY_PROVEN) == (*found->reason == '\0'));
}

tauler_error try_to_verify(verify_job job, tauler_message *message) {
  findings[0] = '\0';
  job.report = note;
  if (!job.folder) job.folder = folder;
  if (!job.threads) job.threads = 2;
  if (!job.memory) job.memory = suite_budget(0);
  return verify_tables(&job, &summary, message);
}

tauler_error verify(verify_job job) {
  MUST(try_to_verify(job, hear()));
  return verify_outcome(&summary);
}

void expect_finding(const char *text) {
  EXPECT(strstr(findings, text), "no \"%s\" among\n%s", text, findings);
}
