/* Durable files and folders: a file appears whole or not at all, also under a table that is written. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/durable_file.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"

/* Runs in a child, since limits and identity cannot be taken back; returns its exit code. */
static int in_child(int (*run)(void)) {
  const pid_t child = fork();
  int status = 0;
  if (child == 0) _exit(run());
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status), "the child was killed by signal %d", WTERMSIG(status));
  return WEXITSTATUS(status);
}

static int write_with_full_disk(void) {
  const struct rlimit limit = {20000, 20000};
  const recipe noise = {TABLE_U8, TABLE_PLAIN, 3, true, NONE, NONE, NONE};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  return (int)try_write(&noise, 1000000, 1024, 1, NULL);
}

CASE(a_full_disk_is_told_and_leaves_nothing) {
  ck_assert_int_eq(in_child(write_with_full_disk), TAULER_NO_SPACE);
  ck_assert_uint_eq(files_in_folder(false), 0);
}

static int write_as_nobody(void) {
  if (geteuid() == 0 && setuid(65534) != 0) return 99;
  return (int)try_write(&plain_bytes, 1000, 1024, 1, NULL);
}

CASE(a_folder_without_permission_is_an_input_output_error) {
  ck_assert_int_eq(chmod(folder, 0555), 0);
  ck_assert_int_eq(in_child(write_as_nobody), TAULER_IO);
  chmod(folder, 0755);
  snprintf(path, sizeof path, "%s/missing/t.zst", folder);
  REFUSED(TAULER_IO, path, try_write(&plain_bytes, 1000, 1024, 1, hear()));
}

CASE(a_durable_file_appears_only_when_committed) {
  durable_file *file;
  size_t n;
  MUST(durable_file_create(path, &file, NULL));
  durable_file_seek(file, 4);
  MUST(durable_file_write(file, "efgh", 4, NULL));
  MUST(durable_file_write_at(file, 0, "abcd", 4, NULL));
  MUST(durable_file_write(file, "ij", 2, NULL));
  ck_assert_int_ne(access(path, F_OK), 0);
  MUST(durable_file_commit(file, NULL));
  unsigned char *bytes = read_file(path, &n);
  ck_assert_msg(n == 10 && memcmp(bytes, "abcdefghij", 10) == 0, "the file is not what was written");
  ck_assert_uint_eq(files_in_folder(false), 1);
}

CASE(an_abandoned_durable_file_leaves_nothing) {
  durable_file *file;
  MUST(durable_file_create(path, &file, NULL));
  MUST(durable_file_write(file, "x", 1, NULL));
  durable_file_abandon(file);
  ck_assert_uint_eq(files_in_folder(false), 0);
}

CASE(a_file_that_several_write_is_one) {
  durable_file *file, *joined;
  char bytes[4] = "";
  size_t n;
  MUST(durable_file_create(path, &file, NULL));
  MUST(durable_file_resize(file, 7, NULL));
  MUST(durable_file_join(path, durable_file_hidden(file), true, &joined, NULL));
  MUST(durable_file_write_at(joined, 3, "defg", 4, NULL));
  ck_assert_int_eq(durable_read_range(durable_file_descriptor(joined), path, 3, bytes, 4, NULL), TAULER_IO);
  MUST(durable_file_sync(joined, NULL));
  durable_file_abandon(joined);
  MUST(durable_file_join(path, durable_file_hidden(file), false, &joined, NULL));
  MUST(durable_read_range(durable_file_descriptor(joined), path, 3, bytes, 4, NULL));
  ck_assert(memcmp(bytes, "defg", 4) == 0);
  ck_assert_int_eq(durable_file_write_at(joined, 3, "x", 1, NULL), TAULER_IO);
  durable_file_abandon(joined);
  MUST(durable_file_write_at(file, 0, "abc", 3, NULL));
  MUST(durable_file_commit(file, NULL));
  unsigned char *whole = read_file(path, &n);
  ck_assert(n == 7 && memcmp(whole, "abcdefg", 7) == 0);
  ck_assert_int_eq(durable_file_join(path, "nowhere", true, &joined, NULL), TAULER_IO);
}

static int die_while_writing(void) {
  durable_file *file;
  return (int)durable_file_create(path, &file, NULL);
}

