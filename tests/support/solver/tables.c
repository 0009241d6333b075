#include "tests/support/solver/tables.h"

#include "base/durable_file.h"
#include "databases/names.h"
#include "tests/support/suite.h"

tauler_error suite_try_build(build_job job, tauler_message *message) {
  const game_request all = {0};
  build_cost cost;
  job.level = 1;
  if (!job.request) job.request = &all;
  if (!job.folder) job.folder = folder;
  if (!job.work.threads) job.work.threads = 2;
  if (!job.work.memory) job.work.memory = suite_budget(0);
  return build_tables(&job, &cost, message);
}

void suite_build(build_job job) {
  MUST(suite_try_build(job, hear()));
}

void suite_table_path(const game *game, const game_rules *rules, uint32_t slice, const char *stream,
                      table_header *header, char path[FOLDER_PATH_BYTES]) {
  table_header own;
  if (!header) header = &own;
  names_header(game, rules, slice, stream, header);
  MUST(names_path(game, rules, folder, slice, header, path, hear()));
}

void *suite_read_table(const char *path, table_header *header) {
  table *from;
  MUST(table_open(path, false, &from, hear()));
  *header = *table_get_header(from);
  header->counts = NULL;
  header->counts_used = 0;
  void *cells = suite_zeros(header->positions, table_cell_bytes(header->cell));
  MUST(table_read(from, 0, header->positions, cells, hear()));
  table_close(from);
  return cells;
}

typedef struct {
  const char *stored, *plain;
  size_t cell_bytes;
} chosen_cells;

static tauler_error fill(void *user, uint64_t first, size_t count, void *stored, void *plain,
                         tauler_message *message) {
  const chosen_cells *from = user;
  memcpy(stored, from->stored + first * from->cell_bytes, count * from->cell_bytes);
  if (plain != stored) memcpy(plain, from->plain + first * from->cell_bytes, count * from->cell_bytes);
  return TAULER_OK;
}

void suite_write_table(const char *path, const table_header *header, const void *stored, const void *plain) {
  const table_write_settings settings = {.level = 1, .frame_bytes = 1024, .threads = 1};
  chosen_cells cells = {stored, plain ? plain : stored, table_cell_bytes(header->cell)};
  char above[FOLDER_PATH_BYTES];
  snprintf(above, sizeof above, "%s", path);
  *strrchr(above, '/') = '\0';
  MUST(durable_folder_create(above, hear()));
  MUST(table_write(path, header, &settings, fill, &cells, NULL, hear()));
}
