/* Shares the parts of a slice among ranks: sends hands between the steps of a wave, and cells after it. */
#include <string.h>

#include "solver/engines/bitboard/cut.h"

/* Head of a run of spare words in a packet. */
typedef struct {
  uint64_t first, words;
} run_head;

enum { USUAL_PACKET = 32 * 1024 };

/* A packet has the cells of a unit, or the hands of a tile at least. */
static workspace packets_of(const workspace *work, const game_bitboards_plan *plan,
                            const game_bitboards_cut *cut) {
  workspace own = *work;
  const size_t cells = sizeof(uint64_t) + bitboard_log_piece_bytes(plan->blocks);
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

uint64_t bitboard_ranks_bytes(const workspace *work, const game_bitboards_plan *plan,
                              const game_bitboards_cut *cut) {
  const workspace own = packets_of(work, plan, cut);
  return spare_bytes(plan, cut) + exchange_bytes(&own, cut->ranks, 1) + cut->ranks * sizeof(uint64_t) +
         (uint64_t)own.threads * own.packet_bytes;
}

tauler_error bitboard_ranks_open(bitboard_cut *cut, tauler_message *message) {
  static const char what[] = "what ranks send each other of a slice";
  const bitboard_slice *slice = cut->work->slice;
  const game_bitboards_cut *of = &slice->cut;
  const workspace own = packets_of(&cut->work->job->work, &slice->plan, of);
  memory_budget *memory = own.memory;
  cut->packet_bytes = own.packet_bytes;
  tauler_error error =
      memory_take_sparse(memory, slice->plan.spare * sizeof(uint64_t), spare_bytes(&slice->plan, of),
                         "the working words of a slice", &cut->work->state.spare, message);
  if (!error)
    error = memory_take_array(memory, of->ranks, sizeof *cut->parts_of, what, &cut->parts_of, message);
  if (!error)
    error = memory_take_array(memory, (uint64_t)own.threads, own.packet_bytes, what, &cut->packets, message);
  if (!error) error = exchange_open(&own, of->ranks, 1, &cut->exchange, message);
  if (error) return error;
  for (uint32_t part = 0; part < of->parts; part++) cut->parts_of[of->owner[part]] |= UINT64_C(1) << part;
  cut->parts = cut->parts_of[comm_rank(own.comm)];
  bitboard_cut_list_units(cut);
  return TAULER_OK;
}

bool bitboard_ranks_owns(const bitboard_cut *cut, uint64_t tile) {
  const bitboard_slice *slice = cut->work->slice;
  return cut->parts >> slice->kernels->parts->part_of(slice->tables, tile) & 1;
}

/* --- packets --- */

/* Sends an item, if there is anything in it. */
typedef tauler_error send_item(bitboard_cut *cut, uint64_t item, uint8_t *packet, tauler_message *message);
typedef tauler_error take_packet(bitboard_cut *cut, const exchange_packet *packet, tauler_message *message);

static void advance(void *user) {
  bitboard_cut *cut = user;
  tauler_message message = {""};
  bool more = cut->next < cut->items;
  const tauler_error error = exchange_advance(cut->exchange, &more, NULL, 0, &message);
  cut->lost = error != TAULER_OK;
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

static void take_packets(bitboard_cut *cut, take_packet *take) {
  exchange_cursor cursor = {NULL};
  exchange_packet packet;
  const uint32_t rank = (uint32_t)comm_rank(cut->work->job->work.comm);
  while (exchange_take(cut->exchange, rank, &cursor, &packet, &cut->work->failed)) {
    tauler_message message = {""};
    failure_note(&cut->work->failed, take(cut, &packet, &message), &message);
  }
}

/* By all workers, each of which has seen the items set. */
static void swap(bitboard_cut *cut, worker *self, send_item *send, take_packet *take) {
  if (cut->lost) return;
  do {
    send_items(cut, self, send);
    worker_barrier_main(self, advance, cut);
    if (!cut->lost) take_packets(cut, take);
    worker_barrier(self, NULL, NULL);
  } while (cut->more);
}

/* --- hands --- */

typedef struct {
  const uint64_t *spare;
  uint8_t *bytes;
  size_t used;
} hand_packet;

static void add_run(void *user, uint64_t first, uint64_t words) {
  hand_packet *packet = user;
  const run_head head = {first, words};
  memcpy(packet->bytes + packet->used, &head, sizeof head);
  memcpy(packet->bytes + packet->used + sizeof head, packet->spare + first, words * sizeof(uint64_t));
  packet->used += sizeof head + words * sizeof(uint64_t);
}

static uint64_t tiles_of_item(const bitboard_cut *cut) {
  const uint64_t most = cut->work->slice->cut.read_bytes;
  return most ? cut->packet_bytes / most : cut->work->slice->plan.tiles;
}

/* Some tiles to one rank. */
static tauler_error send_hands(bitboard_cut *cut, uint64_t item, uint8_t *bytes, tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  const uint32_t ranks = slice->cut.ranks, to = (uint32_t)(item % ranks),
                 rank = (uint32_t)comm_rank(cut->work->job->work.comm);
  const uint64_t each = tiles_of_item(cut), first = cut->first_tile + item / ranks * each;
  hand_packet packet = {cut->work->state.spare, bytes, 0};
  (void)message;
  for (uint64_t tile = first; to != rank && tile < first + each && tile < cut->end_tile; tile++) {
    if (bitboard_ranks_owns(cut, tile))
      slice->kernels->parts->visit_read(slice->tables, tile, cut->parts_of[to], add_run, &packet);
  }
  if (packet.used) exchange_push(cut->exchange, rank, to, bytes, packet.used);
  return TAULER_OK;
}

static tauler_error take_hands(bitboard_cut *cut, const exchange_packet *packet, tauler_message *message) {
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

static void begin_hands(void *user) {
  bitboard_cut *cut = user;
  const uint64_t each = tiles_of_item(cut);
  cut->items = (cut->end_tile - cut->first_tile + each - 1) / each * cut->work->slice->cut.ranks;
  cut->next = 0;
}

void bitboard_ranks_send_hands(bitboard_cut *cut, worker *self, uint64_t first, uint64_t end) {
  if (self->number == 0) {
    cut->first_tile = first;
    cut->end_tile = end;
  }
  worker_barrier(self, begin_hands, cut);
  swap(cut, self, send_hands, take_hands);
}

/* --- cells --- */

/* A unit to all ranks. */
static tauler_error send_cells(bitboard_cut *cut, uint64_t item, uint8_t *bytes, tauler_message *message) {
  const uint32_t ranks = cut->work->slice->cut.ranks, rank = (uint32_t)comm_rank(cut->work->job->work.comm);
  const uint64_t unit = cut->units[item];
  size_t n = 0;
  const tauler_error error = bitboard_cut_save_unit(cut, unit, bytes + sizeof unit, &n, message);
  if (error || n == 0) return error;
  memcpy(bytes, &unit, sizeof unit);
  for (uint32_t to = 0; to < ranks; to++) {
    if (to != rank) exchange_push(cut->exchange, rank, to, bytes, sizeof unit + n);
  }
  return TAULER_OK;
}

static tauler_error take_cells(bitboard_cut *cut, const exchange_packet *packet, tauler_message *message) {
  const bitboard_slice *slice = cut->work->slice;
  uint64_t unit = UINT64_MAX;
  if (packet->n > sizeof unit) memcpy(&unit, packet->bytes, sizeof unit);
  const uint8_t code = bitboards_code(cut->work->state.wave);
  return bitboard_log_take_cells(slice->log, unit, packet->bytes + sizeof unit, packet->n - sizeof unit, code,
                                 bitboard_cut_written_set(cut), message);
}

static void begin_cells(void *user) {
  bitboard_cut *cut = user;
  cut->items = cut->units_used;
  cut->next = 0;
}

void bitboard_ranks_send_cells(bitboard_cut *cut, worker *self) {
  worker_barrier(self, begin_cells, cut);
  swap(cut, self, send_cells, take_cells);
}

void bitboard_ranks_add(bitboard_cut *cut, uint64_t *numbers, size_t n) {
  tauler_message message = {""};
  const tauler_error error = comm_allreduce(cut->work->job->work.comm, COMM_SUM, numbers, n, &message);
  failure_note(&cut->work->failed, error, &message);
}
