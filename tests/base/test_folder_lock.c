/* base/: a folder has one owner; a dead one is known as such where that can be known. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder_lock.h"
#include "tests/support/suite.h"

static char path[SUITE_FOLDER_BYTES + 16];
static bool is_shared, has_no_locks, is_full, is_interrupted;

/* In the place of the system's own: a file system that hosts share, one without locks, one that is full, and
 * a write that a signal interrupts. */
ssize_t pwrite(int descriptor, const void *bytes, size_t n, off_t at) {
  const bool interrupted = is_interrupted;
  is_interrupted = false;
  if (interrupted) errno = EINTR;
  return is_full ? 0 : interrupted ? -1 : (ssize_t)syscall(SYS_pwrite64, descriptor, bytes, n, at);
}

int fstatfs(int descriptor, struct statfs *about) {
  if (!is_shared) return (int)syscall(SYS_fstatfs, descriptor, about);
  memset(about, 0, sizeof *about);
  about->f_type = 0x6969; /* NFS */
  return 0;
}

int flock(int descriptor, int operation) {
  if (!has_no_locks) return (int)syscall(SYS_flock, descriptor, operation);
  errno = ENOLCK;
  return -1;
}

static void make_locked_folder(void) {
  is_shared = has_no_locks = is_full = is_interrupted = false;
  make_folder();
  snprintf(path, sizeof path, "%s/.tauler-lock", folder);
  unsetenv("SLURM_JOB_ID");
  unsetenv("SLURM_RESTART_COUNT");
}

static void leave_file(long process, const char *host, const char *rest) {
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fprintf(file, "process %ld on host %s since 2026-01-02T03:04:05Z%s", process, host, rest);
  fclose(file);
}

static const char *own_host(void) {
  static char host[64];
  ck_assert_int_eq(gethostname(host, sizeof host), 0);
  return host;
}

/* Of a process that has been there. */
static long dead_process(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  return (long)child;
}

static void expect_taken(void) {
  folder_lock *lock = NULL;
  char text[FOLDER_LOCK_TEXT], wanted[FOLDER_LOCK_TEXT];
  MUST(folder_lock_acquire(folder, &lock, hear()));
  ck_assert_ptr_nonnull(lock);
  folder_lock_read(folder, text);
  snprintf(wanted, sizeof wanted, "process %ld on host %s since 2", (long)getpid(), own_host());
  ck_assert_msg(strncmp(text, wanted, strlen(wanted)) == 0, "%s", text);
  folder_lock_release(lock);
  ck_assert_int_ne(access(path, F_OK), 0);
  folder_lock_read(folder, text);
  ck_assert_str_eq(text, "");
}

static void expect_refused(const char *words) {
  folder_lock *lock = NULL;
  REFUSED(TAULER_BUSY, words, folder_lock_acquire(folder, &lock, hear()));
  ck_assert_ptr_null(lock);
  ck_assert_int_eq(access(path, F_OK), 0);
}

CASE(a_living_owner_is_named) {
  folder_lock *lock = NULL;
  MUST(folder_lock_acquire(folder, &lock, NULL));
  char words[64];
  snprintf(words, sizeof words, "process %ld on host ", (long)getpid());
  expect_refused(words);
  expect_refused("wait for it or end it, or choose another folder with --db");
  is_shared = true;
  expect_refused("wait for it or end it");
  folder_lock_release(lock);
  folder_lock_release(NULL);
  expect_taken();
  ck_assert_int_eq(tauler_exit_code(TAULER_BUSY), 75);
}

CASE(a_killed_owner_is_followed) {
  int ends[2];
  char byte;
  ck_assert_int_eq(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    folder_lock *lock;
    if (folder_lock_acquire(folder, &lock, NULL) != TAULER_OK || write(ends[1], "x", 1) != 1) _exit(1);
    pause();
  }
  ck_assert_int_eq(read(ends[0], &byte, 1), 1);
  expect_refused("wait for it");
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  ck_assert_int_eq(access(path, F_OK), 0);
  expect_taken();
}

CASE(what_was_left_is_judged_by_its_host) {
  leave_file(dead_process(), own_host(), " job - run 0\n");
  is_shared = true;
  expect_taken();
  leave_file(1, "elsewhere", " job - run 0\n");
  expect_refused("process 1 on host elsewhere has been building in ");
  expect_refused("/.tauler-lock and run the same command again");
  is_shared = false; /* a holder would be seen */
  expect_taken();
  is_shared = true;
  leave_file(1, "elsewhere", ""); /* killed while it wrote */
  expect_taken();
}

