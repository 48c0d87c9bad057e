// Dispatch. User code calls Dispatch through the linkage table of its program, and so finds the functions defined here.
// On the thread of a simulation, a closure that is handed to a queue becomes part of the simulation. Groups and
// semaphores remain those of the system, but a simulation waits for them in its own way: it checks them again after
// each change.
//
// Queues of Foundation, and queues with an event source, stay outside simulations, because the system itself also uses
// them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "CSwiftTasks.h"

// The replacements are weak, since a program may define its own functions. ThreadSanitizer also defines weak functions,
// which must not win. The replacements still call those of ThreadSanitizer, which then knows the order of events.
#if __has_feature(thread_sanitizer)
#define REPLACING
#define SANITIZERS "__interceptor_"
#else
#define REPLACING __attribute__((weak))
#endif

typedef void (*Function)(void *);
typedef struct {
  void *isa;
  int flags, reserved;
  void (*invoke)(void *);
} Block;

#define NOW 0ull
#define FOREVER (~0ull)

static void *lookUp(const char *name) {
#ifdef SANITIZERS
  char wrapping[64] = SANITIZERS;
  void *function = dlsym(RTLD_DEFAULT, strncat(wrapping, name, sizeof wrapping - sizeof SANITIZERS));
  if (function) return function;
#endif
  return dlsym(RTLD_NEXT, name);
}

// Returns the system's function, which is looked up once.
static void *real(const char *name, void **known) {
  void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (!function) {
    function = lookUp(name);
    __atomic_store_n(known, function, __ATOMIC_RELAXED);
  }
  return function;
}

#define REAL(type, name)                                                                                               \
  ({                                                                                                                   \
    static void *known;                                                                                                \
    (type) real(name, &known);                                                                                         \
  })

// Defined in Swift.
extern void swift_tasks_dispatch(void *receiver, void *queue, int64_t delay, void *context, Function function);
extern void swift_tasks_dispatchSync(void *receiver, void *queue, void *context, Function function);
extern bool swift_tasks_block(void *receiver, const void *object, const char *what, int64_t limit,
                              bool (*isFree)(const void *));
extern void swift_tasks_whenFree(void *receiver, const void *object, bool (*isFree)(const void *), void *queue,
                                 void *context, Function function);
extern void swift_tasks_changed(void *receiver, const void *object);
extern void swift_tasks_changedOutside(const void *object);
extern bool swift_tasks_runProcess(void);

// MARK: Which queues belong to a simulation

static const char *label(void *queue) {
  const char *text = REAL(const char *(*)(void *), "dispatch_queue_get_label")(queue);
  return text ? text : "";
}

static bool startsWith(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

// The queues that event sources call. A program has few event sources.
enum { sourceLimit = 256 };
static void *queuesOfSources[sourceLimit];
static uint32_t sourceCount;

static bool isOutside(void *queue) {
  uint32_t count = __atomic_load_n(&sourceCount, __ATOMIC_ACQUIRE);
  for (uint32_t index = 0; index < count && index < sourceLimit; index++) {
    if (__atomic_load_n(&queuesOfSources[index], __ATOMIC_RELAXED) == queue) return true;
  }
  const char *name = label(queue);
  if (startsWith(name, "com.apple.root.") || startsWith(name, "com.apple.main-thread")) return false;
  static const char *const foundations[] = {"com.apple.", "org.swift.", "NSOperationQueue ", "URLSession<"};
  for (size_t index = 0; index < sizeof foundations / sizeof *foundations; index++) {
    if (startsWith(name, foundations[index])) return true;
  }
  return false;
}

static SwiftTasksSimulation *simulation(void *queue) {
  SwiftTasksSimulation *own = swift_tasks_current;
  return own && !isOutside(queue) ? own : NULL;
}

extern struct Queue _dispatch_main_q __attribute__((weak));

SwiftTasksQueueKind swift_tasks_queueKind(const void *queue) {
  // All queues of one kind begin with the same word.
  static const void *serial;
  if (queue == &_dispatch_main_q) return SwiftTasksQueueMain;
  if (!serial) {
    void *(*create)(const char *, void *) = REAL(void *(*)(const char *, void *), "dispatch_queue_create");
    serial = *(const void **)create("serial", NULL);
  }
  return *(const void *const *)queue == serial ? SwiftTasksQueueSerial : SwiftTasksQueueConcurrent;
}

const char *swift_tasks_queueLabel(const void *queue) { return label((void *)queue); }
void swift_tasks_retainQueue(const void *queue) { REAL(void (*)(const void *), "dispatch_retain")(queue); }
void swift_tasks_releaseQueue(const void *queue) { REAL(void (*)(const void *), "dispatch_release")(queue); }

// MARK: Closures

static void *copy(void *block) { return REAL(void *(*)(void *), "_Block_copy")(block); }

static void call(void *block) { ((Block *)block)->invoke(block); }

static void callAndRelease(void *block) {
  call(block);
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own) swift_tasks_changed(own->receiver, block);
  REAL(void (*)(void *), "_Block_release")(block);
}

