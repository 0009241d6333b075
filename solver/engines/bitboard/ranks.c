/* Shares the parts of a slice among ranks. If waves sweep, they send outgoing words between the steps of a
 * wave, and cells after it. If waves go by marks, they send cells and marks. */
#include <string.h>

#include "solver/engines/bitboard/cut.h"
#include "solver/engines/bitboard/work.h"

typedef struct {
  uint64_t first, words;
} run_head;

/* The head of a unit's changes in a packet. The words of the changed blocks follow, then the places of these
 * blocks in the unit, then the places of the marked blocks. */
typedef struct {
  uint64_t unit;
  uint32_t changed, marked;
} changes_head;

enum { USUAL_PACKET = 32 * 1024 };

/* Returns the workspace of the exchange. A packet has room for the cells or changes of any unit and for the
 * outgoing words of any tile. */
static workspace plan_packets(const workspace *work, const game_bitboards_plan *plan,
                              const game_bitboards_cut *cut) {
  workspace own = *work;
  const size_t changes = bitboards_unit(plan->blocks) * (sizeof(uint64_t) + 2 * sizeof(uint16_t));
  const size_t cells = plan->sweeps ? sizeof(uint64_t) + bitboard_log_piece_bytes(plan->blocks)
                                    : sizeof(changes_head) + changes;
  own.threads = work->most_threads ? work->most_threads : work->threads;
  own.most_threads = bitboard_threads(&own, plan);
  own.threads = bitboard_threads(work, plan);
  if (own.packet_bytes == 0) own.packet_bytes = USUAL_PACKET;
  if (own.packet_bytes < cells) own.packet_bytes = cells;
  if (own.packet_bytes < cut->read_bytes) own.packet_bytes = cut->read_bytes;
  own.packet_bytes = (own.packet_bytes + 63) / 64 * 64;
  return own;
}

static uint64_t spare_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut) {
  const uint64_t touched = cut->spare_pages * BITBOARDS_PAGE;
  return (touched < plan->spare ? touched : plan->spare) * sizeof(uint64_t);
}

/* Returns the bytes of the cells that a wave decides in one part or, if all arrays are in memory, in all
 * parts of a rank. */
static uint64_t decided_bytes(const game_bitboards_plan *plan, const game_bitboards_cut *cut) {
  const uint64_t parts = cut->in_memory ? (cut->parts + cut->ranks - 1) / cut->ranks : 1;
  const uint64_t touched = parts * cut->part_units * bitboards_unit(plan->blocks);
  return (touched < plan->blocks ? touched : plan->blocks) * sizeof(uint64_t);
}

uint64_t bitboard_ranks_bytes(const workspace *work, const game_bitboards_plan *plan,
                              const game_bitboards_cut *cut) {
  const workspace own = plan_packets(work, plan, cut);
  return (plan->sweeps ? spare_bytes(plan, cut) + cut->ranks * sizeof(uint64_t)
                       : decided_bytes(plan, cut) + cut->parts * sizeof(uint64_t)) +
         exchange_bytes(&own, cut->ranks, 1) + (uint64_t)own.threads * own.packet_bytes;
}

static const char what_is_sent[] = "what ranks send each other of a slice";

static tauler_error open_for_sweeps(bitboard_cut *cut, tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const game_bitboards_cut *of = &slice->cut;
  const workspace *work = &cut->work->job->work;
  tauler_error error = memory_allocate_sparse(work->memory, slice->plan.spare * sizeof(uint64_t),
                                              spare_bytes(&slice->plan, of), "the working words of a slice",
                                              &cut->work->state.spare, message);
  if (!error)
    error = memory_allocate_array(work->memory, of->ranks, sizeof *cut->parts_of, what_is_sent,
                                  &cut->parts_of, message);
  if (error) return error;
  for (uint32_t part = 0; part < of->parts; part++) cut->parts_of[of->owner[part]] |= UINT64_C(1) << part;
  cut->parts = cut->parts_of[comm_rank(work->comm)];
  bitboard_cut_list_units(cut);
  return TAULER_OK;
}

static tauler_error open_for_marks(bitboard_cut *cut, tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const game_bitboards_cut *of = &slice->cut;
  memory_budget *memory = cut->work->job->work.memory;
  tauler_error error =
      memory_allocate_sparse(memory, slice->plan.blocks * sizeof(uint64_t), decided_bytes(&slice->plan, of),
                             "cells that a wave decides", &cut->work->state.decided, message);
  if (!error)
    error = memory_allocate_array(memory, of->parts, sizeof *cut->ends, what_is_sent, &cut->ends, message);
  if (error) return error;
  for (uint32_t part = 0; part < of->parts; part++) {
    const uint32_t groups = of->groups / of->parts;
    cut->ends[part] =
        slice->kernels->group_end(slice->tables, (part + 1) * groups - 1) * slice->plan.tile_blocks;
  }
  return TAULER_OK;
}

