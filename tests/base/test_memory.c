/* The memory budget, and how much memory and how many processors there are. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/available.h"
#include "base/clock.h"
#include "base/memory.h"
#include "tests/support/suite.h"

/* Apart from ck_assert, which takes its time. */
static bool is_zero(const unsigned char *bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (bytes[i] != 0) return false;
  return true;
}

CASE(memory_is_zero_aligned_and_counted) {
  memory_budget *budget = suite_budget(UINT64_C(64) << 20);
  static const uint64_t sizes[] = {0, 1, 63, 64, 100000, UINT64_C(1) << 20, UINT64_C(9) << 20};
  unsigned char *blocks[7];
  uint64_t sum = 0;
  for (size_t i = 0; i < 7; i++) {
    MUST(memory_allocate(budget, sizes[i], "a block", &blocks[i], NULL));
    ck_assert_uint_eq((uintptr_t)blocks[i] % 64, 0);
    ck_assert(is_zero(blocks[i], sizes[i]));
    if (sizes[i] > 0) memset(blocks[i], 0xFF, sizes[i]);
    sum += sizes[i];
    ck_assert_uint_eq(memory_allocated(budget), sum);
  }
  for (size_t i = 0; i < 7; i++) memory_free(budget, blocks[i]);
  memory_free(budget, NULL);
  ck_assert_uint_eq(memory_allocated(budget), 0);
  ck_assert_uint_eq(memory_peak(budget), sum);
  ck_assert_uint_eq(memory_left(budget), UINT64_C(64) << 20);
}

CASE(memory_over_the_limit_is_refused_with_figures) {
  memory_budget budget;
  char *first, *second = (char *)&budget;
  memory_budget_open(&budget, 3 << 20);
  MUST(memory_allocate(&budget, 2 << 20, "first", &first, hear()));
  ck_assert_int_eq(memory_allocate(&budget, (1 << 20) + 1, "counters of slice 12", &second, hear()),
                   TAULER_NO_MEMORY);
  ck_assert_ptr_null(second);
  static const char *const parts[] = {"counters of slice 12", "1048577", "3.00 MiB", "1.00 MiB", "--memory"};
  for (size_t i = 0; i < 5; i++)
    ck_assert_msg(strstr(said.text, parts[i]) != NULL, "%s: %s", parts[i], said.text);
  MUST(memory_plan(&budget, 1 << 20, "plan", hear()));
  ck_assert_int_eq(memory_plan(&budget, (1 << 20) + 1, "plan", hear()), TAULER_NO_MEMORY);
  ck_assert_int_eq(memory_allocate(&budget, UINT64_MAX, "all", &second, hear()), TAULER_NO_MEMORY);
  ck_assert_int_eq(
      memory_allocate_array(&budget, UINT64_C(1) << 40, UINT64_C(1) << 40, "wraps", &second, hear()),
      TAULER_NO_MEMORY);
  ck_assert_int_eq(
      memory_allocate_array(&budget, UINT64_C(1) << 32, UINT64_C(1) << 32, "wraps to 0", &second, NULL),
      TAULER_NO_MEMORY);
  ck_assert_uint_eq(memory_allocated(&budget), 2 << 20);
  ck_assert_uint_eq(memory_peak(&budget), 2 << 20);
  MUST(memory_allocate_array(&budget, 1 << 18, 4, "fits", &second, hear()));
  ck_assert_uint_eq(memory_left(&budget), 0);
  memory_free(&budget, first);
  memory_free(&budget, second);
}

CASE(memory_is_resized_with_its_content) {
  memory_budget *budget = suite_budget(8 << 20);
  unsigned char *block = NULL;
  MUST(memory_resize(budget, 10, "list", &block, NULL));
  memset(block, 5, 10);
  MUST(memory_resize(budget, 2 << 20, "list", &block, NULL));
  ck_assert(block[0] == 5 && block[9] == 5 && block[10] == 0 && block[(2 << 20) - 1] == 0);
  ck_assert_uint_eq(memory_allocated(budget), 2 << 20);
  unsigned char *before = block;
  ck_assert_int_eq(memory_resize(budget, 8 << 20, "list", &block, NULL), TAULER_NO_MEMORY);
  ck_assert_ptr_eq(block, before);
  MUST(memory_resize(budget, 3, "list", &block, NULL));
  ck_assert(block[0] == 5 && block[2] == 5);
  memory_free(budget, block);
}

