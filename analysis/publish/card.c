/* Writes the card of a published folder. */
#include "analysis/publish/publish.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/publish/place.h"
#include "base/text.h"
#include "games/registry.h"

static const char reading[] =
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

static void print_licence(const card *of, FILE *out) {
  fprintf(out, "## Licence\n\n%s\n\n## Citation\n\n", of->licence);
  fprintf(out, "%s. Tables computed by Tauler %s", of->title, tauler_version());
  fprintf(out, "; a table is identified by the digest of its cells, which `tauler probe` names.\n");
}

/* Bytes of the tables of a rule set, offsets included. */
static uint64_t bytes_of(const card *of, const tauler_slice *set) {
  char below[FOLDER_PATH_BYTES];
  uint64_t bytes = 0;
  const int n = snprintf(below, sizeof below, "%s/%s%s%s/", set->game, set->rules, *set->cycles ? "/" : "",
                         set->cycles);
  for (size_t i = 0; i < of->files->used; i++)
    if (strncmp(of->files->list[i].path, below, (size_t)n) == 0) bytes += of->files->list[i].bytes;
  return bytes;
}

static void print_rule_sets(const card *of, FILE *out) {
  const tauler_contents *all = of->contents;
  fputs("| game | rules | cycles | slices | positions | size |\n| --- | --- | --- | --- | --- | --- |\n",
        out);
  for (size_t first = 0, end; first < all->slices_used; first = end) {
    const tauler_slice *set = &all->slices[first];
    uint64_t positions = 0;
    end = first + contents_rule_set(all, first);
    for (size_t i = first; i < end; i++) positions += all->slices[i].positions;
    fprintf(out, "| %s | `%s` | %s | %zu: `%s` … `%s` | %" PRIu64 " | %s |\n", set->game, set->rules,
            set->cycles, end - first, set->slice, all->slices[end - 1].slice, positions,
            text_size(bytes_of(of, set)).text);
  }
}

static bool has_game(const card *of, const game *g) {
  for (size_t i = 0; i < of->contents->slices_used; i++)
    if (strcmp(of->contents->slices[i].game, g->name) == 0) return true;
  return false;
}

static void print_games(const card *of, FILE *out) {
  static const char *const languages[][2] = {{"en", "English"}, {"es", "español"}, {"ca", "català"}};
  fputs("\n## Games\n\n", out);
  for (const game *const *g = game_list(); *g; g++) {
    if (!has_game(of, *g)) continue;
    const game_help help = game_help_of(*g);
    fprintf(out, "### %s\n\n%s. A position is written as `%s`.", (*g)->name, help.title, help.example);
    for (size_t i = 0; of->page && i < sizeof languages / sizeof *languages; i++)
      fprintf(out, "%s [%s](explorer/rules/%s.%s.md)", i ? "," : " The rules:", languages[i][1], (*g)->name,
              languages[i][0]);
    fputs(of->page ? ".\n\n" : "\n\n", out);
  }
}

tauler_error card_write(const card *of, const char *folder, tauler_message *message) {
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (out) {
    fprintf(out, "# %s\n\nExact values of game positions, in tables that Tauler computed.\n\n", of->title);
    print_rule_sets(of, out);
    print_games(of, out);
    fputs(reading, out);
    print_licence(of, out);
  }
  tauler_error error = out && fclose(out) == 0
                           ? place_bytes(folder, CARD_NAME, text, n, message)
                           : tauler_fail(message, TAULER_NO_MEMORY, "no memory for the card");
  free(text);
  return error;
}
