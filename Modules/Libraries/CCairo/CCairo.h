#ifndef CCAIRO_H
#define CCAIRO_H

#include <cairo.h>
#include <pango/pangocairo.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// The direction of the first letter that has one. Pango calls this function deprecated, but offers no replacement.
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static inline PangoDirection ccairo_first_direction(const char *text, int length) {
  return pango_find_base_dir(text, length);
}
G_GNUC_END_IGNORE_DEPRECATIONS

// Whether each chunk of a PNG ends within the file. Before libpng reads a chunk, it allocates the length that the chunk
// claims to have. So a few damaged bytes could take gigabytes.
static inline bool ccairo_png_chunks_fit(const unsigned char *bytes, size_t count) {
  const size_t signature = 8, frame = 12; // Each chunk has a length, a name and a checksum around its content.
  for (size_t place = signature; place < count;) {
    if (count - place < frame) return false;
    const unsigned char *chunk = bytes + place;
    size_t length =
        (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | (size_t)chunk[3];
    if (length > count - place - frame) return false;
    if (memcmp(chunk + 4, "IEND", 4) == 0) return true;
    place += frame + length;
  }
  return true;
}

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
