/* Runs the command publish. Checks each table before it publishes it, replaces existing files, and writes
 * SHA256SUMS last. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/publish/catalogue.h"
#include "analysis/publish/place.h"
#include "analysis/publish/sums.h"
#include "analysis/serve/page_files.h"
#include "base/command/command.h"
#include "base/command/threads.h"
#include "base/durable_file.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/text.h"
#include "databases/names.h"
#include "databases/table_frames.h"
#include "games/game_options.h"
#include "games/registry.h"
#include "parallel/launcher.h"

#define PACK_NAME "pack.json"
#define CARD_NAME "README.md"
#define EXPLORER "explorer/"
#define STATIC_PART "static/"
#define MODULE STATIC_PART "tauler.wasm"
#define INDEX "index.html"
#define OFFLINE STATIC_PART "offline.js"
enum { PACK_BYTES = 60000000 };

static const option own_options[] = {
    {"title", "TEXT", "title of the card; default: Tauler tables", NULL},
    {"licence", "TEXT", "what the card says of the licence of the tables; default: MIT", NULL},
    {"no-page", NULL, "tables alone, without the page that shows them", NULL},
    {"module", "FILE",
     "tauler.wasm, the module that answers on the page; default: that beside this program (make wasm)",
     "@file"},
    NAMES_CODER_OPTION,
    {"threads", "N", "threads to check tables with; default: the processors this process may use", NULL},
    {"quiet", NULL, "no progress, no summary, only errors", NULL},
    {"json", NULL, "the summary as one JSON object", NULL},
};
static const option_group own_group = OPTION_GROUP("Publishing", own_options);
static const option_group *const groups[] = {&game_options_folder_group, &own_group, NULL};

typedef struct {
  const char *db, *folder;
  const char *title, *licence;
  const char *module; /* path of tauler.wasm, or NULL if no page is published */
  int threads;
  bool adaptive; /* true if tables are coded adaptively where that makes them smaller */
  progress shown;
  size_t tables;
  uint64_t cells, bytes;
  catalogue listed;
  sums digests;
  names_places places;
  tauler_message *message;
} publication;

static tauler_error add_digest(publication *p, const char *below) {
  char path[FOLDER_PATH_BYTES], digest[SUM_TEXT];
  tauler_error error = place_path(p->folder, below, path, p->message);
  if (!error) error = digest_file(path, digest, p->message);
  return error ? error : sums_add(&p->digests, below, digest, p->message);
}

static tauler_error publish_bytes(publication *p, const char *below, const void *bytes, size_t n) {
  const tauler_error error = place_bytes(p->folder, below, bytes, n, p->message);
  return error ? error : add_digest(p, below);
}

/* --- tables --- */

/* `below` is the path of the table in the published folder. */
static tauler_error publish_offsets(publication *p, const table *from, const char *below) {
  char name[FOLDER_PATH_BYTES], path[FOLDER_PATH_BYTES];
  if (!table_wants_offsets(table_get_header(from))) return TAULER_OK;
  tauler_error error = table_offsets_path(below, name, p->message);
  if (!error) error = place_path(p->folder, name, path, p->message);
  if (!error) error = table_offsets_write(from, path, p->message);
  if (!error) error = catalogue_add(&p->listed, name + sizeof CATALOGUE_FOLDER, path, 0, p->message);
  return error ? error : add_digest(p, name);
}

static tauler_error place_table(publication *p, const table *from, const char *source, const char *path) {
  table_header written = {0};
  const tauler_error error =
      p->adaptive ? names_recode(from, path, p->threads, &written, p->message) : TAULER_OK;
  return error || written.stored_bytes ? error : place_file(source, path, p->message);
}