CASE(the_nth_allocation_fails_when_asked_to) {
  char *blocks[5];
  memory_budget *budget = suite_budget(1 << 20);
  MUST(memory_allocate(budget, 1, "before", &blocks[0], NULL));
  memory_free(budget, blocks[0]);
  for (int onwards = 0; onwards < 2; onwards++) {
    memory_fail_allocation(budget, 3, onwards);
    for (int i = 1; i <= 5; i++) {
      bool fails = onwards ? i >= 3 : i == 3;
      tauler_error error = memory_allocate(budget, 8, "made to fail", &blocks[i - 1], hear());
      ck_assert_int_eq(error, fails ? TAULER_NO_MEMORY : TAULER_OK);
      ck_assert(fails == (blocks[i - 1] == NULL));
      ck_assert(fails == (strstr(said.text, "made to fail") != NULL));
    }
    for (int i = 0; i < 5; i++) memory_free(budget, blocks[i]);
    ck_assert_uint_eq(memory_allocated(budget), 0);
  }
  memory_fail_allocation(budget, 0, false);
  MUST(memory_allocate(budget, 8, "after", &blocks[0], NULL));
  memory_free(budget, blocks[0]);
}

static void *allocate_and_free(void *argument) {
  memory_budget *budget = argument;
  for (int i = 0; i < 2000; i++) {
    char *block;
    if (memory_allocate(budget, 600, "of a thread", &block, NULL) == TAULER_OK) memory_free(budget, block);
  }
  return NULL;
}

CASE(threads_share_a_budget) {
  pthread_t threads[4];
  memory_budget *budget = suite_budget(1000);
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, allocate_and_free, budget), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  ck_assert_uint_eq(memory_allocated(budget), 0);
  ck_assert_uint_eq(memory_peak(budget), 600);
}

CASE(untouched_pages_cost_nothing) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  puts("SKIP: untouched_pages_cost_nothing: sanitizers map memory of their own");
#else
  memory_budget *budget = suite_budget(UINT64_C(64) << 30);
  uint64_t before = clock_peak_memory();
  char *block;
  MUST(memory_allocate(budget, UINT64_C(32) << 30, "large", &block, NULL));
  block[UINT64_C(16) << 30] = 1;
  ck_assert_uint_lt(clock_peak_memory() - before, 64 << 20);
  memory_free(budget, block);
#endif
}

CASE(sparse_blocks_are_charged_what_is_touched) {
  memory_budget budget;
  unsigned char *block, *other = (unsigned char *)&budget;
  memory_budget_open(&budget, 1 << 20);
  const uint64_t all = UINT64_C(1) << 33;
  MUST(memory_allocate_sparse(&budget, all, 3 << 18, "sparse", &block, hear()));
  ck_assert_uint_eq(memory_allocated(&budget), 3 << 18);
  ck_assert_uint_eq((uintptr_t)block % 64, 0);
  for (uint64_t i = 0; i < 64; i++) {
    unsigned char *piece = block + i * (all / 64);
    ck_assert(is_zero(piece, 64) && is_zero(piece + all / 64 - 64, 64));
    piece[0] = piece[all / 64 - 1] = 1;
  }
  REFUSED(TAULER_NO_MEMORY, "too much: 256 KiB (262145 bytes)",
          memory_allocate_sparse(&budget, 10, (1 << 18) + 1, "too much", &other, hear()));
  ck_assert_ptr_null(other);
  ck_assert_int_eq(memory_allocate_sparse(&budget, UINT64_MAX, 1, "all", &other, hear()), TAULER_NO_MEMORY);
  ck_assert_uint_eq(memory_allocated(&budget), 3 << 18);
  memory_fail_allocation(&budget, 1, false);
  ck_assert_int_eq(memory_allocate_sparse(&budget, 10, 10, "made to fail", &other, hear()), TAULER_NO_MEMORY);
  MUST(memory_allocate_sparse(&budget, 10, 10, "small", &other, hear()));
  ck_assert_uint_eq(memory_allocated(&budget), (3 << 18) + 10);
  memory_free(&budget, other);
  memory_free(&budget, block);
  ck_assert_uint_eq(memory_allocated(&budget), 0);
}

