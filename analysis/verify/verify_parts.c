/* Deals the chunks of a slice to ranks, and sends what they find out about each other's. */
#include "analysis/verify/verify_parts.h"

#include <string.h>

/* A block has at most 2^8 chunks of 4096 bytes each, for which `shared` has room. */
enum { MOST_BLOCK_BITS = 8, BLOCKS_PER_RANK = 8, SHARED = 1 << 21 };
enum { PACKETS = 1 << 19, LEAST_PACKET = 512, MOST_PACKET = 1 << 16 };

parts parts_of(comm *comm, uint64_t chunks) {
  const uint64_t ranks = (uint64_t)comm_ranks(comm);
  parts p = {.comm = comm, .rank = comm_rank(comm), .ranks = comm_ranks(comm), .chunks = chunks};
  while (p.block_bits < MOST_BLOCK_BITS && (ranks * BLOCKS_PER_RANK) << (p.block_bits + 1) <= chunks)
    p.block_bits++;
  const uint64_t row = ranks << p.block_bits;
  p.slots = (chunks + row - 1) / row << p.block_bits;
  return p;
}

tauler_error parts_open(parts *p, memory_budget *memory, tauler_message *message) {
  if (p->ranks == 1) return TAULER_OK;
  return memory_take(memory, SHARED, "what ranks share", &p->shared, message);
}

void parts_close(parts *p, memory_budget *memory) {
  memory_give(memory, p->shared);
  p->shared = NULL;
}

/* Moves the blocks of a rank in the bytes `at` … `end` − 1 of an array out to the bytes that travel, or in
 * from there; with neither it counts them alone. */
static size_t move_blocks(const parts *p, int rank, char *array, uint64_t at, uint64_t end, uint64_t block,
                          char *out, const char *in) {
  size_t used = 0;
  for (at += (uint64_t)rank * block; at < end; at += (uint64_t)p->ranks * block) {
    const size_t now = end - at < block ? end - at : block;
    if (out) memcpy(out + used, array + at, now);
    if (in) memcpy(array + at, in + used, now);
    used += now;
  }
  return used;
}

tauler_error parts_share(const parts *p, void *array, uint64_t n, uint64_t chunk_bytes,
                         tauler_message *message) {
  const uint64_t block = chunk_bytes << p->block_bits;
  const uint64_t step = SHARED / block * block * (uint64_t)p->ranks;
  tauler_error error = TAULER_OK;
  for (uint64_t at = 0; at < n && p->ranks > 1 && !error; at += step) {
    const uint64_t end = n - at < step ? n : at + step;
    for (int rank = 0; rank < p->ranks && !error; rank++) {
      const bool own = rank == p->rank;
      const size_t used = move_blocks(p, rank, array, at, end, block, own ? p->shared : NULL, NULL);
      if (used) error = comm_bcast(p->comm, rank, p->shared, used, message);
      if (used && !error && !own) move_blocks(p, rank, array, at, end, block, NULL, p->shared);
    }
  }
  return error;
}

tauler_error parts_list_add(parts_list *list, uint64_t cell, memory_budget *memory) {
  if (list->used == list->room) {
    const uint64_t room = list->room ? 2 * list->room : 1024;
    const tauler_error error =
        memory_resize(memory, room * sizeof cell, "what ranks send", &list->cells, NULL);
    if (error) return error;
    list->room = room;
  }
  list->cells[list->used++] = cell;
  return TAULER_OK;
}

/* Cells that go into one packet. */
static size_t packet_of(comm *comm) {
  const size_t each = PACKETS / (size_t)comm_ranks(comm);
  return each < LEAST_PACKET ? LEAST_PACKET : each > MOST_PACKET ? MOST_PACKET : each;
}

static void list_mail(arena *a, void *of) {
  parts_mail *mail = of;
  mail->room = arena_take(a, mail->ranks * mail->packet, sizeof *mail->room);
  mail->first = arena_take(a, mail->ranks + 1, sizeof *mail->first);
  mail->out = arena_take(a, mail->ranks, sizeof *mail->out);
  mail->in = arena_take(a, mail->ranks, sizeof *mail->in);
}

