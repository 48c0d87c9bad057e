#define _GNU_SOURCE
#include "CCounting.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static _Thread_local struct operation_counts counts;

struct operation_counts counted_operations(void) { return counts; }

#if defined(__GLIBC__)

// These replace the functions of other libraries: for the program, and mostly also for the libraries that it loads.

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *swift_retain(void *object) {
  static void *(*plain)(void *);
  if (!plain) plain = (void *(*)(void *))dlsym(RTLD_NEXT, "swift_retain");
  counts.retains += 1;
  return plain(object);
}

void *swift_retain_n(void *object, unsigned number) {
  static void *(*plain)(void *, unsigned);
  if (!plain) plain = (void *(*)(void *, unsigned))dlsym(RTLD_NEXT, "swift_retain_n");
  counts.retains += 1;
  return plain(object, number);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*plain)(pthread_mutex_t *);
  if (!plain) plain = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  counts.locks += 1;
  return plain(mutex);
}

void *malloc(size_t size) {
  counts.allocations += 1;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  counts.allocations += 1;
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  counts.allocations += 1;
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  counts.allocations += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  counts.allocations += 1;
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}

#endif
