/* Figures of claims, for suites that work them out in another way. */
#include "tests/support/analysis/claim_figures.h"

#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"

#include "tests/support/table_fixture.h"

enum { MOST_FIGURES = 1 << 14, LINE_BYTES = 4096 };

/* Prints the JSON of a report as lines: a letter, then what it is about. */
static const char flatten[] =
    "import json, sys\n"
    "found = json.loads(sys.stdin.readline(), parse_float=lambda text: text)\n"
    "print('V', found['verdict']); print('R', found['reason'])\n"
    "for table in found['figures']:\n"
    "    print('T', table['name'])\n"
    "    [print('C', key) for key in (table['rows'] or [{}])[0]]\n"
    "    for value in [value for row in table['rows'] for value in row.values()]:\n"
    "        print('N' if isinstance(value, int) else '-' if value is None else 'M' if isinstance(value, "
    "str) and\n"
    "              value.replace('.', '').replace('-', '').isdigit() else 'S', value)\n"
    "for witness in found['witnesses']:\n"
    "    print('W')\n"
    "    [print('K', int(bool(one['holds']))) for one in witness['rechecks']]\n";

static const char *const verdicts[] = {"open", "holds", "holds for", "fails"};

/* A mean as JSON has it, of two decimals or more, zeros at their end left out: it lies within half a unit of
 * the last one. */
static claim_figure mean_of(const char *text) {
  const char *point = strchr(text, '.');
  const size_t decimals = point && strlen(point) > 3 ? strlen(point + 1) : 2;
  const double number = strtod(text, NULL);
  double half = 0.5;
  for (size_t i = 0; i < decimals; i++) half /= 10;
  return (claim_figure){.kind = FIGURE_MEAN, .lower = number - half, .upper = number + half};
}

/* Adds what a line of `flatten` says. */
static void add_said_line(claim_found *out, const char *said) {
  const char *text = text_pool_add(out->texts, said[0] && said[1] ? said + 2 : "");
  claim_table *t = out->tables_used ? &out->tables[out->tables_used - 1] : NULL;
  claim_witness *w = out->witnesses_used ? &out->witnesses[out->witnesses_used - 1] : NULL;
  if (*said == 'R') out->reason = text;
  for (int v = VERDICT_OPEN; *said == 'V' && v <= VERDICT_FAILS; v++)
    if (strcmp(verdicts[v], text) == 0) out->verdict = (claim_verdict)v;
  if (*said == 'T') {
    ck_assert(out->tables_used < CLAIM_MOST_TABLES);
    out->tables[out->tables_used++] =
        (claim_table){.key = text, .figures = suite_zeros(MOST_FIGURES, sizeof(claim_figure))};
  } else if (*said == 'C' && t) {
    ck_assert(t->columns_used < CLAIM_MOST_COLUMNS);
    t->columns[t->columns_used++] = text;
  } else if (*said == 'W') {
    ck_assert(out->witnesses_used < CLAIM_MOST_TABLES);
    out->witnesses[out->witnesses_used++] = (claim_witness){.rechecks_used = 0};
  } else if (*said == 'K' && w) {
    ck_assert(w->rechecks_used < CLAIM_MOST_RECHECKS);
    w->holds[w->rechecks_used++] = *text == '1';
  } else if (strchr("NMS-", *said) && t) {
    ck_assert(t->figures_used < MOST_FIGURES);
    t->figures[t->figures_used++] =
        *said == 'N'   ? (claim_figure){.kind = FIGURE_NUMBER, .number = strtoll(text, NULL, 10)}
        : *said == 'M' ? mean_of(text)
        : *said == 'S' ? (claim_figure){.kind = FIGURE_TEXT, .text = text}
                       : (claim_figure){.kind = FIGURE_NONE};
  }
}

static void run_program(const char *name, const claim_job *job, claim_found *out) {
  char command[2 * LINE_BYTES], line[LINE_BYTES];
  const char *program = getenv("TAULER");
  if (!program) program = "./tauler";
  /* Python has no sanitizer of its own for a library that needs one. */
  int used = snprintf(command, sizeof command,
                      "LD_PRELOAD=$(ldd %s | awk '/libasan/ { print $3 }') ASAN_OPTIONS=detect_leaks=0 "
                      "%s claims %s --json --quiet --threads 1 --level 3 --db '%s'",
                      program, program, name, folder);
  const struct {
    const char *name;
    int value;
  } limits[] = {{"seeds", job->seeds}, {"pieces", job->pieces}, {"tokens", job->tokens}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (limits[i].value)
      used += snprintf(command + used, sizeof command - (size_t)used, " --%s %d", limits[i].name,
                       limits[i].value);
  if (job->board)
    used += snprintf(command + used, sizeof command - (size_t)used, " --board '%s'", job->board);
  if (job->rules)
    used += snprintf(command + used, sizeof command - (size_t)used, " --rules '%s'", job->rules);
  snprintf(command + used, sizeof command - (size_t)used, " | /usr/bin/python3 -c \"%s\"", flatten);
  FILE *said = popen(command, "r");
  ck_assert_ptr_nonnull(said);
  while (fgets(line, sizeof line, said)) {
    line[strcspn(line, "\n")] = '\0';
    add_said_line(out, line);
  }
  ck_assert_msg(pclose(said) == 0, "%s", command);
}

static void free_texts(void *texts) {
  text_pool_free(texts);
}

void run_claim(const char *name, claim_job job, claim_verdict wanted, claim_found *out) {
  *out = (claim_found){.texts = suite_zeros(1, sizeof *out->texts)};
  suite_own(out->texts, free_texts);
  run_program(name, &job, out);
  ck_assert_msg(out->verdict == wanted, "%s: %s", verdicts[out->verdict], out->reason);
}

void build_for_claim(const claim_tables *t, int tokens, double width) {
  char largest[16];
  snprintf(largest, sizeof largest, "%d", tokens);
  const game_request request = {.largest = largest};
  suite_build((build_job){.problem = {.game = t->game, .rules = t->rules},
                          .request = &request,
                          .folder = t->job->folder,
                          .width = width,
                          .work = {.threads = t->job->threads, .memory = t->job->memory}});
}

static const claim_figure *figure(const claim_found *r, const char *table, int row, const char *column) {
  for (size_t t = 0; t < r->tables_used; t++) {
    const claim_table *in = &r->tables[t];
    for (size_t c = 0; strcmp(in->key, table) == 0 && c < in->columns_used; c++)
      if (strcmp(in->columns[c], column) == 0) return &in->figures[(size_t)row * in->columns_used + c];
  }
  ck_abort_msg("no %s in %s", column, table);
}

void check_number(const claim_found *r, const char *table, int row, const char *column, int64_t wanted) {
  const claim_figure *is = figure(r, table, row, column);
  if (is->kind != FIGURE_NUMBER || is->number != wanted)
    ck_abort_msg("%s, row %d, %s: %lld, not %lld", table, row, column, (long long)is->number,
                 (long long)wanted);
}

void check_mean(const claim_found *r, const char *table, int row, const char *column, double wanted) {
  claim_figure is = *figure(r, table, row, column);
  char whole[32];
  snprintf(whole, sizeof whole, "%lld", (long long)is.number);
  if (is.kind == FIGURE_NUMBER) is = mean_of(whole);
  if (is.kind != FIGURE_MEAN || wanted < is.lower - 1e-9 || wanted > is.upper + 1e-9)
    ck_abort_msg("%s, row %d, %s: %g to %g, not %g", table, row, column, is.lower, is.upper, wanted);
}
