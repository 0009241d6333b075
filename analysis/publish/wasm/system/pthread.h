/* Locks and threads of a system of one thread. */
#ifndef WASM_PTHREAD_H
#define WASM_PTHREAD_H

typedef int pthread_mutex_t, pthread_rwlock_t, pthread_cond_t, pthread_condattr_t, pthread_t;

#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0
#define pthread_mutex_init(lock, attributes) ((void)(lock), 0)
#define pthread_mutex_destroy(lock) ((void)(lock), 0)
#define pthread_mutex_lock(lock) ((void)(lock), 0)
#define pthread_mutex_unlock(lock) ((void)(lock), 0)
#define pthread_rwlock_init(lock, attributes) ((void)(lock), 0)
#define pthread_rwlock_destroy(lock) ((void)(lock), 0)
#define pthread_rwlock_rdlock(lock) ((void)(lock), 0)
#define pthread_rwlock_wrlock(lock) ((void)(lock), 0)
#define pthread_rwlock_unlock(lock) ((void)(lock), 0)

/* No other thread exists, so none waits or signals. */
#define pthread_condattr_init(attributes) ((void)(attributes), 0)
#define pthread_condattr_setclock(attributes, clock) ((void)(attributes), 0)
#define pthread_condattr_destroy(attributes) ((void)(attributes), 0)
#define pthread_cond_init(condition, attributes) ((void)(condition), 0)
#define pthread_cond_destroy(condition) ((void)(condition), 0)
#define pthread_cond_wait(condition, lock) ((void)(condition), (void)(lock), 0)
#define pthread_cond_timedwait(condition, lock, until) ((void)(condition), (void)(lock), 0)
#define pthread_cond_signal(condition) ((void)(condition), 0)
#define pthread_cond_broadcast(condition) ((void)(condition), 0)

#define pthread_self() 1
#define pthread_equal(a, b) ((a) == (b))

/* Always fails with EAGAIN, since the system has one thread. */
#define pthread_create(thread, attributes, run, user) ((void)(thread), (void)(run), (void)(user), 6)
#define pthread_join(thread, result) ((void)(thread), 0)

#endif
