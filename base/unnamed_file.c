/* Opens a file without a name, and reserves and frees space in it. */
#include "base/unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/durable_file.h"

struct unnamed_file {
  int descriptor;
  char *folder;
};

tauler_error unnamed_file_open(const char *folder, unnamed_file **out, tauler_message *message) {
  *out = NULL;
  char *path = NULL;
  unnamed_file *made = calloc(1, sizeof *made);
  if (made) *made = (unnamed_file){.descriptor = -1, .folder = strdup(folder)};
  if (!made || !made->folder || asprintf(&path, "%s/spill", folder) < 0) {
    unnamed_file_close(made);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a hidden file in %.300s", folder);
  }
  durable_file *named;
  tauler_error error = durable_file_create(path, &named, message);
  if (!error) {
    made->descriptor = fcntl(durable_file_descriptor(named), F_DUPFD_CLOEXEC, 0);
    if (made->descriptor < 0)
      error = tauler_fail(message, tauler_errno_error(errno), "cannot keep a hidden file in %.300s open: %s",
                          folder, strerror(errno));
    durable_file_abandon(named); /* removes the name, not the file */
  }
  free(path);
  if (error) {
    unnamed_file_close(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

void unnamed_file_close(unnamed_file *file) {
  if (!file) return;
  if (file->descriptor >= 0) close(file->descriptor);
  free(file->folder);
  free(file);
}

static tauler_error fail_write(const unnamed_file *file, int cause, tauler_message *message) {
  if (tauler_errno_error(cause) == TAULER_NO_SPACE)
    return tauler_fail(
        message, TAULER_NO_SPACE,
        "cannot write to the disk in %.300s what does not fit in memory: %s; free some space, "
        "raise the quota, choose another folder, or let more memory be used (--memory, more ranks)",
        file->folder, strerror(cause));
  return tauler_fail(message, tauler_errno_error(cause), "cannot write a hidden file in %.300s: %s",
                     file->folder, strerror(cause));
}

tauler_error unnamed_file_write(const unnamed_file *file, uint64_t offset, const void *bytes, size_t n,
                                tauler_message *message) {
  const int cause = durable_write_range(file->descriptor, offset, bytes, n);
  return cause ? fail_write(file, cause, message) : TAULER_OK;
}

tauler_error unnamed_file_read(const unnamed_file *file, uint64_t offset, void *bytes, size_t n,
                               tauler_message *message) {
  const tauler_error error =
      durable_read_range(file->descriptor, "bytes that wait on the disk", offset, bytes, n, message);
  return error == TAULER_DAMAGED_FILE ? unnamed_file_refuse(file, message) : error;
}

tauler_error unnamed_file_refuse(const unnamed_file *file, tauler_message *message) {
  return tauler_fail(message, TAULER_IO,
                     "bytes that waited on the disk in %.300s do not read back as they were written; check "
                     "the disk and build again",
                     file->folder);
}

bool unnamed_file_discard(const unnamed_file *file, uint64_t offset, uint64_t n) {
  const uint64_t from = unnamed_file_round(offset),
                 to = (offset + n) / UNNAMED_FILE_BLOCK * UNNAMED_FILE_BLOCK;
  if (to <= from) return true;
  return fallocate(file->descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from,
                   (off_t)(to - from)) == 0;
}

int unnamed_file_descriptor(const unnamed_file *file) {
  return file->descriptor;
}

tauler_error unnamed_file_extend(const unnamed_file *file, uint64_t bytes, tauler_message *message) {
  int done;
  do done = ftruncate(file->descriptor, (off_t)bytes);
  while (done != 0 && errno == EINTR);
  return done == 0 ? TAULER_OK : fail_write(file, errno, message);
}

tauler_error unnamed_file_reserve(const unnamed_file *file, uint64_t offset, uint64_t n,
                                  tauler_message *message) {
  int done = 0;
  if (n == 0) return TAULER_OK;
  do done = fallocate(file->descriptor, 0, (off_t)offset, (off_t)n);
  while (done != 0 && errno == EINTR);
  if (done == 0 || errno == EOPNOTSUPP || errno == ENOSYS) return TAULER_OK;
  return fail_write(file, errno, message);
}
