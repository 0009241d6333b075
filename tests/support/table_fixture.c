#include <dirent.h>
#include <unistd.h>

#include "databases/table_format.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"

char path[300];

static void set_up(void) {
  make_folder();
  snprintf(path, sizeof path, "%s/t.zst", folder);
}

size_t files_in_folder(bool remove_them) {
  DIR *listing = opendir(folder);
  size_t n = 0;
  for (const struct dirent *entry; (entry = readdir(listing));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (remove_them) unlinkat(dirfd(listing), entry->d_name, 0);
    n++;
  }
  closedir(listing);
  return n;
}

void overwrite_in_place(size_t at, unsigned char byte, size_t n) {
  FILE *file = fopen(path, "r+b");
  fseek(file, (long)at, SEEK_SET);
  while (n--) fputc(byte, file);
  fclose(file);
}

const recipe plain_bytes = {TABLE_I8, TABLE_PLAIN, 1, false, NONE, NONE, NONE};

uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

int64_t value_at(const recipe *r, uint64_t i) {
  const uint64_t x = mix(i + r->seed * 1000003);
  if (r->noise) return (int64_t)(x % 200) - (r->cell == TABLE_U8 || r->cell == TABLE_U16 ? 0 : 100);
  const int64_t small = (int64_t)(x % 7) * (int64_t)((x >> 32) % 3);
  switch (r->cell) {
  case TABLE_I8:
    return x % 1000 == 0 ? INT8_MIN + 1 : small - 6;
  case TABLE_U8:
    return x % 1000 == 0 ? UINT8_MAX : small;
  case TABLE_I16:
    return x % 1000 == 0 ? INT16_MIN : small * 700 - 6;
  case TABLE_U16:
    return x % 1000 == 0 ? UINT16_MAX : small * 700;
  default:
    return small - 6;
  }
}

static bool is_implied(const recipe *r, uint64_t i) {
  return r->coding == TABLE_IMPLIED && mix(i) % 3 == 0;
}

int64_t reserved_of(const recipe *r) {
  return r->coding == TABLE_PLAIN ? 0 : r->cell == TABLE_U8 ? 200 : -128;
}

void put_cell(const recipe *r, void *cells, size_t i, int64_t value) {
  switch (r->cell) {
  case TABLE_I8:
  case TABLE_U8:
    ((uint8_t *)cells)[i] = (uint8_t)value;
    break;
  case TABLE_I16:
  case TABLE_U16:
    ((uint16_t *)cells)[i] = (uint16_t)value;
    break;
  case TABLE_F32:
    ((float *)cells)[i] = (float)value / 8;
    break;
  case TABLE_F64:
    ((double *)cells)[i] = (double)value / 7;
    break;
  }
}

int64_t stored_at(const recipe *r, uint64_t i) {
  return is_implied(r, i) ? reserved_of(r) : value_at(r, i);
}

static void corrupt_hidden_file(void) {
  char name[600] = "";
  DIR *listing = opendir(folder);
  for (const struct dirent *entry; (entry = readdir(listing));)
    if (strncmp(entry->d_name, ".tauler-tmp.", 12) == 0)
      snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
  closedir(listing);
  flip_bit(name, TABLE_HEADER_BYTES + 20, 0);
}

static bool holds(int64_t cell, uint64_t first, size_t count) {
  return cell >= 0 && first <= (uint64_t)cell && (uint64_t)cell < first + count;
}

tauler_error fill(void *user, uint64_t first, size_t count, void *stored, void *plain,
                  tauler_message *message) {
  const recipe *r = user;
  if (holds(r->fail_at, first, count)) return tauler_fail(message, TAULER_NOT_PROVEN, "as asked");
  if (holds(r->corrupt_at, first, count)) corrupt_hidden_file();
  for (size_t i = 0; i < count; i++) {
    put_cell(r, plain, i, value_at(r, first + i));
    if (stored != plain) put_cell(r, stored, i, stored_at(r, first + i));
    if ((int64_t)(first + i) == r->lie_at) put_cell(r, stored, i, value_at(r, first + i) + 1);
  }
  return TAULER_OK;
}

table_header header_of(const recipe *r, uint64_t positions) {
  table_header header = {
      .game = "auale", .rules = "abapa", .cycles = "even", .slice = "12", .stream = "value"};
  header.positions = positions;
  header.cell = r->cell;
  header.coding = r->coding;
  header.reserved = reserved_of(r);
  header.index_version = 3;
  return header;
}

tauler_error try_write(const recipe *r, uint64_t positions, uint32_t frame_bytes, int threads,
                       tauler_message *message) {
  const table_header header = header_of(r, positions);
  const table_write_settings settings = {.level = 3, .frame_bytes = frame_bytes, .threads = threads};
  recipe user = *r;
  return table_write(path, &header, &settings, fill, &user, NULL, message);
}

void must_write(const recipe *r, uint64_t positions, uint32_t frame_bytes, int threads) {
  const tauler_error error = try_write(r, positions, frame_bytes, threads, hear());
  ck_assert_msg(error == TAULER_OK, "table_write gives error %d: %s", (int)error, said.text);
}

table *must_open(void) {
  table *t;
  const tauler_error error = table_open(path, false, &t, hear());
  ck_assert_msg(error == TAULER_OK, "table_open gives error %d: %s", (int)error, said.text);
  return t;
}

unsigned char *read_file(const char *name, size_t *n) {
  FILE *file = fopen(name, "rb");
  ck_assert_msg(file != NULL, "cannot open %s", name);
  fseek(file, 0, SEEK_END);
  *n = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = suite_zeros(*n, 1);
  ck_assert_uint_eq(fread(bytes, 1, *n, file), *n);
  fclose(file);
  return bytes;
}

void write_file(const unsigned char *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  ck_assert_msg(file != NULL && fwrite(bytes, 1, n, file) == n && fclose(file) == 0, "cannot write %s", path);
}

void table_fixture(suite_cases *suite) {
  FIXTURE(set_up, remove_folder);
}
