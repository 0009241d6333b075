/* Counts memory against a budget, and allocates it. */
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/available.h"
#include "base/text.h"
#include "base/unnamed_file.h"

enum { ALIGNMENT = 64, PAGE = 4096, LEAST_ITEMS = 16 };
static const uint64_t MAPPED_FROM = UINT64_C(1) << 18, HUGE_FROM = UINT64_C(1) << 22, LARGEST = SIZE_MAX / 2;
static const uint64_t MARK = UINT64_C(0x7461756c65722e6d);

/* The 64 bytes before every block, so that memory_free needs no size. */
typedef struct {
  uint64_t mark;
  uint64_t bytes;
  uint64_t mapped; /* bytes of the mapping, or 0 for a block from the heap */
  uint64_t on_disk;
  unsigned char unused[ALIGNMENT - 32];
} block_head;
_Static_assert(sizeof(block_head) == ALIGNMENT, "a block starts right behind its head");

void memory_budget_open(memory_budget *budget, uint64_t limit) {
  if (limit == 0) {
    uint64_t available = memory_available("");
    limit = available - available / 16;
  }
  budget->limit = limit;
  atomic_init(&budget->taken, 0);
  atomic_init(&budget->peak, 0);
  atomic_init(&budget->takes, 0);
  budget->fail_from = budget->fail_to = 0;
  memory_use_disk(budget, NULL, 0);
  budget->disk_kept = 0;
}

void memory_use_disk(memory_budget *budget, const char *folder, uint64_t bytes) {
  budget->disk_folder = folder;
  atomic_init(&budget->disk_left, bytes);
}

void memory_keep(memory_budget *budget, uint64_t bytes) {
  budget->disk_kept = bytes;
}

static tauler_error refuse_beyond_limit(const memory_budget *budget, uint64_t bytes, const char *what,
                                        tauler_message *message) {
  const uint64_t taken = memory_allocated(budget);
  char already[64] = "";
  if (taken) snprintf(already, sizeof already, ", of which %s is taken", text_size(taken).text);
  return tauler_fail(message, TAULER_NO_MEMORY,
                     "%s: %s (%llu bytes) wanted, the memory limit is %s%s; raise it with --memory where the "
                     "machine has more, or ask for less",
                     what, text_size(bytes).text, (unsigned long long)bytes, text_size(budget->limit).text,
                     already);
}

static tauler_error report_shortage(const memory_budget *budget, uint64_t bytes, const char *what,
                                    tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY,
                     "%s: the system did not give %s (%llu bytes), though the memory limit of %s leaves %s; "
                     "lower it with --memory to be refused earlier, or free memory on this machine",
                     what, text_size(bytes).text, (unsigned long long)bytes, text_size(budget->limit).text,
                     text_size(memory_left(budget)).text);
}

/* Charges bytes if `kept` bytes of the limit remain free afterwards. Otherwise returns false. */
static bool charge_bytes(memory_budget *budget, uint64_t bytes, uint64_t kept) {
  const uint64_t limit = budget->limit > kept ? budget->limit - kept : 0;
  uint64_t taken = atomic_load(&budget->taken);
  do {
    if (taken > limit || bytes > limit - taken) return false;
  } while (!atomic_compare_exchange_weak(&budget->taken, &taken, taken + bytes));
  uint64_t now = taken + bytes, peak = atomic_load(&budget->peak);
  while (peak < now && !atomic_compare_exchange_weak(&budget->peak, &peak, now)) {}
  return true;
}

static bool charge_disk(memory_budget *budget, uint64_t bytes) {
  uint64_t left = atomic_load(&budget->disk_left);
  do {
    if (bytes > left) return false;
  } while (!atomic_compare_exchange_weak(&budget->disk_left, &left, left - bytes));
  return true;
}

/* Counts an allocation. Returns true if a test makes it fail. */
static bool count_allocation(memory_budget *budget) {
  uint64_t ordinal = atomic_fetch_add(&budget->takes, 1) + 1;
  return ordinal >= budget->fail_from && ordinal <= budget->fail_to;
}

static size_t mapped_length(uint64_t bytes) {
  return (size_t)(bytes + sizeof(block_head) + PAGE - 1) / PAGE * PAGE;
}

