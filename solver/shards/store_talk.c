/* Exchanges questions and answers between ranks, in steps of bounded messages. */
#include "solver/shards/store_talk.h"

#include <string.h>

#include "solver/shards/store_parts.h"

enum { LEAST_COMPRESSED = 48, ALL_RANKS_ROOM = 1 << 20, ALIGNMENT = 64 };

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

/* The buffers of a call of store_talk_run. `plain` and `answers` are lists with one buffer for each other
 * rank. plain: a question, later an answer, uncompressed. answers: the answer to that rank. */
typedef struct {
  mail mail;
  const store_talk *talk;
  int threads;
  size_t room, stride;
  arena lists;
  uint8_t *rooms;
  comm_buffer *plain, *answers;
} conversation;

static size_t choose_room(uint64_t most, int ranks) {
  const uint64_t shard = ALL_RANKS_ROOM / (uint64_t)ranks;
  if (most > shard) most = shard;
  if (most > STORE_TALK_MOST) most = STORE_TALK_MOST;
  if (most < STORE_TALK_LEAST) most = STORE_TALK_LEAST;
  return (size_t)most / ALIGNMENT * ALIGNMENT;
}

static conversation plan_conversation(int ranks, uint64_t most) {
  const size_t room = choose_room(most, ranks);
  return (conversation){.mail = {.ranks = ranks}, .room = room, .stride = room + ALIGNMENT};
}

static void list_rooms(arena *a, void *of) {
  conversation *c = of;
  const uint64_t ranks = (uint64_t)c->mail.ranks;
  c->plain = arena_allocate(a, ranks, sizeof *c->plain);
  c->answers = arena_allocate(a, ranks, sizeof *c->answers);
  c->rooms = arena_allocate(a, 2 * (ranks - 1), c->stride);
}

uint64_t store_talk_bytes(int ranks, uint64_t most) {
  conversation planned = plan_conversation(ranks, most);
  return arena_bytes(list_rooms, &planned) + mail_bytes(ranks, planned.stride) +
         (uint64_t)(ranks - 1) * planned.stride;
}

static tauler_error open_rooms(conversation *c, comm *comm, memory_budget *memory, tauler_message *message) {
  tauler_error error = mail_open(&c->mail, comm, memory, c->stride, message);
  if (!error) error = arena_fill(&c->lists, memory, "messages with finished cells", list_rooms, c, message);
  uint8_t *room = c->rooms, *end;
  for (int r = 0; r < c->mail.ranks && !error; r++) {
    if (r == c->mail.rank) continue;
    c->plain[r].bytes = room;
    c->answers[r].bytes = room + c->stride;
    room += 2 * c->stride;
    error = mail_reserve(&c->mail, &c->mail.out[r], c->stride, &end, message);
  }
  return error;
}

/* Sends messages to all ranks, receives theirs and decompresses them into c->plain. Returns false if no rank
 * has a message, or after an error that is the same on all ranks. */
static bool send_messages(conversation *c, const comm_buffer *messages, tauler_error *error,
                          tauler_message *message) {
  mail *m = &c->mail;
  const int threads = c->threads < m->ranks ? c->threads : m->ranks;
  int damaged = -1; /* rank whose message is damaged */
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int r = 0; r < m->ranks; r++)
    m->out[r].n = store_talk_compress(messages[r].bytes, *error ? 0 : messages[r].n, m->out[r].bytes);
  *error = mail_send(m, *error, NULL, NULL, message);
  if (*error || m->longest == 0) return false;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(max : damaged)
  for (int r = 0; r < m->ranks; r++)
    if (!store_talk_decompress(m->in[r].bytes, m->in[r].n, c->plain[r].bytes, c->room, &c->plain[r].n))
      damaged = r;
  if (damaged >= 0)
    *error = tauler_fail(message, TAULER_IO,
                         "a message of rank %d with finished cells is damaged: check the network", damaged);
  return true;
}

static tauler_error answer_questions(conversation *c, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int r = 0; r < c->mail.ranks; r++) {
    c->answers[r].n = 0;
    if (c->plain[r].n && !error)
      error = c->talk->answer(c->talk->user, c->plain[r].bytes, c->plain[r].n, c->answers[r].bytes, c->room,
                              &c->answers[r].n, message);
  }
  return error;
}

static tauler_error receive_answers(conversation *c, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int r = 0; r < c->mail.ranks && !error; r++)
    if (c->plain[r].n) error = c->talk->receive(c->talk->user, r, c->plain[r].bytes, c->plain[r].n, message);
  return error;
}

/* After an error of one rank, the next send_messages returns it on all ranks. */
static tauler_error talk_in_steps(conversation *c, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (;;) {
    for (int r = 0; r < c->mail.ranks && !error; r++)
      c->plain[r].n = r == c->mail.rank ? 0 : c->talk->ask(c->talk->user, r, c->plain[r].bytes, c->room);
    if (!send_messages(c, c->plain, &error, message)) return error;
    if (!error) error = answer_questions(c, message);
    if (!send_messages(c, c->answers, &error, message)) return error;
    if (!error) error = receive_answers(c, message);
  }
}

tauler_error store_talk_run(comm *comm, memory_budget *memory, int threads, uint64_t most,
                            const store_talk *talk, tauler_error error, tauler_message *message) {
  tauler_message cause = {""};
  if (!message) message = &cause;
  const tauler_error lost = comm_allreduce(comm, COMM_MAX, &most, 1, error ? NULL : message);
  if (lost) return error ? error : lost;
  conversation c = plan_conversation(comm_ranks(comm), most);
  c.talk = talk;
  c.threads = threads;
  if (!error) error = open_rooms(&c, comm, memory, message);
  error = comm_agree(comm, error, message);
  if (!error && c.plain) error = talk_in_steps(&c, message);
  arena_close(&c.lists);
  mail_close(&c.mail);
  return error;
}
