/* Arrays that do not fit: kept on the disk, compressed, until their turn comes.
 *
 * A spill is one hidden file without a name in the folder of the tables, so that a dead process leaves
 * nothing behind. An array is named by two numbers (share, part) and is stored whole, in pieces that are
 * compressed and decompressed by several threads, each with a digest. It owns its file and the list of
 * pieces; arrays stay the caller's. Calls are made by one thread at a time.
 */
#ifndef SOLVER_SHARDS_SPILL_H
#define SOLVER_SHARDS_SPILL_H

#include "base/memory.h"

typedef struct spill spill;

tauler_error spill_open(const char *folder, int threads, memory_budget *memory, spill **out,
                        tauler_message *message);
void spill_close(spill *spill);

/* Stores an array in place of what had that name. Errors: TAULER_NO_SPACE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error spill_put(spill *spill, uint32_t share, uint32_t part, const void *bytes, uint64_t n,
                       tauler_message *message);
/* Fills an array of the size that was stored. Errors: TAULER_IO (also when it is not what was stored). */
tauler_error spill_get(spill *spill, uint32_t share, uint32_t part, void *bytes, uint64_t n,
                       tauler_message *message);
/* The same for an array that lies in several ranges, one after the other. */
typedef struct {
  void *bytes;
  uint64_t n;
} spill_range;
tauler_error spill_put_ranges(spill *spill, uint32_t share, uint32_t part, const spill_range *ranges,
                              size_t n, tauler_message *message);
tauler_error spill_get_ranges(spill *spill, uint32_t share, uint32_t part, const spill_range *ranges,
                              size_t n, tauler_message *message);

/* Gives the room of all arrays of a share back. */
void spill_drop(spill *spill, uint32_t share);

/* Bytes that the arrays take on the disk, and of the budget for working space. */
uint64_t spill_disk_bytes(const spill *spill);
uint64_t spill_working_bytes(int threads);

#endif
