#include "analysis/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verify_family.h"
#include "databases/folder.h"
#include "games/registry.h"

enum { MOST_SLICES = 1 << 20 }; /* slice numbers of a game are below this, or it is refused */

const char *verify_verdict_name(verify_verdict verdict) {
  static const char *const names[VERIFY_VERDICTS] = {"proven", "consistent, not proven", "files only",
                                                     "damaged", "wrong"};
  return names[verdict];
}

tauler_error verify_outcome(const verify_summary *summary) {
  if (summary->tables[VERIFY_WRONG]) return TAULER_NOT_PROVEN;
  if (summary->tables[VERIFY_DAMAGED]) return TAULER_DAMAGED_FILE;
  if (summary->tables[VERIFY_FILES_ONLY]) return TAULER_TABLE_MISSING;
  return summary->tables[VERIFY_CONSISTENT] ? TAULER_NOT_PROVEN : TAULER_OK;
}

static void report(const verify_job *job, const verify_family *of, verify_file *file,
                   verify_summary *summary) {
  if (file->reported) return;
  char text[GAME_TEXT_BYTES] = "";
  if (of && file->has_position) of->logic.game->print(of->rules, &file->position, text);
  const verify_finding finding = {.path = file->path,
                                  .header = file->header.game[0] ? &file->header : NULL,
                                  .verdict = file->verdict,
                                  .reason = file->reason.text,
                                  .position = file->has_position ? text : NULL,
                                  .index = file->index,
                                  .stored = file->stored,
                                  .expected = file->expected,
                                  .expects = file->expects};
  summary->tables[file->verdict]++;
  if (file->verdict == VERIFY_PROVEN) summary->positions += file->header.positions;
  file->reported = true;
  if (job->report) job->report(job->user, &finding);
}

/* --- families: the tables of a rule set ------------------------------------------------------------------
 */

static bool same_rules(const table_header *a, const table_header *b) {
  return strcmp(a->game, b->game) == 0 && strcmp(a->rules, b->rules) == 0 &&
         strcmp(a->cycles, b->cycles) == 0;
}

/* The slice called `name` behind all that it needs; none when the game has no such slice. */
static size_t find_slice_by_request(const verify_family *of, const char *name, game_slices *out) {
  const game *game = of->logic.game;
  const game_request requests[] = {{.largest = name}, {.material = name}, {.board = name}};
  for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
    if (game->slices(of->rules, &requests[r], out, NULL)) continue;
    for (size_t i = 0; i < out->used; i++) {
      char found[GAME_TEXT_BYTES];
      game->slice_name(of->rules, out->slices[i].slice, found);
      if (strcmp(found, name) == 0 && out->slices[i].slice < MOST_SLICES) return i + 1;
    }
    free(out->slices);
  }
  *out = (game_slices){0};
  return 0;
}

static tauler_error find_slice(const verify_family *of, const char *name, game_slices *out, size_t *used,
                               tauler_message *message) {
  const game *game = of->logic.game;
  *out = (game_slices){0};
  *used = 0;
  if (!game->slice_named || !game->needs) {
    *used = find_slice_by_request(of, name, out);
    return TAULER_OK;
  }
  uint32_t slice;
  if (!game->slice_named(of->rules, name, &slice) || slice >= MOST_SLICES) return TAULER_OK;
  const tauler_error error = game->needs(of->rules, slice, out, message);
  if (error) return error;
  game_slice *grown = realloc(out->slices, (out->used + 1) * sizeof *grown);
  if (!grown) {
    free(out->slices);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  }
  grown[out->used] = (game_slice){slice, true, game->positions(of->rules, slice)};
  out->slices = grown;
  *used = ++out->used;
  return TAULER_OK;
}

static verify_entry *find_entry(const verify_family *of, const char *name) {
  for (size_t i = 0; i < of->used; i++) {
    if (strcmp(of->entries[i].name, name) == 0) return &of->entries[i];
  }
  return NULL;
}

