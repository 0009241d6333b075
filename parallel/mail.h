/* Sends bytes of any length from every rank to every rank, and shares arrays that ranks compute in parts.
 *
 * A mail carries bytes that belong to no round of an exchange. A rank collects a stream of bytes for each
 * rank, itself included, and one call sends all of them in packets of bounded size. All ranks open a mail
 * with the same packet size. A mail owns its streams and keeps their memory between calls; other streams may
 * use its budget. Any threads may add to different streams at once; one thread makes the other calls.
 */
#ifndef PARALLEL_MAIL_H
#define PARALLEL_MAIL_H

#include "base/memory.h"
#include "parallel/comm.h"

typedef struct {
  uint8_t *bytes;
  size_t n, room;
} mail_stream;

typedef struct {
  comm *comm;
  memory_budget *memory;
  int rank, ranks;
  size_t packet;
  uint64_t longest; /* bytes of the longest stream that the last mail_send sent from any rank to another */
  size_t in_room;   /* bytes for which every rank has space in each stream of `in` */
  arena lists;
  mail_stream *out, *in; /* [ranks]: the streams to, and from, each rank */
  mail_stream shared;    /* a packet for all other ranks */
  comm_buffer *to, *from;
} mail;

/* packet: bytes; 0: chosen by the number of ranks. */
tauler_error mail_open(mail *m, comm *comm, memory_budget *memory, size_t packet, tauler_message *message);
/* May also be called after mail_open failed, and for a mail of zeros that was never opened. */
void mail_close(mail *m);
/* Bytes that a mail allocates besides its streams to other ranks. */
uint64_t mail_bytes(int ranks, size_t packet);

/* Makes space for n bytes at the end of a stream, which the caller fills and counts. mail_append copies n
 * bytes there. */
tauler_error mail_reserve(mail *m, mail_stream *stream, size_t n, uint8_t **end, tauler_message *message);
tauler_error mail_append(mail *m, mail_stream *stream, const void *bytes, size_t n, tauler_message *message);
/* Empties streams, [ranks]. */
void mail_clear(const mail *m, mail_stream *streams);

/* Handles what has just arrived from a rank. */
typedef void mail_receive(void *user, const void *bytes, size_t n);

/* Moves out[r] of this rank to in[this rank] of rank r, and empties `out`. Previous content of `in` is lost.
 * If `receive` is set, it is called for every packet of another rank, and the packet is then removed. `error`
 * is the error of this rank, if any: if a rank has one, nothing is sent, and all ranks return the error of
 * the first such rank. Collective. */
tauler_error mail_send(mail *m, tauler_error error, mail_receive *receive, void *user,
                       tauler_message *message);

/* An array of `bytes` bytes, of which each rank has computed some items. If `first` is NULL, these are rank,
 * rank + ranks, rank + 2 · ranks and so on; otherwise first(of, rank) … first(of, rank + 1) − 1. The last
 * item may be shorter. */
typedef struct {
  void *array;
  size_t item_bytes;
  uint64_t bytes;
  uint64_t (*first)(const void *of, int rank);
  const void *of;
} mail_part;

/* Sends each rank's items to all ranks. Previous content of `in` is lost. Collective. */
tauler_error mail_share(mail *m, const mail_part *parts, int n, tauler_message *message);
/* mail_share of one array, whose items belong to the ranks one after the other, with a mail of its own. */
tauler_error mail_gather(comm *comm, memory_budget *memory, void *items, uint64_t n, size_t item_bytes,
                         tauler_message *message);

#endif
