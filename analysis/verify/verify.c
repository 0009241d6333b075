/* Visits the tables of a folder, checks each slice, and counts the findings. */
#include "analysis/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verify/verify_family.h"
#include "base/memory.h"
#include "databases/folder.h"

const char *verify_verdict_name(verify_verdict verdict) {
  static const char *const names[VERIFY_VERDICTS] = {
      "proven", "consistent, not proven", "does not follow", "files only", "damaged", "misplaced", "no table",
      "wrong"};
  return names[verdict];
}

const char *verify_proof_name(verify_proof proof) {
  static const char *const names[VERIFY_PROOFS] = {"values",        "bounds, sound and best",
                                                   "bounds, sound", "depths",
                                                   "stages",        "values, lines of play searched again"};
  return names[proof];
}

tauler_error verify_outcome(const verify_summary *summary) {
  if (summary->tables[VERIFY_WRONG] || summary->tables[VERIFY_UNFOUNDED]) return TAULER_NOT_PROVEN;
  if (summary->tables[VERIFY_DAMAGED] || summary->tables[VERIFY_MISPLACED] ||
      summary->tables[VERIFY_NO_TABLE])
    return TAULER_DAMAGED_FILE;
  if (summary->tables[VERIFY_FILES_ONLY]) return TAULER_TABLE_MISSING;
  return summary->tables[VERIFY_CONSISTENT] ? TAULER_NOT_PROVEN : TAULER_OK;
}

static void report_file(const verify_job *job, const verify_family *of, verify_file *file,
                        verify_summary *summary) {
  if (file->reported) return;
  char text[GAME_TEXT_BYTES] = "";
  if (of && file->has_position) of->logic.game->print(of->rules, &file->position, text);
  verify_finding found = file->found;
  found.header = file->header.game[0] ? &file->header : NULL;
  found.reason = file->reason.text;
  found.position = file->has_position ? text : NULL;
  summary->tables[found.verdict]++;
  if (found.verdict == VERIFY_PROVEN) {
    summary->proofs[found.proof]++;
    summary->positions += file->header.positions;
    summary->searched += found.searched;
  }
  file->reported = true;
  if (job->report) job->report(job->user, &found);
}

typedef struct {
  const verify_job *job;
  verify_list list;
  bool every_slice;
  verify_family *families;
  size_t used, room;
} folder_check;

/* Divides the words of a rule set into the board ("" if there is none) and the rest. */
static void split_rules(const char *rules, char rest[TABLE_RULES_BYTES], char board[TABLE_RULES_BYTES]) {
  static const char flag[] = "board=";
  *rest = *board = '\0';
  while (*rules) {
    const size_t word = strcspn(rules, ",");
    char *out = strncmp(rules, flag, sizeof flag - 1) == 0 ? board : rest;
    const size_t used = strlen(out);
    snprintf(out + used, TABLE_RULES_BYTES - used, "%s%.*s", used ? "," : "", (int)word, rules);
    rules += word + (rules[word] == ',');
  }
}

/* True if a job with this cycle rule asks for tables with this header. */
static bool is_chosen_with_cycles(const verify_job *job, const table_header *header, const char *cycles) {
  char rest[TABLE_RULES_BYTES], board[TABLE_RULES_BYTES];
  char own_rest[TABLE_RULES_BYTES], own_board[TABLE_RULES_BYTES];
  if (strcmp(header->game, job->game->name) != 0) return false;
  split_rules(header->rules, rest, board);
  split_rules(job->game->rules_text(job->rules), own_rest, own_board);
  return (job->any & VERIFY_ANY_RULES || strcmp(rest, own_rest) == 0) &&
         (job->any & VERIFY_ANY_BOARD || strcmp(board, own_board) == 0) &&
         (job->any & VERIFY_ANY_CYCLES || strcmp(header->cycles, cycles) == 0);
}

/* True if the job asks for tables with this header, or for tables that rest on them
 * (game->fallback_cycles). */
static bool is_chosen(const verify_job *job, const table_header *header) {
  if (!job->game || is_chosen_with_cycles(job, header, job->game->cycles_text(job->rules))) return true;
  const char *fallback = job->game->fallback_cycles ? job->game->fallback_cycles(job->rules) : NULL;
  return fallback && is_chosen_with_cycles(job, header, fallback);
}

/* True if the job asks for the table at this path, whose header cannot be read. */
static bool is_place_chosen(const verify_job *job, const char *path) {
  if (!job->game) return true;
  table_header place = {.positions = 0};
  const char *rules = path + strlen(job->folder), *end = strrchr(path, '/');
  rules += strspn(rules, "/");
  const size_t game = strcspn(rules, "/");
  snprintf(place.game, sizeof place.game, "%.*s", (int)game, rules);
  rules += game + (rules[game] == '/');
  const size_t name = strcspn(rules, "/");
  snprintf(place.rules, sizeof place.rules, "%.*s", (int)name, rules);
  rules += name + (rules[name] == '/');
  if (rules < end && *job->game->cycles_text(job->rules))
    snprintf(place.cycles, sizeof place.cycles, "%.*s", (int)strcspn(rules, "/"), rules);
  return is_chosen(job, &place);
}

