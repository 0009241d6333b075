/* Queues packets for shards that are processed later, in memory and in a file. */
#include "parallel/receive_queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <xxhash.h>

#include "base/unnamed_file.h"

enum { CHUNK_BYTES = 256 * 1024, LEAST_SLOTS = 256 };
static const uint32_t NONE = UINT32_MAX;

/* A slot of the file: digest and number of its bytes. `next` links the slots of a queue or the free slots. */
typedef struct {
  uint64_t digest;
  uint32_t used, next;
} chunk;

/* Byte `at` of a chunk. The chunks of a queue have numbers from 0 on, in the order of their filling. */
typedef struct {
  uint64_t chunk;
  size_t at;
} place;

typedef struct {
  pthread_mutex_t lock;
  uint8_t *open; /* newest chunk, in memory */
  size_t used;   /* bytes used in the newest chunk */
  uint64_t first_number, open_number;
  uint32_t first, last; /* first and last slot of the queue in the file, or NONE */
  place next, mark;     /* next byte to read, and end of what may be read */
  uint32_t next_slot;   /* slot of next.chunk, or NONE for the open chunk */
} receive_queue;

struct receive_cursor {
  atomic_bool busy;
  uint8_t *bytes;
  size_t at, end;
};

struct receive_queues {
  memory_budget *memory;
  arena lists;
  unnamed_file *file;
  uint32_t n;
  int readers_n;
  size_t packet_bytes, chunk_bytes;
  uint8_t *buffers; /* buffers of the receive queues, followed by those of the readers */
  receive_queue *list;
  receive_cursor *readers;
  pthread_mutex_t lock; /* lock of the slots, taken after the lock of a queue */
  chunk *slots;
  uint32_t slots_n, slots_room, free_slot;
};

size_t packet_read(const uint8_t *bytes, size_t at, size_t end, size_t most, exchange_packet *packet) {
  packet_head head;
  if (end - at < sizeof head) return 0;
  memcpy(&head, bytes + at, sizeof head);
  if (head.mark != PACKET_MARK || head.n > most || packet_record_bytes(head.n) > end - at) return 0;
  *packet = (exchange_packet){head.from, head.to, bytes + at + sizeof head, head.n};
  return at + packet_record_bytes(head.n);
}

void packet_write(uint8_t *room, const exchange_packet *packet) {
  const packet_head head = {packet->from, packet->to, (uint32_t)packet->n, PACKET_MARK};
  const size_t end = sizeof head + packet->n;
  memcpy(room, &head, sizeof head);
  if (packet->n) memcpy(room + sizeof head, packet->bytes, packet->n);
  memset(room + end, 0, packet_record_bytes(packet->n) - end);
}

static size_t chunk_size(size_t packet_bytes) {
  const size_t least = packet_record_bytes(packet_bytes);
  return (size_t)unnamed_file_round(least < CHUNK_BYTES ? CHUNK_BYTES : least);
}

static const char what[] = "packets that wait for their shard";

static void list_queue_arrays(arena *a, void *of) {
  receive_queues *boxes = of;
  const uint64_t readers = (uint64_t)boxes->readers_n;
  boxes->list = arena_allocate(a, boxes->n, sizeof *boxes->list);
  boxes->readers = arena_allocate(a, readers, sizeof *boxes->readers);
  boxes->buffers = arena_allocate(a, boxes->n + readers, boxes->chunk_bytes);
}

uint64_t receive_queues_bytes(uint32_t n, size_t packet_bytes, int threads) {
  receive_queues planned = {.n = n, .readers_n = threads, .chunk_bytes = chunk_size(packet_bytes)};
  return sizeof planned + arena_bytes(list_queue_arrays, &planned) + LEAST_SLOTS * sizeof(chunk);
}

