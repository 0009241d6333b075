/* How what one share has to tell another reaches it: in memory, over message passing, or through a
 * file on the disk; the calls are the same.
 *
 * What is told is a piece: bytes that only the engines understand, at most `piece_bytes` of them.
 * Rounds are bulk-synchronous. In a step, threads push pieces until the exchange is full or they have
 * no more; then the rank's leading thread calls exchange_advance, which is collective, after which the
 * pieces for shares at home here can be taken, each by one thread. Steps go on until nobody has more:
 *
 *   do { push while there is something and not exchange_is_full; exchange_advance; take; } while (more);
 *
 * With one share per rank pieces are held in memory from advance to the next advance and must be taken
 * by then. With more, they are kept (on the disk) until exchange_forget, so that a share takes them
 * when its turn comes. Pieces may come in any order, and nothing computed may depend on it.
 *
 * Buffers hold at most a step's pieces, whatever a round has to tell: about `piece_bytes` per peer and
 * per thread. Between exchange_is_full and the next time it asks, a thread pushes one piece at most to
 * any one share. An exchange owns its buffers and its file. exchange_push, exchange_is_full and
 * exchange_take may be called by any threads at once, the others by one thread.
 *
 * An error of push or take is kept: the next exchange_advance returns it on all ranks, so who meets one
 * leaves off and comes to advance like everybody else. After an error only exchange_close is left.
 */
#ifndef SOLVER_PARALLEL_EXCHANGE_H
#define SOLVER_PARALLEL_EXCHANGE_H

#include "base/memory.h"
#include "solver/parallel/ranks.h"

enum { EXCHANGE_PIECE = 256 * 1024, EXCHANGE_LEAST_PIECE = 1024 };

typedef struct exchange exchange;

typedef struct {
  team *team; /* or NULL */
  uint32_t shares, shares_per_rank;
  size_t piece_bytes;       /* 0: chosen by the number of peers, 32 to 256 KiB */
  int threads;              /* that push at once */
  const char *spill_folder; /* for shares_per_rank > 1; must exist */
} exchange_settings;

typedef struct {
  uint32_t from, to;
  const uint8_t *bytes; /* aligned to 8; until the next take with the same taker, or advance */
  size_t n;
} exchange_piece;

/* Where a thread stands in taking the pieces of a share; zeroed at first. When exchange_take has said
 * false it may be used for the next share. At most `threads` of them are in use at once. */
typedef struct {
  struct inbox_reader *reader;
} exchange_taker;

tauler_error exchange_open(const exchange_settings *settings, memory_budget *memory, exchange **out,
                           tauler_message *message);
void exchange_close(exchange *exchange);
/* That it takes from the budget. What waits on the disk takes up to 1 / 4096 of its size besides. */
uint64_t exchange_bytes(const exchange_settings *settings);
size_t exchange_piece_bytes(const exchange *exchange);

/* n ≤ exchange_piece_bytes. Never waits for a peer. `to` may be any share but `from`, at home here or
 * not. Errors: TAULER_NO_SPACE, TAULER_IO, TAULER_NO_MEMORY of pieces that are kept. */
tauler_error exchange_push(exchange *exchange, uint32_t from, uint32_t to, const void *bytes, size_t n);

/* Whether no further piece should be made before the next advance. */
bool exchange_is_full(const exchange *exchange);

/* *more: in, whether this rank has more to tell in this round; out, whether any has. Collective, and
 * errors are the same on all ranks: those kept, and TAULER_IO where peers cannot be understood. */
tauler_error exchange_advance(exchange *exchange, bool *more, tauler_message *message);

/* The next piece for a share at home here that no thread has taken; false when there is none left, or
 * after an error in *error (TAULER_IO). */
bool exchange_take(exchange *exchange, uint32_t share, exchange_taker *taker, exchange_piece *piece,
                   tauler_error *error);
void exchange_taker_free(exchange_taker *taker);

/* The turn of a share begins: pieces that come after its mark are for its next turn, and exchange_take
 * does not give them. When it has taken them, those up to the mark are forgotten, taken or not. With one
 * share per rank both do nothing. */
void exchange_mark(exchange *exchange, uint32_t share);
void exchange_forget(exchange *exchange, uint32_t share);

#endif
