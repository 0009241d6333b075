/* Tables of Dou Shou Qi in files: what reads whole slices agrees with what looks cells up one by one, and no
 * cell can be another without the proof check finding it, digests made anew or not. */
#include "analysis/slices/bulk.h"
#include "analysis/slices/cells.h"
#include "databases/streams.h"
#include "games/registry.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/analysis/verified.h"
#include "tests/support/rules.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

static const game *dsq;
static game_rules *rules;

static void build_material(const char *material) {
  const game_request request = {.material = material};
  suite_build((build_job){.problem = {.game = dsq, .rules = rules}, .request = &request});
}

/* Base rules; lion and elephant against the rat, and what that needs. */
static void set_up(void) {
  make_folder();
  dsq = game_find("doushouqi");
  ck_assert_ptr_nonnull(dsq);
  rules = suite_rules(dsq, NULL, NULL);
  build_material("ELr");
}

static void tear_down(void) {
  remove_folder();
}

static uint32_t slice_called(const char *name) {
  uint32_t slice;
  ck_assert_msg(dsq->slice_named(rules, name, &slice), "%s", name);
  return slice;
}

/* --- whole slices --- */

CASE(dsq_bits_are_what_is_looked_up) {
  static const char *const names[] = {"Lr", "Er", "ELr"};
  tauler_tables *tables;
  bulk *all;
  memory_budget *memory = suite_budget(0);
  tauler *db = asked_folder();
  MUST(tauler_select(db, "doushouqi", NULL, NULL, &tables, NULL));
  ck_assert(bulk_has_depths(tables));
  MUST(bulk_open(tables, slice_called("ELr"), 1 + _i, memory, &all, hear()));
  const uint64_t lists = memory_allocated(memory);
  uint64_t won = 0, taken = 0;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const uint32_t slice = slice_called(names[n]);
    const size_t positions = (size_t)dsq->positions(rules, slice);
    bulk_slice loaded;
    MUST(bulk_load(all, slice, &loaded, hear()));
    ck_assert_ptr_nonnull(loaded.outcomes);
    int8_t *cells = suite_zeros(positions, 1);
    uint16_t *depths = suite_zeros(positions, sizeof *depths);
    plain_cell *looked_up = suite_zeros(positions, sizeof *looked_up);
    bulk_read_outcomes(&loaded, 0, positions, cells, depths);
    MUST(cells_read(tables, slice, NULL, 0, positions, true, looked_up, hear()));
    for (size_t i = 0; i < positions; i++) {
      ck_assert_int_eq(cells[i], looked_up[i].lower);
      ck_assert_int_eq(cells[i], looked_up[i].upper);
      ck_assert_int_eq(cells[i] ? depths[i] : TAULER_NO_DEPTH, looked_up[i].depth_lower);
      won += cells[i] > 0;
    }
  }
  ck_assert_uint_gt(won, 50000);
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    taken = memory_allocated(memory);
    bulk_drop(all, slice_called(names[n]));
    ck_assert_uint_lt(memory_allocated(memory), taken);
  }
  ck_assert_uint_eq(memory_allocated(memory), lists);
  bulk_close(all);
}

/* --- cells that are changed --- */

static tauler_error verify_material(const char *material) {
  const game_request request = {.material = material};
  return verify((verify_job){.game = dsq, .rules = rules, .request = &request});
}

/* A table of one of the slices as it was built. */
typedef struct {
  char path[4096];
  table_header header;
  uint8_t *stored, *left_out;
  uint64_t positions;
} kept_table;

static kept_table keep_table(const char *name, const char *stream) {
  const uint32_t slice = slice_called(name);
  kept_table kept;
  suite_table_path(dsq, rules, slice, stream, &kept.header, kept.path);
  kept.stored = suite_read_table(kept.path, &kept.header);
  ck_assert_uint_eq(table_cell_bytes(kept.header.cell), 1);
  kept.positions = kept.header.positions;
  kept.left_out = suite_zeros(kept.positions, 1);
  dsq->left_out(rules, slice, 0, kept.positions, kept.left_out);
  return kept;
}

/* Plain cells of a table that nobody can read plainly any more are as good as any: 0 where it has none. */
static void write_kept(const kept_table *kept) {
  uint8_t *plain = suite_zeros(kept->positions, 1);
  for (uint64_t i = 0; i < kept->positions; i++)
    plain[i] = kept->stored[i] == (uint8_t)kept->header.reserved ? 0 : kept->stored[i];
  suite_write_table(kept->path, &kept->header, kept->stored, plain);
}