static uint64_t resident_pages(const unsigned char *block, uint64_t pages) {
  unsigned char *there = suite_zeros(pages, 1);
  uint64_t n = 0;
  ck_assert_int_eq(mincore((void *)((uintptr_t)block / 4096 * 4096), pages * 4096, there), 0);
  for (uint64_t i = 0; i < pages; i++) n += there[i] & 1;
  return n;
}

/* Of huge pages one touched byte would bring in two MiB. */
CASE(sparse_blocks_have_the_pages_that_are_touched) {
  unsigned char *block;
  memory_budget *budget = suite_budget(1 << 20);
  MUST(memory_allocate_sparse(budget, 64 << 20, 1 << 16, "sparse", &block, NULL));
  for (uint64_t i = 0; i < 8; i++) block[i << 23] = 1;
  ck_assert_uint_le(resident_pages(block, 16384), 9);
  memory_free(budget, block);
}

CASE(what_is_forgotten_is_zero_and_gone) {
  enum { PAGES = 40, BYTES = PAGES * 4096 };
  static const struct {
    uint64_t from, n;
  } ranges[] = {{0, BYTES},        {1, 1},           {4096 - 64, 1}, {4000, 500},
                {4096 - 64, 4096}, {4096, 8192},     {4031, 4098},   {4033, 4 * 4096},
                {100, 0},          {8 * 4096, 2000}, {5, BYTES - 10}};
  unsigned char *block;
  memory_budget *budget = suite_budget(1 << 20);
  MUST(memory_allocate_sparse(budget, BYTES, BYTES, "sparse", &block, NULL));
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    const uint64_t from = ranges[i].from, end = from + ranges[i].n;
    memset(block, 0xFF, BYTES);
    memory_clear(block + from, ranges[i].n);
    uint64_t wrong = 0;
    for (uint64_t k = 0; k < BYTES; k++) wrong += block[k] != (k >= from && k < end ? 0 : 0xFF);
    ck_assert_msg(wrong == 0, "%lu bytes are wrong after %lu from %lu", (unsigned long)wrong,
                  (unsigned long)ranges[i].n, (unsigned long)from);
  }
  memset(block, 0xFF, BYTES);
  ck_assert_uint_ge(resident_pages(block, PAGES), PAGES);
  memory_clear(block + 1000, BYTES - 2000);
  ck_assert_uint_le(resident_pages(block, PAGES), 3);
  memory_free(budget, block);
}

CASE(what_is_taken_in_another_way_is_charged) {
  memory_budget *budget = suite_budget(1000);
  MUST(memory_charge(budget, 600, "mapped", hear()));
  ck_assert_uint_eq(memory_allocated(budget), 600);
  REFUSED(TAULER_NO_MEMORY, "more: 401 bytes", memory_charge(budget, 401, "more", hear()));
  ck_assert_uint_eq(memory_allocated(budget), 600);
  MUST(memory_charge(budget, 400, "fits", hear()));
  memory_discharge(budget, 600);
  ck_assert_uint_eq(memory_allocated(budget), 400);
  memory_discharge(budget, 400);
  ck_assert_uint_eq(memory_allocated(budget), 0);
  ck_assert_uint_eq(memory_peak(budget), 1000);
}

