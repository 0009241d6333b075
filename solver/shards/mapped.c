/* Maps the arrays of shards from a file while the shards are loaded. */
#include "solver/shards/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/unnamed_file.h"

enum { LEAST_ARRAYS = 64 };

typedef struct {
  uint32_t shard, part;
  uint64_t offset, bytes, charged;
  void *pages; /* NULL while the array is not mapped */
  bool stale;  /* true if the array must be cleared, which the file system cannot do in place */
} mapped_array;

struct mapped_arrays {
  memory_budget *memory;
  unnamed_file *file;
  mapped_array *list;
  uint64_t n, room;
  uint64_t end; /* bytes of the file */
  int figures;  /* descriptor of /proc/self/statm, or -1 */
};

/* Returns the bytes that this process has in memory, or UINT64_MAX if the system does not say. */
static uint64_t count_resident_bytes(const mapped_arrays *mapped) {
  char text[128] = "";
  char *at = text;
  const ssize_t n = pread(mapped->figures, text, sizeof text - 1, 0);
  if (n <= 0) return UINT64_MAX;
  (void)strtoull(at, &at, 10); /* pages of the address space */
  return strtoull(at, &at, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

tauler_error mapped_open(const char *folder, memory_budget *memory, mapped_arrays **out,
                         tauler_message *message) {
  *out = NULL;
  mapped_arrays *made;
  tauler_error error = memory_allocate(memory, sizeof *made, "list of arrays on the disk", &made, message);
  if (error) return error;
  *made = (mapped_arrays){.memory = memory, .figures = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)};
  error = unnamed_file_open(folder, &made->file, message);
  if (error) {
    mapped_close(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

static void unmap_array(mapped_arrays *mapped, mapped_array *array) {
  if (!array->pages) return;
  munmap(array->pages, array->bytes);
  memory_discharge(mapped->memory, array->charged);
  array->pages = NULL;
}

void mapped_close(mapped_arrays *mapped) {
  if (!mapped) return;
  for (uint64_t i = 0; i < mapped->n; i++) unmap_array(mapped, &mapped->list[i]);
  unnamed_file_close(mapped->file);
  if (mapped->figures >= 0) close(mapped->figures);
  memory_free(mapped->memory, mapped->list);
  memory_free(mapped->memory, mapped);
}

uint64_t mapped_list_bytes(uint64_t arrays) {
  uint64_t room = LEAST_ARRAYS;
  while (room < arrays) room *= 2;
  return sizeof(mapped_arrays) + room * sizeof(mapped_array);
}

static void drop_pages_of(const mapped_array *array) {
  if (array->pages) madvise(array->pages, array->bytes, MADV_DONTNEED);
}

void mapped_drop_pages(const mapped_arrays *mapped) {
  for (uint64_t i = 0; i < mapped->n; i++) drop_pages_of(&mapped->list[i]);
}

void mapped_limit_pages(const mapped_arrays *mapped, uint64_t spare) {
  const uint64_t limit = mapped->memory->limit;
  for (uint64_t i = 0; i < mapped->n && (spare > limit || count_resident_bytes(mapped) > limit - spare); i++)
    drop_pages_of(&mapped->list[i]);
}

static mapped_array *find_array(const mapped_arrays *mapped, uint32_t shard, uint32_t part) {
  for (uint64_t i = 0; i < mapped->n; i++) {
    if (mapped->list[i].shard == shard && mapped->list[i].part == part) return &mapped->list[i];
  }
  return NULL;
}

/* Gives an array a new place behind the end of the file, where bytes are zeros on every file system. */
static tauler_error place_at_end(mapped_arrays *mapped, mapped_array *array, tauler_message *message) {
  const tauler_error error = unnamed_file_extend(mapped->file, mapped->end + array->bytes, message);
  if (error) return error;
  array->offset = mapped->end;
  array->stale = false;
  mapped->end += array->bytes;
  return TAULER_OK;
}

static tauler_error add_array(mapped_arrays *mapped, uint32_t shard, uint32_t part, uint64_t bytes,
                              mapped_array **out, tauler_message *message) {
  if (mapped->n == mapped->room) {
    const uint64_t room = mapped->room ? 2 * mapped->room : LEAST_ARRAYS;
    const tauler_error error = memory_resize(mapped->memory, room * sizeof *mapped->list,
                                             "list of arrays on the disk", &mapped->list, message);
    if (error) return error;
    mapped->room = room;
  }
  mapped_array *added = &mapped->list[mapped->n];
  *added = (mapped_array){.shard = shard, .part = part, .bytes = unnamed_file_round(bytes + 1)};
  const tauler_error error = place_at_end(mapped, added, message);
  if (error) return error;
  mapped->n++;
  *out = added;
  return TAULER_OK;
}

tauler_error mapped_map(mapped_arrays *mapped, uint32_t shard, uint32_t part, uint64_t bytes,
                        uint64_t touched, void *slot, tauler_message *message) {
  void *pages = NULL;
  memcpy(slot, &pages, sizeof pages);
  mapped_array *array = find_array(mapped, shard, part);
  tauler_error error = array ? TAULER_OK : add_array(mapped, shard, part, bytes, &array, message);
  if (!error && (array->pages || array->bytes != unnamed_file_round(bytes + 1)))
    error = tauler_fail(message, TAULER_INTERNAL, "array %u of shard %u is taken twice or of another size",
                        part, shard);
  if (!error && array->stale) error = place_at_end(mapped, array, message);
  if (!error) error = memory_charge(mapped->memory, touched, "an array that lies on the disk", message);
  if (error) return error;
  pages = mmap(NULL, array->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
               unnamed_file_descriptor(mapped->file), (off_t)array->offset);
  if (pages == MAP_FAILED) {
    memory_discharge(mapped->memory, touched);
    return tauler_fail(message, tauler_errno_error(errno), "cannot map an array that lies on the disk: %s",
                       strerror(errno));
  }
  /* Keeps pages few if they are not charged: Linux 6.18 maps all of a large folio when one byte is touched;
   * without read-ahead folios are small. */
  if (touched == 0) madvise(pages, array->bytes, MADV_RANDOM);
  array->pages = pages;
  array->charged = touched;
  memcpy(slot, &pages, sizeof pages);
  return TAULER_OK;
}

tauler_error mapped_reserve(mapped_arrays *mapped, uint32_t shard, uint32_t part, uint64_t from, uint64_t n,
                            tauler_message *message) {
  const mapped_array *array = find_array(mapped, shard, part);
  if (!array) return tauler_fail(message, TAULER_INTERNAL, "array %u of shard %u is not there", part, shard);
  return unnamed_file_reserve(mapped->file, array->offset + from, n, message);
}

void mapped_unmap(mapped_arrays *mapped, uint32_t shard, uint32_t part) {
  mapped_array *array = find_array(mapped, shard, part);
  if (array) unmap_array(mapped, array);
}

void mapped_clear(mapped_arrays *mapped, uint32_t shard, uint32_t part) {
  mapped_array *array = find_array(mapped, shard, part);
  if (array && !array->pages) array->stale = !unnamed_file_discard(mapped->file, array->offset, array->bytes);
}
