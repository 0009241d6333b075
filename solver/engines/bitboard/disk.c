/* Maps the arrays of a slice from a file and frees their pages part by part. */
#include "solver/engines/bitboard/work.h"

#include "solver/shards/mapped.h"

/* Bytes that are charged in addition to the blocks of a part. BYTES_OF_A_TABLE_BYTE: the system has eight
 * bytes for each page, which remain when the page is freed. LARGE_PAGE: the system loads up to 2 MiB when a
 * byte is touched. At both ends of a run half of that was not asked for, and unused blocks are loaded with
 * their neighbours. SHARE_READ_AT_ONCE: pages are freed when this fraction of a part has been read. */
enum { BYTES_OF_A_TABLE_BYTE = 512, LARGE_PAGE = 1 << 21, LEAST_LARGE_PAGES = 8, SHARE_READ_AT_ONCE = 4 };

struct bitboard_disk {
  memory_budget *memory;
  mapped_arrays *mapped;
  uint64_t part_blocks;
  _Atomic uint64_t read; /* blocks read since pages were freed */
};

/* Bytes of a block in an array. */
static size_t block_bytes(const game_bitboards_plan *plan, int array) {
  switch (array) {
  case DISK_DEPTH:
    return plan->columns;
  case DISK_WON:
  case DISK_LOST:
  case DISK_HELD:
  case DISK_GAINING:
    return sizeof(uint64_t);
  default:
    return 1;
  }
}

static bool is_there(const game_bitboards_plan *plan, int array) {
  return plan->converts || array < DISK_HELD;
}

/* True for arrays that a part also reads or marks outside its own blocks. A wave writes `won` and reads
 * `lost`, or the other way round, and clears some marks and sets others. */
static bool is_read_around(int array) {
  return array == DISK_WON || array == DISK_MARKED_EVEN;
}

static uint64_t units(const game_bitboards_plan *plan, uint64_t n) {
  const uint64_t blocks = n * bitboards_unit(plan->blocks);
  return blocks < plan->blocks ? blocks : plan->blocks;
}

static uint64_t touched(const game_bitboards_plan *plan, const game_bitboards_cut *cut, int array) {
  const uint64_t each = block_bytes(plan, array), all = plan->blocks * each;
  const uint64_t ends = all / LEAST_LARGE_PAGES < LARGE_PAGE ? all / LEAST_LARGE_PAGES : LARGE_PAGE;
  return units(plan, is_read_around(array) ? cut->read_units : cut->part_units) * each + ends +
         all / BYTES_OF_A_TABLE_BYTE;
}

static uint64_t list_bytes(void) {
  return sizeof(bitboard_disk) + mapped_list_bytes(DISK_ARRAYS);
}

uint64_t bitboard_disk_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut) {
  uint64_t bytes = list_bytes();
  for (int array = 0; array < DISK_ARRAYS; array++)
    bytes += is_there(plan, array) ? touched(plan, cut, array) : 0;
  return bytes;
}

uint64_t bitboard_disk_finished_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut) {
  uint64_t bytes = list_bytes();
  for (int array = 0; array <= DISK_DEPTH; array++) bytes += touched(plan, cut, array);
  return bytes;
}

uint64_t bitboard_disk_waiting(const game_bitboards_plan *plan) {
  uint64_t bytes = 0;
  for (int array = 0; array < DISK_ARRAYS; array++)
    bytes += is_there(plan, array) ? plan->blocks * block_bytes(plan, array) : 0;
  return bytes;
}

static tauler_error map_array(const bitboard_slice *slice, int array, void *slot, tauler_message *message) {
  const game_bitboards_plan *plan = &slice->plan;
  const uint64_t bytes = plan->blocks * block_bytes(plan, array);
  mapped_arrays *mapped = slice->disk->mapped;
  const tauler_error error =
      mapped_map(mapped, 0, (uint32_t)array, bytes, touched(plan, &slice->cut, array), slot, message);
  return error ? error : mapped_reserve(mapped, 0, (uint32_t)array, 0, bytes, message);
}

tauler_error bitboard_disk_open(const workspace *work, bitboard_slice *slice, tauler_message *message) {
  bitboard_disk *disk;
  tauler_error error = memory_allocate(work->memory, sizeof *disk, "bitboards on the disk", &disk, message);
  if (error) return error;
  *disk = (bitboard_disk){.memory = work->memory, .part_blocks = units(&slice->plan, slice->cut.part_units)};
  slice->disk = disk;
  error = mapped_open(work->spill_folder, work->memory, &disk->mapped, message);
  if (!error) error = map_array(slice, DISK_WON, &slice->won, message);
  if (!error) error = map_array(slice, DISK_LOST, &slice->lost, message);
  return error ? error : map_array(slice, DISK_DEPTH, &slice->depth, message);
}

void bitboard_disk_close(bitboard_slice *slice) {
  if (!slice->disk) return;
  mapped_close(slice->disk->mapped);
  memory_free(slice->disk->memory, slice->disk);
  slice->won = slice->lost = NULL;
  slice->depth = NULL;
}

tauler_error bitboard_disk_map_state(const bitboard_slice *slice, game_bitboards_state *state,
                                     tauler_message *message) {
  tauler_error error = map_array(slice, DISK_MARKED_EVEN, &state->marked[0], message);
  if (!error) error = map_array(slice, DISK_MARKED_ODD, &state->marked[1], message);
  if (error || !slice->plan.converts) return error;
  error = map_array(slice, DISK_HELD, &state->held, message);
  if (!error) error = map_array(slice, DISK_GAINING, &state->gaining, message);
  return error ? error : map_array(slice, DISK_DUE, &state->due, message);
}

void bitboard_disk_unmap_state(const bitboard_slice *slice, game_bitboards_state *state) {
  for (uint32_t array = DISK_DEPTH + 1; array < DISK_ARRAYS; array++) {
    mapped_unmap(slice->disk->mapped, 0, array);
    mapped_clear(slice->disk->mapped, 0, array);
  }
  state->held = state->gaining = NULL;
  state->due = state->marked[0] = state->marked[1] = NULL;
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