static tauler_error publish_table(publication *p, const table *from, const char *source, const char *below) {
  char path[FOLDER_PATH_BYTES];
  table *placed = NULL;
  tauler_error error = place_path(p->folder, below, path, p->message);
  if (!error) error = place_table(p, from, source, path);
  if (!error)
    error = catalogue_add(&p->listed, below + sizeof CATALOGUE_FOLDER, path, TABLE_FRAMES_AT, p->message);
  if (!error) error = add_digest(p, below);
  if (!error) error = table_open(path, false, &placed, p->message);
  if (error) return error;
  p->tables++;
  p->cells += table_get_header(placed)->positions;
  p->bytes += table_get_header(placed)->stored_bytes;
  error = publish_offsets(p, placed, below);
  table_close(placed);
  return error;
}

static tauler_error check_and_publish_table(void *user, const char *path) {
  publication *p = user;
  const char *name = path + strlen(p->db);
  char below[FOLDER_PATH_BYTES];
  table *from;
  while (*name == '/') name++;
  if (snprintf(below, sizeof below, "%s/%s", CATALOGUE_FOLDER, name) >= (int)sizeof below)
    return tauler_fail(p->message, TAULER_BAD_USAGE, "the path of a table is too long: %.200s", path);
  tauler_error error = names_open(path, false, &from, p->message);
  if (error) return error;
  error = names_check(&p->places, p->db, path, table_get_header(from), p->message);
  if (!error) error = table_check(from, p->threads, p->message);
  if (!error) error = publish_table(p, from, path, below);
  progress_add(&p->shown, 1);
  table_close(from);
  return error;
}

/* --- folders --- */

/* True if both are the same folder, or the first one is inside the other. */
static bool is_within(const char *folder, const char *other) {
  char *inner = realpath(folder, NULL), *outer = realpath(other, NULL);
  const size_t n = outer ? strlen(outer) : 0;
  const bool within = inner && outer && strncmp(inner, outer, n) == 0 && (!inner[n] || inner[n] == '/');
  free(inner);
  free(outer);
  return within;
}

static tauler_error check_folders(const publication *p) {
  const tauler_error error = durable_folder_create(p->folder, p->message);
  if (error || (!is_within(p->folder, p->db) && !is_within(p->db, p->folder))) return error;
  return tauler_fail(p->message, TAULER_BAD_USAGE,
                     "%.300s and the tables in %.300s need folders of their own, neither in the other",
                     p->folder, p->db);
}

/* --- card (README.md) --- */

static const char card_text[] =
    "## Files\n\n"
    "- `tables/GAME/RULES[/CYCLES]/…/SLICE.STREAM.zst`: a table, the cells of one stream of one slice. "
    "Streams\n"
    "  are `value`, or `lower` and `upper` bounds, and `depth`; of games of dice bounds of each quantity\n"
    "- `tables/….zst.offsets`: where the frames of a large table begin, for readers over a network\n"
    "- `tables/catalogue`: all tables with their headers, compressed by zstd\n"
    "- `SHA256SUMS`: check all files with `sha256sum --check --quiet SHA256SUMS`\n\n"
    "`tauler fetch DIR|URL --db tables` checks the tables and takes them up; `tauler probe`, `stats`, "
    "`verify`\n"
    "and `serve` then work with them. `tauler verify --db tables` checks their logic, too.\n\n"
    "## Without Tauler\n\n"
    "A table is a zstd file; `zstd -dc FILE` writes its cells, one after the other, in the order of the "
    "game's\n"
    "index, little-endian. Its first 1024 bytes are a header that zstd skips: where byte 16 is 2 or 3, cells "
    "are sorted\n"
    "or coded, and only `tauler export` writes them in the order of the index; byte 32 is the type of a "
    "cell,\n"
    "byte 36 is 1 where a cell equal to the number at byte 40 is left out and follows from the moves "
    "(`tauler\n"
    "export` writes such cells). With Python and numpy:\n\n"
    "```python\n"
    "import subprocess, sys\n"
    "import numpy\n\n"
    "path = sys.argv[1]\n"
    "header = open(path, \"rb\").read(1024)\n"
    "assert header[16] == 1\n"
    "kind = [\"i1\", \"u1\", \"<i2\", \"<u2\", \"<f4\", \"<f8\"][header[32]]\n"
    "cells = numpy.frombuffer(subprocess.run([\"zstd\", \"-dcq\", path], capture_output=True, "
    "check=True).stdout, "
    "kind)\n"
    "assert len(cells) == int.from_bytes(header[24:32], \"little\")\n"
    "print(dict(zip(*(found.tolist() for found in numpy.unique(cells, return_counts=True)))))\n"
    "```\n\n";

