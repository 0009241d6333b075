/* A library to preload: the k-th call by which tauler (or zstd within it) asks for memory or for a file
 * fails.
 *
 * The environment says what happens: FAILING_PROGRAM the program, FAILING_STATE a file of one failing_state
 * that is written in place. Calls that other libraries make of their own accord are neither counted nor
 * failed. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma GCC visibility push(default)

enum { MEMORY, FILES, KINDS };
typedef struct {
  int64_t fail[KINDS]; /* ordinal of the call that fails, from 1, or -k for all from the k-th on, or 0 */
  _Atomic int64_t calls[KINDS]; /* so far */
  char failed[64];              /* name of the call that failed */
  uint64_t place;               /* where it was made: bytes behind the start of the program */
} failing_state;

enum { RANGES = 8 };
static failing_state *state;
static struct { uintptr_t first, end, base; } ranges[RANGES];
static size_t range_count;

static int note_range(struct dl_phdr_info *object, size_t size, void *unused) {
  /* The program itself has no name. */
  if (object->dlpi_name[0] != '\0' && strstr(object->dlpi_name, "libzstd") == NULL) return 0;
  for (int i = 0; i < object->dlpi_phnum && range_count < RANGES; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    ranges[range_count].base = object->dlpi_addr;
    ranges[range_count].first = object->dlpi_addr + part->p_vaddr;
    ranges[range_count].end = ranges[range_count].first + part->p_memsz;
    range_count++;
  }
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *program = getenv("FAILING_PROGRAM");
  const char *path = getenv("FAILING_STATE");
  char own[4096];
  if (program == NULL || path == NULL) return;
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length < 0) return;
  own[length] = '\0';
  if (strcmp(own, program) != 0) return;
  int descriptor = open(path, O_RDWR);
  if (descriptor < 0) return;
  void *mapped = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (mapped == MAP_FAILED) return;
  dl_iterate_phdr(note_range, NULL);
  state = mapped;
}

static bool fails(int kind, const char *name, const void *caller) {
  if (state == NULL) return false;
  uintptr_t at = (uintptr_t)caller;
  for (size_t i = 0; i < range_count; i++) {
    if (at < ranges[i].first || at >= ranges[i].end) continue;
    const int64_t call = atomic_fetch_add(&state->calls[kind], 1) + 1, which = state->fail[kind];
    if (which < 0 ? call < -which : call != which) return false;
    if (call == which || call == -which) {
      strncpy(state->failed, name, sizeof state->failed - 1);
      state->place = at - ranges[i].base;
    }
    errno = kind == MEMORY ? ENOMEM : EIO;
    return true;
  }
  return false;
}

/* The loader asks for memory before it can look up names. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

#define FAILS(kind, name) fails(kind, name, __builtin_return_address(0))
#define NEXT(name, type) ((type)dlsym(RTLD_NEXT, name))

void *malloc(size_t size) {
  return FAILS(MEMORY, "malloc") ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  return FAILS(MEMORY, "calloc") ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  return FAILS(MEMORY, "realloc") ? NULL : __libc_realloc(old, size);
}
void *aligned_alloc(size_t to, size_t size) {
  return FAILS(MEMORY, "aligned_alloc") ? NULL : __libc_memalign(to, size);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): a type and lists in parentheses. */
/* A call that returns `wrong` where it fails; else it goes on to the library below. */
#define PASS_ON(kind, type, wrong, name, parameters, arguments)                                              \
  type name parameters {                                                                                     \
    if (FAILS(kind, #name)) return wrong;                                                                    \
    return NEXT(#name, type(*) parameters) arguments;                                                        \
  }
/* NOLINTEND(bugprone-macro-parentheses) */

PASS_ON(MEMORY, char *, NULL, strdup, (const char *text), (text))
PASS_ON(MEMORY, char *, NULL, strndup, (const char *text, size_t n), (text, n))
PASS_ON(MEMORY, FILE *, NULL, open_memstream, (char **text, size_t *size), (text, size))
PASS_ON(FILES, ssize_t, -1, read, (int file, void *bytes, size_t n), (file, bytes, n))
PASS_ON(FILES, ssize_t, -1, pread, (int file, void *bytes, size_t n, off_t at), (file, bytes, n, at))
PASS_ON(FILES, ssize_t, -1, write, (int file, const void *bytes, size_t n), (file, bytes, n))
PASS_ON(FILES, ssize_t, -1, pwrite, (int file, const void *bytes, size_t n, off_t at), (file, bytes, n, at))
PASS_ON(FILES, int, -1, fsync, (int file), (file))
PASS_ON(FILES, int, -1, rename, (const char *from, const char *to), (from, to))
PASS_ON(FILES, int, -1, linkat, (int from, const char *old, int to, const char *new, int flags),
        (from, old, to, new, flags))
PASS_ON(FILES, int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
PASS_ON(FILES, int, -1, ftruncate, (int file, off_t size), (file, size))
PASS_ON(FILES, int, -1, fallocate, (int file, int mode, off_t at, off_t size), (file, mode, at, size))
PASS_ON(FILES, int, -1, fstat, (int file, struct stat *found), (file, found))
PASS_ON(FILES, int, -1, stat, (const char *path, struct stat *found), (path, found))
PASS_ON(FILES, int, -1, lstat, (const char *path, struct stat *found), (path, found))

/* These ask for memory as well. */
FILE *fopen(const char *path, const char *mode) {
  if (FAILS(MEMORY, "fopen") || FAILS(FILES, "fopen")) return NULL;
  return NEXT("fopen", FILE * (*)(const char *, const char *))(path, mode);
}

DIR *opendir(const char *path) {
  if (FAILS(MEMORY, "opendir") || FAILS(FILES, "opendir")) return NULL;
  return NEXT("opendir", DIR * (*)(const char *))(path);
}

typedef int scan_filter(const struct dirent *);
typedef int scan_order(const struct dirent **, const struct dirent **);
int scandir(const char *path, struct dirent ***entries, scan_filter *filter, scan_order *order) {
  if (FAILS(MEMORY, "scandir") || FAILS(FILES, "scandir")) return -1;
  return NEXT("scandir", int (*)(const char *, struct dirent ***, scan_filter *, scan_order *))(
      path, entries, filter, order);
}

int asprintf(char **text, const char *format, ...) {
  if (FAILS(MEMORY, "asprintf")) return -1;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(text, format, arguments);
  va_end(arguments);
  return length;
}

ssize_t __getdelim(char **line, size_t *room, int end, FILE *file) {
  if (FAILS(MEMORY, "getdelim")) return -1;
  return NEXT("__getdelim", ssize_t(*)(char **, size_t *, int, FILE *))(line, room, end, file);
}

/* The file is closed all the same, as the system does it. */
int close(int file) {
  bool failed = FAILS(FILES, "close");
  int result = NEXT("close", int (*)(int))(file);
  if (failed) errno = EIO;
  return failed ? -1 : result;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (FAILS(FILES, "open")) return -1;
  return NEXT("open", int (*)(const char *, int, mode_t))(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (FAILS(FILES, "openat")) return -1;
  return NEXT("openat", int (*)(int, const char *, int, mode_t))(folder, path, flags, mode);
}

void *mmap(void *wanted, size_t size, int protection, int flags, int file, off_t at) {
  if (FAILS(MEMORY, "mmap")) return MAP_FAILED;
  return NEXT("mmap", void *(*)(void *, size_t, int, int, int, off_t))(wanted, size, protection, flags, file,
                                                                       at);
}
