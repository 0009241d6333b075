/* Resources of this process: memory, processors and disk, as the machine and the control groups (cgroups v1
 * and v2) allow it.
 *
 * `root` is "" for the machine at hand; a test passes a folder that holds proc/ and sys/ files. Nothing is
 * owned.
 */
#ifndef BASE_AVAILABLE_H
#define BASE_AVAILABLE_H

#include <stdint.h>

/* Bytes that this process can still take: the least of what the machine has available, what is left
 * of its control groups and of its address-space limit. Never 0. */
uint64_t memory_available(const char *root);

/* Bytes that the control groups alone leave; UINT64_MAX: they have no limit. */
uint64_t available_group_memory(const char *root);

/* Processors that the quota of the control groups pays for, rounded up; UINT64_MAX: no quota. */
uint64_t available_group_processors(const char *root);

/* Bytes that are free on the disk of a folder, or of where it would be made; UINT64_MAX: not known. */
uint64_t disk_available(const char *folder);

#endif