/* Puts one cell in place of another; the table must be found wrong, not damaged. */
static void change(kept_table *kept, uint64_t at, uint8_t cell, const char *material) {
  const uint8_t was = kept->stored[at];
  if (cell == was) return;
  kept->stored[at] = cell;
  write_kept(kept);
  kept->stored[at] = was;
  const tauler_error outcome = verify_material(material);
  ck_assert_msg(outcome == TAULER_NOT_PROVEN, "%s: cell %llu, %u for %u: %s", kept->path,
                (unsigned long long)at, cell, was, findings);
  char wanted[2 * TABLE_NAME_BYTES + 16];
  snprintf(wanted, sizeof wanted, "%s.%s.zst wrong:", kept->header.slice, kept->header.stream);
  expect_finding(wanted);
  const bool looked_up =
      cell == (uint8_t)kept->header.reserved && strcmp(kept->header.stream, STREAM_VALUE) == 0;
  ck_assert_msg((strstr(findings, "to be looked up") != NULL) == looked_up, "%s", findings);
}

/* Takes the table itself out of the way, and puts it back. */
static void move_table(const kept_table *kept, bool back) {
  char path[4096 + 8];
  snprintf(path, sizeof path, "%s.kept", kept->path);
  ck_assert_int_eq(back ? rename(path, kept->path) : rename(kept->path, path), 0);
}

static void change_some(const char *name, const char *stream, int step, uint64_t seed) {
  kept_table kept = keep_table(name, stream);
  move_table(&kept, false);
  const bool depth = strcmp(stream, STREAM_DEPTH) == 0;
  for (uint64_t i = toy_draw(&seed) % (uint64_t)step; i < kept.positions; i += (uint64_t)step) {
    if (kept.left_out[i]) continue;
    if (depth) {
      /* draws have no depth, even if one is stored */
      change(&kept, i, (uint8_t)(kept.stored[i] + 2), name);
      if (kept.stored[i]) change(&kept, i, (uint8_t)(kept.stored[i] - 1), name);
    } else {
      for (int value = -1; value <= 1; value++) change(&kept, i, (uint8_t)value, name);
    }
    change(&kept, i, (uint8_t)kept.header.reserved, name);
  }
  move_table(&kept, true);
  ck_assert_msg(verify_material(name) == TAULER_OK, "%s", findings);
}

CASE(every_change_of_a_cell_is_found) {
  const char *stream = _i % 2 ? STREAM_DEPTH : STREAM_VALUE;
  change_some("Lr", stream, 211, (uint64_t)_i);
  change_some("ELr", stream, 40009, (uint64_t)_i);
}

/* Nothing gives back a cell that tables never leave out. */
CASE(a_table_without_its_cells_is_refused) {
  kept_table kept = keep_table("Lr", STREAM_VALUE);
  const uint32_t slice = slice_called("Lr");
  move_table(&kept, false);
  memset(kept.stored, (uint8_t)kept.header.reserved, kept.positions);
  write_kept(&kept);
  tauler_tables *tables;
  tauler *db = asked_folder();
  MUST(tauler_select(db, "doushouqi", NULL, NULL, &tables, NULL));
  for (uint64_t i = 0; i < kept.positions; i++) {
    tauler_worth worth;
    if (kept.left_out[i]) continue;
    ck_assert_int_eq(tauler_value_at(tables, slice, i, &worth, hear()), TAULER_DAMAGED_FILE);
    ck_assert(!worth.known);
  }
  ck_assert_ptr_nonnull(strstr(said.text, "a value was left out that nothing gives back"));
  move_table(&kept, true);
}

/* Depths of a slice follow from those of the slice that it converts to. */
CASE(other_rules_in_a_smaller_slice_are_found) {
  kept_table kept = keep_table("Er", STREAM_DEPTH);
  game_rules *own = rules;
  rules = suite_rules(dsq, "base,clearings", NULL);
  build_material("Er");
  kept_table others = keep_table("Er", STREAM_DEPTH);
  rules = own;
  ck_assert(memcmp(kept.stored, others.stored, kept.positions) != 0);
  memcpy(kept.stored, others.stored, kept.positions);
  write_kept(&kept);
  ck_assert_int_eq(verify_material("ELr"), TAULER_NOT_PROVEN);
  expect_finding("/Er.depth.zst wrong:");
  expect_finding("ELr.depth.zst files only: it rests on the depths of slice Er");
  expect_finding("ELr.value.zst proven:");
}

SUITE("tables of dou shou qi") {
  FIXTURE_ONCE(set_up, tear_down);
  LOOP(dsq_bits_are_what_is_looked_up, 2);
  LOOP(every_change_of_a_cell_is_found, 2);
  TESTS(a_table_without_its_cells_is_refused, other_rules_in_a_smaller_slice_are_found);
}
