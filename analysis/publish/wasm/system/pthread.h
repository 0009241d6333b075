/* Locks and threads of a system of one thread. */
#ifndef WASM_PTHREAD_H
#define WASM_PTHREAD_H

typedef int pthread_mutex_t, pthread_rwlock_t, pthread_t;

#define PTHREAD_MUTEX_INITIALIZER 0
#define pthread_mutex_init(lock, attributes) ((void)(lock), 0)
#define pthread_mutex_destroy(lock) ((void)(lock), 0)
#define pthread_mutex_lock(lock) ((void)(lock), 0)
#define pthread_mutex_unlock(lock) ((void)(lock), 0)
#define pthread_rwlock_init(lock, attributes) ((void)(lock), 0)
#define pthread_rwlock_destroy(lock) ((void)(lock), 0)
#define pthread_rwlock_rdlock(lock) ((void)(lock), 0)
#define pthread_rwlock_wrlock(lock) ((void)(lock), 0)
#define pthread_rwlock_unlock(lock) ((void)(lock), 0)

/* Always fails with EAGAIN, since the system has one thread. */
#define pthread_create(thread, attributes, run, user) ((void)(thread), (void)(run), (void)(user), 6)
#define pthread_join(thread, result) ((void)(thread), 0)

#endif
