/* Reads what the Markdown of a claim keeps of a larger size, and holds it against what is found. */
#include "analysis/claims/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/print_report.h"

static const char row_of[] = "row of ", tables_of[] = "tables of ";

/* Returns the part of the key behind a prefix; NULL: the key does not begin with it. */
static const char *behind(const char *key, const char *prefix) {
  const size_t length = strlen(prefix);
  return strncmp(key, prefix, length) == 0 ? key + length : NULL;
}

/* Reads a figure from its printed text. */
static report_figure read_figure(const char *text) {
  char *end;
  const long long number = strtoll(text, &end, 10);
  if (strcmp(text, "-") == 0) return (report_figure){.kind = FIGURE_NONE};
  if (end > text && !*end) return fig_number(number);
  const char *fraction = end;
  const double mean = strtod(text, &end);
  if (*fraction == '.' && !*end) return fig_mean(mean, (int)(end - fraction) - 1);
  return fig_text(text);
}

static void add_row(report *out, const char *table, const char *cells) {
  const report_table *last = out->tables_used ? &out->tables[out->tables_used - 1] : NULL;
  if (!last || strcmp(last->key, table) != 0) report_table_begin(out, table);
  while (*cells) {
    char cell[GAME_TEXT_BYTES];
    const char *bar = strstr(cells, " | ");
    const int length = (int)(bar ? (size_t)(bar - cells) : strlen(cells));
    if (snprintf(cell, sizeof cell, "%.*s", length, cells) >= (int)sizeof cell)
      report_keep(out, TAULER_INTERNAL);
    REPORT_ADD(out, read_figure(cell));
    cells += length + (bar ? 3 : 0);
  }
}

static void take_verdict(report *out, const char *name) {
  for (int v = VERDICT_OPEN; v <= VERDICT_FAILS; v++)
    if (strcmp(claim_verdict_name((claim_verdict)v), name) == 0) out->verdict = (claim_verdict)v;
  if (strcmp(claim_verdict_name(out->verdict), name) != 0) report_keep(out, TAULER_INTERNAL);
}

static void take_item(report *out, const report_sentence *item) {
  const char *table = behind(item->key, row_of);
  if (table) {
    add_row(out, table, item->text);
  } else if (strcmp(item->key, "verdict") == 0) {
    take_verdict(out, item->text);
  } else if (strcmp(item->key, "reason") == 0) {
    report_verdict(out, out->verdict, "%s", item->text);
  } else if (!behind(item->key, tables_of)) {
    report_keep(out, TAULER_INTERNAL);
  }
}

/* --- comparing --- */

static bool is_same(const report_figure *one, const report_figure *other) {
  figure_digits room, other_room;
  return strcmp(print_report_figure(one, &room), print_report_figure(other, &other_room)) == 0;
}

static bool has_row(const report_table *t, const report_figure *row, size_t figures) {
  for (size_t i = 0; i < report_rows(t); i++) {
    size_t same = 0;
    while (same < figures && is_same(&t->figures[i * t->columns_used + same], &row[same])) same++;
    if (same == figures) return true;
  }
  return false;
}

static void compare_tables(const report_table *stored, const report_table *found, stored_comparison *c) {
  const size_t columns = found->columns_used;
  if (stored->columns_used != columns) return; /* fewer were asked for */
  for (size_t i = 0; i < report_rows(stored); i++)
    c->again += has_row(found, stored->figures + i * stored->columns_used, columns);
  for (size_t i = 0; i < report_rows(found); i++) {
    const report_figure *row = found->figures + i * columns;
    c->differs = c->differs || (has_row(stored, row, 1) && !has_row(stored, row, columns));
  }
}

static stored_comparison compare(const report *r) {
  stored_comparison c = {0, 0, false};
  for (size_t i = 0; i < r->kept->tables_used; i++) {
    const report_table *kept = &r->kept->tables[i];
    c.rows += report_rows(kept);
    for (size_t k = 0; k < r->tables_used; k++)
      if (strcmp(r->tables[k].key, kept->key) == 0) compare_tables(kept, &r->tables[k], &c);
  }
  return c;
}

/* --- what is stored --- */

void stored_add(report *r, const report_stored *stored) {
  report *kept = stored ? report_calloc(r, 1, sizeof *kept) : NULL;
  if (!kept) return;
  kept->layouts = r->layouts;
  kept->layouts_used = r->layouts_used;
  for (size_t i = 0; i < stored->items_used; i++) take_item(kept, &stored->items[i]);
  if (!kept->reason) report_keep(kept, TAULER_INTERNAL);
  r->stored = stored;
  r->kept = kept;
  r->compared = compare(r);
  REPORT_CATCH(r, report_error(kept, &r->message));
}

bool stored_next_tables(const report_stored *stored, size_t *at, stored_tables *out) {
  while (*at < stored->items_used) {
    const report_sentence *item = &stored->items[(*at)++];
    const char *comma = strchr(item->text, ' ');
    out->rules = behind(item->key, tables_of);
    if (!out->rules || !comma) continue;
    out->tables = (int)strtol(item->text, NULL, 10);
    out->digest = comma + 1;
    return true;
  }
  return false;
}

const char *stored_say(const report *r, stored_words *words) {
  const stored_comparison c = r->compared;
  snprintf(
      words->text, sizeof words->text,
      "Found on %s with %s on a larger machine. The figures below are stored and were not worked out now; "
      "%zu of their %zu rows were worked out now as well, above, and are %s.",
      r->stored->date, r->stored->size, c.again, c.rows, c.differs ? "NOT ALL THE SAME" : "the same");
  return words->text;
}