static parts_mail mail_of(comm *comm) {
  return (parts_mail){.ranks = (uint64_t)comm_ranks(comm), .packet = packet_of(comm)};
}

tauler_error parts_mail_open(const parts *p, memory_budget *memory, parts_mail *out,
                             tauler_message *message) {
  *out = mail_of(p->comm);
  return p->ranks == 1 ? TAULER_OK
                       : arena_fill(&out->lists, memory, "what ranks send", list_mail, out, message);
}

void parts_mail_close(parts_mail *mail, memory_budget *memory) {
  memory_give(memory, mail->cells);
  arena_close(&mail->lists);
}

/* Where each rank's cells begin, by counting. */
static void count_mail(const parts *p, const parts_list *lists, int n, uint64_t chunk_cells,
                       parts_mail *mail) {
  const int ranks = p->ranks;
  memset(mail->first, 0, ((size_t)ranks + 1) * sizeof *mail->first);
  for (int l = 0; l < n; l++)
    for (uint64_t i = 0; i < lists[l].used; i++)
      mail->first[parts_owner(p, lists[l].cells[i] / chunk_cells)]++;
  for (int rank = 1; rank <= ranks; rank++) mail->first[rank] += mail->first[rank - 1];
}

tauler_error parts_sort(const parts *p, parts_list *lists, int n, uint64_t chunk_cells, memory_budget *memory,
                        parts_mail *mail, uint64_t *packets) {
  uint64_t used = 0, most = 0;
  for (int l = 0; l < n; l++) used += lists[l].used;
  memset(mail->first, 0, ((size_t)p->ranks + 1) * sizeof *mail->first);
  *packets = 0;
  if (used > mail->cells_room) {
    const tauler_error error =
        memory_resize(memory, 2 * used * sizeof *mail->cells, "what ranks send", &mail->cells, NULL);
    if (error) return error;
    mail->cells_room = 2 * used;
  }
  count_mail(p, lists, n, chunk_cells,
             mail); /* first[r] is the end of r's, and then comes down to its start */
  for (int l = 0; l < n; lists[l++].used = 0)
    for (uint64_t i = lists[l].used; i-- > 0;)
      mail->cells[--mail->first[parts_owner(p, lists[l].cells[i] / chunk_cells)]] = lists[l].cells[i];
  for (int rank = 0; rank < p->ranks; rank++) {
    const uint64_t cells = mail->first[rank + 1] - mail->first[rank];
    if (cells > most) most = cells;
  }
  *packets = (most + mail->packet - 1) / mail->packet;
  return TAULER_OK;
}

static tauler_error send_packet(const parts *p, const parts_mail *mail, uint64_t number,
                                parts_receive *receive, void *user, tauler_message *message) {
  const uint64_t packet = mail->packet;
  const int ranks = p->ranks;
  for (int rank = 0; rank < ranks; rank++) {
    const uint64_t first = mail->first[rank] + number * packet, end = mail->first[rank + 1];
    const uint64_t n = first >= end ? 0 : end - first < packet ? end - first : packet;
    mail->out[rank] = (comm_buffer){n ? mail->cells + first : NULL, n * sizeof *mail->cells};
    mail->in[rank] = (comm_buffer){mail->room + (size_t)rank * packet, 0};
  }
  const tauler_error error =
      comm_alltoallv(p->comm, mail->out, mail->in, packet * sizeof *mail->room, message);
  for (int rank = 0; rank < ranks && !error; rank++)
    receive(user, mail->in[rank].bytes, mail->in[rank].n / sizeof *mail->room);
  return error;
}

tauler_error parts_send(const parts *p, const parts_mail *mail, uint64_t packets, parts_receive *receive,
                        void *user, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint64_t sent = 0; sent < packets && !error; sent++)
    error = send_packet(p, mail, sent, receive, user, message);
  return error;
}

uint64_t parts_bytes(comm *comm, uint64_t cells) {
  parts_mail mail = mail_of(comm);
  return mail.ranks == 1 ? 0 : SHARED + 4 * cells * sizeof(uint64_t) + arena_bytes(list_mail, &mail);
}
