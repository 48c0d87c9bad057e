// Random numbers. The standard library and Foundation get all random numbers from functions with these names. The calls
// pass through a linkage table, and so find the functions defined here. On the thread of a simulation, the numbers come
// from the simulation's own generator. By default, each simulation has the same numbers, so that a schedule can be
// replayed. All other threads get the system's numbers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#include "CSwiftTasks.h"

#ifdef __linux__
// <unistd.h> is not included: its `syscall` takes any number of arguments, but this one passes on six words.
#include <sys/syscall.h>

// Weak, since a program may define its own. ThreadSanitizer and AddressSanitizer also define a weak `getrandom`, which
// must not win.
#define WEAK __attribute__((weak))
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define REPLACING
#else
#define REPLACING WEAK
#endif

// A thread calls these functions even at its end, when a sanitizer no longer knows the thread.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

typedef long (*Syscall)(long, long, long, long, long, long, long);
static Syscall realSyscall;

// Runs before main: a signal handler may call `syscall`, but must not look it up.
__attribute__((constructor)) static void findSyscall(void) {
  __atomic_store_n(&realSyscall, (Syscall)dlsym(RTLD_NEXT, "syscall"), __ATOMIC_RELAXED);
}

static Syscall theSystems(void) {
  if (!__atomic_load_n(&realSyscall, __ATOMIC_RELAXED)) findSyscall();
  return __atomic_load_n(&realSyscall, __ATOMIC_RELAXED);
}

// Steele, Lea and Flood: Fast splittable pseudorandom number generators (2014), doi:10.1145/2660193.2660195.
static uint64_t next(SwiftTasksSimulation *simulation) {
  uint64_t mixed = simulation->random += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

/// Fills the buffer if the calling thread belongs to a simulation.
static bool fillSimulated(void *buffer, size_t count) {
  SwiftTasksSimulation *simulation = swift_tasks_current;
  if (!simulation) return false;
  for (size_t place = 0; place < count; place += sizeof(uint64_t)) {
    uint64_t number = next(simulation);
    size_t left = count - place;
    memcpy((char *)buffer + place, &number, left < sizeof number ? left : sizeof number);
  }
  return true;
}

/// Fills the buffer with random numbers. Outside simulations, they are the system's.
static void fill(void *buffer, size_t count) {
  if (fillSimulated(buffer, count)) return;
  while (count > 0) {
    long filled = theSystems()(SYS_getrandom, (long)buffer, (long)count, 0, 0, 0, 0);
    if (filled < 0 && errno == EINTR) continue;
    if (filled <= 0) __builtin_trap();
    buffer = (char *)buffer + filled;
    count -= (size_t)filled;
  }
}

// Called by the standard library. It leaves no frame on the stack, since a call that makes a new process returns in
// both processes.
WEAK long syscall(long number, long a, long b, long c, long d, long e, long f) {
  if (number == SYS_getrandom && fillSimulated((void *)a, (size_t)b)) return b;
  __attribute__((musttail)) return theSystems()(number, a, b, c, d, e, f);
}

REPLACING ssize_t getrandom(void *buffer, size_t count, unsigned flags) {
  if (fillSimulated(buffer, count)) return (ssize_t)count;
  return theSystems()(SYS_getrandom, (long)buffer, (long)count, flags, 0, 0, 0);
}

WEAK int getentropy(void *buffer, size_t count) {
  if (count > 256) {
    errno = EIO;
    return -1;
  }
  fill(buffer, count);
  return 0;
}

WEAK void arc4random_buf(void *buffer, size_t count) { fill(buffer, count); }

WEAK uint32_t arc4random(void) {
  uint32_t number;
  fill(&number, sizeof number);
  return number;
}

WEAK uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2) return 0;
  // Skips the numbers that would make small results more likely.
  uint32_t least = -bound % bound, number;
  do number = arc4random();
  while (number < least);
  return number % bound;
}

// Called by Foundation for a UUID. Without it, Foundation would read a file of the system.
WEAK void _foundation_uuid_generate_random(unsigned char *identifier) {
  fill(identifier, 16);
  identifier[6] = (identifier[6] & 0x0F) | 0x40;
  identifier[8] = (identifier[8] & 0x3F) | 0x80;
}

#pragma clang attribute pop
#endif
