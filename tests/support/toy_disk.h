/* For suites about hidden files without a name: finding the one that is open, what of it is in memory, and a
 * disk that is full. */
#ifndef TESTS_TOY_DISK_H
#define TESTS_TOY_DISK_H

#include <stdint.h>
#include <sys/stat.h>

/* The descriptor of the hidden file in the folder, of which one is open. */
int toy_hidden_file(const char *folder);
struct stat toy_look_at_hidden(const char *folder);
/* The bytes of its blocks on the disk. */
uint64_t toy_hidden_bytes(const char *folder);
/* Bytes in memory of the mapping in which an address lies. */
uint64_t toy_resident_bytes(const void *address);

/* No file can become longer; 0: without limit again. */
void toy_limit_files(uint64_t bytes);

#endif