static tauler_error add_entry(verify_family *of, const char *name, verify_entry **out,
                              tauler_message *message) {
  *out = NULL;
  game_slices slices;
  size_t n;
  const tauler_error error = find_slice(of, name, &slices, &n, message);
  if (error || n == 0) return error;
  verify_entry *grown = realloc(of->entries, (of->used + 1) * sizeof *grown);
  uint32_t *needs = malloc(n * sizeof *needs);
  if (grown) of->entries = grown;
  if (!grown || !needs) {
    free(slices.slices);
    free(needs);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  }
  *out = &of->entries[of->used++];
  **out = (verify_entry){.slice = slices.slices[n - 1].slice,
                         .positions = slices.slices[n - 1].positions,
                         .needs = needs,
                         .needs_used = n - 1};
  snprintf((*out)->name, sizeof(*out)->name, "%s", name);
  for (size_t i = 0; i + 1 < n; i++) needs[i] = slices.slices[i].slice;
  free(slices.slices);
  return TAULER_OK;
}

static int by_order(const void *a, const void *b) {
  const verify_entry *x = a, *y = b;
  return x->slice < y->slice ? -1 : x->slice > y->slice;
}

/* Whether the header is one that the game's tables have. */
static void check_header(const verify_family *of, const verify_entry *at, verify_file *file, bool depth) {
  const table_header *header = &file->header;
  const bool plane = of->chance ? header->cell == TABLE_F64 : header->cell == TABLE_I8;
  const bool fits = depth ? header->cell == TABLE_U8 || header->cell == TABLE_U16 : plane;
  if (header->index_version != of->logic.game->index_version) {
    verify_settle(file, VERIFY_FILES_ONLY, "its positions are numbered by version %u of the index, not %u",
                  header->index_version, of->logic.game->index_version);
  } else if (header->positions != at->positions) {
    verify_settle(file, VERIFY_DAMAGED, "it has %llu positions, but slice %s has %llu",
                  (unsigned long long)header->positions, at->name, (unsigned long long)at->positions);
  } else if (!fits) {
    verify_settle(file, VERIFY_DAMAGED, "its cells are not of a type that stream %s has", header->stream);
  }
}

/* Where the file stands among those of its slice; NULL: nobody knows its stream. */
static verify_file **find_plane(const verify_family *of, verify_entry *at, const verify_file *file,
                                bool *depth) {
  for (int plane = 0; plane < of->logic.planes; plane++) {
    for (int kind = 0; kind < 2; kind++) {
      if (strcmp(file->header.stream, verify_stream(of->logic.planes, plane, kind)) != 0) continue;
      *depth = kind;
      return *depth ? &at->depths[plane] : &at->values[plane];
    }
  }
  return NULL;
}

static verify_file **find_bounds(const verify_family *of, verify_entry *at, const verify_file *file) {
  const int quantities = verify_entry_quantities(of, at);
  for (int i = 0; i < BOUND_KINDS * quantities; i++) {
    char stream[CHANCE_STREAM_BYTES];
    verify_bound_stream(of, at, i / quantities, i % quantities, stream);
    if (strcmp(file->header.stream, stream) == 0) return &at->bounds[i / quantities][i % quantities];
  }
  return NULL;
}

static tauler_error add_file(verify_family *of, verify_file *file, tauler_message *message) {
  verify_entry *at = find_entry(of, file->header.slice);
  const tauler_error error = at ? TAULER_OK : add_entry(of, file->header.slice, &at, message);
  if (error) return error;
  if (!at) {
    verify_settle(file, VERIFY_FILES_ONLY, "%s has no slice %s", file->header.game, file->header.slice);
    return TAULER_OK;
  }
  bool depth = false;
  verify_file **place = of->chance ? find_bounds(of, at, file) : find_plane(of, at, file, &depth);
  if (place) {
    *place = file;
    check_header(of, at, file, depth);
    return TAULER_OK;
  }
  verify_settle(file, VERIFY_FILES_ONLY, "nothing is known about the stream %s", file->header.stream);
  return TAULER_OK;
}

