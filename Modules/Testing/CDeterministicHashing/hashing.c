// Swift's hash seeds differ from process to process, and the seed of a Set or Dictionary depends on its address. So the
// order of its elements differs each time. If a program iterates over them, the same schedule could give another run.
// This code has the effect of the environment variable SWIFT_DETERMINISTIC_HASHING in each program that links it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __linux__
/// The hashing parameters of the standard library.
typedef struct {
  uint64_t firstSeed, secondSeed;
  bool isDeterministic;
} HashingParameters;

// Runs after the standard library has chosen its seeds, and before anything is hashed. A Set filled earlier could not
// find its elements again.
__attribute__((constructor(101))) static void fixSeeds(void) {
  HashingParameters *parameters = dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters");
  if (parameters) *parameters = (HashingParameters){0, 0, true};
}
#endif