static block_head *map_block(uint64_t bytes) {
  const size_t length = mapped_length(bytes);
  void *pages =
      mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  if (length >= HUGE_FROM) madvise(pages, length, MADV_HUGEPAGE); /* the kernel may refuse this advice */
  block_head *head = pages;
  head->mapped = length;
  return head;
}

static block_head *allocate_heap_block(uint64_t bytes) {
  size_t length = (size_t)(bytes + sizeof(block_head) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  block_head *head = aligned_alloc(ALIGNMENT, length);
  if (head != NULL) memset(head, 0, length);
  return head;
}

/* Maps a file without a name, which disappears with the mapping. */
static tauler_error map_file(const memory_budget *budget, size_t length, block_head **out,
                             tauler_message *message) {
  unnamed_file *file;
  tauler_error error = unnamed_file_open(budget->disk_folder, &file, message);
  if (error) return error;
  error = unnamed_file_extend(file, length, message);
  if (!error) error = unnamed_file_reserve(file, 0, length, message);
  void *pages = NULL;
  if (!error)
    pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, unnamed_file_descriptor(file), 0);
  if (pages == MAP_FAILED)
    error = tauler_fail(message, tauler_errno_error(errno), "cannot map a hidden file in %.300s: %s",
                        budget->disk_folder, strerror(errno));
  unnamed_file_close(file);
  if (error) return error;
  *out = pages;
  **out = (block_head){.mapped = length, .on_disk = true};
  return TAULER_OK;
}

/* Allocates charged bytes in memory. After an error they are discharged. */
static tauler_error allocate_in_memory(memory_budget *budget, uint64_t bytes, const char *what,
                                       block_head **out, tauler_message *message) {
  *out = bytes < MAPPED_FROM ? allocate_heap_block(bytes) : map_block(bytes);
  if (*out) return TAULER_OK;
  atomic_fetch_sub(&budget->taken, bytes);
  return report_shortage(budget, bytes, what, message);
}

static tauler_error allocate_on_disk(memory_budget *budget, uint64_t bytes, block_head **out,
                                     tauler_message *message) {
  const tauler_error error = map_file(budget, mapped_length(bytes), out, message);
  if (error) atomic_fetch_add(&budget->disk_left, bytes);
  return error;
}

static void store_block(void *slot, block_head *head, uint64_t bytes) {
  const void *block = head + 1;
  head->mark = MARK;
  head->bytes = bytes;
  memcpy(slot, &block, sizeof block);
}

tauler_error memory_allocate(memory_budget *budget, uint64_t bytes, const char *what, void *slot,
                             tauler_message *message) {
  memset(slot, 0, sizeof(void *));
  if (count_allocation(budget)) return report_shortage(budget, bytes, what, message);
  if (bytes > LARGEST) return refuse_beyond_limit(budget, bytes, what, message);
  const bool may_wait = budget->disk_folder && bytes >= MEMORY_DISK_BLOCK;
  bool here = charge_bytes(budget, bytes, may_wait ? budget->disk_kept : 0);
  const bool there = !here && may_wait && charge_disk(budget, bytes);
  if (!here && !there) here = charge_bytes(budget, bytes, 0);
  block_head *head = NULL;
  const tauler_error error = here    ? allocate_in_memory(budget, bytes, what, &head, message)
                             : there ? allocate_on_disk(budget, bytes, &head, message)
                                     : refuse_beyond_limit(budget, bytes, what, message);
  if (!error) store_block(slot, head, bytes);
  return error;
}

tauler_error memory_allocate_sparse(memory_budget *budget, uint64_t bytes, uint64_t touched, const char *what,
                                    void *slot, tauler_message *message) {
  memset(slot, 0, sizeof(void *));
  if (count_allocation(budget)) return report_shortage(budget, touched, what, message);
  if (bytes > LARGEST || !charge_bytes(budget, touched, 0))
    return refuse_beyond_limit(budget, touched, what, message);
  block_head *pages = map_block(bytes + PAGE);
  if (pages == NULL) {
    atomic_fetch_sub(&budget->taken, touched);
    return report_shortage(budget, touched, what, message);
  }
  /* Touching one byte of a huge page would put all of it in memory. */
  if (pages->mapped >= HUGE_FROM) madvise(pages, (size_t)pages->mapped, MADV_NOHUGEPAGE);
  block_head *head = pages + PAGE / sizeof *pages - 1; /* the block begins with a page */
  head->mapped = pages->mapped;
  store_block(slot, head, touched);
  return TAULER_OK;
}

