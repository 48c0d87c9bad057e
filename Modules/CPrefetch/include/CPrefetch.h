#ifndef C_PREFETCH_H
#define C_PREFETCH_H

/// Brings an object's first two cache lines to this core, while other things are done. A hint: it never fails,
/// whatever the address.
static inline void prefetch_for_writing(const void *address) {
  __builtin_prefetch(address, 1);
  __builtin_prefetch((const char *)address + 64, 1);
}

#endif