// MARK: Handing over

REPLACING void dispatch_async(void *queue, void *block) {
  SwiftTasksSimulation *own = simulation(queue);
  if (!own) return REAL(void (*)(void *, void *), "dispatch_async")(queue, block);
  swift_tasks_dispatch(own->receiver, queue, 0, copy(block), callAndRelease);
}

static void asyncOfSystem(void *queue, void *context, Function function) {
#ifdef SANITIZERS
  REAL(void (*)(void *, void *, Function), "dispatch_async_f")(queue, context, function);
#else
  ((void (*)(void *, void *, Function))REPLACED("dispatch_async_f"))(queue, context, function);
#endif
}

// Not inlined, so that a job outside all simulations saves no registers for this call.
__attribute__((noinline)) static void leadAsync(void *queue, void *context, Function function) {
  SwiftTasksSimulation *own = simulation(queue);
  if (swift_tasks_isRecording && swift_tasks_handsOverJob) {
    swift_tasks_handsOverJob = false;
    function = swift_tasks_recordedJob(function);
  }
  if (!own) return asyncOfSystem(queue, context, function);
  swift_tasks_dispatch(own->receiver, queue, 0, context, function);
}

// The Swift runtime enqueues each job with this function.
REPLACING void dispatch_async_f(void *queue, void *context, Function function) {
  if (swift_tasks_getIsUsed()) return leadAsync(queue, context, function);
  asyncOfSystem(queue, context, function);
}
WRAPS(dispatch_async_f)

REPLACING void dispatch_barrier_async(void *queue, void *block) {
  SwiftTasksSimulation *own = simulation(queue);
  if (!own) return REAL(void (*)(void *, void *), "dispatch_barrier_async")(queue, block);
  swift_tasks_dispatch(own->receiver, queue, 0, copy(block), callAndRelease);
}

// Returns the number of nanoseconds until `when`; negative if `when` never comes.
static int64_t delayUntil(uint64_t when) {
  if (when == NOW) return 0;
  if (when == FOREVER) return -1;
  uint64_t wallMask = 3ull << 62;
  int64_t delay;
  if ((when & wallMask) == wallMask) {
    delay = (int64_t)(REAL(uint64_t(*)(const void *, int64_t), "dispatch_walltime")(NULL, 0) - when);
  } else {
    uint64_t now = REAL(uint64_t(*)(uint64_t, int64_t), "dispatch_time")(when & (1ull << 63) ? 1ull << 63 : NOW, 0);
    delay = (int64_t)(when - now);
  }
  return delay > 0 ? delay : 0;
}

// To limit a wait, XCTest schedules an item on a queue of its own. Threads outside the simulation also use that queue.
// So the item runs on that queue, but at its virtual time.
static bool isOfXCTest(void *queue) { return startsWith(label(queue), "org.swift.XCTest."); }

typedef struct { void *queue, *block; } Watchdog;

static void callWatchdog(void *context) {
  Watchdog watchdog = *(Watchdog *)context;
  free(context);
  REAL(void (*)(void *, void *), "dispatch_sync")(watchdog.queue, watchdog.block);
  REAL(void (*)(void *), "_Block_release")(watchdog.block);
  swift_tasks_releaseQueue(watchdog.queue);
}

static void watch(SwiftTasksSimulation *own, uint64_t when, void *queue, void *block) {
  // XCTest limits an asynchronous test to a month, which means no limit.
  const int64_t month = 30ll * 24 * 60 * 60 * 1000000000;
  int64_t delay = delayUntil(when);
  if (delay < 0 || delay >= month) return;
  swift_tasks_retainQueue(queue);
  Watchdog *watchdog = malloc(sizeof(Watchdog));
  *watchdog = (Watchdog){queue, copy(block)};
  swift_tasks_dispatch(own->receiver, &_dispatch_main_q, delay, watchdog, callWatchdog);
}