void memory_clear(void *bytes, uint64_t n) {
  const uintptr_t start = (uintptr_t)bytes, end = start + n;
  const uintptr_t from = (start + PAGE - 1) / PAGE * PAGE, to = end / PAGE * PAGE;
  if (to <= from) {
    memset(bytes, 0, n);
    return;
  }
  memset(bytes, 0, from - start);
  madvise((void *)from, to - from, MADV_DONTNEED);
  memset((void *)to, 0, end - to);
}

tauler_error memory_allocate_array(memory_budget *budget, uint64_t count, uint64_t item_bytes,
                                   const char *what, void *slot, tauler_message *message) {
  if (item_bytes == 0 || count <= LARGEST / item_bytes)
    return memory_allocate(budget, count * item_bytes, what, slot, message);
  memset(slot, 0, sizeof(void *));
  return tauler_fail(message, TAULER_NO_MEMORY,
                     "%s: %llu items of %llu bytes are more than any machine can address", what,
                     (unsigned long long)count, (unsigned long long)item_bytes);
}

static block_head *head_of(void *block) {
  block_head *head = (block_head *)block - 1;
  assert(head->mark == MARK && "not a block of memory_allocate, given twice, or overrun");
  return head;
}

tauler_error memory_resize(memory_budget *budget, uint64_t bytes, const char *what, void *slot,
                           tauler_message *message) {
  void *old, *block;
  memcpy(&old, slot, sizeof old);
  tauler_error error = memory_allocate(budget, bytes, what, &block, message);
  if (error != TAULER_OK) return error;
  if (old != NULL) {
    uint64_t kept = head_of(old)->bytes;
    memcpy(block, old, (size_t)(kept < bytes ? kept : bytes));
    memory_free(budget, old);
  }
  memcpy(slot, &block, sizeof block);
  return TAULER_OK;
}

void memory_free(memory_budget *budget, void *block) {
  if (block == NULL) return;
  block_head *head = head_of(block);
  if (head->on_disk) {
    atomic_fetch_add(&budget->disk_left, head->bytes);
  } else {
    uint64_t before = atomic_fetch_sub(&budget->taken, head->bytes);
    assert(before >= head->bytes && "given to a budget that it was not taken from");
    (void)before;
  }
  head->mark = 0;
  if (head->mapped != 0)
    munmap((void *)((uintptr_t)head / PAGE * PAGE), (size_t)head->mapped);
  else
    free(head);
}

tauler_error memory_charge(memory_budget *budget, uint64_t bytes, const char *what, tauler_message *message) {
  return charge_bytes(budget, bytes, 0) ? TAULER_OK : refuse_beyond_limit(budget, bytes, what, message);
}

void memory_discharge(memory_budget *budget, uint64_t bytes) {
  atomic_fetch_sub(&budget->taken, bytes);
}

tauler_error memory_plan(const memory_budget *budget, uint64_t bytes, const char *what,
                         tauler_message *message) {
  const uint64_t left = memory_left(budget), kept = budget->disk_folder ? budget->disk_kept : 0;
  const uint64_t disk = budget->disk_folder ? atomic_load(&budget->disk_left) : 0;
  if (kept <= left && (bytes <= left || bytes - left <= disk)) return TAULER_OK;
  return refuse_beyond_limit(budget, kept > left ? kept : bytes, what, message);
}

uint64_t memory_allocated(const memory_budget *budget) {
  return atomic_load(&budget->taken);
}

uint64_t memory_peak(const memory_budget *budget) {
  return atomic_load(&budget->peak);
}

uint64_t memory_left(const memory_budget *budget) {
  uint64_t taken = memory_allocated(budget);
  return taken < budget->limit ? budget->limit - taken : 0;
}

void memory_fail_allocation(memory_budget *budget, uint64_t nth, bool onwards) {
  uint64_t ordinal = atomic_load(&budget->takes) + nth;
  budget->fail_from = nth == 0 ? UINT64_MAX : ordinal;
  budget->fail_to = nth == 0 ? 0 : onwards ? UINT64_MAX : ordinal;
}