static verify_family *find_family(const folder_check *all, const table_header *header) {
  for (size_t i = 0; i < all->used; i++) {
    const table_header *names = &all->families[i].names;
    if (strcmp(names->game, header->game) == 0 && strcmp(names->rules, header->rules) == 0 &&
        strcmp(names->cycles, header->cycles) == 0)
      return &all->families[i];
  }
  return NULL;
}

/* Leaves *out NULL if the program does not have these rules. */
static tauler_error open_family(folder_check *all, const table_header *header, verify_family **out,
                                tauler_message *message) {
  *out = find_family(all, header);
  if (*out) return TAULER_OK;
  if (!memory_make_room(&all->families, &all->room, all->used + 1, sizeof *all->families))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of rule sets");
  verify_family *of = &all->families[all->used];
  *of = (verify_family){.job = all->job};
  bool known;
  tauler_error error = verify_family_open(of, header, &known, message);
  if (error || !known) {
    verify_family_free(of);
    return error;
  }
  all->used++;
  *out = of;
  if (all->every_slice || strcmp(of->logic.game->name, all->job->game->name) != 0) return TAULER_OK;
  error = of->logic.game->slices(of->rules, all->job->request, &of->asked, message);
  return error == TAULER_BAD_USAGE ? TAULER_OK : error; /* TAULER_BAD_USAGE: these rules have no such slice */
}

/* Adds a table to its family if the job asks for it, otherwise marks it as reported. If the program does not
 * have its rules, settles the table. */
static tauler_error assign_table(folder_check *all, verify_file *file, tauler_message *message) {
  file->reported =
      !(file->readable ? is_chosen(all->job, &file->header) : is_place_chosen(all->job, file->found.path));
  if (file->reported || !file->readable) return TAULER_OK;
  verify_family *of;
  const tauler_error error = open_family(all, &file->header, &of, message);
  if (error) return error;
  file->reported = !all->every_slice &&
                   !(of && game_slices_have(of->logic.game, of->rules, &of->asked, file->header.slice));
  if (file->reported) return TAULER_OK;
  if (of) return verify_family_add(of, file, message);
  verify_settle(file, VERIFY_FILES_ONLY, "this program cannot prove game %s, rules %s %s", file->header.game,
                file->header.rules, file->header.cycles);
  return TAULER_OK;
}

/* Returns false if the family has no fallback. */
static bool find_fallback_header(const verify_family *of, table_header *out) {
  const char *cycles = verify_family_fallback(of);
  if (!cycles) return false;
  *out = of->names;
  snprintf(out->cycles, sizeof out->cycles, "%s", cycles);
  return true;
}

/* Sets the fallback of each family. Opening a family may move the others, so all are opened before any is
 * pointed to. */
static tauler_error link_families(folder_check *all, tauler_message *message) {
  tauler_error error = TAULER_OK;
  table_header header;
  for (size_t i = 0; i < all->used && !error; i++) {
    verify_family *opened;
    if (find_fallback_header(&all->families[i], &header)) error = open_family(all, &header, &opened, message);
  }
  for (size_t i = 0; i < all->used && !error; i++) {
    verify_family *of = &all->families[i];
    if (!find_fallback_header(of, &header)) continue;
    of->fallback = find_family(all, &header);
    if (!of->fallback) return tauler_fail(message, TAULER_INTERNAL, "a cycle rule does not go by its name");
    of->fallback->below = true;
  }
  return error;
}

static void order_families(folder_check *all) {
  for (size_t i = 0; i < all->used; i++) verify_family_order(&all->families[i]);
  for (size_t i = 0; i < all->used; i++) {
    verify_family *of = &all->families[i];
    if (of->fallback && of->fallback->logic.slices < of->logic.slices)
      of->fallback->logic.slices = of->logic.slices;
  }
}

static tauler_error check_entry(const verify_family *of, const verify_entry *at, tauler_message *message) {
  char step[3 * TABLE_NAME_BYTES + GAME_TEXT_BYTES];
  progress *shown = of->job->shown;
  snprintf(step, sizeof step, "%s, slice %s", of->logic.game->rules_text(of->rules), at->name);
  if (shown) progress_start(shown, step, of->logic.game->unit, at->positions, 0);
  const tauler_error error = verify_entry_check(of, at, message);
  if (shown) progress_abandon(shown);
  return error;
}

