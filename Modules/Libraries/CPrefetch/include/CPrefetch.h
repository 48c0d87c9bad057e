#ifndef C_PREFETCH_H
#define C_PREFETCH_H

/// Starts to load the first 96 bytes at an address into the cache of this core, for writing. This is only a hint: it
/// never fails, whatever the address.
static inline void prefetch_for_writing(const void *address) {
  __builtin_prefetch(address, 1);
  __builtin_prefetch((const char *)address + 64, 1);
  __builtin_prefetch((const char *)address + 95, 1);
}

#endif