REPLACING void dispatch_after(uint64_t when, void *queue, void *block) {
  if (swift_tasks_current && isOfXCTest(queue)) return watch(swift_tasks_current, when, queue, block);
  SwiftTasksSimulation *own = simulation(queue);
  if (!own) return REAL(void (*)(uint64_t, void *, void *), "dispatch_after")(when, queue, block);
  int64_t delay = delayUntil(when);
  if (delay >= 0) swift_tasks_dispatch(own->receiver, queue, delay, copy(block), callAndRelease);
}

REPLACING void dispatch_after_f(uint64_t when, void *queue, void *context, Function function) {
  SwiftTasksSimulation *own = simulation(queue);
  if (!own) return REAL(void (*)(uint64_t, void *, void *, Function), "dispatch_after_f")(when, queue, context, function);
  int64_t delay = delayUntil(when);
  if (delay >= 0) swift_tasks_dispatch(own->receiver, queue, delay, context, function);
}

REPLACING void dispatch_sync(void *queue, void *block) {
  SwiftTasksSimulation *own = simulation(queue);
  if (!own) return REAL(void (*)(void *, void *), "dispatch_sync")(queue, block);
  swift_tasks_dispatchSync(own->receiver, queue, block, call);
}

REPLACING void dispatch_barrier_sync(void *queue, void *block) {
  SwiftTasksSimulation *own = simulation(queue);
  if (!own) return REAL(void (*)(void *, void *), "dispatch_barrier_sync")(queue, block);
  swift_tasks_dispatchSync(own->receiver, queue, block, call);
}

REPLACING void dispatch_apply(size_t count, void *queue, void *block) {
  if (!swift_tasks_current) return REAL(void (*)(size_t, void *, void *), "dispatch_apply")(count, queue, block);
  void (*invoke)(void *, size_t) = (void (*)(void *, size_t))((Block *)block)->invoke;
  for (size_t index = 0; index < count; index++) invoke(block, index);
}

// MARK: Where code runs

REPLACING void dispatch_assert_queue(void *queue) {
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own && own->queue == queue) return;
  REAL(void (*)(void *), "dispatch_assert_queue")(queue);
}

REPLACING void dispatch_assert_queue_barrier(void *queue) {
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own && own->queue == queue) return;
  REAL(void (*)(void *), "dispatch_assert_queue_barrier")(queue);
}

REPLACING void dispatch_assert_queue_not(void *queue) {
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own && own->queue == queue) abort();
  REAL(void (*)(void *), "dispatch_assert_queue_not")(queue);
}

REPLACING void *dispatch_get_specific(const void *key) {
  SwiftTasksSimulation *own = swift_tasks_current;
  if (!own || !own->queue) return REAL(void *(*)(const void *), "dispatch_get_specific")(key);
  return REAL(void *(*)(void *, const void *), "dispatch_queue_get_specific")((void *)own->queue, key);
}

// MARK: Groups

static bool isGroupEmpty(const void *group) {
  return REAL(intptr_t(*)(const void *, uint64_t), "dispatch_group_wait")(group, NOW) == 0;
}

REPLACING void dispatch_group_leave(void *group) {
  REAL(void (*)(void *), "dispatch_group_leave")(group);
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own) {
    swift_tasks_changed(own->receiver, group);
  } else {
    swift_tasks_changedOutside(group);
  }
}

REPLACING intptr_t dispatch_group_wait(void *group, uint64_t timeout) {
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own && timeout != NOW) {
    return swift_tasks_block(own->receiver, group, "a DispatchGroup", delayUntil(timeout), isGroupEmpty) ? 0 : 1;
  }
  intptr_t (*wait)(void *, uint64_t) = REAL(intptr_t(*)(void *, uint64_t), "dispatch_group_wait");
  if (!swift_tasks_isRecording || timeout == NOW) return wait(group, timeout);
  return isGroupEmpty(group) ? 0 : SWIFT_TASKS_BLOCKING("DispatchGroup.wait", wait(group, timeout));
}

REPLACING void dispatch_group_notify(void *group, void *queue, void *block) {
  SwiftTasksSimulation *own = simulation(queue);
  if (!own) return REAL(void (*)(void *, void *, void *), "dispatch_group_notify")(group, queue, block);
  swift_tasks_whenFree(own->receiver, group, isGroupEmpty, queue, copy(block), callAndRelease);
}

