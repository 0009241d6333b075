/* Opens the arrays of a slice, in memory or mapped from a file, and frees mapped pages. */
#include "solver/engines/bitboard/work.h"

#include <stddef.h>
#include <string.h>

#include "recover/bitboards.h"
#include "solver/shards/mapped.h"

/* BYTES_OF_A_TABLE_BYTE: the system's table has eight bytes for each page of 4096 bytes and keeps them when
 * the page is freed. LARGE_PAGE: the system loads up to 2 MiB when a byte is touched, so it loads about 1 MiB
 * too much at either end of a run. LEAST_LARGE_PAGES: at most an eighth of an array is charged for both ends.
 * SHARE_READ_AT_ONCE: pages are freed when a quarter of a part has been read. */
enum { BYTES_OF_A_TABLE_BYTE = 512, LARGE_PAGE = 1 << 21, LEAST_LARGE_PAGES = 8, SHARE_READ_AT_ONCE = 4 };

struct bitboard_disk {
  memory_budget *memory;
  mapped_arrays *mapped;
  uint64_t part_blocks;
  _Atomic uint64_t read; /* blocks read since pages were freed */
};

typedef struct {
  size_t at; /* offset of the array's pointer in the state */
  const char *name;
} described_array;

static const described_array described[ARRAYS] = {
    [ARRAY_WON] = {offsetof(game_bitboards_state, won), "the won cells of a slice"},
    [ARRAY_LOST] = {offsetof(game_bitboards_state, lost), "the lost cells of a slice"},
    [ARRAY_DEPTH] = {offsetof(game_bitboards_state, depth), "the depths of a slice"},
    [ARRAY_HELD] = {offsetof(game_bitboards_state, held), "the held cells of a slice"},
    [ARRAY_GAINING] = {offsetof(game_bitboards_state, gaining), "the gaining cells of a slice"},
    [ARRAY_DUE] = {offsetof(game_bitboards_state, due), "what falls due in a slice"},
    [ARRAY_MARKED_EVEN] = {offsetof(game_bitboards_state, marked[0]), "the marks of a slice"},
    [ARRAY_MARKED_ODD] = {offsetof(game_bitboards_state, marked[1]), "the marks of a slice"}};

size_t bitboard_block_bytes(const game_bitboards_plan *plan, int array) {
  if (array == ARRAY_DEPTH) return plan->columns;
  if (array >= ARRAY_MARKED_EVEN) return plan->sweeps ? 0 : 1;
  const size_t bytes = array == ARRAY_DUE ? 1 : sizeof(uint64_t);
  return plan->converts || array < ARRAYS_KEPT ? bytes : 0;
}

void *bitboard_array_slot(game_bitboards_state *state, int array) {
  return (char *)state + described[array].at;
}

uint64_t bitboard_arrays_bytes(const game_bitboards_plan *plan, int first, int end) {
  uint64_t bytes = 0;
  for (int array = first; array < end; array++) {
    const size_t each = bitboard_block_bytes(plan, array);
    if (each) bytes += bitboard_array_bytes(plan, each);
  }
  return bytes;
}

/* True if the blocks of this array that a part reads or marks outside its own are charged. A wave writes one
 * of `won` and `lost` and reads the other, and clears marks of one kind and sets those of the other. So only
 * one array of each pair counts. */
static bool is_used_outside_part(int array) {
  return array == ARRAY_WON || array == ARRAY_MARKED_EVEN;
}

static uint64_t blocks_of_units(const game_bitboards_plan *plan, uint64_t n) {
  const uint64_t blocks = n * bitboards_unit(plan->blocks);
  return blocks < plan->blocks ? blocks : plan->blocks;
}