tauler_error receive_queues_open(const char *folder, uint32_t n, size_t packet_bytes, int threads,
                                 memory_budget *memory, receive_queues **out, tauler_message *message) {
  *out = NULL;
  receive_queues *made;
  tauler_error error = memory_allocate(memory, sizeof *made, what, &made, message);
  if (error) return error;
  *made = (receive_queues){.memory = memory,
                           .n = n,
                           .readers_n = threads,
                           .packet_bytes = packet_bytes,
                           .chunk_bytes = chunk_size(packet_bytes),
                           .slots_room = LEAST_SLOTS,
                           .free_slot = NONE};
  pthread_mutex_init(&made->lock, NULL);
  error = arena_fill(&made->lists, memory, what, list_queue_arrays, made, message);
  if (!error) error = memory_allocate_array(memory, LEAST_SLOTS, sizeof(chunk), what, &made->slots, message);
  for (uint32_t i = 0; i < n && !error; i++) {
    made->list[i] = (receive_queue){
        .open = made->buffers + i * made->chunk_bytes, .first = NONE, .last = NONE, .next_slot = NONE};
    pthread_mutex_init(&made->list[i].lock, NULL);
  }
  for (int i = 0; i < threads && !error; i++)
    made->readers[i].bytes = made->buffers + (n + (size_t)i) * made->chunk_bytes;
  if (!error) error = unnamed_file_open(folder, &made->file, message);
  if (error) {
    receive_queues_close(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

void receive_queues_close(receive_queues *boxes) {
  if (!boxes) return;
  for (uint32_t i = 0; boxes->lists.block && i < boxes->n; i++)
    if (boxes->list[i].open) pthread_mutex_destroy(&boxes->list[i].lock);
  pthread_mutex_destroy(&boxes->lock);
  unnamed_file_close(boxes->file);
  arena_close(&boxes->lists);
  memory_free(boxes->memory, boxes->slots);
  memory_free(boxes->memory, boxes);
}

static tauler_error claim_slot(receive_queues *boxes, uint32_t *slot, tauler_message *message) {
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&boxes->lock);
  if (boxes->free_slot == NONE && boxes->slots_n == boxes->slots_room) {
    const uint64_t room = 2 * (uint64_t)boxes->slots_room;
    error = memory_resize(boxes->memory, room * sizeof(chunk), "list of packets that wait", &boxes->slots,
                          message);
    if (!error) boxes->slots_room = (uint32_t)room;
  }
  if (!error && boxes->free_slot != NONE) {
    *slot = boxes->free_slot;
    boxes->free_slot = boxes->slots[*slot].next;
  } else if (!error) {
    *slot = boxes->slots_n++;
  }
  pthread_mutex_unlock(&boxes->lock);
  return error;
}

static void free_slot(receive_queues *boxes, uint32_t slot) {
  pthread_mutex_lock(&boxes->lock);
  boxes->slots[slot] = (chunk){.next = boxes->free_slot};
  boxes->free_slot = slot;
  pthread_mutex_unlock(&boxes->lock);
}

static chunk copy_chunk(receive_queues *boxes, uint32_t slot) {
  pthread_mutex_lock(&boxes->lock);
  const chunk found = boxes->slots[slot];
  pthread_mutex_unlock(&boxes->lock);
  return found;
}

static tauler_error flush_open_chunk(receive_queues *boxes, receive_queue *box, tauler_message *message) {
  uint32_t slot;
  tauler_error error = claim_slot(boxes, &slot, message);
  if (error) return error;
  error = unnamed_file_write(boxes->file, slot * (uint64_t)boxes->chunk_bytes, box->open, box->used, message);
  if (error) {
    free_slot(boxes, slot);
    return error;
  }
  pthread_mutex_lock(&boxes->lock);
  boxes->slots[slot] = (chunk){XXH3_64bits(box->open, box->used), (uint32_t)box->used, NONE};
  if (box->last != NONE) boxes->slots[box->last].next = slot;
  pthread_mutex_unlock(&boxes->lock);
  if (box->first == NONE) box->first = slot;
  box->last = slot;
  if (box->next.chunk == box->open_number) box->next_slot = slot;
  box->open_number++;
  box->used = 0;
  return TAULER_OK;
}

tauler_error receive_queues_add(receive_queues *boxes, uint32_t receive_queue_number,
                                const exchange_packet *packet, tauler_message *message) {
  receive_queue *box = &boxes->list[receive_queue_number];
  const size_t bytes = packet_record_bytes(packet->n);
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&box->lock);
  if (bytes > boxes->chunk_bytes - box->used) error = flush_open_chunk(boxes, box, message);
  if (!error) {
    packet_write(box->open + box->used, packet);
    box->used += bytes;
  }
  pthread_mutex_unlock(&box->lock);
  return error;
}

static bool lies_before(place a, place b) {
  return a.chunk < b.chunk || (a.chunk == b.chunk && a.at < b.at);
}

/* Claims the next chunk before the mark for a reader. If it is the open chunk, copies its bytes to the reader
 * and sets *slot to NONE. Otherwise sets *slot to its slot in the file and *about to the slot's description.
 * Returns false if no chunk is left. */
static bool claim_chunk(receive_queues *boxes, receive_queue *box, receive_cursor *reader, uint32_t *slot,
                        chunk *about) {
  pthread_mutex_lock(&box->lock);
  const bool found = lies_before(box->next, box->mark);
  if (found) {
    const bool cut = box->next.chunk == box->mark.chunk;
    *slot = box->next_slot;
    reader->at = box->next.at;
    if (*slot == NONE) {
      reader->end = box->mark.at;
      memcpy(reader->bytes + reader->at, box->open + reader->at, reader->end - reader->at);
    } else {
      *about = copy_chunk(boxes, *slot);
      reader->end = cut ? box->mark.at : about->used;
    }
    if (cut) {
      box->next.at = box->mark.at;
    } else {
      box->next = (place){box->next.chunk + 1, 0};
      box->next_slot = about->next;
    }
  }
  pthread_mutex_unlock(&box->lock);
  return found;
}

static tauler_error read_chunk(receive_queues *boxes, receive_cursor *reader, uint32_t slot, chunk about,
                               tauler_message *message) {
  const tauler_error error =
      unnamed_file_read(boxes->file, slot * (uint64_t)boxes->chunk_bytes, reader->bytes, about.used, message);
  if (!error && XXH3_64bits(reader->bytes, about.used) != about.digest)
    return unnamed_file_refuse(boxes->file, message);
  return error;
}

static receive_cursor *claim_reader(receive_queues *boxes) {
  for (int i = 0; i < boxes->readers_n; i++) {
    receive_cursor *reader = &boxes->readers[i];
    if (atomic_exchange(&reader->busy, true)) continue;
    reader->at = reader->end = 0;
    return reader;
  }
  return NULL;
}

void receive_cursor_free(receive_cursor *reader) {
  if (reader) atomic_store(&reader->busy, false);
}

tauler_error receive_queues_receive(receive_queues *boxes, uint32_t receive_queue_number,
                                    receive_cursor **reader, exchange_packet *packet,
                                    tauler_message *message) {
  *packet = (exchange_packet){0};
  if (!*reader) *reader = claim_reader(boxes);
  receive_cursor *here = *reader;
  if (!here)
    return tauler_fail(message, TAULER_INTERNAL,
                       "more threads take packets than the exchange was opened for");
  tauler_error error = TAULER_OK;
  uint32_t slot = NONE;
  chunk about = {0};
  while (!error && here->at == here->end) {
    if (!claim_chunk(boxes, &boxes->list[receive_queue_number], here, &slot, &about)) {
      receive_cursor_free(here);
      *reader = NULL;
      return TAULER_OK;
    }
    if (slot != NONE && here->at < here->end) error = read_chunk(boxes, here, slot, about, message);
  }
  if (error) return error;
  const size_t next = packet_read(here->bytes, here->at, here->end, boxes->packet_bytes, packet);
  if (!next) return unnamed_file_refuse(boxes->file, message);
  here->at = next;
  return TAULER_OK;
}

void receive_queues_set_mark(receive_queues *boxes, uint32_t receive_queue_number) {
  receive_queue *box = &boxes->list[receive_queue_number];
  pthread_mutex_lock(&box->lock);
  box->mark = (place){box->open_number, box->used};
  pthread_mutex_unlock(&box->lock);
}

void receive_queues_drop(receive_queues *boxes, uint32_t receive_queue_number) {
  receive_queue *box = &boxes->list[receive_queue_number];
  pthread_mutex_lock(&box->lock);
  while (box->first_number < box->mark.chunk) {
    const uint32_t slot = box->first;
    const chunk about = copy_chunk(boxes, slot);
    /* If the write of these bytes is still pending, it need not be done, since no thread reads them. */
    unnamed_file_discard(boxes->file, slot * (uint64_t)boxes->chunk_bytes, boxes->chunk_bytes);
    free_slot(boxes, slot);
    box->first = about.next;
    box->first_number++;
  }
  if (box->first == NONE) box->last = NONE;
  if (lies_before(box->next, box->mark)) {
    box->next = box->mark;
    box->next_slot = box->first;
  }
  if (box->mark.chunk == box->open_number) {
    memmove(box->open, box->open + box->mark.at, box->used - box->mark.at);
    box->used -= box->mark.at;
    box->mark.at = box->next.at = 0;
  }
  pthread_mutex_unlock(&box->lock);
}
