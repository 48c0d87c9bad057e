#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stddef.h>

// Counts the allocations of the calling thread since its start, in any program that links this library.

// The number of allocations; 0 where they are not counted.
size_t allocation_count(void);
// The number of bytes, as requested.
size_t allocated_bytes(void);

// The number of bytes that all threads of the program have in use, including the overhead of the C library;
// 0 where it is unknown.
size_t bytes_in_use(void);

#endif