static void print_licence(const publication *p, FILE *out) {
  fprintf(out, "## Licence\n\n%s\n\n## Citation\n\n", p->licence);
  fprintf(out, "%s. Tables computed by Tauler %s", p->title, tauler_version());
  fprintf(out, "; a table is identified by the digest of its cells, which `tauler probe` names.\n");
}

static uint64_t rule_set_bytes(const publication *p, const tauler_slice *set) {
  char below[FOLDER_PATH_BYTES];
  uint64_t bytes = 0;
  const int n = snprintf(below, sizeof below, "%s/%s%s%s/", set->game, set->rules, *set->cycles ? "/" : "",
                         set->cycles);
  for (size_t i = 0; i < p->listed.used; i++)
    if (strncmp(p->listed.list[i].path, below, (size_t)n) == 0) bytes += p->listed.list[i].bytes;
  return bytes;
}

static void print_rule_sets(const publication *p, const tauler_contents *all, FILE *out) {
  fputs("| game | rules | cycles | slices | positions | size |\n| --- | --- | --- | --- | --- | --- |\n",
        out);
  for (size_t first = 0, end; first < all->slices_used; first = end) {
    const tauler_slice *set = &all->slices[first];
    uint64_t positions = 0;
    end = first + contents_count_rule_set(all, first);
    for (size_t i = first; i < end; i++) positions += all->slices[i].positions;
    fprintf(out, "| %s | `%s` | %s | %zu: `%s` … `%s` | %" PRIu64 " | %s |\n", set->game, set->rules,
            set->cycles, end - first, set->slice, all->slices[end - 1].slice, positions,
            text_size(rule_set_bytes(p, set)).text);
  }
}

static bool has_game(const tauler_contents *contents, const game *g) {
  for (size_t i = 0; i < contents->slices_used; i++)
    if (strcmp(contents->slices[i].game, g->name) == 0) return true;
  return false;
}

static void print_games(const publication *p, const tauler_contents *contents, FILE *out) {
  static const char *const languages[][2] = {{"en", "English"}, {"es", "español"}, {"ca", "català"}};
  fputs("\n## Games\n\n", out);
  for (const game *const *g = game_list(); *g; g++) {
    if (!has_game(contents, *g)) continue;
    const game_help help = game_help_of(*g);
    fprintf(out, "### %s\n\n%s. A position is written as `%s`.", (*g)->name, help.title, help.example);
    for (size_t i = 0; p->module && i < sizeof languages / sizeof *languages; i++)
      fprintf(out, "%s [%s](explorer/rules/%s.%s.md)", i ? "," : " The rules:", languages[i][1], (*g)->name,
              languages[i][0]);
    fputs(p->module ? ".\n\n" : "\n\n", out);
  }
}

static tauler_error publish_card(publication *p, const tauler_contents *contents) {
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (out) {
    fprintf(out, "# %s\n\nExact values of game positions, in tables that Tauler computed.\n\n", p->title);
    print_rule_sets(p, contents, out);
    print_games(p, contents, out);
    fputs(card_text, out);
    print_licence(p, out);
  }
  tauler_error error = out && fclose(out) == 0
                           ? publish_bytes(p, CARD_NAME, text, n)
                           : tauler_fail(p->message, TAULER_NO_MEMORY, "no memory for the card");
  free(text);
  return error;
}

/* --- page --- */

static bool is_table_file(const char *below) {
  return strncmp(below, CATALOGUE_FOLDER "/", sizeof CATALOGUE_FOLDER) == 0 &&
         strcmp(below, CATALOGUE_NAME) != 0;
}