tauler_error bitboard_ranks_open(bitboard_cut *cut, tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const workspace own = plan_packets(&cut->work->job->work, &slice->plan, &slice->cut);
  cut->packet_bytes = own.packet_bytes;
  tauler_error error = (slice->plan.sweeps ? open_for_sweeps : open_for_marks)(cut, message);
  if (!error)
    error = memory_allocate_array(own.memory, (uint64_t)own.threads, own.packet_bytes, what_is_sent,
                                  &cut->packets, message);
  return error ? error : exchange_open(&own, slice->cut.ranks, 1, &cut->exchange, message);
}

bool bitboard_ranks_owns(const bitboard_cut *cut, uint64_t tile) {
  const bitboard_slice *slice = cut->work->slice;
  return cut->parts >> slice->kernels->parts->part_of(slice->tables, tile) & 1;
}

/* --- packets --- */

/* Sends an item to other ranks, unless it is empty. */
typedef tauler_error send_item(bitboard_cut *cut, uint64_t item, uint8_t *packet, tauler_message *message);
typedef tauler_error receive_item(bitboard_cut *cut, const exchange_packet *packet, tauler_message *message);

static void advance_exchange(void *user) {
  bitboard_cut *cut = user;
  tauler_message message = {""};
  bool more = cut->next < cut->items;
  const tauler_error error = exchange_advance(cut->exchange, &more, NULL, 0, &message);
  cut->broken = error != TAULER_OK;
  cut->more = more && !error;
  failure_note(&cut->work->failed, error, &message);
}

static void send_items(bitboard_cut *cut, const worker *self, send_item *send) {
  uint8_t *packet = cut->packets + (size_t)self->number * cut->packet_bytes;
  uint64_t item;
  while (!exchange_is_full(cut->exchange) && (item = atomic_fetch_add(&cut->next, 1)) < cut->items) {
    tauler_message message = {""};
    failure_note(&cut->work->failed, send(cut, item, packet, &message), &message);
    comm_note_progress(cut->work->job->work.comm);
  }
}

static void receive_packets(bitboard_cut *cut, receive_item *receive) {
  exchange_cursor cursor = {NULL};
  exchange_packet packet;
  const uint32_t rank = (uint32_t)comm_rank(cut->work->job->work.comm);
  while (exchange_receive(cut->exchange, rank, &cursor, &packet, &cut->work->failed)) {
    tauler_message message = {""};
    failure_note(&cut->work->failed, receive(cut, &packet, &message), &message);
  }
}

/* Sends all items and receives those of other ranks. All workers call it. */
static void exchange_items(bitboard_cut *cut, worker *self, uint64_t items, send_item *send,
                           receive_item *receive) {
  if (self->number == 0) {
    cut->items = items;
    cut->next = 0;
  }
  worker_barrier(self, NULL, NULL);
  if (cut->broken) return;
  do {
    send_items(cut, self, send);
    worker_barrier_main(self, advance_exchange, cut);
    if (!cut->broken) receive_packets(cut, receive);
    worker_barrier(self, NULL, NULL);
  } while (cut->more);
}

/* --- outgoing words --- */

typedef struct {
  const uint64_t *spare;
  uint8_t *bytes;
  size_t used;
} outgoing_packet;

static void add_run(void *user, uint64_t first, uint64_t words) {
  outgoing_packet *packet = user;
  const run_head head = {first, words};
  memcpy(packet->bytes + packet->used, &head, sizeof head);
  memcpy(packet->bytes + packet->used + sizeof head, packet->spare + first, words * sizeof(uint64_t));
  packet->used += sizeof head + words * sizeof(uint64_t);
}

static uint64_t count_item_tiles(const bitboard_cut *cut) {
  const uint64_t most = cut->work->slice->cut.read_bytes;
  return most ? cut->packet_bytes / most : cut->work->slice->plan.tiles;
}

static tauler_error send_outgoing(bitboard_cut *cut, uint64_t item, uint8_t *bytes, tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const uint32_t ranks = slice->cut.ranks, to = (uint32_t)(item % ranks),
                 rank = (uint32_t)comm_rank(cut->work->job->work.comm);
  const uint64_t each = count_item_tiles(cut), first = cut->first_tile + item / ranks * each;
  outgoing_packet packet = {cut->work->state.spare, bytes, 0};
  for (uint64_t tile = first; to != rank && tile < first + each && tile < cut->end_tile; tile++) {
    if (bitboard_ranks_owns(cut, tile))
      slice->kernels->parts->visit_read(slice->tables, tile, cut->parts_of[to], add_run, &packet);
  }
  if (packet.used) (void)exchange_push(cut->exchange, rank, to, bytes, packet.used);
  return TAULER_OK;
}

