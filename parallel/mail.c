/* Sends streams of bytes from every rank to every rank, and shares arrays, in bounded packets. */
#include "parallel/mail.h"

#include <string.h>

enum { ALL_PACKETS = 1 << 21, MOST_PACKET = 1 << 18, LEAST_ROOM = 4096 };

static const char what[] = "what ranks send";

static size_t smaller_of(uint64_t a, uint64_t b) {
  return (size_t)(a < b ? a : b);
}

static size_t choose_packet_bytes(int ranks, size_t packet) {
  const size_t each = ALL_PACKETS / (size_t)ranks / 64 * 64;
  return packet ? packet : each < LEAST_ROOM ? LEAST_ROOM : smaller_of(each, MOST_PACKET);
}

static void list_streams(arena *a, void *of) {
  mail *m = of;
  m->out = arena_allocate(a, (uint64_t)m->ranks, sizeof *m->out);
  m->in = arena_allocate(a, (uint64_t)m->ranks, sizeof *m->in);
  m->to = arena_allocate(a, (uint64_t)m->ranks, sizeof *m->to);
  m->from = arena_allocate(a, (uint64_t)m->ranks, sizeof *m->from);
}

tauler_error mail_open(mail *m, comm *comm, memory_budget *memory, size_t packet, tauler_message *message) {
  *m = (mail){.comm = comm, .memory = memory, .rank = comm_rank(comm), .ranks = comm_ranks(comm)};
  m->packet = choose_packet_bytes(m->ranks, packet);
  const tauler_error error = arena_fill(&m->lists, memory, what, list_streams, m, message);
  if (error) *m = (mail){0};
  return error;
}

void mail_close(mail *m) {
  for (int r = 0; m->out && r < m->ranks; r++) {
    memory_free(m->memory, m->out[r].bytes);
    memory_free(m->memory, m->in[r].bytes);
  }
  memory_free(m->memory, m->shared.bytes);
  arena_close(&m->lists);
  *m = (mail){0};
}

uint64_t mail_bytes(int ranks, size_t packet) {
  mail planned = {.ranks = ranks};
  const size_t room = choose_packet_bytes(ranks, packet);
  const uint64_t rooms = ranks == 1 ? 0 : (uint64_t)ranks * (room < LEAST_ROOM ? LEAST_ROOM : room);
  return arena_bytes(list_streams, &planned) + rooms;
}

void mail_clear(const mail *m, mail_stream *streams) {
  for (int r = 0; r < m->ranks; r++) streams[r].n = 0;
}

tauler_error mail_reserve(mail *m, mail_stream *stream, size_t n, uint8_t **end, tauler_message *message) {
  const size_t need = stream->n + n;
  if (need > stream->room) {
    const size_t grown = stream->room ? stream->room + stream->room / 2 : LEAST_ROOM;
    const size_t room = grown < need ? need : grown;
    const tauler_error error = memory_resize(m->memory, room, what, &stream->bytes, message);
    if (error) return error;
    stream->room = room;
  }
  *end = stream->bytes + stream->n;
  return TAULER_OK;
}

tauler_error mail_append(mail *m, mail_stream *stream, const void *bytes, size_t n, tauler_message *message) {
  uint8_t *end;
  const tauler_error error = mail_reserve(m, stream, n, &end, message);
  if (error) return error;
  memcpy(end, bytes, n);
  stream->n += n;
  return TAULER_OK;
}

/* Reserves `room` more bytes in `shared` and in the stream from each other rank. If `agreed` and every rank
 * has had this space before, does nothing. Otherwise collective. */
static tauler_error reserve_streams(mail *m, size_t room, bool agreed, tauler_message *message) {
  tauler_error error = TAULER_OK;
  uint8_t *end;
  if (agreed && room <= m->in_room) return error;
  for (int r = 0; r < m->ranks && !error; r++)
    error = mail_reserve(m, r == m->rank ? &m->shared : &m->in[r], room, &end, message);
  error = comm_agree(m->comm, error, message);
  if (!error && room > m->in_room) m->in_room = room;
  return error;
}

/* Sends a packet to each other rank, and receives one at the end of the stream from it. */
static tauler_error swap_packets(mail *m, size_t room, tauler_message *message) {
  for (int r = 0; r < m->ranks; r++)
    if (r != m->rank) m->from[r] = (comm_buffer){m->in[r].bytes + m->in[r].n, 0};
  const tauler_error error = comm_alltoallv(m->comm, m->to, m->from, room, message);
  for (int r = 0; r < m->ranks && !error; r++)
    if (r != m->rank) m->in[r].n += m->from[r].n;
  return error;
}

/* Sets m->longest to the bytes of the longest stream of any rank to another. `error` is the error of this
 * rank. Returns the error of the first rank that failed, if any. */