// A closure that leaves a group after it has run.
typedef struct { void *group, *block; } Member;

static void callMember(void *context) {
  Member member = *(Member *)context;
  free(context);
  callAndRelease(member.block);
  dispatch_group_leave(member.group);
  swift_tasks_releaseQueue(member.group);
}

REPLACING void dispatch_group_async(void *group, void *queue, void *block) {
  SwiftTasksSimulation *own = simulation(queue);
  if (!own) return REAL(void (*)(void *, void *, void *), "dispatch_group_async")(group, queue, block);
  REAL(void (*)(void *), "dispatch_group_enter")(group);
  swift_tasks_retainQueue(group);
  Member *member = malloc(sizeof(Member));
  *member = (Member){group, copy(block)};
  swift_tasks_dispatch(own->receiver, queue, 0, member, callMember);
}

const void *swift_tasks_functionOfItem(const void *context, Function function) {
  enum { closureInBlock = 32 };
  const char *block = function == callAndRelease || function == call ? context
                      : function == callMember                        ? ((const Member *)context)->block
                                                                      : NULL;
  // A block stores the Swift closure that it calls.
  return block ? *(const void *const *)(block + closureInBlock) : (const void *)function;
}

// MARK: Semaphores

static bool takePermit(const void *semaphore) {
  return REAL(intptr_t(*)(const void *, uint64_t), "dispatch_semaphore_wait")(semaphore, NOW) == 0;
}

REPLACING intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own && timeout != NOW) {
    return swift_tasks_block(own->receiver, semaphore, "a DispatchSemaphore", delayUntil(timeout), takePermit) ? 0 : 1;
  }
  intptr_t (*wait)(void *, uint64_t) = REAL(intptr_t(*)(void *, uint64_t), "dispatch_semaphore_wait");
  if (!swift_tasks_isRecording || timeout == NOW) return wait(semaphore, timeout);
  return takePermit(semaphore) ? 0 : SWIFT_TASKS_BLOCKING("DispatchSemaphore.wait", wait(semaphore, timeout));
}

REPLACING intptr_t dispatch_semaphore_signal(void *semaphore) {
  intptr_t result = REAL(intptr_t(*)(void *), "dispatch_semaphore_signal")(semaphore);
  if (!swift_tasks_getIsUsed()) return result;
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own) {
    swift_tasks_changed(own->receiver, semaphore);
  } else {
    swift_tasks_changedOutside(semaphore);
  }
  return result;
}

// MARK: Work items

static bool isItemDone(const void *block) {
  return REAL(intptr_t(*)(const void *, uint64_t), "dispatch_block_wait")(block, NOW) == 0;
}

REPLACING intptr_t dispatch_block_wait(void *block, uint64_t timeout) {
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own && timeout != NOW) {
    return swift_tasks_block(own->receiver, block, "a DispatchWorkItem", delayUntil(timeout), isItemDone) ? 0 : 1;
  }
  intptr_t (*wait)(void *, uint64_t) = REAL(intptr_t(*)(void *, uint64_t), "dispatch_block_wait");
  if (!swift_tasks_isRecording || timeout == NOW) return wait(block, timeout);
  return isItemDone(block) ? 0 : SWIFT_TASKS_BLOCKING("DispatchWorkItem.wait", wait(block, timeout));
}

// MARK: What stays outside

REPLACING void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
  if (queue) {
    uint32_t index = __atomic_fetch_add(&sourceCount, 1, __ATOMIC_ACQ_REL);
    if (index < sourceLimit) __atomic_store_n(&queuesOfSources[index], queue, __ATOMIC_RELEASE);
  }
  return REAL(void *(*)(const void *, uintptr_t, uintptr_t, void *), "dispatch_source_create")(type, handle, mask, queue);
}

// The timer fires in real time, so a start in virtual time is converted.
REPLACING void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  SwiftTasksSimulation *own = swift_tasks_current;
  if (own && start != NOW && start != FOREVER) {
    int64_t delay = delayUntil(start);
    swift_tasks_current = NULL;
    start = REAL(uint64_t(*)(uint64_t, int64_t), "dispatch_time")(NOW, delay);
    swift_tasks_current = own;
  }
  REAL(void (*)(void *, uint64_t, uint64_t, uint64_t), "dispatch_source_set_timer")(source, start, interval, leeway);
}

REPLACING void dispatch_main(void) {
  if (swift_tasks_runProcess()) exit(0);
  REAL(void (*)(void), "dispatch_main")();
}