/* The file of an earlier call is continued, unless it has another name, too. */
CASE(a_hidden_file_is_gone_on_with) {
  char hidden[SUITE_FOLDER_BYTES + 16], other[SUITE_FOLDER_BYTES + 16];
  durable_file *file;
  uint64_t n;
  struct stat status;
  snprintf(hidden, sizeof hidden, "%s/.part", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  MUST(durable_file_resume(path, hidden, &file, &n, NULL));
  ck_assert_uint_eq(n, 0);
  MUST(durable_file_write_at(file, 0, "abc", 3, NULL));
  durable_file_keep(file);
  MUST(durable_file_resume(path, hidden, &file, &n, NULL));
  ck_assert_uint_eq(n, 3);
  ck_assert(durable_file_is_named(file));
  ck_assert_int_eq(rename(hidden, other), 0);
  ck_assert(!durable_file_is_named(file));
  ck_assert_int_eq(rename(other, hidden), 0);
  MUST(durable_file_commit(file, NULL));
  ck_assert_int_eq(stat(path, &status), 0);
  ck_assert_int_eq(status.st_size, 3);
  ck_assert_int_eq(link(path, hidden), 0);
  ck_assert_int_eq(durable_file_resume(path, hidden, &file, &n, NULL), TAULER_IO);
  ck_assert_int_eq(unlink(hidden), 0);
  ck_assert_int_eq(symlink(path, hidden), 0);
  ck_assert_int_eq(durable_file_resume(path, hidden, &file, &n, NULL), TAULER_IO);
  ck_assert_int_eq(unlink(hidden), 0);
  ck_assert_int_eq(mkdir(hidden, 0777), 0);
  REFUSED(TAULER_IO, hidden, durable_file_resume(path, hidden, &file, &n, hear()));
  ck_assert_int_eq(rmdir(hidden), 0);
}

CASE(regular_files_alone_are_read) {
  char other[SUITE_FOLDER_BYTES + 16];
  uint64_t n;
  int descriptor;
  MUST(durable_file_put(path, "abc", 3, NULL));
  snprintf(other, sizeof other, "%s/other", folder);
  ck_assert_int_eq(durable_read_open(other, &descriptor, &n, NULL), TAULER_TABLE_MISSING);
  ck_assert_int_eq(symlink(path, other), 0);
  MUST(durable_read_open(other, &descriptor, &n, NULL));
  ck_assert_uint_eq(n, 3);
  ck_assert_int_eq(close(descriptor), 0);
  ck_assert_int_eq(unlink(other), 0);
  ck_assert_int_eq(mkfifo(other, 0600), 0); /* nobody writes */
  ck_assert_int_eq(durable_read_open(other, &descriptor, &n, NULL), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(descriptor, -1);
  ck_assert_int_eq(durable_read_open(folder, &descriptor, &n, NULL), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(durable_read_open("/dev/zero", &descriptor, &n, NULL), TAULER_DAMAGED_FILE);
}

CASE(cleaning_removes_what_dead_writers_left_and_nothing_else) {
  durable_file *alive;
  char foreign[320], old[320];
  must_write(&plain_bytes, 10, 1024, 1);
  MUST(durable_file_create(path, &alive, NULL));
  MUST(in_child(die_while_writing));
  snprintf(foreign, sizeof foreign, "%s/.tauler-tmp.elsewhere-.1.2.t", folder);
  snprintf(old, sizeof old, "%s/.tauler-tmp.elsewhere-.1.3.t", folder);
  const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
  fclose(fopen(foreign, "w"));
  fclose(fopen(old, "w"));
  ck_assert_int_eq(utimensat(AT_FDCWD, old, times, 0), 0);
  ck_assert_uint_eq(files_in_folder(false), 5);
  MUST(durable_folder_clean(folder, NULL));
  ck_assert_uint_eq(files_in_folder(false), 3); /* without those of a dead writer and of long ago */
  ck_assert_msg(access(foreign, F_OK) == 0, "the new file of a writer elsewhere was removed");
  ck_assert_int_ne(access(old, F_OK), 0);
  ck_assert_msg(durable_file_commit(alive, NULL) == TAULER_OK, "the file of a living writer was removed");
  ck_assert_int_eq(durable_folder_clean(path, NULL), TAULER_IO);
}

CASE(folders_are_created_with_those_above) {
  char deep[320];
  struct stat status;
  snprintf(deep, sizeof deep, "%s/a//b/c/", folder);
  MUST(durable_folder_create(deep, NULL));
  MUST(durable_folder_create(deep, NULL));
  ck_assert(stat(deep, &status) == 0 && S_ISDIR(status.st_mode));
  write_file((const unsigned char *)"x", 1);
  REFUSED(TAULER_IO, "in the way", durable_folder_create(path, hear()));
  ck_assert_int_eq(durable_folder_create("", NULL), TAULER_IO);
  snprintf(deep, sizeof deep, "rm -r %s/a", folder);
  ck_assert_int_eq(system(deep), 0);
}

SUITE("durable file") {
  table_fixture(suite);
  GROUP("failing writes");
  TESTS(a_full_disk_is_told_and_leaves_nothing, a_folder_without_permission_is_an_input_output_error);
  GROUP("durable files");
  TESTS(a_durable_file_appears_only_when_committed, an_abandoned_durable_file_leaves_nothing,
        a_file_that_several_write_is_one, a_hidden_file_is_gone_on_with, regular_files_alone_are_read,
        cleaning_removes_what_dead_writers_left_and_nothing_else, folders_are_created_with_those_above);
}
