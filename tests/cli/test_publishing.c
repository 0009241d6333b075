/* Tests parts of what is published: paths that lead elsewhere. */
#include <string.h>
#include <zstd.h>

#include "analysis/publish/catalogue.h"
#include "tests/support/suite.h"

/* A catalogue of one file without head. */
static tauler_error read_one(const char *file, catalogue *out, tauler_message *message) {
  unsigned char plain[256] = {7}, packed[512];
  const size_t n = strlen(file);
  plain[8] = (unsigned char)n;
  for (size_t i = 0; i < n; i++) plain[16 + i] = (unsigned char)file[i];
  const size_t used = ZSTD_compress(packed, sizeof packed, plain, 16 + n, 1);
  return catalogue_read(out, "the list", packed, used, message);
}

START_TEST(paths_that_lead_elsewhere_are_refused) {
  static const char *const wrong[] = {"/etc/passwd", "../a.zst", "a/../b.zst", "a//b.zst", "a/.b.zst",
                                      "a/",          "",         ".",          "a\nb.zst", "a\\b.zst"};
  tauler_message message;
  catalogue read = {0};
  ck_assert_int_eq(read_one("auale/awari/even/1.value.zst", &read, &message), TAULER_OK);
  ck_assert_uint_eq(read.used, 1);
  ck_assert_str_eq(read.list[0].path, "auale/awari/even/1.value.zst");
  ck_assert_uint_eq(read.list[0].bytes, 7);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_msg(read_one(wrong[i], &read, &message) == TAULER_DAMAGED_FILE, "%s", wrong[i]);
  ck_assert_int_eq(catalogue_read(&read, "the list", "nonsense", 8, &message), TAULER_DAMAGED_FILE);
  catalogue_free(&read);
}
END_TEST

SUITE("publishing") {
  TEST(paths_that_lead_elsewhere_are_refused);
}
