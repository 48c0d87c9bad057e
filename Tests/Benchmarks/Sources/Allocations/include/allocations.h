#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stddef.h>

// What the calling thread has allocated since it began. A program that links this has it counted.

// How often; 0 where nothing is counted.
size_t allocation_count(void);
// How many bytes, as they were asked for.
size_t allocated_bytes(void);

// How many bytes the whole program has in use, of all threads, with what the C library adds to each piece;
// 0 where nobody knows.
size_t bytes_in_use(void);

#endif
