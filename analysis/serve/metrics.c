/* Counts the requests of a server, and prints the counts for Prometheus. */
#include "analysis/serve/api_parts.h"

#include <inttypes.h>

/* Statuses that are counted. The last entry is for all others. */
static const int statuses[METRICS_STATUSES] = {200, 204, 304, 400, 404, 405, 413, 414, 431, 499, 500, 503, 0};

static const double bounds[METRICS_BOUNDS] = {1e-5, 2.5e-5, 5e-5,   1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3,
                                              5e-3, 1e-2,   2.5e-2, 5e-2, 0.1,    0.5,  2.5,  10};

void metrics_count(metrics *figures, api_route route, int status, double seconds) {
  size_t i = 0, bound = 0;
  while (statuses[i] && statuses[i] != status) i++;
  while (bound < METRICS_BOUNDS && seconds > bounds[bound]) bound++;
  atomic_fetch_add_explicit(&figures->requests[route][i], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&figures->within[route][bound], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&figures->nanoseconds[route], (uint64_t)(seconds * 1e9), memory_order_relaxed);
}

static uint64_t read_counter(const _Atomic uint64_t *counter) {
  return atomic_load_explicit(counter, memory_order_relaxed);
}

static void print_requests(metrics *figures, FILE *out) {
  fprintf(out, "# HELP tauler_http_requests_total Requests answered.\n"
               "# TYPE tauler_http_requests_total counter\n");
  for (int route = 0; route < API_ROUTES; route++) {
    for (size_t i = 0; i < METRICS_STATUSES; i++) {
      const uint64_t n = read_counter(&figures->requests[route][i]);
      if (n == 0) continue;
      fprintf(out, "tauler_http_requests_total{route=\"%s\",status=\"", api_routes[route].name);
      fprintf(out, statuses[i] ? "%d" : "other", statuses[i]);
      fprintf(out, "\"} %" PRIu64 "\n", n);
    }
  }
}

static void print_route_durations(metrics *figures, int route, FILE *out) {
  static const char name[] = "tauler_http_request_duration_seconds";
  uint64_t sum = 0;
  for (size_t i = 0; i < METRICS_BOUNDS; i++) {
    sum += read_counter(&figures->within[route][i]);
    fprintf(out, "%s_bucket{route=\"%s\",le=\"%g\"} %" PRIu64 "\n", name, api_routes[route].name, bounds[i],
            sum);
  }
  sum += read_counter(&figures->within[route][METRICS_BOUNDS]);
  fprintf(out, "%s_bucket{route=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name, api_routes[route].name, sum);
  fprintf(out, "%s_sum{route=\"%s\"} %.9f\n", name, api_routes[route].name,
          (double)read_counter(&figures->nanoseconds[route]) / 1e9);
  fprintf(out, "%s_count{route=\"%s\"} %" PRIu64 "\n", name, api_routes[route].name, sum);
}

static void print_durations(metrics *figures, FILE *out) {
  fprintf(out, "# HELP tauler_http_request_duration_seconds From a request's arrival to its answer.\n"
               "# TYPE tauler_http_request_duration_seconds histogram\n");
  for (int route = 0; route < API_ROUTES; route++) {
    uint64_t seen = 0;
    for (size_t i = 0; i <= METRICS_BOUNDS; i++) seen += read_counter(&figures->within[route][i]);
    if (seen) print_route_durations(figures, route, out);
  }
}

static void print_figure(FILE *out, const char *name, const char *type, const char *help, double value) {
  fprintf(out, "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n", name, help, name, type, name, value);
}

void metrics_print(metrics *figures, const rule_sets_figures *of_sets, double uptime, FILE *out) {
  const frame_cache_counts *frames = &of_sets->frames;
  print_requests(figures, out);
  print_durations(figures, out);
  print_figure(out, "tauler_http_connections", "gauge", "Connections that are open.",
               (double)atomic_load_explicit(&figures->connections, memory_order_relaxed));
  print_figure(out, "tauler_tables_open", "gauge", "Tables that have been opened.", (double)of_sets->tables);
  print_figure(out, "tauler_frame_cache_hits_total", "counter", "Cells found among decoded frames.",
               (double)frames->hits);
  print_figure(out, "tauler_frame_cache_misses_total", "counter", "Cells whose frame was read and decoded.",
               (double)frames->misses);
  print_figure(out, "tauler_frame_cache_bytes", "gauge", "Bytes of decoded frames kept.",
               (double)frames->bytes);
  print_figure(out, "tauler_uptime_seconds", "gauge", "Seconds since the server started.", uptime);
}
