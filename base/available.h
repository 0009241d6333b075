/* Returns the memory, processors and disk space that the machine and the control groups (cgroups v1 and v2)
 * leave to this process.
 *
 * `root` is "" for this machine; a test passes a folder that contains proc/ and sys/.
 */
#ifndef BASE_AVAILABLE_H
#define BASE_AVAILABLE_H

#include <stdint.h>

/* Returns the bytes that this process can still allocate: the least of the bytes available on the machine and
 * those left by its control groups and by its address-space limit. Never 0. */
uint64_t memory_available(const char *root);

/* Returns the bytes that the control groups alone leave; more than 2^62 if they have no limit. */
uint64_t available_group_memory(const char *root);

/* Returns how many processors the quotas of control groups allow, rounded up; UINT64_MAX without a quota. */
uint64_t available_group_processors(const char *root);

/* Returns the free bytes on the disk of a folder or, if it does not exist, of the nearest folder above it
 * that does; UINT64_MAX if they are unknown. */
uint64_t disk_available(const char *folder);

#endif