static tauler_error check_family(verify_family *of, verify_summary *summary, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < of->used && !error; i++) {
    const verify_entry *at = &of->entries[i];
    error = check_entry(of, at, message);
    for (int stream = 0; stream < at->streams && !error; stream++)
      if (at->files[stream]) report_file(of->job, of, at->files[stream], summary);
    for (size_t other = 0; other <= i; other++) {
      if (of->entries[other].last_use == i) verify_family_free_slice(of, of->entries[other].slice);
    }
  }
  return error;
}

/* True if the family lacks a slice that was itself asked for. *name becomes the first one, otherwise "". */
static bool find_missing_slice(const verify_family *of, char name[GAME_TEXT_BYTES]) {
  for (size_t i = 0; i < of->asked.used; i++) {
    if (!of->asked.slices[i].asked) continue;
    of->logic.game->slice_name(of->rules, of->asked.slices[i].slice, name);
    if (!verify_family_find(of, name)) return true;
  }
  *name = '\0';
  return false;
}

static void note_missing_slice(const folder_check *all, verify_summary *summary) {
  const verify_job *job = all->job;
  for (size_t i = 0; i < all->used && !all->every_slice; i++) {
    const verify_family *of = &all->families[i];
    char name[GAME_TEXT_BYTES];
    if (!is_chosen_with_cycles(job, &of->names, job->game->cycles_text(job->rules))) continue;
    const bool missing = find_missing_slice(of, name);
    if (!missing || !*summary->missing) snprintf(summary->missing, sizeof summary->missing, "%s", name);
    if (!missing) return;
  }
}

static tauler_error check_request(folder_check *all, tauler_message *message) {
  const verify_job *job = all->job;
  const game_request *request = job->request;
  all->every_slice = !job->game || !request || !(request->largest || request->material || request->board);
  if (all->every_slice) return TAULER_OK;
  game_slices slices = {0};
  const tauler_error error = job->game->slices(job->rules, request, &slices, message);
  free(slices.slices);
  return error;
}

static tauler_error list_tables(folder_check *all, tauler_message *message) {
  tauler_error error = check_request(all, message);
  if (!error) error = verify_list_folder(&all->list, all->job->folder, message);
  size_t asked = 0;
  for (size_t i = 0; i < all->list.used && !error; i++) {
    error = assign_table(all, &all->list.files[i], message);
    asked += !all->list.files[i].reported;
  }
  if (!error && asked == 0)
    error = tauler_fail(message, TAULER_TABLE_MISSING, "there is no such table in %s", all->job->folder);
  if (!error) error = link_families(all, message);
  if (!error) order_families(all);
  for (int below = 1; below >= 0; below--) {
    for (size_t i = 0; i < all->used && !error; i++) {
      if (all->families[i].below == below) error = verify_family_prepare(&all->families[i], message);
    }
  }
  return error;
}

/* Reports the tables that have a verdict before slices are checked. If the verdict is VERIFY_FILES_ONLY,
 * checks the frames of the file first. */
static tauler_error report_settled_tables(folder_check *all, verify_summary *summary,
                                          tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < all->list.used && !error; i++) {
    verify_file *file = &all->list.files[i];
    if (!file->settled || file->reported) continue;
    if (file->found.verdict == VERIFY_FILES_ONLY) {
      table *opened;
      file->settled = false;
      const tauler_message reason = file->reason;
      error = verify_open(file, comm_rank(all->job->ranks) == 0, all->job->threads, &opened, message);
      table_close(opened);
      error = verify_files_agree(&file, 1, all->job->ranks, error, message);
      verify_settle(file, VERIFY_FILES_ONLY, "%s", reason.text);
    }
    report_file(all->job, NULL, file, summary);
  }
  return error;
}

/* Checks a family and its fallback. Frees both, since the next rule set needs the memory. */
static tauler_error check_and_free_family(verify_family *of, verify_summary *summary,
                                          tauler_message *message) {
  verify_family *const both[] = {of->fallback, of};
  tauler_error error = TAULER_OK;
  for (int i = 0; i < 2 && !error; i++)
    if (both[i]) error = check_family(both[i], summary, message);
  for (int i = 0; i < 2; i++) {
    if (!both[i]) continue;
    verify_family_free(both[i]);
    *both[i] = (verify_family){.job = both[i]->job, .below = both[i]->below};
  }
  return error;
}

tauler_error verify_tables(const verify_job *job, verify_summary *summary, tauler_message *message) {
  *summary = (verify_summary){0};
  folder_check all = {.job = job};
  tauler_error error = comm_agree(job->ranks, list_tables(&all, message), message);
  if (!error) error = verify_list_agree(&all.list, job->ranks, message);
  if (!error) note_missing_slice(&all, summary);
  if (!error) error = report_settled_tables(&all, summary, message);
  for (size_t i = 0; i < all.used && !error; i++) {
    if (!all.families[i].below) error = check_and_free_family(&all.families[i], summary, message);
  }
  for (size_t i = 0; i < all.used; i++) verify_family_free(&all.families[i]);
  free(all.families);
  verify_list_free(&all.list);
  return error;
}