static void give_slice(verify_family *of, uint32_t slice) {
  memory_budget *memory = of->job->memory;
  if (of->bounds) verify_bounds_give(of, slice);
  if (of->logic.cells) {
    memory_give(memory, of->logic.cells[slice]);
    of->logic.cells[slice] = NULL;
  }
  if (of->logic.depths) {
    memory_give(memory, of->logic.depths[slice]);
    of->logic.depths[slice] = NULL;
  }
}

static void family_free(verify_family *of) {
  memory_budget *memory = of->job->memory;
  for (uint32_t slice = 0; slice < of->logic.slices; slice++) give_slice(of, slice);
  memory_give(memory, of->logic.cells);
  memory_give(memory, of->logic.depths);
  memory_give(memory, of->bounds);
  memory_give(memory, of->states);
  for (size_t i = 0; i < of->used; i++) free(of->entries[i].needs);
  free(of->entries);
  if (of->rules) of->logic.game->close(of->rules);
}

/* Finds game and rules by the header's texts; false where this program has none that mean them. */
static bool open_rules(verify_family *of, const table_header *header) {
  const game *asked = of->job->game;
  const game *game = asked && strcmp(asked->name, header->game) == 0 ? asked : game_find(header->game);
  if (!game || game->open(header->rules, header->cycles[0] ? header->cycles : NULL, &of->rules, NULL))
    return false;
  const solve_kind kind = game->kind(of->rules);
  const bool canonical = strcmp(game->rules_text(of->rules), header->rules) == 0 &&
                         strcmp(game->cycles_text(of->rules), header->cycles) == 0;
  of->logic = (verify_set){.game = game,
                           .rules = of->rules,
                           .planes = kind == SOLVE_GUARANTEES ? 2 : 1,
                           .threads = of->job->threads,
                           .memory = of->job->memory,
                           .shown = of->job->shown};
  of->chance = kind == SOLVE_CHANCE;
  return canonical;
}

/* --- the whole folder ------------------------------------------------------------------------------------
 */

typedef struct {
  const verify_job *job;
  verify_list list;
  game_slices asked;
  bool every_slice;
  verify_family *families;
  size_t used;
} folder_check;

/* Whether the job asks for a table; of one that cannot be read only the place tells. */
static bool is_asked(const folder_check *all, const verify_file *file) {
  const verify_job *job = all->job;
  if (!job->game) return true;
  table_header wanted = {.positions = 0};
  snprintf(wanted.game, sizeof wanted.game, "%s", job->game->name);
  snprintf(wanted.rules, sizeof wanted.rules, "%s", job->game->rules_text(job->rules));
  snprintf(wanted.cycles, sizeof wanted.cycles, "%s", job->game->cycles_text(job->rules));
  if (!file->readable) {
    char path[FOLDER_PATH_BYTES];
    if (folder_table_path(job->folder, "", &wanted, path, NULL)) return false;
    return strncmp(path, file->path, (size_t)(strrchr(path, '/') + 1 - path)) == 0;
  }
  if (!same_rules(&wanted, &file->header)) return false;
  for (size_t i = 0; i < all->asked.used; i++) {
    char name[GAME_TEXT_BYTES];
    job->game->slice_name(job->rules, all->asked.slices[i].slice, name);
    if (strcmp(name, file->header.slice) == 0) return true;
  }
  return all->every_slice;
}

static verify_family *find_family(const folder_check *all, const table_header *header) {
  for (size_t i = 0; i < all->used; i++) {
    const verify_family *of = &all->families[i];
    table_header own = {.positions = 0};
    snprintf(own.game, sizeof own.game, "%s", of->logic.game->name);
    snprintf(own.rules, sizeof own.rules, "%s", of->logic.game->rules_text(of->rules));
    snprintf(own.cycles, sizeof own.cycles, "%s", of->logic.game->cycles_text(of->rules));
    if (same_rules(&own, header)) return &all->families[i];
  }
  return NULL;
}

