/* Figures of a server since it started, in the text format 0.0.4 of Prometheus. Private to analysis/serve. A
 * zeroed metrics is empty; any number of threads may count and print at once. */
#ifndef ANALYSIS_SERVE_METRICS_H
#define ANALYSIS_SERVE_METRICS_H

#include <stdatomic.h>
#include <stdio.h>

#include "analysis/serve/api.h"
#include "analysis/serve/rule_sets.h"

enum { METRICS_STATUSES = 13, METRICS_BOUNDS = 16 };

typedef struct {
  _Atomic uint64_t requests[API_ROUTES][METRICS_STATUSES];
  _Atomic uint64_t
      within[API_ROUTES][METRICS_BOUNDS + 1]; /* by the first bound that holds, or the last entry */
  _Atomic uint64_t nanoseconds[API_ROUTES];
  _Atomic size_t connections;
} metrics;

void metrics_count(metrics *figures, api_route route, int status, double seconds);
/* `uptime` is in seconds; `of_sets` is what tables report. */
void metrics_print(metrics *figures, const rule_sets_figures *of_sets, double uptime, FILE *out);

#endif
