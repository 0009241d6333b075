/* Sends streams of bytes from every rank to every rank, and shares arrays that ranks compute in parts.
 *
 * A mail sends bytes that belong to no round of an exchange. A rank collects a stream of bytes for each rank,
 * itself included, and one call sends all streams in packets of bounded size. All ranks open a mail with the
 * same packet size. A mail owns its streams and keeps their memory between calls. Its functions also append
 * to streams of a caller. Any threads may add to different streams at once; one thread makes the other calls.
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
  uint64_t longest; /* bytes of the longest stream between two ranks in the last mail_send */
  size_t in_room; /* bytes for which every rank has space in `shared` and in each stream from another rank */
  arena lists;
  mail_stream *out, *in; /* [ranks] streams to each rank and from each rank */
  mail_stream shared;    /* packet for all other ranks */
  comm_buffer *to, *from;
} mail;

/* `packet` is the most bytes of a packet, or 0 to choose them by the number of ranks. */
tauler_error mail_open(mail *m, comm *comm, memory_budget *memory, size_t packet, tauler_message *message);
/* Closes a mail. May also be called after mail_open failed, and for a mail of zeros that was never opened. */
void mail_close(mail *m);
/* Returns the bytes of a mail that is used only for mail_share or with a mail_receive, without the streams in
 * `out`. */
uint64_t mail_bytes(int ranks, size_t packet);

/* Sets *end to the end of a stream, behind which n more bytes have space; the caller fills them and raises
 * stream->n. mail_append copies n bytes to the end of a stream. */
tauler_error mail_reserve(mail *m, mail_stream *stream, size_t n, uint8_t **end, tauler_message *message);
tauler_error mail_append(mail *m, mail_stream *stream, const void *bytes, size_t n, tauler_message *message);
/* Empties one stream per rank, and keeps their memory. */
void mail_clear(const mail *m, mail_stream *streams);

/* Handles n bytes, perhaps none, that have just arrived from a rank. */
typedef void mail_receive(void *user, const void *bytes, size_t n);

/* Moves out[r] of this rank to in[this rank] of rank r, and empties `out`. Previous content of `in` is lost.
 * If `receive` is not NULL, calls it for every packet of another rank, and then removes the packet. `error`
 * is the error of this rank: if a rank has one, sends nothing and returns on all ranks the error of the
 * lowest such rank. Collective. */
tauler_error mail_send(mail *m, tauler_error error, mail_receive *receive, void *user,
                       tauler_message *message);

/* An array of `bytes` bytes, of which each rank has computed some items. If `first` is NULL, these are items
 * rank, rank + ranks, rank + 2 · ranks and so on, and the last item of the array may be shorter; otherwise
 * they are items first(of, rank) … first(of, rank + 1) − 1. */
typedef struct {
  void *array;
  size_t item_bytes;
  uint64_t bytes;
  uint64_t (*first)(const void *of, int rank);
  const void *of;
} mail_part;

/* Sends each rank's items to all ranks. Previous content of `in` is lost. Collective. */
tauler_error mail_share(mail *m, const mail_part *parts, int n, tauler_message *message);
/* As mail_share for one array of n items: rank r has computed items r, r + ranks and so on. Collective. */
tauler_error mail_gather(comm *comm, memory_budget *memory, void *items, uint64_t n, size_t item_bytes,
                         tauler_message *message);

#endif
