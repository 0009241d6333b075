/* Locks a folder for one process. */
#include "base/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { NAME_BYTES = 64, TRIES = 100 };
static const char lock_name[] = "/.tauler-lock";

struct folder_lock {
  int descriptor;
  char text[FOLDER_LOCK_TEXT];
  char path[];
};

typedef struct {
  long process;
  char host[NAME_BYTES], since[NAME_BYTES];
  char job[NAME_BYTES]; /* job ID in Slurm, or "-" */
  char run[NAME_BYTES]; /* restart count in Slurm, or "0" */
} owner;

static void describe_self(owner *self) {
  const time_t now = time(NULL);
  struct tm parts;
  const char *job = getenv("SLURM_JOB_ID"), *run = getenv("SLURM_RESTART_COUNT");
  self->process = (long)getpid();
  if (gethostname(self->host, sizeof self->host) != 0) snprintf(self->host, sizeof self->host, "unknown");
  self->host[sizeof self->host - 1] = '\0';
  strftime(self->since, sizeof self->since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  snprintf(self->job, sizeof self->job, "%s", job && *job ? job : "-");
  snprintf(self->run, sizeof self->run, "%s", run && *run ? run : "0");
}

static void read_text(int descriptor, char text[FOLDER_LOCK_TEXT]) {
  const ssize_t n = pread(descriptor, text, FOLDER_LOCK_TEXT - 1, 0);
  text[n > 0 ? n : 0] = '\0';
}

/* Sets the text to "" if the file cannot be read. */
static void read_file_text(const char *path, char text[FOLDER_LOCK_TEXT]) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  read_text(descriptor, text);
  if (descriptor >= 0) close(descriptor);
}

/* Returns false if the text is incomplete: its writer was killed, or still writes it. */
static bool read_owner(int descriptor, owner *found) {
  char text[FOLDER_LOCK_TEXT];
  read_text(descriptor, text);
  return sscanf(text, "process %ld on host %63s since %63s job %63s run %63s", &found->process, found->host,
                found->since, found->job, found->run) == 5;
}

static tauler_error system_error(const char *what, const char *path, tauler_message *message) {
  const int cause = errno;
  return tauler_fail(message, tauler_errno_error(cause),
                     "cannot %s %s, which names who builds in its folder: %s", what, path, strerror(cause));
}

static tauler_error write_self(folder_lock *lock, tauler_message *message) {
  owner self;
  describe_self(&self);
  const ssize_t n = snprintf(lock->text, sizeof lock->text, "process %ld on host %s since %s job %s run %s\n",
                             self.process, self.host, self.since, self.job, self.run);
  ssize_t done;
  do {
    errno = ENOSPC; /* the reason if the text is not written whole */
    done = ftruncate(lock->descriptor, 0) == 0 ? pwrite(lock->descriptor, lock->text, (size_t)n, 0) : -1;
  } while (done < 0 && errno == EINTR);
  if (done == n) return TAULER_OK;
  const tauler_error error = system_error("write", lock->path, message);
  unlink(lock->path);
  return error;
}

/* True if only processes of this host use the file system, so that its locks are known to all. */
static bool is_local(int descriptor) {
  static const uint32_t local[] = {0xEF53 /* ext */,
                                   0x58465342 /* XFS */,
                                   0x9123683E /* Btrfs */,
                                   0x01021994 /* tmpfs */,
                                   0x794C7630 /* overlay */,
                                   0x2FC12FC1 /* ZFS */,
                                   0xF2F52010 /* F2FS */};
  struct statfs about;
  if (fstatfs(descriptor, &about) != 0) return false;
  for (size_t i = 0; i < sizeof local / sizeof *local; i++)
    if ((uint32_t)about.f_type == local[i]) return true;
  return false;
}

/* True if `found` is an earlier run of this job of Slurm. Slurm starts a job again after it has lost a host,
 * on which the earlier run may still work. Only a free lock shows that it does not. */
static bool is_earlier_start(const owner *self, const owner *found) {
  return strcmp(self->job, "-") != 0 && strcmp(self->job, found->job) == 0 &&
         strtol(found->run, NULL, 10) < strtol(self->run, NULL, 10);
}

/* `locks` is true if the system has locks and this lock was free. */
static bool is_stale(int descriptor, const owner *found, bool locks) {
  owner self;
  describe_self(&self);
  if (locks && is_local(descriptor)) return true;
  if (strcmp(self.host, found->host) == 0)
    return locks || found->process == self.process || (kill((pid_t)found->process, 0) != 0 && errno == ESRCH);
  return locks && is_earlier_start(&self, found);
}