static tauler_error find_longest(mail *m, tauler_error error, tauler_message *message) {
  uint64_t most[] = {error, 0};
  for (int r = 0; r < m->ranks; r++)
    if (r != m->rank && m->out[r].n > most[1]) most[1] = m->out[r].n;
  const tauler_error lost = comm_allreduce(m->comm, COMM_MAX, most, 2, error ? NULL : message);
  m->longest = most[1];
  if (lost) return error ? error : lost;
  return most[0] ? comm_agree(m->comm, error, message) : TAULER_OK;
}

tauler_error mail_send(mail *m, tauler_error error, mail_receive *receive, void *user,
                       tauler_message *message) {
  error = find_longest(m, error, message);
  if (error) return error;
  mail_clear(m, m->in);
  for (uint64_t at = 0; at < m->longest && !error; at += m->packet) {
    const size_t room = smaller_of(m->longest - at, m->packet);
    for (int r = 0; r < m->ranks; r++) {
      const bool sends = r != m->rank && m->out[r].n > at;
      m->to[r] =
          (comm_buffer){sends ? m->out[r].bytes + at : NULL, sends ? smaller_of(m->out[r].n - at, room) : 0};
    }
    error = reserve_streams(m, room, at == 0 || receive, message);
    if (!error) error = swap_packets(m, room, message);
    if (error || !receive) continue;
    for (int r = 0; r < m->ranks; r++) receive(user, m->in[r].bytes, m->in[r].n);
    mail_clear(m, m->in);
  }
  const mail_stream own = m->in[m->rank];
  m->in[m->rank] = m->out[m->rank];
  m->out[m->rank] = own;
  mail_clear(m, m->out);
  return error;
}

/* Finds piece k of a rank: bytes *start … *end − 1 of the array. Returns false if the rank has fewer. */
static bool find_piece(const mail *m, const mail_part *part, int rank, uint64_t k, uint64_t *start,
                       uint64_t *end) {
  const uint64_t size = part->item_bytes;
  if (part->first) {
    *start = part->first(part->of, rank) * size;
    *end = part->first(part->of, rank + 1) * size;
    return k == 0;
  }
  *start = (k * (uint64_t)m->ranks + (uint64_t)rank) * size;
  *end = smaller_of(*start + size, part->bytes);
  return *start < *end;
}

/* Copies the pieces of a rank to a buffer or, if `back`, from the buffer to the arrays. The pieces are one
 * sequence of bytes, which is copied from byte `from` on. Without a buffer, only counts the bytes. Returns
 * their number, at most `room`. */
static size_t copy_pieces(const mail *m, const mail_part *parts, int n, int rank, uint64_t from,
                          uint8_t *buffer, size_t room, bool back) {
  size_t moved = 0;
  for (const mail_part *part = parts; part < parts + n; part++) {
    uint64_t start, end;
    for (uint64_t k = 0; moved < room && find_piece(m, part, rank, k, &start, &end); k++) {
      const uint64_t skipped = smaller_of(from, end - start);
      const size_t now = smaller_of(end - start - skipped, room - moved);
      uint8_t *array = (uint8_t *)part->array + start + skipped;
      if (buffer && now) memcpy(back ? array : buffer + moved, back ? buffer + moved : array, now);
      from -= skipped;
      moved += now;
    }
  }
  return moved;
}

tauler_error mail_share(mail *m, const mail_part *parts, int n, tauler_message *message) {
  uint64_t most = 0;
  for (int r = 0; r < m->ranks && m->ranks > 1; r++) {
    const uint64_t bytes = copy_pieces(m, parts, n, r, 0, NULL, SIZE_MAX, false);
    if (bytes > most) most = bytes;
  }
  const size_t room = smaller_of(most, m->packet);
  mail_clear(m, m->in);
  tauler_error error = reserve_streams(m, room, true, message);
  for (uint64_t at = 0; at < most && !error; at += room) {
    const size_t here = copy_pieces(m, parts, n, m->rank, at, m->shared.bytes, room, false);
    for (int r = 0; r < m->ranks; r++) m->to[r] = (comm_buffer){m->shared.bytes, here};
    error = swap_packets(m, room, message);
    for (int r = 0; r < m->ranks && !error; r++)
      if (r != m->rank) copy_pieces(m, parts, n, r, at, m->in[r].bytes, room, true);
    mail_clear(m, m->in);
  }
  return error;
}

tauler_error mail_gather(comm *comm, memory_budget *memory, void *items, uint64_t n, size_t item_bytes,
                         tauler_message *message) {
  mail m;
  const mail_part all = {.array = items, .bytes = n * item_bytes, .item_bytes = item_bytes};
  tauler_error error = comm_agree(comm, mail_open(&m, comm, memory, 0, message), message);
  if (!error) error = mail_share(&m, &all, 1, message);
  mail_close(&m);
  return error;
}
