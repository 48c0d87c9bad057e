#ifndef CCAIRO_H
#define CCAIRO_H

#include <cairo.h>
#include <pango/pangocairo.h>
#include <stddef.h>

// The direction of the first letter that has one. Pango calls this function deprecated, but offers no replacement.
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static inline PangoDirection ccairo_first_direction(const char *text, int length) {
  return pango_find_base_dir(text, length);
}
G_GNUC_END_IGNORE_DEPRECATIONS

// Functions of AddressSanitizer, if the process runs with it. They mark memory that must not be used, although it has
// not been freed.
extern void __asan_poison_memory_region(const volatile void *address, size_t size)
    __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *address, size_t size)
    __attribute__((weak));

static inline void ccairo_poison(const void *address, size_t size) {
  if (__asan_poison_memory_region) __asan_poison_memory_region(address, size);
}

static inline void ccairo_unpoison(const void *address, size_t size) {
  if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(address, size);
}

#endif