CASE(a_job_follows_itself) {
  is_shared = true;
  leave_file(1, "elsewhere", " job 12 run 1\n");
  setenv("SLURM_JOB_ID", "12", 1);
  setenv("SLURM_RESTART_COUNT", "1", 1); /* another step of the same run */
  expect_refused("elsewhere");
  setenv("SLURM_JOB_ID", "13", 1);
  setenv("SLURM_RESTART_COUNT", "2", 1);
  expect_refused("elsewhere");
  setenv("SLURM_JOB_ID", "12", 1);
  has_no_locks = true; /* the host may have been lost, and its process not */
  expect_refused("/.tauler-lock and run the same command again");
  has_no_locks = false;
  setenv("SLURM_RESTART_COUNT", "0", 1); /* the lost run looks at the one that followed it */
  expect_refused("elsewhere");
  setenv("SLURM_RESTART_COUNT", "10", 1);
  expect_taken();
}

CASE(the_file_of_another_is_not_removed) {
  folder_lock *lock = NULL;
  has_no_locks = _i;
  MUST(folder_lock_acquire(folder, &lock, NULL));
  ck_assert_int_eq(unlink(path), 0);
  leave_file((long)getppid(), own_host(), " job - run 0\n");
  folder_lock_release(lock);
  ck_assert_int_eq(access(path, F_OK), 0);
}

CASE(without_locks_processes_are_asked) {
  has_no_locks = is_shared = true;
  leave_file(dead_process(), own_host(), " job - run 0\n");
  expect_taken();
  leave_file((long)getppid(), own_host(), " job - run 0\n");
  expect_refused("if it is no longer there, remove ");
}

CASE(the_file_is_written_whole_or_not_at_all) {
  folder_lock *lock = NULL;
  is_interrupted = true;
  expect_taken();
  is_full = true;
  REFUSED(TAULER_NO_SPACE, "No space left", folder_lock_acquire(folder, &lock, hear()));
  ck_assert_int_ne(access(path, F_OK), 0);
}

CASE(a_folder_that_cannot_be_written_is_not_locked) {
  folder_lock *lock = NULL;
  ck_assert_int_eq(folder_lock_acquire("/proc/self/no-such-folder", &lock, NULL), TAULER_IO);
  if (geteuid() == 0) return; /* root may write everywhere */
  ck_assert_int_eq(chmod(folder, 0500), 0);
  MUST(folder_lock_acquire(folder, &lock, NULL));
  ck_assert_ptr_null(lock);
  ck_assert_int_eq(chmod(folder, 0700), 0);
}

enum { OWNERS = 8, TURNS = 25 };

/* Takes turns with others; whether two were ever inside at once shows in the folder. */
static void enter_often(const char *inside) {
  for (int turn = 0; turn < TURNS;) {
    folder_lock *lock;
    const tauler_error error = folder_lock_acquire(folder, &lock, NULL);
    if (error == TAULER_BUSY) continue;
    if (error || mkdir(inside, 0700) != 0 || rmdir(inside) != 0) _exit(1);
    folder_lock_release(lock);
    turn++;
  }
  _exit(0);
}

/* With locks and without, and after a process that was killed. */
CASE(there_is_never_more_than_one) {
  has_no_locks = _i > 0;
  if (_i == 2) leave_file(dead_process(), own_host(), " job - run 0\n");
  char inside[SUITE_FOLDER_BYTES + 16];
  snprintf(inside, sizeof inside, "%s/inside", folder);
  pid_t owners[OWNERS];
  for (int i = 0; i < OWNERS; i++) {
    owners[i] = fork();
    if (owners[i] == 0) enter_often(inside);
  }
  int failed = 0;
  for (int i = 0; i < OWNERS; i++) {
    int status = 0;
    waitpid(owners[i], &status, 0);
    failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  }
  ck_assert_int_eq(failed, 0);
}

SUITE("folder_lock") {
  FIXTURE(make_locked_folder, remove_folder);
  TESTS(a_living_owner_is_named, a_killed_owner_is_followed, what_was_left_is_judged_by_its_host,
        a_job_follows_itself);
  LOOP(the_file_of_another_is_not_removed, 2);
  TESTS(without_locks_processes_are_asked, the_file_is_written_whole_or_not_at_all,
        a_folder_that_cannot_be_written_is_not_locked);
  LOOP(there_is_never_more_than_one, 3);
}
