#define _GNU_SOURCE
#include "CCounting.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Thread_local struct operation_counts counts;

struct operation_counts counted_operations(void) { return counts; }

#if defined(__GLIBC__)

// These replace the functions of other libraries: for the program, and mostly also for the libraries that it loads.

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// Finds the function that the caller replaces. Several threads may find it at the same time.
static void *replaced(_Atomic(void *) *known, const char *name) {
  void *function = atomic_load_explicit(known, memory_order_relaxed);
  if (function) return function;
  function = dlsym(RTLD_NEXT, name);
  atomic_store_explicit(known, function, memory_order_relaxed);
  return function;
}

#define COUNT_RETAIN(name, parameters, arguments)                             \
  void *name parameters {                                                     \
    static _Atomic(void *) known;                                             \
    counts.retains += 1;                                                      \
    return ((void *(*) parameters)replaced(&known, #name)) arguments;         \
  }

COUNT_RETAIN(swift_retain, (void *object), (object))
COUNT_RETAIN(swift_retain_n, (void *object, unsigned number), (object, number))
COUNT_RETAIN(swift_bridgeObjectRetain, (void *object), (object))
COUNT_RETAIN(swift_bridgeObjectRetain_n, (void *object, unsigned number), (object, number))

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static _Atomic(void *) known;
  counts.locks += 1;
  return ((int (*)(pthread_mutex_t *))replaced(&known, "pthread_mutex_lock"))(mutex);
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
