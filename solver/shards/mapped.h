/* Arrays that do not fit all at once: they lie in a file and are in memory while they are mapped.
 *
 * A turn of a shard touches much of its arrays at first and very little in the end, so they are not copied in
 * and out but mapped: the system brings in the pages that are touched and writes those that changed. The file
 * is hidden and without a name, so a dead process leaves nothing behind. An array is named by two numbers
 * (shard, part). Mapped bytes are charged to the budget. Owns the file and all mappings; calls are made by
 * one thread at a time.
 */
#ifndef SOLVER_SHARDS_MAPPED_H
#define SOLVER_SHARDS_MAPPED_H

#include "base/memory.h"

typedef struct mapped_arrays mapped_arrays;

tauler_error mapped_open(const char *folder, memory_budget *memory, mapped_arrays **out,
                         tauler_message *message);
void mapped_close(mapped_arrays *mapped);
/* Bytes that the list takes from the budget beside what is mapped. */
uint64_t mapped_list_bytes(uint64_t arrays);

/* Maps an array of `bytes` bytes, of which `touched` are charged; zeros when it is taken first. Room for it
 * on the disk is not reserved. Errors: TAULER_NO_MEMORY, TAULER_IO, TAULER_NO_SPACE. */
tauler_error mapped_take(mapped_arrays *mapped, uint32_t shard, uint32_t part, uint64_t bytes,
                         uint64_t touched, void *slot, tauler_message *message);

/* Reserves room on the disk for n bytes of a mapped array, without which a full disk would end the process
 * when they are written. Errors: TAULER_NO_SPACE, TAULER_IO. */
tauler_error mapped_reserve(mapped_arrays *mapped, uint32_t shard, uint32_t part, uint64_t from, uint64_t n,
                            tauler_message *message);

/* Lets the pages of all arrays go from memory; they stay mapped, and come back when they are touched. By any
 * threads at once, while none takes or gives. */
void mapped_forget(const mapped_arrays *mapped);

/* Lets the array go from memory; what it holds stays in the file. */
void mapped_give(mapped_arrays *mapped, uint32_t shard, uint32_t part);

/* Makes an array zeros that is not mapped, and gives its room on the disk back. */
void mapped_clear(mapped_arrays *mapped, uint32_t shard, uint32_t part);

#endif
