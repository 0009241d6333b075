/* Binds functions that newer versions of glibc moved or renamed to symbols that older ones have, too.
 *
 * The build includes it before every source of a library that must run on both. Since glibc 2.33 stat, lstat
 * and fstat are symbols of their own in place of __xstat, __lxstat and __fxstat; since 2.34 the functions of
 * libpthread are in libc.
 */
#ifndef OLD_GLIBC_H
#define OLD_GLIBC_H

#include <pthread.h>
#include <sys/stat.h>

#if defined(__x86_64__)
#define OLD_GLIBC "GLIBC_2.2.5"
enum { OLD_STAT = 1 };
#elif defined(__aarch64__)
#define OLD_GLIBC "GLIBC_2.17"
enum { OLD_STAT = 0 };
#endif

#define OLD_SYMBOL(name) __asm__(".symver " #name "," #name "@" OLD_GLIBC);
OLD_SYMBOL(pthread_rwlock_init)
OLD_SYMBOL(pthread_rwlock_destroy)
OLD_SYMBOL(pthread_rwlock_rdlock)
OLD_SYMBOL(pthread_rwlock_wrlock)
OLD_SYMBOL(pthread_rwlock_unlock)
OLD_SYMBOL(__xstat)
OLD_SYMBOL(__lxstat)
OLD_SYMBOL(__fxstat)

int __xstat(int version, const char *path, struct stat *out);
int __lxstat(int version, const char *path, struct stat *out);
int __fxstat(int version, int descriptor, struct stat *out);
#define stat(path, out) __xstat(OLD_STAT, path, out)
#define lstat(path, out) __lxstat(OLD_STAT, path, out)
#define fstat(descriptor, out) __fxstat(OLD_STAT, descriptor, out)

#endif
