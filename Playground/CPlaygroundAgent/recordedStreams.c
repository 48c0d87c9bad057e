// Records how many values the buffers of streams hold. The linker redirects the calls that add and take values: they
// reach the functions defined here. These functions look at the buffer from time to time.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

#include "CPlaygroundAgent.h"
#include "CSwiftTasks.h"

#define CALL __attribute__((swiftcall))
// Weak for the same reason as in recordedTasks.c.
#define SWIFT __attribute__((weak)) CALL
#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))
#define RESULT __attribute__((swift_indirect_result))
#define SELF __attribute__((swift_context))

// Whether Swift's library lays out streams as this file expects.
static bool isKnown;

static bool countOf(const char *storage, uint64_t *count) {
  enum { bufferInStorage = 24, countInBuffer = 24 };
  const char *buffer = __atomic_load_n((const char *const *)(storage + bufferInStorage), __ATOMIC_RELAXED);
  // Another thread may free the buffer meanwhile. This call then fails, but reading the memory directly could crash.
  struct iovec own = {count, sizeof *count}, other = {(void *)(buffer + countInBuffer), sizeof *count};
  return process_vm_readv(getpid(), &own, 1, &other, 1, 0) == sizeof *count;
}

ssize_t playground_agent_countInStream(const void *storage) {
  uint64_t count;
  return countOf(storage, &count) ? (ssize_t)count : -1;
}

const void *playground_agent_storageOfIterator(const void *const *iterator) {
  // The iterator holds the address of an object. This object refers to the storage, if the stream has one.
  enum { storageInObject = 16 };
  return *(const void *const *)((const char *)*iterator + storageInObject);
}

void playground_agent_lookAtStreams(bool isNowKnown) { isKnown = isNowKnown; }

// Skips 8 to 23 calls of a thread, and then looks at the buffer. The number varies, because after a fixed number of
// calls the thread could look at the same stream each time.
static void look(const void *storage, const void *site) {
  enum { least = 8, spread = 16 };
  static _Thread_local __attribute__((tls_model("initial-exec"))) uint32_t left, random;
  if (left > 0) {
    left -= 1;
    return;
  }
  random = random * 1664525 + 1013904223;
  left = least + (random >> 16) % spread;
  uint64_t count;
  if (countOf(storage, &count)) swift_tasks_recordBuffer(storage, count, site);
}

// A continuation holds the address of its storage. The two parameters before it are types.
#define YIELD(name, symbol)                                                                                            \
  SWIFT void name(RESULT void *result, void *value, void *first, void *second, SELF void **continuation)               \
    __asm__(symbol);                                                                                                   \
  SWIFT void name(RESULT void *result, void *value, void *first, void *second, SELF void **continuation) {             \
    CALL void (*real)(RESULT void *, void *, void *, void *, SELF void **) = REPLACED(symbol);                    \
    real(result, value, first, second, continuation);                                                                  \
    if (swift_tasks_isRecording && isKnown) look(*continuation, __builtin_return_address(0));                          \
  }                                                                                                                    \
  WRAPS_SYMBOL(name, symbol)

YIELD(playground_agent_yield, "$sScS12ContinuationV5yieldyAB11YieldResultOyx__GxnF")
YIELD(playground_agent_yieldWith, "$sScS12ContinuationV5yield4withAB11YieldResultOyx__Gs0E0Oyxs5NeverOG_tF")
YIELD(playground_agent_yieldThrowing, "$sScs12ContinuationV5yieldyAB11YieldResultOyxq___GxnF")
YIELD(playground_agent_yieldThrowingWith,
      "$sScs12ContinuationV5yield4withAB11YieldResultOyxs5Error_p__Gs0E0OyxsAG_pG_tsAG_pRs_rlF")
// For streams of `Void`, where a type takes the place of the value.
YIELD(playground_agent_yieldNothing, "$sScS12ContinuationV5yieldAB11YieldResultOyyt__GyytRszlF")
YIELD(playground_agent_yieldNothingThrowing, "$sScs12ContinuationV5yieldAB11YieldResultOyytq___GyytRszrlF")

// Looks at the buffer before a value is taken, so that a recorded counter also falls. The buffer of most streams never
// holds many values, and those are not looked at.
static void lookBeforeTaking(const void *const *iterator) {
  const void *storage = playground_agent_storageOfIterator(iterator);
  if (!storage || !swift_tasks_holdsMany(storage)) return;
  uint64_t count;
  if (countOf(storage, &count)) swift_tasks_recordBuffer(storage, count, NULL);
}

// The asynchronous method `next` of an iterator. It has at most four parameters besides its context and the iterator.
typedef ASYNC void (*Next)(CONTEXT void *, void *, void *, void *, void *, SELF const void *const *);

#define NEXT(name, symbol)                                                                                             \
  __attribute__((weak)) ASYNC void name(CONTEXT void *context, void *first, void *second, void *third, void *fourth,   \
                                        SELF const void *const *iterator) __asm__(symbol);                             \
  __attribute__((weak)) ASYNC void name(CONTEXT void *context, void *first, void *second, void *third, void *fourth,   \
                                        SELF const void *const *iterator) {                                            \
    Next real = (Next)REPLACED(symbol);                                                                                \
    if (swift_tasks_isRecording && isKnown) lookBeforeTaking(iterator);                                                \
    __attribute__((musttail)) return real(context, first, second, third, fourth, iterator);                            \
  }                                                                                                                    \
  WRAPS_SYMBOL(name, symbol)

NEXT(playground_agent_next, "$sScS8IteratorV4nextxSgyYaF")
NEXT(playground_agent_nextIsolated, "$sScS8IteratorV4next9isolationxSgScA_pSgYi_tYaF")
NEXT(playground_agent_nextThrowing, "$sScs8IteratorV4nextxSgyYaKF")
NEXT(playground_agent_nextThrowingIsolated, "$sScs8IteratorV4next9isolationxSgScA_pSgYi_tYaq_YKF")
