/* Queues packets for shards whose turn comes later, in memory and then in a file. */
#include "solver/parallel/receive_queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <xxhash.h>

#include "solver/parallel/unnamed_file.h"

enum { CHUNK_BYTES = 256 * 1024, LEAST_SLOTS = 256 };
static const uint32_t NONE = UINT32_MAX;

/* What lies in a slot of the file; slots that hold nothing are linked too. */
typedef struct {
  uint64_t digest;
  uint32_t used, next;
} chunk;

/* Chunks of an inbox are counted from its first on, whether they have left for the disk or not. */
typedef struct {
  uint64_t chunk;
  size_t at;
} place;

typedef struct {
  pthread_mutex_t lock;
  uint8_t *open; /* the newest chunk, in memory */
  size_t used;   /* of it */
  uint64_t first_number, open_number;
  uint32_t first, last; /* slots of the chunks before the open one, in order of coming */
  place next, mark;     /* to take; where the turn ends */
  uint32_t next_slot;   /* where next.chunk lies; NONE: it is the open one */
} inbox;

struct inbox_reader {
  atomic_bool busy;
  uint8_t *bytes;
  size_t at, end;
};

struct inboxes {
  memory_budget *memory;
  nameless_file *file;
  uint32_t n;
  int readers_n;
  size_t piece_bytes, chunk_bytes;
  uint8_t *buffers; /* of inboxes, then of readers */
  inbox *list;
  inbox_reader *readers;
  pthread_mutex_t lock; /* of the slots; taken last */
  chunk *slots;
  uint32_t slots_n, slots_room, free_slot;
};

size_t piece_read(const uint8_t *bytes, size_t at, size_t end, size_t most, exchange_piece *piece) {
  piece_head head;
  if (end - at < sizeof head) return 0;
  memcpy(&head, bytes + at, sizeof head);
  if (head.mark != PIECE_MARK || head.n > most || piece_record_bytes(head.n) > end - at) return 0;
  *piece = (exchange_piece){head.from, head.to, bytes + at + sizeof head, head.n};
  return at + piece_record_bytes(head.n);
}

void piece_write(uint8_t *room, const exchange_piece *piece) {
  const piece_head head = {piece->from, piece->to, (uint32_t)piece->n, PIECE_MARK};
  const size_t end = sizeof head + piece->n;
  memcpy(room, &head, sizeof head);
  if (piece->n) memcpy(room + sizeof head, piece->bytes, piece->n);
  memset(room + end, 0, piece_record_bytes(piece->n) - end);
}

static size_t chunk_size(size_t piece_bytes) {
  const size_t least = piece_record_bytes(piece_bytes);
  return (size_t)nameless_file_round(least < CHUNK_BYTES ? CHUNK_BYTES : least);
}

uint64_t inboxes_bytes(uint32_t n, size_t piece_bytes, int threads) {
  const uint64_t buffers = (n + (uint64_t)threads) * chunk_size(piece_bytes);
  return sizeof(inboxes) + n * sizeof(inbox) + (uint64_t)threads * sizeof(inbox_reader) + buffers +
         LEAST_SLOTS * sizeof(chunk);
}

static tauler_error take_buffers(inboxes *boxes, tauler_message *message) {
  static const char what[] = "pieces that wait for their share";
  tauler_error error = memory_take_array(boxes->memory, boxes->n, sizeof(inbox), what, &boxes->list, message);
  if (!error)
    error = memory_take_array(boxes->memory, (uint64_t)boxes->readers_n, sizeof(inbox_reader), what,
                              &boxes->readers, message);
  if (!error)
    error = memory_take_array(boxes->memory, boxes->n + (uint64_t)boxes->readers_n, boxes->chunk_bytes, what,
                              &boxes->buffers, message);
  if (!error)
    error = memory_take_array(boxes->memory, LEAST_SLOTS, sizeof(chunk), what, &boxes->slots, message);
  return error;
}

