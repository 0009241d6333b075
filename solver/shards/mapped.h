/* Maps arrays of a file, for shards that do not fit in memory, alone or together. An array is loaded while it
 * is mapped.
 *
 * A shard touches most of its arrays in early rounds and very little in late ones. Arrays are therefore
 * mapped, not copied: the system reads the pages that are touched and writes those that have changed. The
 * file has no name, so it disappears with a process that dies. Two numbers (shard, part) name an array. One
 * thread at a time calls the module, except mapped_drop_pages and mapped_limit_pages. */
#ifndef SOLVER_SHARDS_MAPPED_H
#define SOLVER_SHARDS_MAPPED_H

#include "base/memory.h"

typedef struct mapped_arrays mapped_arrays;

tauler_error mapped_open(const char *folder, memory_budget *memory, mapped_arrays **out,
                         tauler_message *message);
void mapped_close(mapped_arrays *mapped);
/* Returns the bytes of the list of arrays, without the mappings. */
uint64_t mapped_list_bytes(uint64_t arrays);

/* Maps an array of `bytes` bytes, charges `touched` of them, and writes the address to *slot, which is NULL
 * after an error. An array is zeros when it is mapped for the first time or after mapped_clear. Reserves no
 * room on the disk. Errors: TAULER_NO_MEMORY, TAULER_IO, TAULER_NO_SPACE. */
tauler_error mapped_map(mapped_arrays *mapped, uint32_t shard, uint32_t part, uint64_t bytes,
                        uint64_t touched, void *slot, tauler_message *message);

/* Reserves room on the disk for n bytes of an array from byte `from` on. Without it a full disk would kill
 * the process when the pages are written. Errors: TAULER_NO_SPACE, TAULER_IO. */
tauler_error mapped_reserve(mapped_arrays *mapped, uint32_t shard, uint32_t part, uint64_t from, uint64_t n,
                            tauler_message *message);

/* Frees the pages of all mapped arrays. The arrays stay mapped, and a page is read again when it is touched.
 * Several threads may call it at once, while none maps or unmaps an array. */
void mapped_drop_pages(const mapped_arrays *mapped);

/* Drops pages array by array, in the order in which arrays were first mapped, until what this process has in
 * memory leaves `spare` bytes below the limit of the budget, or no array is left. */
void mapped_limit_pages(const mapped_arrays *mapped, uint64_t spare);

/* Unmaps an array. Its contents stay in the file. */
void mapped_unmap(mapped_arrays *mapped, uint32_t shard, uint32_t part);

/* Sets an unmapped array to zeros and frees its room on the disk if the file system can do so. */
void mapped_clear(mapped_arrays *mapped, uint32_t shard, uint32_t part);

#endif