static tauler_error refuse_owned_folder(const char *folder, const char *path, const owner *found,
                                        bool known_alive, tauler_message *message) {
  if (known_alive)
    return tauler_fail(message, TAULER_BUSY,
                       "process %ld on host %s has been building in %.300s since %s; wait for it or end it, "
                       "or choose another folder with --db",
                       found->process, found->host, folder, found->since);
  return tauler_fail(message, TAULER_BUSY,
                     "process %ld on host %s has been building in %.300s since %s; if it is no longer there, "
                     "remove %.300s and run the same command again",
                     found->process, found->host, folder, found->since, path);
}

/* Removes the file of an owner that is gone. Only one process at a time checks and removes: otherwise a
 * process that had checked before could remove the file of the next owner. */
static void remove_stale_lock(const folder_lock *lock) {
  char guard[PATH_MAX];
  owner found;
  snprintf(guard, sizeof guard, "%s-over", lock->path);
  const int one = open(guard, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (one < 0) return;
  const int now = open(lock->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (now >= 0 && read_owner(now, &found) && is_stale(now, &found, false)) unlink(lock->path);
  if (now >= 0) close(now);
  close(one);
  unlink(guard);
}

/* Tries to own the file on a system without locks, where the process that makes the file owns it. */
static tauler_error own_file_without_locks(folder_lock *lock, const char *folder, bool made, bool *again,
                                           tauler_message *message) {
  owner found;
  if (made) return write_self(lock, message);
  *again = true;
  if (!read_owner(lock->descriptor, &found)) return TAULER_OK; /* its owner is about to write it */
  if (!is_stale(lock->descriptor, &found, false)) {
    *again = false;
    return refuse_owned_folder(folder, lock->path, &found, false, message);
  }
  remove_stale_lock(lock);
  return TAULER_OK;
}

/* Tries to lock and own the file. `made` is true if this process made it. *again is true if the caller must
 * open it once more, since it was just removed or its owner is about to write it. */
static tauler_error try_to_own_file(folder_lock *lock, const char *folder, bool made, bool *again,
                                    tauler_message *message) {
  struct stat about;
  owner found = {0};
  *again = false;
  while (flock(lock->descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return own_file_without_locks(lock, folder, made, again, message);
    *again = !read_owner(lock->descriptor, &found);
    return *again ? TAULER_OK : refuse_owned_folder(folder, lock->path, &found, true, message);
  }
  *again = fstat(lock->descriptor, &about) != 0 || about.st_nlink == 0;
  if (*again) return TAULER_OK;
  if (read_owner(lock->descriptor, &found) && !is_stale(lock->descriptor, &found, true))
    return refuse_owned_folder(folder, lock->path, &found, false, message);
  return write_self(lock, message);
}

static int open_file(const char *path, bool *made) {
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  int descriptor = open(path, flags | O_CREAT | O_EXCL, 0666);
  *made = descriptor >= 0;
  if (!*made && errno == EEXIST) descriptor = open(path, flags);
  return descriptor;
}

tauler_error folder_lock_acquire(const char *folder, folder_lock **out, tauler_message *message) {
  *out = NULL;
  const size_t room = strlen(folder) + sizeof lock_name;
  folder_lock *lock = malloc(sizeof *lock + room);
  if (!lock) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to lock %s", folder);
  snprintf(lock->path, room, "%s%s", folder, lock_name);
  tauler_error error = TAULER_OK;
  bool again = true;
  for (int tries = 0; again && tries < TRIES; tries++) {
    bool made;
    lock->descriptor = open_file(lock->path, &made);
    if (lock->descriptor < 0 && errno == ENOENT && access(folder, F_OK) == 0) continue; /* just removed */
    if (lock->descriptor < 0) {
      const bool guarded = errno != EROFS && (errno != EACCES || access(lock->path, F_OK) == 0);
      if (guarded) error = system_error("open", lock->path, message);
      free(lock);
      return error;
    }
    error = try_to_own_file(lock, folder, made, &again, message);
    if (error || again) close(lock->descriptor);
    if (again) nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  if (!error && again)
    error = tauler_fail(
        message, TAULER_BUSY,
        "%.300s and %.300s-over change all the time, or a process was killed while it wrote them; if none "
        "builds in their folder, remove them and run the same command again",
        lock->path, lock->path);
  if (!error) *out = lock;
  if (error) free(lock);
  return error;
}

/* Removes the file only if it has the text of this process: a user may have removed the file of this process,
 * and another process made a new one. */
void folder_lock_release(folder_lock *lock) {
  char text[FOLDER_LOCK_TEXT];
  if (!lock) return;
  read_file_text(lock->path, text);
  if (strcmp(text, lock->text) == 0) unlink(lock->path);
  close(lock->descriptor);
  free(lock);
}

void folder_lock_read(const char *folder, char text[FOLDER_LOCK_TEXT]) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", folder, lock_name);
  read_file_text(path, text);
}