/* Large blocks alone, no more than may lie there, and none of what is kept for others. */
CASE(what_does_not_fit_lies_on_the_disk) {
  enum { BLOCK = 1 << 20, KEPT = 1 << 18, ALL = 2 * (BLOCK + KEPT) };
  unsigned char *here, *there, *also, *more, *small;
  memory_budget *budget = suite_budget(BLOCK + KEPT);
  ck_assert_int_eq(memory_plan(budget, ALL, "all", hear()), TAULER_NO_MEMORY);
  memory_use_disk(budget, folder, BLOCK + KEPT);
  memory_keep(budget, KEPT);
  MUST(memory_plan(budget, ALL, "all", hear()));
  ck_assert_int_eq(memory_plan(budget, ALL + 1, "all", hear()), TAULER_NO_MEMORY);
  MUST(memory_allocate(budget, BLOCK, "here", &here, hear()));
  MUST(memory_allocate(budget, BLOCK, "there", &there, hear()));
  MUST(memory_allocate(budget, KEPT, "also there", &also, hear()));
  ck_assert_uint_eq(memory_allocated(budget), BLOCK);
  ck_assert_uint_eq((uintptr_t)there % 64, 0);
  ck_assert(is_zero(there, BLOCK));
  memset(there, 0xFF, BLOCK);
  ck_assert_int_eq(memory_allocate(budget, BLOCK, "more", &more, hear()), TAULER_NO_MEMORY);
  memory_free(budget, there);
  MUST(memory_allocate(budget, MEMORY_DISK_BLOCK - 1, "small", &small, hear()));
  ck_assert_uint_eq(memory_allocated(budget), BLOCK + MEMORY_DISK_BLOCK - 1);
  MUST(memory_allocate(budget, BLOCK, "more", &more, hear()));
  ck_assert(is_zero(more, BLOCK));
  memory_free(budget, also);
  also = more;
  MUST(memory_resize(budget, KEPT, "more", &more, hear()));
  ck_assert_ptr_ne(more, also);
  memory_free(budget, more);
  memory_free(budget, here);
  memory_free(budget, small);
  ck_assert_uint_eq(memory_allocated(budget), 0);
  ck_assert_uint_eq(budget->disk_left, BLOCK + KEPT);
  memory_use_disk(budget, "/nowhere", 2 * BLOCK);
  ck_assert_int_eq(memory_allocate(budget, 2 * BLOCK, "nowhere", &more, hear()), TAULER_IO);
  ck_assert_ptr_null(more);
  ck_assert_uint_eq(budget->disk_left, 2 * BLOCK);
}

static void write_file(const char *root, const char *path, const char *content) {
  char name[512];
  snprintf(name, sizeof name, "%s%s", root, path);
  for (char *slash = name + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    mkdir(name, 0755);
    *slash = '/';
  }
  FILE *file = fopen(name, "w");
  ck_assert_ptr_nonnull(file);
  fputs(content, file);
  fclose(file);
}