static uint64_t touched_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut, int array) {
  const uint64_t each = bitboard_block_bytes(plan, array), all = plan->blocks * each;
  const uint64_t ends = all / LEAST_LARGE_PAGES < LARGE_PAGE ? all / LEAST_LARGE_PAGES : LARGE_PAGE;
  return blocks_of_units(plan, is_used_outside_part(array) ? cut->read_units : cut->part_units) * each +
         ends + all / BYTES_OF_A_TABLE_BYTE;
}

uint64_t bitboard_disk_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut, int end) {
  uint64_t bytes = sizeof(bitboard_disk) + mapped_list_bytes(ARRAYS);
  for (int array = 0; array < end; array++) bytes += touched_bytes(plan, cut, array);
  return bytes;
}

uint64_t bitboard_disk_waiting_bytes(const game_bitboards_plan *plan) {
  uint64_t bytes = 0;
  for (int array = 0; array < ARRAYS; array++) bytes += plan->blocks * bitboard_block_bytes(plan, array);
  return bytes;
}

static tauler_error map_array(const bitboard_slice *slice, int array, void *slot, tauler_message *message) {
  const game_bitboards_plan *plan = &slice->plan;
  const uint64_t bytes = plan->blocks * bitboard_block_bytes(plan, array);
  mapped_arrays *mapped = slice->disk->mapped;
  const tauler_error error =
      mapped_map(mapped, 0, (uint32_t)array, bytes, touched_bytes(plan, &slice->cut, array), slot, message);
  return error ? error : mapped_reserve(mapped, 0, (uint32_t)array, 0, bytes, message);
}

tauler_error bitboard_disk_open(const workspace *work, bitboard_slice *slice, tauler_message *message) {
  bitboard_disk *disk;
  tauler_error error = memory_allocate(work->memory, sizeof *disk, "bitboards on the disk", &disk, message);
  if (error) return error;
  *disk = (bitboard_disk){.memory = work->memory,
                          .part_blocks = blocks_of_units(&slice->plan, slice->cut.part_units)};
  slice->disk = disk;
  return mapped_open(work->spill_folder, work->memory, &disk->mapped, message);
}

void bitboard_disk_close(bitboard_slice *slice) {
  if (!slice->disk) return;
  mapped_close(slice->disk->mapped);
  memory_free(slice->disk->memory, slice->disk);
  slice->won = slice->lost = NULL;
  slice->depth = NULL;
}

tauler_error bitboard_arrays_open(memory_budget *memory, const bitboard_slice *slice, int first, int end,
                                  game_bitboards_state *state, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int array = first; array < end && !error; array++) {
    const size_t bytes = bitboard_block_bytes(&slice->plan, array);
    void *slot = bitboard_array_slot(state, array);
    if (bytes)
      error = slice->disk ? map_array(slice, array, slot, message)
                          : bitboard_array_allocate(memory, &slice->plan, bytes, described[array].name, slot,
                                                    message);
  }
  return error;
}

void bitboard_arrays_close(memory_budget *memory, const bitboard_slice *slice, int first, int end,
                           game_bitboards_state *state) {
  for (int array = first; array < end; array++) {
    void *block, *slot = bitboard_array_slot(state, array);
    memcpy(&block, slot, sizeof block);
    if (slice->disk) {
      mapped_unmap(slice->disk->mapped, 0, (uint32_t)array);
      mapped_clear(slice->disk->mapped, 0, (uint32_t)array);
    } else {
      memory_free(memory, block);
    }
    memset(slot, 0, sizeof block);
  }
}

void bitboard_disk_drop_pages(void *disk) {
  const bitboard_disk *of = disk;
  mapped_drop_pages(of->mapped);
}

void bitboard_disk_note_read(const bitboard_slice *slice, uint64_t blocks) {
  bitboard_disk *disk = slice->disk;
  if (!disk || atomic_fetch_add(&disk->read, blocks) + blocks < disk->part_blocks / SHARE_READ_AT_ONCE)
    return;
  atomic_store(&disk->read, 0);
  mapped_drop_pages(disk->mapped);
}