static void list_page_files(json_writer *json, const publication *p) {
  json_field_array(json, "page");
  for (size_t i = 0; i < p->digests.used; i++)
    if (!is_table_file(p->digests.list[i].path) && strcmp(p->digests.list[i].path, CARD_NAME) != 0)
      json_string(json, p->digests.list[i].path);
  json_end_array(json);
}

/* Lists files of tables in the order of the catalogue, except each that no longer fits into PACK_BYTES. */
static void list_packed_tables(json_writer *json, const publication *p) {
  uint64_t room = PACK_BYTES;
  json_field_array(json, "tables");
  for (size_t i = 0; i < p->listed.used; i++) {
    char below[FOLDER_PATH_BYTES];
    if (p->listed.list[i].bytes > room) continue;
    room -= p->listed.list[i].bytes;
    snprintf(below, sizeof below, "%s/%s", CATALOGUE_FOLDER, p->listed.list[i].path);
    json_string(json, below);
  }
  json_end_array(json);
}

/* Publishes the list of the files that a browser stores for use without a network. */
static tauler_error publish_pack(publication *p) {
  char version[SUM_TEXT]; /* digest of all files so far, which names the publication */
  json_writer json;
  size_t n;
  sums_digest(&p->digests, version);
  json_open_buffer(&json);
  json_begin_object(&json);
  json_field_string(&json, "version", version);
  list_page_files(&json, p);
  list_packed_tables(&json, p);
  json_end_object(&json);
  const char *text = json_text(&json, &n);
  const tauler_error placed = publish_bytes(p, PACK_NAME, text, n);
  const tauler_error error = json_close(&json, placed ? NULL : p->message);
  return placed ? placed : error;
}

/* The line of the server's index.html after which lines are added, and these lines: which sources the page
 * may load, and where the tables are. */
static const char charset_line[] = "    <meta charset=\"utf-8\">\n";
static const char added_lines[] =
    "    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; "
    "script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'\">\n"
    "    <meta name=\"tauler-tables\" content=\"tables/\">\n";

static tauler_error publish_index_html(publication *p, const api_file *file) {
  tauler_message *message = p->message;
  growing out = {0};
  const unsigned char *at = memmem(file->bytes, file->length, charset_line, sizeof charset_line - 1);
  if (!at) return tauler_fail(message, TAULER_INTERNAL, "index.html does not say its charset");
  const size_t head = (size_t)(at - file->bytes) + sizeof charset_line - 1;
  tauler_error error = growing_add(&out, file->bytes, head, message);
  if (!error) error = growing_add(&out, added_lines, sizeof added_lines - 1, message);
  if (!error) error = growing_add(&out, file->bytes + head, file->length - head, message);
  if (!error) error = publish_bytes(p, INDEX, out.bytes, out.used);
  free(out.bytes);
  return error;
}

/* A service worker serves only paths below its own, so offline.js is beside index.html. */
static tauler_error publish_file(publication *p, const api_file *file) {
  char below[FOLDER_PATH_BYTES];
  if (strcmp(file->name, INDEX) == 0) return publish_index_html(p, file);
  snprintf(below, sizeof below, EXPLORER "%s", file->name);
  const bool offline = strcmp(file->name, OFFLINE) == 0;
  return publish_bytes(p, offline ? &OFFLINE[sizeof STATIC_PART - 1] : below, file->bytes, file->length);
}

static tauler_error publish_page(publication *p) {
  growing module = {0};
  if (!p->module) return TAULER_OK;
  tauler_error error = growing_read(&module, p->module, p->message);
  if (!error) error = publish_bytes(p, EXPLORER MODULE, module.bytes, module.used);
  free(module.bytes);
  for (size_t i = 0; i < page_files_used && !error; i++) error = publish_file(p, &page_files[i]);
  return error ? error : publish_pack(p);
}

