/* Runs tauler verify --digests: compares the headers of the tables of a rule set with a list of their
 * digests, such as docs/results/awari-digests.csv. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/open_folders.h"
#include "analysis/probe/probe_tables.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text_show.h"
#include "databases/folder.h"
#include "games/game_options.h"

enum { CELLS = 5, MOST_ROWS = 1 << 16, MOST_ROW = 1024 };

typedef struct {
  char slice[TABLE_NAME_BYTES], stream[TABLE_NAME_BYTES];
  char digest[TABLE_DIGEST_TEXT];
  bool met;
} listed_digest;

typedef enum { AGREES, DIFFERS, MISSING, EXTRA, VERDICTS } verdict;

typedef struct {
  const char *folder;
  /* Path of the list: rows slice,stream,positions,bytes,digest below a row with these names. */
  const char *file;
  bool as_json;
  const game *game;
  game_rules *rules;
  game_slices slices; /* slices that are compared, or empty to compare all */
  size_t counts[VERDICTS];
  listed_digest *rows;
  size_t used, room;
  tauler_message *message;
} comparison;

static bool is_digest(const char *text) {
  return strlen(text) == TABLE_DIGEST_TEXT - 1 && strspn(text, "0123456789abcdef") == TABLE_DIGEST_TEXT - 1;
}

static bool split_row(char *row, char *cells[CELLS]) {
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

static tauler_error fail_row(const comparison *c, size_t number) {
  return tauler_fail(
      c->message, TAULER_DAMAGED_FILE,
      "%.400s, row %zu: slice,stream,positions,bytes,digest is wanted, the digest of 32 digits", c->file,
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
    return fail_row(c, number);
  if (number - 1 > MOST_ROWS)
    return tauler_fail(c->message, TAULER_DAMAGED_FILE, "%.400s has more than %d rows", c->file, MOST_ROWS);
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
    if (!split_row(row, cells)) return fail_row(c, ++number);
    for (size_t i = 0; number == 0 && i < CELLS; i++)
      if (strcmp(cells[i], titles[i]) != 0) return fail_row(c, 1);
    if (number++ > 0) error = add_row(c, cells, number);
  }
  if (error) return error;
  if (ferror(file))
    return tauler_fail(c->message, TAULER_IO, "cannot read %.400s: %s", c->file, strerror(errno));
  return c->used ? TAULER_OK : tauler_fail(c->message, TAULER_DAMAGED_FILE, "%.400s lists no table", c->file);
}

static tauler_error read_list(comparison *c) {
  FILE *file = fopen(c->file, "rb");
  if (!file)
    return tauler_fail(c->message, tauler_errno_error(errno), "cannot open %.400s: %s", c->file,
                       strerror(errno));
  const tauler_error error = read_rows(c, file);
  fclose(file);
  return error;
}

static bool is_compared_slice(const comparison *c, const char *slice) {
  return !c->slices.slices || game_slices_have(c->game, c->rules, &c->slices, slice);
}

/* Counts the verdict on a table and prints it. Text leaves out AGREES. One of the digests `listed` and `own`
 * may be NULL. */
static void report_table(comparison *c, const char *slice, const char *stream, const char *listed,
                         const char *own) {
  static const char *const names[VERDICTS] = {"agrees", "differs", "missing", "extra"};
  const verdict is = !own ? MISSING : !listed ? EXTRA : strcmp(listed, own) == 0 ? AGREES : DIFFERS;
  c->counts[is]++;
  if (c->as_json) {
    json_line(stdout, JSON_TEXT("slice", slice), JSON_TEXT("stream", stream), JSON_TEXT("verdict", names[is]),
              JSON_TEXT("table", own), JSON_TEXT("listed", listed));
  } else if (is != AGREES) {
    printf("%-8s  %s.%s", names[is], text_shown(slice).text, text_shown(stream).text);
    if (is == DIFFERS) printf(": %s, in the list %s", own, listed);
    printf("\n");
  }
}

static tauler_error compare_table(void *user, const char *path) {
  comparison *c = user;
  table_header header;
  char own[TABLE_DIGEST_TEXT];
  const tauler_error error = table_read_header(path, &header, c->message);
  if (error) return error == TAULER_TABLE_MISSING ? TAULER_OK : error; /* the file was removed meanwhile */
  if (!rules_match_header(c->game, c->rules, &header) || !is_compared_slice(c, header.slice))
    return TAULER_OK;
  listed_digest *row = find_row(c, header.slice, header.stream);
  table_digest_text(header.plain_digest, own);
  if (row) row->met = true;
  report_table(c, header.slice, header.stream, row ? row->digest : NULL, own);
  return TAULER_OK;
}

static void report_missing_tables(comparison *c) {
  for (size_t i = 0; i < c->used; i++) {
    const listed_digest *row = &c->rows[i];
    if (row->met || !is_compared_slice(c, row->slice)) continue;
    report_table(c, row->slice, row->stream, row->digest, NULL);
  }
}

static tauler_error compare_digests(comparison *c) {
  const size_t *counts = c->counts;
  tauler_error error = read_list(c);
  if (!error) error = folder_walk(c->folder, compare_table, c, c->message);
  if (error) return error;
  report_missing_tables(c);
  if (!c->as_json)
    printf("%zu agree, %zu differ, %zu missing, %zu extra\n", counts[AGREES], counts[DIFFERS],
           counts[MISSING], counts[EXTRA]);
  /* Differences are printed already. */
  if (c->message) *c->message->text = '\0';
  return counts[DIFFERS] || counts[MISSING] || counts[EXTRA] ? TAULER_NOT_PROVEN : TAULER_OK;
}

tauler_error command_digests(const options *parsed, tauler_message *message) {
  comparison c = {.folder = game_options_folder(parsed),
                  .file = options_get(parsed, "digests"),
                  .as_json = options_has(parsed, "json"),
                  .message = message};
  game_request request;
  if (options_arguments(parsed) == 0)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "a list of digests is of one rule set: tauler verify GAME --rules … --digests FILE");
  tauler_error error = game_options_open(parsed, &c.game, &c.rules, &request, message);
  if (error) return error;
  if (request.largest || request.material || request.board)
    error = c.game->slices(c.rules, &request, &c.slices, message);
  if (!error) error = compare_digests(&c);
  free(c.rows);
  free(c.slices.slices);
  c.game->close(c.rules);
  return error;
}
