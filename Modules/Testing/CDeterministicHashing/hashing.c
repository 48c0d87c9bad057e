// Swift's hash seeds differ from process to process, and those of a Set or Dictionary with its place in memory. So its
// order is another one each time, and a body that goes through it would not be repeated by its schedule. This does what
// the environment variable SWIFT_DETERMINISTIC_HASHING does, in the programs that link it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __linux__
/// What the standard library hashes with.
typedef struct {
  uint64_t firstSeed, secondSeed;
  bool isDeterministic;
} HashingParameters;

// After the standard library has chosen its seeds, and before anything is hashed: a set that was made before would not
// find its elements again.
__attribute__((constructor(101))) static void fixSeeds(void) {
  HashingParameters *parameters = dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters");
  if (parameters) *parameters = (HashingParameters){0, 0, true};
}
#endif