static tauler_error publish_all(publication *p, const tauler_contents *contents) {
  progress_start(&p->shown, "publish", "tables", 0, 0);
  tauler_error error = folder_walk(p->db, check_and_publish_table, p, p->message);
  if (!error && p->tables == 0)
    error =
        tauler_fail(p->message, TAULER_TABLE_MISSING, "there is no table in %.400s; build some first", p->db);
  if (!error) error = catalogue_write(&p->listed, p->folder, p->message);
  if (!error) error = add_digest(p, CATALOGUE_NAME);
  if (!error) error = publish_card(p, contents);
  if (!error) error = publish_page(p);
  return error ? error : sums_write(&p->digests, p->folder, p->message);
}

static tauler_error publish_folder(publication *p) {
  tauler *db = NULL;
  tauler_contents *contents = NULL;
  tauler_error error = check_folders(p);
  if (!error) error = tauler_open(p->db, NULL, &db, p->message);
  if (!error) error = tauler_list(db, &contents, p->message);
  if (!error) error = publish_all(p, contents);
  tauler_contents_free(contents);
  tauler_close(db);
  names_places_close(&p->places);
  catalogue_free(&p->listed);
  sums_free(&p->digests);
  return error;
}

/* --- command --- */

static void print_figures(const publication *p, bool as_json) {
  if (as_json) {
    json_line(stdout, JSON_TEXT("folder", p->folder), JSON_COUNT("tables", p->tables),
              JSON_COUNT("cells", p->cells), JSON_COUNT("bytes", p->bytes));
  } else {
    printf("published %zu tables, %" PRIu64 " cells, %s, in %s\n", p->tables, p->cells,
           text_size(p->bytes).text, p->folder);
  }
}

static const char *text_option(const options *parsed, const char *name, const char *unsaid) {
  const char *text = options_get(parsed, name);
  return text && *text ? text : unsaid;
}

/* Writes the path of tauler.wasm and returns true if it is beside this program or where `make install` puts
 * it. */
static bool find_module(char path[FOLDER_PATH_BYTES]) {
  static const char *const places[] = {"tauler.wasm", "../share/tauler/tauler.wasm"};
  char program[PATH_MAX];
  char *slash = launcher_program(program);
  if (!slash) return false;
  slash[1] = '\0';
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (snprintf(path, FOLDER_PATH_BYTES, "%s%s", program, places[i]) < FOLDER_PATH_BYTES &&
        access(path, R_OK) == 0)
      return true;
  return false;
}

static void choose_page(const options *parsed, char path[FOLDER_PATH_BYTES], publication *p) {
  if (options_has(parsed, "no-page")) return;
  p->module = options_get(parsed, "module");
  if (!p->module && find_module(path)) p->module = path;
  if (!p->module && !options_has(parsed, "quiet"))
    fputs("tauler publish: tables alone, without the page that shows them: tauler.wasm, the module that "
          "answers on it, is not beside the program (make wasm makes it, --module names one)\n",
          stderr);
}

static tauler_error run_publish(const options *parsed, tauler_message *message) {
  char module[FOLDER_PATH_BYTES];
  publication p = {.db = game_options_folder(parsed),
                   .folder = options_argument(parsed, 0),
                   .title = text_option(parsed, "title", "Tauler tables"),
                   .licence = text_option(parsed, "licence", "MIT"),
                   .message = message};
  size_t coder = 0;
  progress_open(&p.shown, stderr, progress_choose(options_has(parsed, "quiet"), false));
  tauler_error error = threads_option(parsed, &p.threads, message);
  if (!error) error = options_word(parsed, "coder", &coder, message);
  p.adaptive = coder > 0;
  choose_page(parsed, module, &p);
  if (!error) error = publish_folder(&p);
  progress_abandon(&p.shown);
  if (!error && (options_has(parsed, "json") || !options_has(parsed, "quiet")))
    print_figures(&p, options_has(parsed, "json"));
  return error;
}

const command command_publish = {.name = "publish",
                                 .arguments = "DIR",
                                 .arguments_completion = "@dir",
                                 .groups = groups,
                                 .run = run_publish};
