/* Tests parts of what is published: lists that strangers wrote. */
#include <zstd.h>

#include "analysis/publish/catalogue.h"
#include "analysis/publish/sums.h"
#include "tests/support/suite.h"

typedef struct {
  size_t used;
  uint64_t bytes;
  char path[64];
} seen;

static tauler_error look_at(void *user, const catalogue_entry *entry, tauler_message *unused) {
  seen *all = user;
  all->used++;
  all->bytes = entry->bytes;
  snprintf(all->path, sizeof all->path, "%s", entry->path);
  return TAULER_OK;
}

/* Packs one file without head, of n bytes of path; returns the packed bytes. */
static size_t pack(const char *file, size_t n, int window, void *packed, size_t room) {
  unsigned char plain[256] = {7};
  plain[8] = (unsigned char)n;
  memcpy(plain + 16, file, n);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_inBuffer in = {plain, 16 + n, 0};
  ZSTD_outBuffer out = {packed, room, 0};
  ck_assert_uint_eq(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush), 0); /* before its size is known */
  ck_assert_uint_eq(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0);
  ZSTD_freeCCtx(context);
  return out.pos;
}

static tauler_error read_one(const char *file, size_t n, seen *out) {
  unsigned char packed[512];
  const size_t used = pack(file, n, 20, packed, sizeof packed);
  return catalogue_read("the list", packed, used, look_at, out, hear());
}

CASE(paths_that_lead_elsewhere_are_refused) {
  static const char *const wrong[] = {"/etc/passwd", "../a.zst", "a/../b.zst", "a//b.zst", "a/.b.zst",
                                      "a/",          "",         ".",          "a\nb.zst", "a\\b.zst"};
  static const char right[] = "auale/awari/even/1.value.zst";
  seen read = {0};
  MUST(read_one(right, sizeof right - 1, &read));
  ck_assert_uint_eq(read.used, 1);
  ck_assert_str_eq(read.path, right);
  ck_assert_uint_eq(read.bytes, 7);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_msg(read_one(wrong[i], strlen(wrong[i]), &read) == TAULER_DAMAGED_FILE, "%s", wrong[i]);
  ck_assert_int_eq(read_one(right, sizeof right, &read), TAULER_DAMAGED_FILE); /* a NUL within */
  ck_assert_int_eq(catalogue_read("the list", "nonsense", 8, look_at, &read, hear()), TAULER_DAMAGED_FILE);
}

/* A reader has memory for the window that the list's writer says: more than a list of ours needs is not
 * given. */
CASE(a_catalogue_is_whole_and_needs_little_memory) {
  unsigned char packed[512];
  seen read = {0};
  size_t n = pack("a/1.zst", 7, 24, packed, sizeof packed);
  ck_assert_int_eq(catalogue_read("the list", packed, n, look_at, &read, hear()), TAULER_DAMAGED_FILE);
  n = pack("a/1.zst", 7, 23, packed, sizeof packed);
  MUST(catalogue_read("the list", packed, n, look_at, &read, hear()));
  for (size_t cut = 0; cut < n; cut++)
    ck_assert_int_eq(catalogue_read("the list", packed, cut, look_at, &read, hear()), TAULER_DAMAGED_FILE);
  packed[n] = 0;
  ck_assert_int_eq(catalogue_read("the list", packed, n + 1, look_at, &read, hear()), TAULER_DAMAGED_FILE);
  packed[n - 1] ^= 1; /* last byte of the checksum */
  ck_assert_int_eq(catalogue_read("the list", packed, n, look_at, &read, hear()), TAULER_DAMAGED_FILE);
}

enum { DIGITS = SUM_TEXT - 1 };

/* 64 digits and an end, in a block of exactly that size, so that a sanitizer sees a read beyond it. */
static tauler_error read_line(const char *end, size_t n, sums *out) {
  char *line = suite_zeros(DIGITS + n, 1);
  memset(line, '0', DIGITS);
  memcpy(line + DIGITS, end, n);
  const tauler_error error = sums_read(out, "the list", line, DIGITS + n, hear());
  return error;
}

CASE(lines_of_sums) {
  static const struct {
    const char *end;
    size_t n;
  } wrong[] = {{"", 0},    {" ", 1},    {"  ", 2},     {" \0a", 3}, {"  a\0b", 5}, {"0  a", 4},   {"   ", 2},
               {" -a", 3}, {"\t a", 3}, {"  a\nb", 5}, {"g  a", 4}, {" *", 2},     {"  a\n\0", 5}};
  sums read = {0};
  MUST(read_line("  b", 3, &read));
  MUST(read_line(" *a\n", 4, &read));
  ck_assert_uint_eq(read.used, 2);
  ck_assert_ptr_nonnull(sums_find(&read, "a"));
  ck_assert_ptr_nonnull(sums_find(&read, "b"));
  ck_assert_ptr_null(sums_find(&read, "c"));
  REFUSED(TAULER_DAMAGED_FILE, "twice", read_line("  a", 3, &read));
  sums_free(&read);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ck_assert_msg(read_line(wrong[i].end, wrong[i].n, &read) == TAULER_DAMAGED_FILE, "%zu", i);
    sums_free(&read);
  }
  static const char foreign[] = "\xef\xbb\xbf"
                                "00000000000000000000000000000000ABCDEFABCDEFABCDEFABCDEFABCDEFAB  a\r\n\r\n";
  MUST(sums_read(&read, "the list", foreign, sizeof foreign - 1, hear()));
  const sum *found = sums_find(&read, "a");
  ck_assert_ptr_nonnull(found);
  ck_assert_str_eq(found->digest, "00000000000000000000000000000000abcdefabcdefabcdefabcdefabcdefab");
  sums_free(&read);
  ck_assert_int_eq(sums_read(&read, "the list", "", (size_t)SUMS_MOST_BYTES + 1, hear()),
                   TAULER_DAMAGED_FILE);
}

SUITE("publishing") {
  TESTS(paths_that_lead_elsewhere_are_refused, a_catalogue_is_whole_and_needs_little_memory, lines_of_sums);
}