static tauler_error receive_spare(bitboard_cut *cut, const exchange_packet *packet, tauler_message *message) {
  const uint64_t spare = cut->work->slice->plan.spare;
  run_head head;
  for (size_t at = 0; at < packet->n; at += sizeof head + head.words * sizeof(uint64_t)) {
    const size_t left = packet->n - at;
    if (left >= sizeof head) memcpy(&head, packet->bytes + at, sizeof head);
    if (left < sizeof head || head.words > (left - sizeof head) / sizeof(uint64_t) || head.words > spare ||
        head.first > spare - head.words)
      return tauler_fail(message, TAULER_IO,
                         "rank %u sent lists of cells that are damaged: check the network", packet->from);
    memcpy(cut->work->state.spare + head.first, packet->bytes + at + sizeof head,
           head.words * sizeof(uint64_t));
  }
  return TAULER_OK;
}

void bitboard_ranks_send_outgoing(bitboard_cut *cut, worker *self, uint64_t first, uint64_t end) {
  const uint64_t each = count_item_tiles(cut);
  if (self->number == 0) {
    cut->first_tile = first;
    cut->end_tile = end;
  }
  exchange_items(cut, self, (end - first + each - 1) / each * cut->work->slice->cut.ranks, send_outgoing,
                 receive_spare);
}

/* --- cells --- */

/* Saves a unit's cells in the log, and sends them to all other ranks. */
static tauler_error send_cells(bitboard_cut *cut, uint64_t item, uint8_t *bytes, tauler_message *message) {
  const uint32_t ranks = cut->work->slice->cut.ranks, rank = (uint32_t)comm_rank(cut->work->job->work.comm);
  const uint64_t unit = cut->units[item];
  size_t n = 0;
  const tauler_error error = bitboard_cut_save_unit(cut, unit, bytes + sizeof unit, &n, message);
  if (error || n == 0) return error;
  memcpy(bytes, &unit, sizeof unit);
  for (uint32_t to = 0; to < ranks; to++) {
    if (to != rank) (void)exchange_push(cut->exchange, rank, to, bytes, sizeof unit + n);
  }
  return TAULER_OK;
}

static tauler_error receive_cells(bitboard_cut *cut, const exchange_packet *packet, tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  uint64_t unit = UINT64_MAX;
  if (packet->n > sizeof unit) memcpy(&unit, packet->bytes, sizeof unit);
  const uint8_t code = bitboards_code(cut->work->state.wave);
  return bitboard_log_receive_cells(slice->log, unit, packet->bytes + sizeof unit, packet->n - sizeof unit,
                                    code, bitboard_cut_written_set(cut), message);
}

void bitboard_ranks_send_cells(bitboard_cut *cut, worker *self) {
  exchange_items(cut, self, cut->units_used, send_cells, receive_cells);
}

/* --- changes, if waves go by marks --- */

uint32_t bitboard_ranks_part_of(const bitboard_cut *cut, uint64_t block) {
  uint32_t part = 0;
  while (cut->ends[part] <= block) part++;
  return part;
}

typedef struct {
  uint64_t first, end; /* blocks */
} block_run;

static block_run run_of_unit(const bitboard_cut *cut, uint64_t unit) {
  const uint64_t blocks = cut->work->slice->plan.blocks, each = bitboards_unit(blocks), first = unit * each;
  return (block_run){first, blocks - first < each ? blocks : first + each};
}

static block_run run_of_part(const bitboard_cut *cut, block_run unit, uint32_t part) {
  const uint64_t begin = part > 0 ? cut->ends[part - 1] : 0, end = cut->ends[part];
  const block_run run = {unit.first > begin ? unit.first : begin, unit.end < end ? unit.end : end};
  return run.first < run.end ? run : (block_run){0, 0};
}

static bool is_owned_by(const bitboard_cut *cut, uint32_t part, uint32_t rank) {
  return cut->work->slice->cut.owner[part] == rank;
}

/* Writes to a packet the words of the blocks that changed here, then their places, and clears the words.
 * Returns the number of bytes in the packet. */
static size_t put_cells(const bitboard_cut *cut, changes_head *head, uint8_t *bytes) {
  const uint32_t rank = (uint32_t)comm_rank(cut->work->job->work.comm);
  const block_run unit = run_of_unit(cut, head->unit);
  uint64_t *decided = cut->work->state.decided;
  uint16_t places[BITBOARDS_MOST_UNIT] = {0};
  size_t used = sizeof *head;
  for (uint32_t part = cut->first_part; part < cut->end_part; part++) {
    const block_run run = run_of_part(cut, unit, part);
    for (uint64_t block = run.first; is_owned_by(cut, part, rank) && block < run.end; block++) {
      if (!decided[block]) continue;
      memcpy(bytes + used, &decided[block], sizeof *decided);
      used += sizeof *decided;
      decided[block] = 0;
      places[head->changed++] = (uint16_t)(block - unit.first);
    }
  }
  memcpy(bytes + used, places, head->changed * sizeof *places);
  return used + head->changed * sizeof *places;
}

