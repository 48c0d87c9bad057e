// Records the calls in which a task blocks its thread. Taking a free lock or permit blocks nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "CSwiftTasks.h"

// Backtraces for people leave this code out.
#pragma clang section text = "playground_agent_code"

unsigned sleep(unsigned seconds) {
  unsigned (*real)(unsigned) = REPLACED("sleep");
  return SWIFT_TASKS_BLOCKING("sleep", real(seconds));
}

int usleep(useconds_t microseconds) {
  int (*real)(useconds_t) = REPLACED("usleep");
  return SWIFT_TASKS_BLOCKING("usleep", real(microseconds));
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
  int (*real)(const struct timespec *, struct timespec *) = REPLACED("nanosleep");
  return SWIFT_TASKS_BLOCKING("nanosleep", real(time, rest));
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  int (*real)(clockid_t, int, const struct timespec *, struct timespec *) = REPLACED("clock_nanosleep");
  return SWIFT_TASKS_BLOCKING("clock_nanosleep", real(clock, flags, time, rest));
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int (*real)(pthread_mutex_t *) = REPLACED("pthread_mutex_lock");
  if (!swift_tasks_isRecording) return real(mutex);
  // Only a mutex that another thread has locked can block.
  int taken = pthread_mutex_trylock(mutex);
  return taken == EBUSY ? SWIFT_TASKS_BLOCKING("pthread_mutex_lock", real(mutex)) : taken;
}

// The library also has an older function of each name, for another structure.
static void *current(const char *name) {
  void *function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  return function ? function : dlsym(RTLD_NEXT, name);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *);
  if (!real) real = current("pthread_cond_wait");
  return SWIFT_TASKS_BLOCKING("pthread_cond_wait", real(condition, mutex));
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!real) real = current("pthread_cond_timedwait");
  return SWIFT_TASKS_BLOCKING("pthread_cond_timedwait", real(condition, mutex, deadline));
}

int pthread_join(pthread_t thread, void **result) {
  int (*real)(pthread_t, void **) = REPLACED("pthread_join");
  return SWIFT_TASKS_BLOCKING("pthread_join", real(thread, result));
}

int sem_wait(sem_t *semaphore) {
  int (*real)(sem_t *) = REPLACED("sem_wait");
  if (!swift_tasks_isRecording) return real(semaphore);
  if (sem_trywait(semaphore) == 0) return 0;
  return SWIFT_TASKS_BLOCKING("sem_wait", real(semaphore));
}
