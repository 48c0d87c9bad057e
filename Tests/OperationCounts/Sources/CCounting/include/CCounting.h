#ifndef CCOUNTING_H
#define CCOUNTING_H

#include <stddef.h>

// Counts what the calling thread does, in a program that links this library on Linux.

struct operation_counts {
  size_t allocations;
  // Calls by compiled code that retain an object, once or several times. Those inside Swift's runtime are not counted.
  size_t retains;
  // Locked POSIX mutexes.
  size_t locks;
};

// The counts since the thread started.
struct operation_counts counted_operations(void);

#endif