/* Appends to a packet, after the last part of a wave, the places of the blocks of rank `to` that were marked
 * here, and clears the marks. Returns the number of bytes in the packet. */
static size_t put_marks(const bitboard_cut *cut, changes_head *head, uint32_t to, uint8_t *bytes,
                        size_t used) {
  const game_bitboards_state *state = &cut->work->state;
  const uint32_t parts = cut->work->slice->cut.parts;
  const int odd = (state->wave + 1) & 1;
  const block_run unit = run_of_unit(cut, head->unit);
  head->marked = 0;
  for (uint32_t part = 0; part < parts && cut->end_part == parts; part++) {
    const block_run run = run_of_part(cut, unit, part);
    if (!is_owned_by(cut, part, to)) continue;
    const uint8_t *marked = state->marked[odd], *end = marked + run.end, *at = marked + run.first;
    for (; at < end && (at = memchr(at, 1, (size_t)(end - at))); at++) {
      const uint16_t place = (uint16_t)((uint64_t)(at - marked) - unit.first);
      bitboards_clear_mark(state, odd, (uint64_t)(at - marked));
      memcpy(bytes + used, &place, sizeof place);
      used += sizeof place;
      head->marked++;
    }
  }
  return used;
}

static tauler_error send_changes(bitboard_cut *cut, uint64_t item, uint8_t *bytes, tauler_message *message) {
  const uint32_t ranks = cut->work->slice->cut.ranks, rank = (uint32_t)comm_rank(cut->work->job->work.comm);
  changes_head head = {.unit = item};
  const size_t cells = put_cells(cut, &head, bytes);
  for (uint32_t to = 0; to < ranks; to++) {
    if (to == rank) continue;
    const size_t all = put_marks(cut, &head, to, bytes, cells);
    memcpy(bytes, &head, sizeof head);
    if (head.changed || head.marked) (void)exchange_push(cut->exchange, rank, to, bytes, all);
  }
  return TAULER_OK;
}

static bool read_changes_head(const bitboard_cut *cut, const exchange_packet *packet, changes_head *head,
                              block_run *unit) {
  if (packet->n < sizeof *head) return false;
  memcpy(head, packet->bytes, sizeof *head);
  if (head->unit >= cut->items || head->changed > BITBOARDS_MOST_UNIT || head->marked > BITBOARDS_MOST_UNIT)
    return false;
  *unit = run_of_unit(cut, head->unit);
  return packet->n == sizeof *head + head->changed * (sizeof(uint64_t) + sizeof(uint16_t)) +
                          head->marked * sizeof(uint16_t);
}

static tauler_error receive_changes(bitboard_cut *cut, const exchange_packet *packet,
                                    tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const game_bitboards_state *state = &cut->work->state;
  const bool odd = state->wave & 1;
  uint64_t *set = odd ? state->won : state->lost, cells;
  changes_head head = {0};
  block_run unit = {0, 0};
  bool sound = read_changes_head(cut, packet, &head, &unit);
  const uint8_t *words = packet->bytes + sizeof head, *places = words + head.changed * sizeof cells;
  for (uint32_t i = 0; sound && i < head.changed + head.marked; i++) {
    uint16_t place;
    memcpy(&place, places + i * sizeof place, sizeof place);
    const uint64_t block = unit.first + place;
    sound = block < unit.end;
    if (!sound) break;
    if (i >= head.changed) {
      bitboards_mark(state, !odd, block);
      continue;
    }
    memcpy(&cells, words + i * sizeof cells, sizeof cells);
    set[block] |= cells;
    slice->kernels->parts->keep_code(slice->tables, state, block, cells, bitboards_code(state->wave));
  }
  bitboard_disk_note_read(slice, unit.end - unit.first);
  return sound ? TAULER_OK
               : tauler_fail(message, TAULER_IO, "rank %u sent changes that are damaged: check the network",
                             packet->from);
}

void bitboard_ranks_send_changes(bitboard_cut *cut, worker *self, uint32_t first, uint32_t end) {
  if (self->number == 0) {
    cut->first_part = first;
    cut->end_part = end;
  }
  exchange_items(cut, self, bitboards_units(cut->work->slice->plan.blocks), send_changes, receive_changes);
}

void bitboard_ranks_reduce(bitboard_cut *cut, comm_operation operation, uint64_t *numbers, size_t n) {
  tauler_message message = {""};
  const tauler_error error = comm_allreduce(cut->work->job->work.comm, operation, numbers, n, &message);
  failure_note(&cut->work->failed, error, &message);
}