tauler_error inboxes_open(const char *folder, uint32_t n, size_t piece_bytes, int threads,
                          memory_budget *memory, inboxes **out, tauler_message *message) {
  *out = NULL;
  inboxes *made;
  tauler_error error = memory_take(memory, sizeof *made, "pieces that wait for their share", &made, message);
  if (error) return error;
  *made = (inboxes){.memory = memory,
                    .n = n,
                    .readers_n = threads,
                    .piece_bytes = piece_bytes,
                    .chunk_bytes = chunk_size(piece_bytes),
                    .slots_room = LEAST_SLOTS,
                    .free_slot = NONE};
  pthread_mutex_init(&made->lock, NULL);
  error = take_buffers(made, message);
  for (uint32_t i = 0; i < n && !error; i++) {
    made->list[i] = (inbox){
        .open = made->buffers + i * made->chunk_bytes, .first = NONE, .last = NONE, .next_slot = NONE};
    pthread_mutex_init(&made->list[i].lock, NULL);
  }
  for (int i = 0; i < threads && !error; i++)
    made->readers[i].bytes = made->buffers + (n + (size_t)i) * made->chunk_bytes;
  if (!error) error = nameless_file_open(folder, &made->file, message);
  if (error) {
    inboxes_close(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

void inboxes_close(inboxes *boxes) {
  if (!boxes) return;
  for (uint32_t i = 0; boxes->list && i < boxes->n; i++)
    if (boxes->list[i].open) pthread_mutex_destroy(&boxes->list[i].lock);
  pthread_mutex_destroy(&boxes->lock);
  nameless_file_close(boxes->file);
  memory_give(boxes->memory, boxes->list);
  memory_give(boxes->memory, boxes->readers);
  memory_give(boxes->memory, boxes->buffers);
  memory_give(boxes->memory, boxes->slots);
  memory_give(boxes->memory, boxes);
}

static tauler_error take_slot(inboxes *boxes, uint32_t *slot, tauler_message *message) {
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&boxes->lock);
  if (boxes->free_slot == NONE && boxes->slots_n == boxes->slots_room) {
    const uint64_t room = 2 * (uint64_t)boxes->slots_room;
    error = memory_resize(boxes->memory, room * sizeof(chunk), "list of pieces that wait", &boxes->slots,
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

static void free_slot(inboxes *boxes, uint32_t slot) {
  pthread_mutex_lock(&boxes->lock);
  boxes->slots[slot] = (chunk){.next = boxes->free_slot};
  boxes->free_slot = slot;
  pthread_mutex_unlock(&boxes->lock);
}

static chunk get_chunk(inboxes *boxes, uint32_t slot) {
  pthread_mutex_lock(&boxes->lock);
  const chunk found = boxes->slots[slot];
  pthread_mutex_unlock(&boxes->lock);
  return found;
}

/* Brings the open chunk to the disk. */
static tauler_error flush_open(inboxes *boxes, inbox *box, tauler_message *message) {
  uint32_t slot;
  tauler_error error = take_slot(boxes, &slot, message);
  if (error) return error;
  error =
      nameless_file_write(boxes->file, slot * (uint64_t)boxes->chunk_bytes, box->open, box->used, message);
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

tauler_error inboxes_add(inboxes *boxes, uint32_t inbox_number, const exchange_piece *piece,
                         tauler_message *message) {
  inbox *box = &boxes->list[inbox_number];
  const size_t bytes = piece_record_bytes(piece->n);
  tauler_error error = TAULER_OK;
  pthread_mutex_lock(&box->lock);
  if (bytes > boxes->chunk_bytes - box->used) error = flush_open(boxes, box, message);
  if (!error) {
    piece_write(box->open + box->used, piece);
    box->used += bytes;
  }
  pthread_mutex_unlock(&box->lock);
  return error;
}

static bool lies_before(place a, place b) {
  return a.chunk < b.chunk || (a.chunk == b.chunk && a.at < b.at);
}

/* Gives a reader the next chunk up to the mark, as far as that goes: from memory at once, else *slot is
 * where it lies. False when nothing is left. */
static bool claim_chunk(inboxes *boxes, inbox *box, inbox_reader *reader, uint32_t *slot, chunk *about) {
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
      *about = get_chunk(boxes, *slot);
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

static tauler_error read_chunk(inboxes *boxes, inbox_reader *reader, uint32_t slot, chunk about,
                               tauler_message *message) {
  const tauler_error error = nameless_file_read(boxes->file, slot * (uint64_t)boxes->chunk_bytes,
                                                reader->bytes, about.used, message);
  if (!error && XXH3_64bits(reader->bytes, about.used) != about.digest)
    return nameless_file_refuse(boxes->file, message);
  return error;
}

static inbox_reader *claim_reader(inboxes *boxes) {
  for (int i = 0; i < boxes->readers_n; i++) {
    inbox_reader *reader = &boxes->readers[i];
    if (atomic_exchange(&reader->busy, true)) continue;
    reader->at = reader->end = 0;
    return reader;
  }
  return NULL;
}

void inbox_reader_free(inbox_reader *reader) {
  if (reader) atomic_store(&reader->busy, false);
}

tauler_error inboxes_take(inboxes *boxes, uint32_t inbox_number, inbox_reader **reader, exchange_piece *piece,
                          tauler_message *message) {
  *piece = (exchange_piece){0};
  if (!*reader) *reader = claim_reader(boxes);
  inbox_reader *here = *reader;
  if (!here) return tauler_fail(message, TAULER_INTERNAL, "more threads take pieces than were said to");
  tauler_error error = TAULER_OK;
  uint32_t slot = NONE;
  chunk about = {0};
  while (!error && here->at == here->end) {
    if (!claim_chunk(boxes, &boxes->list[inbox_number], here, &slot, &about)) {
      inbox_reader_free(here);
      *reader = NULL;
      return TAULER_OK;
    }
    if (slot != NONE && here->at < here->end) error = read_chunk(boxes, here, slot, about, message);
  }
  if (error) return error;
  const size_t next = piece_read(here->bytes, here->at, here->end, boxes->piece_bytes, piece);
  if (!next) return nameless_file_refuse(boxes->file, message);
  here->at = next;
  return TAULER_OK;
}

void inboxes_mark(inboxes *boxes, uint32_t inbox_number) {
  inbox *box = &boxes->list[inbox_number];
  pthread_mutex_lock(&box->lock);
  box->mark = (place){box->open_number, box->used};
  pthread_mutex_unlock(&box->lock);
}

/* Slots of the chunks before the mark are given back; of the open chunk, what is before it moves out. */
void inboxes_forget(inboxes *boxes, uint32_t inbox_number) {
  inbox *box = &boxes->list[inbox_number];
  pthread_mutex_lock(&box->lock);
  while (box->first_number < box->mark.chunk) {
    const uint32_t slot = box->first;
    const chunk about = get_chunk(boxes, slot);
    /* What nobody will read need not be written either, if it is still on its way to the disk. */
    nameless_file_forget(boxes->file, slot * (uint64_t)boxes->chunk_bytes, boxes->chunk_bytes);
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
