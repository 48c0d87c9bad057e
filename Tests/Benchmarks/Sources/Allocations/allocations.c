#include "allocations.h"

#include <errno.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static _Thread_local size_t count;
static _Thread_local size_t bytes;

size_t allocation_count(void) { return count; }

size_t allocated_bytes(void) { return bytes; }

size_t bytes_in_use(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#elif defined(__GLIBC__)
  struct mallinfo info = mallinfo();
  return (size_t)(unsigned)info.uordblks + (size_t)(unsigned)info.hblkhd;
#else
  return 0;
#endif
}

#if defined(__GLIBC__)

// These replace the functions of the C library, for the program and for all libraries that it loads. Each call adds to
// two counters of its thread. This cost is the same for every contestant.

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void add(size_t size) {
  count += 1;
  bytes += size;
}

void *malloc(size_t size) {
  add(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  add(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  add(size);
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  add(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  add(size);
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}

#endif
