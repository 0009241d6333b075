/* Exchanges questions and answers between ranks, in steps of bounded messages. */
#include "solver/shards/store_talk.h"

#include <assert.h>
#include <string.h>

#include "solver/shards/store_parts.h"

enum { LEAST_COMPRESSED = 48, ROOMS = 4, ALL_RANKS_ROOM = 1 << 20, ALIGNMENT = 64 };

typedef enum { MESSAGE_PLAIN, MESSAGE_ZSTD } message_form;

size_t store_talk_compress(const uint8_t *bytes, size_t n, uint8_t *to) {
  if (n == 0) return 0;
  ZSTD_CCtx *compressor = n < LEAST_COMPRESSED ? NULL : store_new_compressor(false);
  if (compressor) {
    const size_t used = ZSTD_compress2(compressor, to + 1, n - 1, bytes, n);
    ZSTD_freeCCtx(compressor);
    if (!ZSTD_isError(used)) {
      to[0] = MESSAGE_ZSTD;
      return used + 1;
    }
  }
  to[0] = MESSAGE_PLAIN;
  memcpy(to + 1, bytes, n);
  return n + 1;
}

bool store_talk_decompress(const uint8_t *bytes, size_t n, uint8_t *to, size_t room, size_t *out_n) {
  *out_n = 0;
  if (n == 0) return true;
  if (bytes[0] == MESSAGE_ZSTD) {
    const size_t used = ZSTD_decompress(to, room, bytes + 1, n - 1);
    if (ZSTD_isError(used)) return false;
    *out_n = used;
    return true;
  }
  if (bytes[0] != MESSAGE_PLAIN || n - 1 > room) return false;
  memcpy(to, bytes + 1, n - 1);
  *out_n = n - 1;
  return true;
}

/* A dialogue between ranks. Each peer has four buffers: the question (later the answer) as it is understood,
 * the answer of this rank, and the bytes that are sent and received. */
typedef struct {
  comm *comm;
  int rank, ranks, threads;
  const store_talk *talk;
  size_t room, stride;
  arena lists;
  uint8_t *rooms;
  comm_buffer *plain, *answers, *out, *in;
  tauler_error error;
  tauler_message *message;
} conversation;

static size_t choose_room(uint64_t most, int ranks) {
  const uint64_t shard = ALL_RANKS_ROOM / (uint64_t)ranks;
  if (most > shard) most = shard;
  if (most > STORE_TALK_MOST) most = STORE_TALK_MOST;
  if (most < STORE_TALK_LEAST) most = STORE_TALK_LEAST;
  return (size_t)most / ALIGNMENT * ALIGNMENT;
}

static void list_rooms(arena *a, void *of) {
  conversation *c = of;
  const uint64_t ranks = (uint64_t)c->ranks;
  c->stride = c->room + ALIGNMENT;
  c->plain = arena_take(a, ROOMS * ranks, sizeof *c->plain);
  c->rooms = arena_take(a, ROOMS * (ranks - 1), c->stride);
}

uint64_t store_talk_bytes(int ranks, uint64_t most) {
  conversation planned = {.ranks = ranks, .room = choose_room(most, ranks)};
  return arena_bytes(list_rooms, &planned);
}

static tauler_error open_rooms(conversation *c, memory_budget *memory, tauler_message *message) {
  const size_t ranks = (size_t)c->ranks;
  const tauler_error error =
      arena_fill(&c->lists, memory, "messages with finished cells", list_rooms, c, message);
  if (error) return error;
  c->answers = c->plain + ranks;
  c->out = c->answers + ranks;
  c->in = c->out + ranks;
  uint8_t *room = c->rooms;
  for (size_t i = 0; i < ranks * ROOMS; i++) {
    if (i % ranks == (size_t)c->rank) continue;
    c->plain[i].bytes = room;
    room += c->stride;
  }
  return TAULER_OK;
}

static void compress_all(conversation *c, const comm_buffer *from) {
  const int threads = c->threads < c->ranks ? c->threads : c->ranks;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int r = 0; r < c->ranks; r++)
    c->out[r].n = store_talk_compress(from[r].bytes, from[r].n, c->out[r].bytes);
}

static void decompress_all(conversation *c) {
  const int threads = c->threads < c->ranks ? c->threads : c->ranks;
  int damaged = -1; /* rank */
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(max : damaged)
  for (int r = 0; r < c->ranks; r++) {
    const size_t n = r == c->rank ? 0 : c->in[r].n;
    if (!store_talk_decompress(c->in[r].bytes, n, c->plain[r].bytes, c->room, &c->plain[r].n)) damaged = r;
  }
  if (damaged >= 0 && !c->error)
    c->error = tauler_fail(c->message, TAULER_IO,
                           "a message of rank %d with finished cells is damaged: check the network", damaged);
}

static bool ask_all(conversation *c) {
  assert(c->plain); /* a rank without buffers never gets here */
  bool asks = false;
  for (int r = 0; r < c->ranks; r++) {
    c->plain[r].n = r == c->rank || c->error ? 0 : c->talk->ask(c->talk->user, r, c->plain[r].bytes, c->room);
    asks = asks || c->plain[r].n;
  }
  return asks;
}

static void answer_all(conversation *c) {
  for (int r = 0; r < c->ranks; r++) {
    c->answers[r].n = 0;
    if (!c->plain[r].n || c->error) continue;
    c->error = c->talk->answer(c->talk->user, c->plain[r].bytes, c->plain[r].n, c->answers[r].bytes, c->room,
                               &c->answers[r].n, c->message);
    if (c->error) c->answers[r].n = 0;
  }
}

/* Applies the answers. If a rank failed, its answers are missing here, but all ranks return its error in the
 * end. */
static void take_all(conversation *c) {
  for (int r = 0; r < c->ranks; r++) {
    if (c->plain[r].n && !c->error)
      c->error = c->talk->take(c->talk->user, r, c->plain[r].bytes, c->plain[r].n, c->message);
  }
}

static tauler_error talk_in_steps(conversation *c) {
  tauler_error lost = TAULER_OK;
  for (;;) {
    uint64_t more = ask_all(c);
    lost = comm_allreduce(c->comm, COMM_OR, &more, 1, c->message);
    if (lost || !more) return lost;
    compress_all(c, c->plain);
    lost = comm_alltoallv(c->comm, c->out, c->in, c->stride, c->message);
    if (lost) return lost;
    decompress_all(c);
    answer_all(c);
    compress_all(c, c->answers);
    lost = comm_alltoallv(c->comm, c->out, c->in, c->stride, c->message);
    if (lost) return lost;
    decompress_all(c);
    take_all(c);
  }
}

tauler_error store_talk_run(comm *comm, memory_budget *memory, int threads, uint64_t most,
                            const store_talk *talk, tauler_error error, tauler_message *message) {
  tauler_message cause = {""};
  conversation c = {.comm = comm,
                    .rank = comm_rank(comm),
                    .ranks = comm_ranks(comm),
                    .threads = threads,
                    .talk = talk,
                    .error = error,
                    .message = message ? message : &cause};
  tauler_error lost = comm_allreduce(comm, COMM_MAX, &most, 1, c.message);
  if (lost) return lost;
  c.room = choose_room(most, c.ranks);
  if (!error) error = open_rooms(&c, memory, c.message);
  error = comm_agree(comm, error, c.message);
  if (!error && c.plain) {
    lost = talk_in_steps(&c);
    error = lost ? lost : comm_agree(comm, c.error, c.message);
  }
  arena_close(&c.lists);
  return error;
}