/* Finds the family of a table, or makes a new one. A table of rules that this program does not have, or
 * cannot prove, is settled. */
static tauler_error assign(folder_check *all, verify_file *file, tauler_message *message) {
  verify_family *of = find_family(all, &file->header);
  if (!of) {
    verify_family *grown = realloc(all->families, (all->used + 1) * sizeof *grown);
    if (!grown) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of rule sets");
    all->families = grown;
    of = &grown[all->used];
    *of = (verify_family){.job = all->job};
    if (!open_rules(of, &file->header)) {
      family_free(of);
      verify_settle(file, VERIFY_FILES_ONLY, "this program cannot prove game %s, rules %s %s",
                    file->header.game, file->header.rules, file->header.cycles);
      return TAULER_OK;
    }
    all->used++;
  }
  return add_file(of, file, message);
}

static bool has_values(const verify_family *of, const verify_entry *at) {
  const int bounds = of->chance ? BOUND_KINDS * verify_entry_quantities(of, at) : 0;
  for (int i = 0; i < bounds; i++) {
    if (!at->bounds[i % BOUND_KINDS][i / BOUND_KINDS]) return false;
  }
  if (of->chance) return true;
  for (int plane = 0; plane < of->logic.planes; plane++) {
    if (!at->values[plane]) return false;
  }
  return true;
}

static bool keeps_depths(const verify_family *of, const verify_entry *at) {
  return of->logic.game->kind(of->rules) == SOLVE_OUTCOMES && at->depths[0];
}

static uint64_t kept_bytes(const verify_family *of, const verify_entry *at) {
  if (!has_values(of, at)) return 0;
  if (of->chance)
    return at->positions * (uint64_t)(BOUND_KINDS * verify_entry_quantities(of, at)) * sizeof(double);
  return at->positions * ((unsigned)of->logic.planes + (keeps_depths(of, at) ? sizeof(uint16_t) : 0));
}

/* What the family takes at most: what is kept of all slices that are still needed, and what the check of one
 * takes beside them. */
static uint64_t family_bytes(const verify_family *of) {
  uint64_t kept = 0, most = 0;
  for (size_t i = 0; i < of->used; i++) {
    const verify_entry *at = &of->entries[i];
    if (!has_values(of, at)) continue;
    const uint64_t n = at->positions * (unsigned)of->logic.planes;
    const uint64_t depths = at->depths[0] && !keeps_depths(of, at) ? n * sizeof(uint16_t) : 0;
    kept += kept_bytes(of, at);
    const uint64_t extra = depths + (of->chance ? verify_chance_bytes(at->positions)
                                                : verify_slice_bytes(&of->logic, at->positions));
    if (kept + extra > most) most = kept + extra;
    for (size_t other = 0; other <= i; other++) {
      if (of->entries[other].last_use == i) kept -= kept_bytes(of, &of->entries[other]);
    }
  }
  return most + verify_file_bytes();
}

static void order_entries(verify_family *of) {
  if (of->used == 0) return;
  qsort(of->entries, of->used, sizeof *of->entries, by_order);
  of->logic.slices = of->entries[of->used - 1].slice + 1;
  for (size_t i = 0; i < of->used; i++) {
    of->entries[i].last_use = i;
    for (size_t n = 0; n < of->entries[i].needs_used; n++) {
      const verify_entry wanted = {.slice = of->entries[i].needs[n]};
      verify_entry *needed = bsearch(&wanted, of->entries, i, sizeof wanted, by_order);
      if (needed) needed->last_use = i;
    }
  }
}