bool memory_grow(void *slot, size_t *room, size_t wanted, size_t item_bytes) {
  void *array;
  memcpy(&array, slot, sizeof array);
  const size_t doubled = *room ? 2 * *room : LEAST_ITEMS;
  const size_t larger = doubled < wanted ? wanted : doubled;
  if (larger > PTRDIFF_MAX / item_bytes) return false;
  void *grown = realloc(array, larger * item_bytes);
  if (!grown) return false;
  memcpy(slot, &grown, sizeof grown);
  *room = larger;
  /* cppcheck-suppress memleak; the slot holds the array */
  return true;
}

struct arena_block {
  arena_block *before;
  uint64_t used, room;
  _Alignas(64) unsigned char bytes[];
};

enum { BLOCK = 1 << 20, LARGE = 1 << 10 };

void arena_open(arena *a, memory_budget *memory, const char *what) {
  *a = (arena){.memory = memory, .what = what};
}

static void free_arena_block(const arena *a, arena_block *block) {
  if (a->memory)
    memory_free(a->memory, block);
  else
    free(block);
}

void arena_close(arena *a) {
  arena_return(a, (arena_mark){NULL, 0});
  free_arena_block(a, a->spare);
  *a = (arena){.memory = NULL};
}

static bool add_block(arena *a, uint64_t room, tauler_message *message) {
  arena_block *block = NULL;
  tauler_error error = TAULER_OK;
  if (a->memory)
    error = memory_allocate(a->memory, sizeof *block + room, a->what, &block, message);
  else if (!(block = aligned_alloc(_Alignof(arena_block), (sizeof *block + room + 63) / 64 * 64)))
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for %s", a->what);
  else
    memset(block, 0, sizeof *block + room);
  if (error) {
    if (!a->error) a->error = error;
    /* cppcheck-suppress memleak; there is no block after an error */
    return false;
  }
  block->room = room;
  block->before = a->block;
  a->block = block;
  return true;
}

static bool grow_arena(arena *a, uint64_t bytes) {
  arena_block *block = a->spare;
  if (!block || block->room < bytes) return add_block(a, bytes > BLOCK ? bytes : BLOCK, NULL);
  a->spare = NULL;
  block->used = 0;
  block->before = a->block;
  a->block = block;
  return true;
}

void *arena_allocate(arena *a, uint64_t count, uint64_t item_bytes) {
  const uint64_t bytes = count * item_bytes, align = bytes >= LARGE ? 64 : 16;
  uint64_t *used = a->block ? &a->block->used : &a->counted;
  uint64_t from = (*used + align - 1) / align * align;
  if (item_bytes && count > (UINT64_MAX / 4) / item_bytes) {
    if (!a->error) a->error = TAULER_NO_MEMORY;
    return NULL;
  }
  if (a->counts) {
    a->counted = from + bytes;
    return NULL;
  }
  if (!a->block || a->block->room < from + bytes) {
    if (!grow_arena(a, bytes)) return NULL;
    from = 0;
  }
  a->block->used = from + bytes;
  return a->block->bytes + from;
}

uint64_t arena_bytes(arena_list *list, void *of) {
  arena a = {.counts = true};
  list(&a, of);
  return a.error ? UINT64_MAX / 2 : sizeof(arena_block) + a.counted;
}

tauler_error arena_fill(arena *a, memory_budget *memory, const char *what, arena_list *list, void *of,
                        tauler_message *message) {
  const uint64_t bytes = arena_bytes(list, of);
  arena_open(a, memory, what);
  if (!add_block(a, bytes - sizeof(arena_block), message)) {
    const tauler_error error = a->error;
    *a = (arena){.memory = NULL};
    return error;
  }
  list(a, of);
  assert(!a->block->before); /* otherwise the list names other arrays than before */
  return TAULER_OK;
}

arena_mark arena_here(const arena *a) {
  return (arena_mark){a->block, a->block ? a->block->used : 0};
}

void arena_return(arena *a, arena_mark mark) {
  while (a->block != mark.block) {
    arena_block *block = a->block;
    a->block = block->before;
    free_arena_block(a, a->spare);
    a->spare = block;
  }
  if (a->block) a->block->used = mark.used;
}