CASE(available_memory_heeds_machine_and_groups) {
  const char *root = folder;
  make_folder();
  write_file(root, "/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n");
  ck_assert_uint_eq(memory_available(root), 8000 * 1024);

  write_file(root, "/proc/self/cgroup", "0::/a/b\n");
  write_file(root, "/sys/fs/cgroup/a/b/memory.max", "max\n");
  ck_assert_uint_eq(memory_available(root), 8000 * 1024);
  write_file(root, "/sys/fs/cgroup/a/memory.max", "5000000\n");
  write_file(root, "/sys/fs/cgroup/a/memory.current", "2000000\n");
  write_file(root, "/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 500000\n");
  ck_assert_uint_eq(memory_available(root), 3500000);
  write_file(root, "/sys/fs/cgroup/a/b/memory.max", "1000000\n");
  ck_assert_uint_eq(memory_available(root), 1000000);
  write_file(root, "/sys/fs/cgroup/a/b/memory.current", "1000001\n");
  ck_assert_uint_eq(memory_available(root), 1);

  /* version 1, as seen in a container: the path of the outside does not exist inside */
  write_file(root, "/proc/self/cgroup", "3:cpu,memory:/docker/x\n2:cpuset:/\n");
  write_file(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "4000000\n");
  write_file(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n");
  ck_assert_uint_eq(memory_available(root), 3000000);

  ck_assert_uint_gt(memory_available(""), 1 << 20);
  memory_budget *budget = suite_budget(0);
  ck_assert_uint_gt(budget->limit, 1 << 20);
}

CASE(a_folder_that_is_to_be_made_has_the_room_above_it) {
  ck_assert_uint_lt(disk_available("/no-such-folder"), UINT64_MAX);
  ck_assert_uint_lt(disk_available("/no-such-folder/below"), UINT64_MAX);
  ck_assert_uint_eq(disk_available("/proc/version/below"), UINT64_MAX);
}

CASE(groups_pay_for_processors_and_memory) {
  const char *root = folder;
  make_folder();
  ck_assert_uint_eq(available_group_processors(root), UINT64_MAX);
  ck_assert_uint_eq(available_group_memory(root), UINT64_MAX);
  write_file(root, "/proc/self/cgroup", "0::/a/b\n");
  write_file(root, "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  ck_assert_uint_eq(available_group_processors(root), UINT64_MAX);
  write_file(root, "/sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
  ck_assert_uint_eq(available_group_processors(root), 3);
  write_file(root, "/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  ck_assert_uint_eq(available_group_processors(root), 2);
  write_file(root, "/sys/fs/cgroup/a/cpu.max", "1000 100000\n");
  ck_assert_uint_eq(available_group_processors(root), 1);
  write_file(root, "/sys/fs/cgroup/a/memory.max", "5000000\n");
  ck_assert_uint_eq(available_group_memory(root), 5000000);

  write_file(root, "/proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/step/task\n");
  ck_assert_uint_eq(available_group_processors(root), UINT64_MAX);
  write_file(root, "/sys/fs/cgroup/cpu/step/cpu.cfs_period_us", "100000\n");
  write_file(root, "/sys/fs/cgroup/cpu/step/cpu.cfs_quota_us", "400000\n");
  ck_assert_uint_eq(available_group_processors(root), 4);
  write_file(root, "/sys/fs/cgroup/cpu/step/cpu.cfs_quota_us", "-1\n");
  ck_assert_uint_eq(available_group_processors(root), UINT64_MAX);
}

CASE(arrays_grow_and_keep_what_they_have) {
  uint32_t *numbers = NULL;
  size_t room = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    ck_assert(memory_make_room(&numbers, &room, i + 1, sizeof *numbers));
    ck_assert_uint_gt(room, i);
    numbers[i] = i;
  }
  ck_assert(memory_make_room(&numbers, &room, 5000, sizeof *numbers));
  ck_assert_uint_eq(room, 5000);
  for (uint32_t i = 0; i < 1000; i++) ck_assert_uint_eq(numbers[i], i);
  const uint32_t *before = numbers;
  ck_assert(memory_make_room(&numbers, &room, 5000, sizeof *numbers));
  ck_assert_ptr_eq(numbers, before);
  free(numbers);
}

CASE(an_array_beyond_all_memory_is_refused_and_stays) {
  char *bytes = NULL;
  size_t room = 0;
  ck_assert(memory_make_room(&bytes, &room, 1, 1));
  bytes[0] = 'a';
  const size_t had = room;
  ck_assert(!memory_make_room(&bytes, &room, SIZE_MAX / 8 + 2, 8)); /* the bytes wrap to 8 */
  ck_assert(!memory_make_room(&bytes, &room, SIZE_MAX, 1));
  ck_assert_uint_eq(room, had);
  ck_assert_int_eq(bytes[0], 'a');
  free(bytes);
}

/* --- arenas --- */

enum { ARRAYS = 5 };
static const uint64_t array_bytes[ARRAYS] = {3, 5000, 0, 1000, 1 << 21};

static void list_arrays(arena *a, void *of) {
  unsigned char **arrays = of;
  for (int i = 0; i < ARRAYS; i++) arrays[i] = arena_allocate(a, array_bytes[i], 1);
}

static void list_too_much(arena *a, void *of) {
  *(void **)of = arena_allocate(a, UINT64_MAX / 2, 4);
}

CASE(a_list_of_arrays_is_planned_and_taken_alike) {
  unsigned char *arrays[ARRAYS];
  arena a;
  const uint64_t planned = arena_bytes(list_arrays, arrays);
  memory_budget *budget = suite_budget(planned);
  memory_budget *const budgets[] = {budget, NULL};
  for (int with = 0; with < 2; with++) {
    MUST(arena_fill(&a, budgets[with], "arrays", list_arrays, arrays, NULL));
    ck_assert_uint_eq(memory_allocated(budget), budgets[with] ? planned : 0);
    for (int i = 0; i < ARRAYS; i++) {
      ck_assert(is_zero(arrays[i], array_bytes[i]));
      ck_assert_uint_eq((uintptr_t)arrays[i] % (array_bytes[i] < 1024 ? 16 : 64), 0);
    }
    for (int i = 0; i < ARRAYS; i++) memset(arrays[i], i + 1, array_bytes[i]);
    for (int i = 0; i < ARRAYS; i++)
      for (uint64_t byte = 0; byte < array_bytes[i]; byte += 499) ck_assert_int_eq(arrays[i][byte], i + 1);
    arena_close(&a);
  }
}

CASE(an_arena_that_does_not_fit_holds_nothing) {
  unsigned char *arrays[ARRAYS];
  arena a;
  memory_budget *budget = suite_budget(arena_bytes(list_arrays, arrays) - 1);
  REFUSED(TAULER_NO_MEMORY, "arrays", arena_fill(&a, budget, "arrays", list_arrays, arrays, hear()));
  ck_assert_int_eq(arena_fill(&a, budget, "arrays", list_too_much, arrays, NULL), TAULER_NO_MEMORY);
  arena_close(&a);
}

CASE(an_arena_grows_and_frees_to_a_mark) {
  arena a;
  memory_budget *budget = suite_budget(UINT64_C(4) << 20);
  arena_open(&a, budget, "arrays");
  const arena_mark empty = arena_here(&a);
  unsigned char *first = arena_allocate(&a, 100, 1);
  memset(first, 1, 100);
  const arena_mark mark = arena_here(&a);
  unsigned char *second = arena_allocate(&a, 100, 1), *large = arena_allocate(&a, 2, 1 << 20);
  ck_assert(second >= first + 100 && large);
  memset(second, 2, 100);
  memset(large, 3, 2 << 20);
  ck_assert_int_eq(first[99], 1);
  ck_assert_ptr_null(arena_allocate(&a, 2, 1 << 20));
  ck_assert_int_eq(a.error, TAULER_NO_MEMORY);
  arena_return(&a, mark);
  ck_assert_ptr_eq(arena_allocate(&a, 100, 1), second);
  arena_return(&a, empty);
  arena_close(&a);
}

SUITE("memory") {
  TESTS(memory_is_zero_aligned_and_counted, memory_over_the_limit_is_refused_with_figures,
        memory_is_resized_with_its_content, the_nth_allocation_fails_when_asked_to, threads_share_a_budget,
        untouched_pages_cost_nothing, sparse_blocks_are_charged_what_is_touched,
        sparse_blocks_have_the_pages_that_are_touched, what_is_forgotten_is_zero_and_gone,
        what_is_taken_in_another_way_is_charged, available_memory_heeds_machine_and_groups,
        a_folder_that_is_to_be_made_has_the_room_above_it, groups_pay_for_processors_and_memory,
        arrays_grow_and_keep_what_they_have, an_array_beyond_all_memory_is_refused_and_stays,
        a_list_of_arrays_is_planned_and_taken_alike, an_arena_that_does_not_fit_holds_nothing,
        an_arena_grows_and_frees_to_a_mark);
  GROUP("disk");
  FIXTURE(make_folder, remove_empty_folder);
  TEST(what_does_not_fit_lies_on_the_disk);
}
