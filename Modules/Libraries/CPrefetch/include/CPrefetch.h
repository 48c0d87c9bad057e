#ifndef C_PREFETCH_H
#define C_PREFETCH_H

/// Brings the first 96 bytes at an address to this core, while other things are done. A hint: it never fails,
/// whatever the address.
static inline void prefetch_for_writing(const void *address) {
  __builtin_prefetch(address, 1);
  __builtin_prefetch((const char *)address + 64, 1);
  __builtin_prefetch((const char *)address + 95, 1);
}

#endif
