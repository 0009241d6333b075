/* Writes files that are complete or absent. */
#include "base/durable_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Hidden names of durable_file_create: this prefix, then HOST.PID.NANOSECONDS.FINALNAME. HOST has no dots. */
static const char temporary_prefix[] = ".tauler-tmp.";

enum {
  HOST_BYTES = 64,
  FINAL_NAME_KEPT = 100, /* most bytes of the final name, so that the hidden one stays below NAME_MAX */
  CREATE_TRIES = 100,
  FOREIGN_AGE_SECONDS = 24 * 60 * 60,
  LARGEST_TRANSFER = 1 << 30 /* most bytes in one call (Linux transfers less than 2 GiB) */
};

struct durable_file {
  int descriptor;
  uint64_t end; /* offset of the next append */
  char *path;
  char *temporary;
  char *folder;
};

static tauler_error fail_system_call(tauler_message *message, int cause, const char *what, const char *path) {
  const tauler_error error = tauler_errno_error(cause);
  return tauler_fail(message, error, "cannot %s %s: %s%s", what, path, strerror(cause),
                     error == TAULER_NO_SPACE ? "; free some space, raise the quota or choose another folder"
                                              : "");
}

static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  if (slash == path) return strdup("/");
  return strndup(path, (size_t)(slash - path));
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void read_host(char host[HOST_BYTES]) {
  struct utsname system;
  const bool known = uname(&system) == 0 && system.nodename[0];
  snprintf(host, HOST_BYTES, "%.*s", HOST_BYTES - 1, known ? system.nodename : "unknown");
  for (char *c = host; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '-';
}

static char *new_temporary_name(const char *folder, const char *path) {
  char host[HOST_BYTES], *name = NULL;
  struct timespec now;
  read_host(host);
  clock_gettime(CLOCK_REALTIME, &now);
  if (asprintf(&name, "%s/%s%s.%ld.%" PRIx64 ".%.*s", folder, temporary_prefix, host, (long)getpid(),
               (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec, FINAL_NAME_KEPT,
               name_of(path)) < 0)
    return NULL;
  return name;
}

void durable_file_keep(durable_file *file) {
  if (!file) return;
  if (file->descriptor >= 0) close(file->descriptor);
  free(file->path);
  free(file->temporary);
  free(file->folder);
  free(file);
}

/* Locks the hidden file, so that durable_folder_clean can see that the writer lives. Returns false if a
 * cleaner unlinked the file between creation and lock. */
static bool lock_temporary_file(int descriptor) {
  struct stat status;
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {}
  return fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

static tauler_error open_temporary_file(durable_file *file, tauler_message *message) {
  for (int tries = 0; tries < CREATE_TRIES; tries++) {
    free(file->temporary);
    file->temporary = new_temporary_name(file->folder, file->path);
    if (!file->temporary) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", file->path);
    file->descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->descriptor < 0) {
      if (errno == EEXIST || errno == EINTR) continue;
      return fail_system_call(message, errno, "create a file in the folder of", file->path);
    }
    if (lock_temporary_file(file->descriptor)) return TAULER_OK;
    close(file->descriptor);
    file->descriptor = -1;
  }
  return tauler_fail(message, TAULER_IO, "cannot create a file in %s: every name tried was taken",
                     file->folder);
}

static tauler_error make_file(const char *path, durable_file **out, tauler_message *message) {
  durable_file *file = *out = calloc(1, sizeof *file);
  if (file) {
    file->descriptor = -1;
    file->path = strdup(path);
    file->folder = folder_of(path);
    if (file->path && file->folder) return TAULER_OK;
  }
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", path);
}

/* After an error frees the file, which may be incomplete, and sets *out to NULL. */
static tauler_error free_after_error(tauler_error error, durable_file **out) {
  if (!error) return TAULER_OK;
  durable_file_keep(*out);
  *out = NULL;
  return error;
}

tauler_error durable_file_create(const char *path, durable_file **out, tauler_message *message) {
  *out = NULL;
  if (!name_of(path)[0]) return tauler_fail(message, TAULER_IO, "cannot write '%s': it names a folder", path);
  tauler_error error = make_file(path, out, message);
  if (!error) error = open_temporary_file(*out, message);
  return free_after_error(error, out);
}

tauler_error durable_file_join(const char *path, const char *hidden, bool writes, durable_file **out,
                               tauler_message *message) {
  tauler_error error = make_file(path, out, message);
  while (!error && (*out)->descriptor < 0) {
    (*out)->descriptor = open(hidden, (writes ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    if ((*out)->descriptor < 0 && errno != EINTR)
      error = fail_system_call(message, errno, "open what another rank began of", path);
  }
  return free_after_error(error, out);
}

/* True if the open file is regular and `name` is its only name: by a second name, another process could write
 * to it later. Sets *about. */
static bool is_own_file(const char *name, int descriptor, struct stat *about) {
  struct stat named;
  return fstat(descriptor, about) == 0 && lstat(name, &named) == 0 && S_ISREG(about->st_mode) &&
         about->st_nlink == 1 && about->st_dev == named.st_dev && about->st_ino == named.st_ino;
}

static tauler_error open_hidden_file(durable_file *file, const char *hidden, uint64_t *n,
                                     tauler_message *message) {
  struct stat about;
  file->temporary = strdup(hidden);
  if (!file->temporary) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", file->path);
  do {
    file->descriptor = open(file->temporary, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  } while (file->descriptor < 0 && errno == EINTR);
  const int cause = errno;
  const bool odd = cause == ELOOP || cause == EISDIR || cause == ENXIO;
  if (file->descriptor < 0 && !odd) return fail_system_call(message, cause, "write", file->temporary);
  if (file->descriptor < 0 || !is_own_file(file->temporary, file->descriptor, &about))
    return tauler_fail(message, TAULER_IO,
                       "%s is in the way: it is a folder, a link or a file of several names; remove it",
                       file->temporary);
  *n = (uint64_t)about.st_size;
  return TAULER_OK;
}

tauler_error durable_file_resume(const char *path, const char *hidden, durable_file **out, uint64_t *n,
                                 tauler_message *message) {
  tauler_error error = make_file(path, out, message);
  if (!error) error = open_hidden_file(*out, hidden, n, message);
  return free_after_error(error, out);
}

bool durable_file_is_named(const durable_file *file) {
  struct stat about;
  return is_own_file(file->temporary, file->descriptor, &about);
}

const char *durable_file_hidden(const durable_file *file) {
  return file->temporary;
}

tauler_error durable_file_resize(durable_file *file, uint64_t n, tauler_message *message) {
  int result;
  if (n > INT64_MAX) return fail_system_call(message, EFBIG, "write", file->path);
  do { result = ftruncate(file->descriptor, (off_t)n); } while (result != 0 && errno == EINTR);
  return result == 0 ? TAULER_OK : fail_system_call(message, errno, "write", file->path);
}

int durable_write_range(int descriptor, uint64_t offset, const void *bytes, size_t n) {
  const unsigned char *from = bytes;
  while (n) {
    if (offset > INT64_MAX) return EFBIG;
    const size_t part = n < LARGEST_TRANSFER ? n : LARGEST_TRANSFER;
    const ssize_t done = pwrite(descriptor, from, part, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : ENOSPC;
    from += done;
    offset += (uint64_t)done;
    n -= (size_t)done;
  }
  return 0;
}

tauler_error durable_file_write_at(durable_file *file, uint64_t offset, const void *bytes, size_t n,
                                   tauler_message *message) {
  const int cause = durable_write_range(file->descriptor, offset, bytes, n);
  return cause ? fail_system_call(message, cause, "write", file->path) : TAULER_OK;
}

tauler_error durable_file_write(durable_file *file, const void *bytes, size_t n, tauler_message *message) {
  const tauler_error error = durable_file_write_at(file, file->end, bytes, n, message);
  if (error == TAULER_OK) file->end += n;
  return error;
}

void durable_file_seek(durable_file *file, uint64_t offset) {
  file->end = offset;
}

int durable_file_descriptor(const durable_file *file) {
  return file->descriptor;
}

/* A failed fsync is not repeated: the system may have dropped the pages that it could not write. */
tauler_error durable_file_sync(durable_file *file, tauler_message *message) {
  int result;
  do { result = fsync(file->descriptor); } while (result != 0 && errno == EINTR);
  if (result != 0) return fail_system_call(message, errno, "bring to the disk", file->path);
  (void)posix_fadvise(file->descriptor, 0, 0, POSIX_FADV_DONTNEED);
  return TAULER_OK;
}

static tauler_error sync_folder(const char *folder, tauler_message *message) {
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return fail_system_call(message, errno, "open the folder", folder);
  int result;
  do { result = fsync(descriptor); } while (result != 0 && errno == EINTR);
  const int cause = errno;
  close(descriptor);
  /* Some file systems have nothing to sync in a folder and return EINVAL. */
  if (result != 0 && cause != EINVAL && cause != ENOTSUP)
    return fail_system_call(message, cause, "bring to the disk the folder", folder);
  return TAULER_OK;
}

tauler_error durable_file_commit(durable_file *file, tauler_message *message) {
  tauler_error error = durable_file_sync(file, message);
  if (error == TAULER_OK && rename(file->temporary, file->path) != 0)
    error = fail_system_call(message, errno, "give the finished file its name", file->path);
  if (error != TAULER_OK) {
    durable_file_abandon(file);
    return error;
  }
  error = sync_folder(file->folder, message);
  durable_file_keep(file);
  return error;
}

void durable_file_abandon(durable_file *file) {
  if (!file) return;
  if (file->temporary) unlink(file->temporary);
  durable_file_keep(file);
}

tauler_error durable_file_put(const char *path, const void *bytes, size_t n, tauler_message *message) {
  durable_file *file;
  tauler_error error = durable_file_create(path, &file, message);
  if (error) return error;
  error = durable_file_write(file, bytes, n, message);
  if (!error) return durable_file_commit(file, message);
  durable_file_abandon(file);
  return error;
}

static tauler_error create_one_folder(const char *path, tauler_message *message) {
  struct stat status;
  if (mkdir(path, 0777) != 0) {
    const int cause = errno;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return TAULER_OK;
    if (cause == EEXIST)
      return tauler_fail(message, TAULER_IO, "cannot create the folder %s: a file of that name is in the way",
                         path);
    return fail_system_call(message, cause, "create the folder", path);
  }
  char *above = folder_of(path);
  if (!above) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to create the folder %s", path);
  const tauler_error error = sync_folder(above, message);
  free(above);
  return error;
}

tauler_error durable_folder_create(const char *path, tauler_message *message) {
  if (!path[0]) return tauler_fail(message, TAULER_IO, "cannot create a folder without a name");
  char *part = strdup(path);
  if (!part) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to create the folder %s", path);
  size_t length = strlen(part);
  while (length > 1 && part[length - 1] == '/') part[--length] = 0;
  tauler_error error = TAULER_OK;
  for (size_t i = 1; i < length && error == TAULER_OK; i++) {
    if (part[i] != '/' || part[i - 1] == '/') continue;
    part[i] = 0;
    error = create_one_folder(part, message);
    part[i] = '/';
  }
  if (error == TAULER_OK) error = create_one_folder(part, message);
  free(part);
  return error;
}

static bool is_of_this_host(const char *name) {
  char host[HOST_BYTES];
  read_host(host);
  const char *rest = name + strlen(temporary_prefix);
  const size_t length = strlen(host);
  return strncmp(rest, host, length) == 0 && rest[length] == '.';
}

/* True if the writer of a hidden file seems to be dead. The lock shows whether a writer of this host lives.
 * Some file systems have no locks, or hide the locks of other hosts: then the age of the file decides. */
static bool is_stale(int descriptor, const char *name) {
  struct stat status;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    if (is_of_this_host(name)) return true;
  } else if (errno == EWOULDBLOCK) {
    return false;
  }
  return fstat(descriptor, &status) == 0 && time(NULL) - status.st_mtime > FOREIGN_AGE_SECONDS;
}

static void remove_if_stale(int folder, const char *name) {
  const int descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (is_stale(descriptor, name)) unlinkat(folder, name, 0);
  close(descriptor);
}

tauler_error durable_folder_clean(const char *path, tauler_message *message) {
  DIR *folder = opendir(path);
  if (!folder) return fail_system_call(message, errno, "list the folder", path);
  const struct dirent *entry;
  while ((entry = readdir(folder)))
    if (strncmp(entry->d_name, temporary_prefix, strlen(temporary_prefix)) == 0)
      remove_if_stale(dirfd(folder), entry->d_name);
  closedir(folder);
  return TAULER_OK;
}

/* With O_NONBLOCK, open does not wait if the path is a pipe. */
tauler_error durable_read_open(const char *path, int *descriptor, uint64_t *n, tauler_message *message) {
  struct stat about;
  do {
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (*descriptor < 0 && errno == EINTR);
  const bool missing = *descriptor < 0 && (errno == ENOENT || errno == ENOTDIR);
  if (missing) return tauler_fail(message, TAULER_TABLE_MISSING, "there is no file %s", path);
  const bool odd = *descriptor < 0 && (errno == ENXIO || errno == ELOOP); /* a socket, or links in a circle */
  if (!odd && (*descriptor < 0 || fstat(*descriptor, &about) != 0)) {
    const tauler_error error = fail_system_call(message, errno, "read", path);
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
    return error;
  }
  if (!odd && S_ISREG(about.st_mode)) {
    *n = (uint64_t)about.st_size;
    return TAULER_OK;
  }
  if (!odd) close(*descriptor);
  *descriptor = -1;
  return tauler_fail(message, TAULER_DAMAGED_FILE, "%s is no regular file", path);
}

tauler_error durable_read_range(int descriptor, const char *path, uint64_t offset, void *bytes, size_t n,
                                tauler_message *message) {
  unsigned char *to = bytes;
  while (n) {
    const size_t part = n < LARGEST_TRANSFER ? n : LARGEST_TRANSFER;
    const ssize_t done = offset > INT64_MAX ? 0 : pread(descriptor, to, part, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return fail_system_call(message, errno, "read", path);
    if (done == 0)
      return tauler_fail(message, TAULER_DAMAGED_FILE, "%s ends at byte %" PRIu64 ", before its content does",
                         path, offset);
    to += done;
    offset += (uint64_t)done;
    n -= (size_t)done;
  }
  return TAULER_OK;
}
