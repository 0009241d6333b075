/* Figures of claims, for suites that work them out in another way. */
#include "tests/support/analysis/claim_figures.h"

#include <string.h>

#include "tests/support/table_fixture.h"

void run_claim(const char *name, claim_job job, claim_verdict wanted, report *out) {
  tauler_message message = {""};
  job.folder = folder;
  job.level = 3;
  job.threads = 1;
  *out = (report){.rules = NULL};
  const tauler_error error = claim_run(claim_find(name), &job, out, &message);
  ck_assert_msg(error == TAULER_OK, "%s: %s", name, message.text);
  ck_assert_msg(out->verdict == wanted, "%s: %s", claim_verdict_name(out->verdict), out->reason);
  ck_assert_uint_eq(memory_taken(job.memory), 0);
}

static const report_figure *figure(const report *r, const char *table, int row, const char *column) {
  for (size_t t = 0; t < r->tables_used; t++) {
    const report_table *in = &r->tables[t];
    for (size_t c = 0; strcmp(in->key, table) == 0 && c < in->columns_used; c++)
      if (strcmp(in->columns[c].key, column) == 0) return &in->figures[(size_t)row * in->columns_used + c];
  }
  ck_abort_msg("no %s in %s", column, table);
}

void check_number(const report *r, const char *table, int row, const char *column, int64_t wanted) {
  const report_figure *is = figure(r, table, row, column);
  if (is->kind != FIGURE_NUMBER || is->number != wanted)
    ck_abort_msg("%s, row %d, %s: %lld, not %lld", table, row, column, (long long)is->number,
                 (long long)wanted);
}

void check_mean(const report *r, const char *table, int row, const char *column, double wanted) {
  const report_figure *is = figure(r, table, row, column);
  const double off = is->lower - wanted;
  if (is->kind != FIGURE_MEAN || off > 1e-9 || off < -1e-9)
    ck_abort_msg("%s, row %d, %s: %g, not %g", table, row, column, is->lower, wanted);
}
