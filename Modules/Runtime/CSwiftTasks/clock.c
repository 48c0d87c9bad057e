// The clock. Every clock of the standard library, Foundation and Dispatch calls one of these functions. The libraries
// call them through a linkage table, and so find the functions defined here. On the thread of a simulation, these
// functions show the virtual time. Processor time stays real.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#include "CSwiftTasks.h"

// The replacements are weak, so that a static libc may define its own functions. Sanitizers also define weak functions,
// which must not win.
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define REPLACING
#else
#define REPLACING __attribute__((weak))
#endif

// A thread calls these functions even at its end, when a sanitizer no longer knows the thread.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

static int64_t startOf(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI
             ? SWIFT_TASKS_WALL_START
             : SWIFT_TASKS_MONOTONIC_START;
}

static bool isOfProcessor(clockid_t clock) {
  return clock == CLOCK_THREAD_CPUTIME_ID || clock == CLOCK_PROCESS_CPUTIME_ID || clock < 0;
}

REPLACING int clock_gettime(clockid_t clock, struct timespec *time) {
  SwiftTasksSimulation *simulation = swift_tasks_current;
  if (simulation && !isOfProcessor(clock)) {
    time->tv_sec = startOf(clock) + simulation->now / 1000000000;
    time->tv_nsec = simulation->now % 1000000000;
    return 0;
  }
  static int (*real)(clockid_t, struct timespec *);
  int (*function)(clockid_t, struct timespec *) = __atomic_load_n(&real, __ATOMIC_RELAXED);
  if (!function) {
    function = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    __atomic_store_n(&real, function, __ATOMIC_RELAXED);
  }
  return function(clock, time);
}

REPLACING int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  int error = clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return error;
}

REPLACING time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

// A blocked thread waits for something outside the simulation. So it waits in real time, whatever clock it has read.
// Its deadline on the machine's clock is as far away as it was on the virtual clock.
static struct timespec machineTime(clockid_t clock, const struct timespec *deadline) {
  SwiftTasksSimulation *simulation = swift_tasks_current;
  struct timespec virtual, real;
  clock_gettime(clock, &virtual);
  swift_tasks_current = NULL;
  clock_gettime(clock, &real);
  swift_tasks_current = simulation;
  int64_t nanoseconds = (int64_t)deadline->tv_nsec - virtual.tv_nsec + real.tv_nsec;
  int64_t seconds = (int64_t)deadline->tv_sec - virtual.tv_sec + real.tv_sec;
  seconds += nanoseconds / 1000000000;
  nanoseconds %= 1000000000;
  if (nanoseconds < 0) {
    nanoseconds += 1000000000;
    seconds -= 1;
  }
  return (struct timespec){seconds > 0 ? seconds : 0, nanoseconds};
}

// ThreadSanitizer's own function, where ThreadSanitizer is linked.
extern int __interceptor_sem_timedwait(sem_t *, const struct timespec *) __attribute__((weak));

REPLACING int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  typedef int (*Wait)(sem_t *, const struct timespec *);
  static Wait real;
  Wait function = __atomic_load_n(&real, __ATOMIC_RELAXED);
  if (!function) {
    function = __interceptor_sem_timedwait ? __interceptor_sem_timedwait : (Wait)dlsym(RTLD_NEXT, "sem_timedwait");
    __atomic_store_n(&real, function, __ATOMIC_RELAXED);
  }
  if (!swift_tasks_current) return function(semaphore, deadline);
  struct timespec later = machineTime(CLOCK_REALTIME, deadline);
  return function(semaphore, &later);
}

#pragma clang attribute pop