static tauler_error prepare_family(verify_family *of, tauler_message *message) {
  order_entries(of);
  memory_budget *memory = of->job->memory;
  const uint32_t slices = of->logic.slices;
  tauler_error error = memory_take_array(memory, slices, sizeof *of->logic.cells, "a list of slices",
                                         &of->logic.cells, message);
  if (!error && of->chance)
    error = memory_take_array(memory, slices, sizeof *of->bounds, "a list of slices", &of->bounds, message);
  if (!error && of->logic.game->kind(of->rules) == SOLVE_OUTCOMES)
    error = memory_take_array(memory, slices, sizeof *of->logic.depths, "a list of slices", &of->logic.depths,
                              message);
  if (!error)
    error = memory_take_array(memory, slices, sizeof *of->states, "a list of slices", &of->states, message);
  return error ? error : memory_plan(memory, family_bytes(of), "the proof of the tables", message);
}

static tauler_error check_family(verify_family *of, verify_summary *summary, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < of->used && !error; i++) {
    const verify_entry *at = &of->entries[i];
    error = of->chance ? verify_bounds_check(of, at, message) : verify_entry_check(of, at, message);
    for (int bound = 0; bound < BOUND_KINDS * CHANCE_MOST_QUANTITIES && !error; bound++) {
      verify_file *file = at->bounds[bound % BOUND_KINDS][bound / BOUND_KINDS];
      if (file) report(of->job, of, file, summary);
    }
    for (int depth = 0; depth < 2 && !error; depth++) {
      for (int plane = 0; plane < of->logic.planes; plane++) {
        verify_file *file = depth ? at->depths[plane] : at->values[plane];
        if (file) report(of->job, of, file, summary);
      }
    }
    for (size_t other = 0; other <= i; other++) {
      if (of->entries[other].last_use == i) give_slice(of, of->entries[other].slice);
    }
  }
  return error;
}

static tauler_error list_slices(folder_check *all, tauler_message *message) {
  const verify_job *job = all->job;
  const game_request *request = job->request;
  all->every_slice = !job->game || !request || !(request->largest || request->material || request->board);
  return all->every_slice ? TAULER_OK : job->game->slices(job->rules, request, &all->asked, message);
}

static tauler_error list_tables(folder_check *all, tauler_message *message) {
  tauler_error error = list_slices(all, message);
  if (!error) error = verify_list_folder(&all->list, all->job->folder, message);
  size_t asked = 0;
  for (size_t i = 0; i < all->list.used && !error; i++) {
    verify_file *file = &all->list.files[i];
    file->reported = !is_asked(all, file);
    asked += !file->reported;
    if (!file->reported && file->readable) error = assign(all, file, message);
  }
  if (!error && asked == 0)
    error = tauler_fail(message, TAULER_TABLE_MISSING, "there is no such table in %s", all->job->folder);
  for (size_t i = 0; i < all->used && !error; i++) error = prepare_family(&all->families[i], message);
  return error;
}

/* Tables that no family has come first. Their frames are checked all the same. */
static tauler_error check_strays(folder_check *all, verify_summary *summary, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < all->list.used && !error; i++) {
    verify_file *file = &all->list.files[i];
    if (!file->settled || file->reported) continue;
    if (file->verdict == VERIFY_FILES_ONLY) {
      table *opened;
      file->settled = false;
      const tauler_message reason = file->reason;
      error = verify_open(file, all->job->threads, &opened, message);
      table_close(opened);
      verify_settle(file, VERIFY_FILES_ONLY, "%s", reason.text);
    }
    report(all->job, NULL, file, summary);
  }
  return error;
}

tauler_error verify_tables(const verify_job *job, verify_summary *summary, tauler_message *message) {
  *summary = (verify_summary){0};
  folder_check all = {.job = job};
  tauler_error error = list_tables(&all, message);
  if (!error) error = check_strays(&all, summary, message);
  for (size_t i = 0; i < all.used && !error; i++) {
    error = check_family(&all.families[i], summary, message);
    /* the next rule set needs the memory */
    family_free(&all.families[i]);
    all.families[i] = (verify_family){.job = job};
  }
  for (size_t i = 0; i < all.used; i++) family_free(&all.families[i]);
  free(all.families);
  free(all.asked.slices);
  verify_list_free(&all.list);
  return error;
}
