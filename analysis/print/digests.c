/* Compares the tables of a rule set with a list of their digests. */
#include "analysis/print/digests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CELLS = 5, MOST_ROWS = 1 << 16, MOST_ROW = 1024 };

typedef struct {
  char slice[TABLE_NAME_BYTES], stream[TABLE_NAME_BYTES];
  char digest[TABLE_DIGEST_TEXT];
  bool met;
} listed_digest;

typedef struct {
  const digests_job *job;
  size_t *counts;
  listed_digest *rows;
  size_t used, room;
  tauler_message *message;
} comparison;

const char *digests_verdict_name(digests_verdict verdict) {
  static const char *const names[DIGESTS_VERDICTS] = {"agrees", "differs", "missing", "extra"};
  return names[verdict];
}

/* --- the list --- */

static bool is_digest(const char *text) {
  return strlen(text) == TABLE_DIGEST_TEXT - 1 && strspn(text, "0123456789abcdef") == TABLE_DIGEST_TEXT - 1;
}

/* Cuts a row at its commas; false if it has another number of cells. */
static bool cut_row(char *row, char *cells[CELLS]) {
  row[strcspn(row, "\r\n")] = '\0';
  size_t n = 0;
  for (char *at = row; at; n++) {
    char *comma = strchr(at, ',');
    if (comma) *comma++ = '\0';
    if (n < CELLS) cells[n] = at;
    at = comma;
  }
  return n == CELLS;
}

static tauler_error bad_row(const comparison *c, size_t number) {
  return tauler_fail(
      c->message, TAULER_DAMAGED_FILE,
      "%.400s, row %zu: slice,stream,positions,bytes,digest is wanted, the digest of 32 digits", c->job->file,
      number);
}

static listed_digest *find_row(const comparison *c, const char *slice, const char *stream) {
  for (size_t i = 0; i < c->used; i++)
    if (strcmp(c->rows[i].slice, slice) == 0 && strcmp(c->rows[i].stream, stream) == 0) return &c->rows[i];
  return NULL;
}

static tauler_error add_row(comparison *c, char *cells[CELLS], size_t number) {
  listed_digest row = {.met = false};
  if (strlen(cells[0]) >= sizeof row.slice || strlen(cells[1]) >= sizeof row.stream || !is_digest(cells[4]))
    return bad_row(c, number);
  if (number - 1 > MOST_ROWS)
    return tauler_fail(c->message, TAULER_DAMAGED_FILE, "%.400s has more than %d rows", c->job->file,
                       MOST_ROWS);
  memcpy(row.slice, cells[0], strlen(cells[0]) + 1);
  memcpy(row.stream, cells[1], strlen(cells[1]) + 1);
  memcpy(row.digest, cells[4], sizeof row.digest);
  if (!memory_make_room(&c->rows, &c->room, c->used + 1, sizeof *c->rows))
    return tauler_fail(c->message, TAULER_NO_MEMORY, "no memory for a list of digests");
  c->rows[c->used++] = row;
  return TAULER_OK;
}

static tauler_error read_rows(comparison *c, FILE *file) {
  static const char *const titles[CELLS] = {"slice", "stream", "positions", "bytes", "digest"};
  char row[MOST_ROW], *cells[CELLS];
  tauler_error error = TAULER_OK;
  size_t number = 0;
  while (!error && fgets(row, sizeof row, file)) {
    if (!cut_row(row, cells)) return bad_row(c, ++number);
    for (size_t i = 0; number == 0 && i < CELLS; i++)
      if (strcmp(cells[i], titles[i]) != 0) return bad_row(c, 1);
    if (number++ > 0) error = add_row(c, cells, number);
  }
  if (error) return error;
  if (ferror(file))
    return tauler_fail(c->message, TAULER_IO, "cannot read %.400s: %s", c->job->file, strerror(errno));
  return c->used ? TAULER_OK
                 : tauler_fail(c->message, TAULER_DAMAGED_FILE, "%.400s lists no table", c->job->file);
}

static tauler_error read_list(comparison *c) {
  FILE *file = fopen(c->job->file, "rb");
  if (!file)
    return tauler_fail(c->message, tauler_errno_error(errno), "cannot open %.400s: %s", c->job->file,
                       strerror(errno));
  const tauler_error error = read_rows(c, file);
  fclose(file);
  return error;
}

/* --- the folder --- */

static bool counts_slice(const comparison *c, const char *slice) {
  const digests_job *job = c->job;
  return !job->slices || game_slices_have(job->game, job->rules, job->slices, slice);
}

static void report(comparison *c, const digests_finding *finding) {
  c->counts[finding->verdict]++;
  c->job->report(c->job->user, finding);
}

static bool is_of_rules(const digests_job *job, const table_header *header) {
  return strcmp(header->game, job->game->name) == 0 &&
         strcmp(header->rules, job->game->rules_text(job->rules)) == 0 &&
         strcmp(header->cycles, job->game->cycles_text(job->rules)) == 0;
}

static tauler_error look_at_table(void *user, const char *path) {
  comparison *c = user;
  table_header header;
  char own[TABLE_DIGEST_TEXT];
  const tauler_error error = table_read_header(path, &header, c->message);
  if (error) return error == TAULER_TABLE_MISSING ? TAULER_OK : error; /* removed meanwhile */
  if (!is_of_rules(c->job, &header) || !counts_slice(c, header.slice)) return TAULER_OK;
  listed_digest *row = find_row(c, header.slice, header.stream);
  table_digest_text(header.plain_digest, own);
  const bool same = row && strcmp(row->digest, own) == 0;
  if (row) row->met = true;
  report(c, &(digests_finding){.slice = header.slice,
                               .stream = header.stream,
                               .listed = row ? row->digest : "",
                               .own = own,
                               .verdict = same  ? DIGESTS_AGREE
                                          : row ? DIGESTS_DIFFER
                                                : DIGESTS_EXTRA});
  return TAULER_OK;
}

static void report_missing(comparison *c) {
  for (size_t i = 0; i < c->used; i++) {
    const listed_digest *row = &c->rows[i];
    if (row->met || !counts_slice(c, row->slice)) continue;
    report(c, &(digests_finding){row->slice, row->stream, row->digest, "", DIGESTS_MISSING});
  }
}

tauler_error digests_compare(const digests_job *job, size_t counts[DIGESTS_VERDICTS],
                             tauler_message *message) {
  comparison c = {.job = job, .counts = counts, .message = message};
  memset(counts, 0, DIGESTS_VERDICTS * sizeof *counts);
  tauler_error error = read_list(&c);
  if (!error) error = folder_walk(job->folder, look_at_table, &c, message);
  if (!error) report_missing(&c);
  free(c.rows);
  return error;
}
