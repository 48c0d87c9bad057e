// The parts of a task's memory that no function of the runtime shows, as in Swift 6.2 and 6.3 on 64-bit Linux. Before
// the first simulation, the self-test of SwiftTasks checks several of them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "CSwiftTasks.h"

typedef struct { const void *identity; uintptr_t implementation; } Executor;
extern __attribute__((swiftcall)) const void *swift_task_getCurrent(void);
extern __attribute__((swiftcall)) Executor swift_task_getCurrentExecutor(void);
extern __attribute__((swiftcall)) Executor swift_task_getPreferredTaskExecutor(void);
extern __attribute__((swiftcall)) bool swift_task_isCancelled(const void *task);

const void *swift_tasks_runningTask(void) { return swift_task_getCurrent(); }
bool swift_tasks_isCancelled(const void *task) { return swift_task_isCancelled(task); }
bool swift_tasks_runningTaskPrefersExecutor(void) { return swift_task_getPreferredTaskExecutor().identity; }
const void *swift_tasks_runningExecutor(void) { return swift_task_getCurrentExecutor().identity; }

typedef struct StatusRecord {
  size_t kind;
  struct StatusRecord *outer;
} StatusRecord;

typedef struct {
  StatusRecord record;
  const void *subject;
  const void *executorImplementation;
  int kind;
} Dependency;

typedef struct {
  void *header[2], *ofScheduler[2];
  uint32_t flags, identifier;
  void *voucher, *reserved;
  const void *resume;
  // Only tasks have the fields from here on.
  char *context;
  void *reservedToo;
  uintptr_t exclusivity[2];
  uint32_t status, statusUnused;
  StatusRecord *records;
} Task;

enum { kindMask = 0xff, yieldKind = 195, isChild = 1 << 24, isFuture = 1 << 25,
       isOfGroup = 1 << 26, isOfAsyncLet = 1 << 28, isComplete = 1 << 13, hasDependency = 1 << 14 };

uint32_t swift_tasks_identifier(const void *task) { return ((const Task *)task)->identifier; }

bool swift_tasks_isTask(const void *job) { return (((const Task *)job)->flags & kindMask) == 0; }
bool swift_tasks_isYield(const void *job) { return (((const Task *)job)->flags & kindMask) == yieldKind; }

// Functions of the runtime in which tasks start and continue before they call user code.
extern const void *const _swift_concurrency_debug_future_adapter __attribute__((weak));
extern const void *const _swift_concurrency_debug_non_future_adapter __attribute__((weak));
extern const void *const _swift_concurrency_debug_task_future_wait_resume_adapter __attribute__((weak));
extern const void *const _swift_concurrency_debug_task_wait_throwing_resume_adapter __attribute__((weak));

static bool isOneOf(const void *function, const void *const *first, const void *const *second) {
  return (first && function == *first) || (second && function == *second);
}

// Copies memory of the own process. Returns false if the memory cannot be read.
static bool readMemory(const void *address, void *copy, size_t size) {
  struct iovec own = {copy, size}, other = {(void *)address, size};
  return process_vm_readv(getpid(), &own, 1, &other, 1, 0) == (ssize_t)size;
}

// Whether all of some memory is in the page of an address.
static bool isInPage(const void *start, size_t size, const void *address) {
  enum { page = 4096 };
  uintptr_t first = (uintptr_t)start, last = first + size - 1, number = (uintptr_t)address / page;
  return first / page == number && last / page == number;
}

// Copies words like `readMemory`, without a call of the system if they are in the page of a readable address.
//
// This function may read beyond the end of an object, and AddressSanitizer must not check that. It does not call
// `memcpy`, because AddressSanitizer replaces `memcpy` and checks what it reads.
__attribute__((no_sanitize("address")))
static bool readWords(const void *address, uint64_t *words, size_t count, const void *readable) {
  size_t size = count * sizeof *words;
  if (!isInPage(address, size, readable)) return readMemory(address, words, size);
  for (size_t index = 0; index < count; index++) words[index] = ((const volatile uint64_t *)address)[index];
  return true;
}

void swift_tasks_beginFrames(SwiftTasksFrames *frames, const void *task) {
  enum { entryBeforeContext = 24 };
  const Task *own = task;
  const char *context = own->context;
  const void *function = own->resume;
  frames->task = task;
  frames->function = frames->context = NULL;
  frames->copied = 0;
  if (!swift_tasks_isTask(task) || !context) return;
  if (isOneOf(function, &_swift_concurrency_debug_future_adapter, &_swift_concurrency_debug_non_future_adapter)) {
    frames->function = *(const void *const *)(context - entryBeforeContext);
    return;
  }
  frames->context = context;
  if (!isOneOf(function, &_swift_concurrency_debug_task_future_wait_resume_adapter,
               &_swift_concurrency_debug_task_wait_throwing_resume_adapter)) {
    frames->function = function;
  }
}

// Reads a frame. Another thread may continue the task meanwhile and free its frames, but the task is retained. A task
// that has stopped at an unusual place has frames of another form, and the address may be invalid.
static bool readFrame(SwiftTasksFrames *frames, uint64_t *frame, size_t count) {
  size_t size = count * sizeof *frame, part = (uintptr_t)frames->context % sizeof frames->copy;
  uintptr_t start = (uintptr_t)frames->context - part;
  if (isInPage(frames->context, size, frames->task) || part + size > sizeof frames->copy) {
    return readWords(frames->context, frame, count, frames->task);
  }
  // The frames of callers are nearby. Copying them together takes one call of the system.
  if (frames->copied != start) {
    if (!readMemory((const void *)start, frames->copy, sizeof frames->copy)) return false;
    frames->copied = start;
  }
  memcpy(frame, (const char *)frames->copy + part, size);
  return true;
}

const void *swift_tasks_nextFrame(SwiftTasksFrames *frames) {
  enum { caller, resumeCaller, sizeOfFrame };
  uint64_t frame[sizeOfFrame];
  const void *function = frames->function;
  frames->function = NULL;
  if (function || !frames->context || !readFrame(frames, frame, sizeOfFrame)) return function;
  frames->context = (const void *)frame[caller];
  return (const void *)frame[resumeCaller];
}

size_t swift_tasks_frames(const void *task, const void **functions, size_t limit) {
  SwiftTasksFrames frames;
  swift_tasks_beginFrames(&frames, task);
  size_t count = 0;
  while (count < limit && (functions[count] = swift_tasks_nextFrame(&frames))) count += 1;
  return count;
}

static const char *closureOf(const void *job) {
  enum { closureBeforeContext = 16 };
  if (!swift_tasks_isTask(job)) return NULL;
  const char *context = ((const Task *)job)->context;
  return context ? *(const char *const *)(context - closureBeforeContext) : NULL;
}

// The object that contains an address. `dladdr` would compare all symbols of the object with the address.
typedef struct {
  const void *identity;
  const char *file;
} Image;

#ifdef DLFO_EH_SEGMENT_TYPE
static Image imageOf(const void *address) {
  struct dl_find_object found;
  if (_dl_find_object((void *)address, &found)) return (Image){NULL, NULL};
  // An object may have several ranges of addresses, but has only one map.
  const char *file = found.dlfo_link_map->l_name;
  return (Image){found.dlfo_link_map, *file ? file : program_invocation_name};
}
#else
static Image imageOf(const void *address) {
  Dl_info info;
  if (!dladdr(address, &info)) return (Image){NULL, NULL};
  return (Image){info.dli_fbase, info.dli_fname};
}
#endif

const void *swift_tasks_imageIdentity(const void *address) { return imageOf(address).identity; }

const char *swift_tasks_image(const void *address) { return imageOf(address).file; }

// A thunk holds the closure that it calls. The closure is the address of an asynchronous function's description, which
// begins with the distance to the function's code. Types may come before the closure, and any words may follow it. Such a
// word may point into a gap of a library, which cannot be read.
size_t swift_tasks_insideThunk(const void *task, const void **functions, size_t limit) {
  enum { headerOfClosure = 16 };
  const char *closure = closureOf(task);
  size_t count = 0;
  for (size_t index = 0; closure && index < limit; index++) {
    uint64_t word;
    int32_t distance;
    if (!readWords(closure + headerOfClosure + index * sizeof word, &word, 1, closure)) break;
    const char *description = (const char *)word;
    const void *image = description ? imageOf(description).identity : NULL;
    if (!image || !readMemory(description, &distance, sizeof distance)) continue;
    const char *function = description + distance;
    if (imageOf(function).identity == image) functions[count++] = function;
  }
  return count;
}

bool swift_tasks_wordsOfContext(const void *closure, uint64_t *words) {
  enum { headerOfClosure = 16, count = 4 };
  // The closure may be smaller.
  return closure && readWords((const char *)closure + headerOfClosure, words, count, closure);
}

bool swift_tasks_wordsOfClosure(const void *task, uint64_t *words) {
  return swift_tasks_wordsOfContext(closureOf(task), words);
}

const char *swift_tasks_symbol(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_sname : NULL;
}

const char *swift_tasks_name(const void *task) {
  enum { nameKind = 6 };
  for (const StatusRecord *record = ((const Task *)task)->records; record; record = record->outer) {
    if ((record->kind & kindMask) == nameKind) return *(const char *const *)(record + 1);
  }
  return NULL;
}

bool swift_tasks_isComplete(const void *task) { return ((const Task *)task)->status & isComplete; }

extern size_t swift_retainCount(void *);

bool swift_tasks_isUnreferenced(const void *task) {
  // A task that runs retains itself.
  enum { ofTaskAndCaller = 2 };
  return !(((const Task *)task)->flags & isChild) && swift_retainCount((void *)task) == ofTaskAndCaller;
}

bool swift_tasks_isOfAsyncLet(const void *task) { return ((const Task *)task)->flags & isOfAsyncLet; }

const void *swift_tasks_taskOfAsyncLet(const void *asyncLet) {
  // An `async let` begins with a record. Through this record, the cancellation of the creator reaches the task.
  const struct {
    StatusRecord record;
    const void *firstChild;
  } *record = asyncLet;
  return record->firstChild;
}

uint32_t swift_tasks_flags(const void *task) { return ((const Task *)task)->flags; }

// These parts follow the task in memory. Only some tasks have them.
enum { taskSize = 208, childPart = 16, groupPart = 8 };

const void *swift_tasks_parent(const void *task) {
  if (!swift_tasks_isTask(task) || !(((const Task *)task)->flags & isChild)) return NULL;
  return *(void *const *)((const char *)task + taskSize);
}

uint32_t swift_tasks_group(const void *task) {
  if (!(((const Task *)task)->flags & isOfGroup)) return 0;
  return swift_tasks_numberOfGroup(*(void *const *)((const char *)task + taskSize + childPart));
}

uint32_t swift_tasks_numberOfGroup(const void *group) {
  enum { alignment = 16 };
  return (uint32_t)((uintptr_t)group / alignment);
}

// Returns the compiler's description of an error's type, if the type is a structure or an enumeration. Unlike the
// description, the metadata of the type may be made at run time.
static const void *descriptorOf(const char *error) {
  enum { typeInError = 16, valueInError = 32, structure = 0x200, enumeration = 0x201, existential = 0x303 };
  const uintptr_t *type = *(const uintptr_t *const *)(error + typeInError);
  // An error of type `any Error` holds another error.
  while (type[0] == existential) {
    error = *(const char *const *)(error + valueInError);
    type = *(const uintptr_t *const *)(error + typeInError);
  }
  return type[0] == structure || type[0] == enumeration ? (const void *)type[1] : NULL;
}

typedef struct {
  uintptr_t status;
  const void *type;
  const char *error;
} Result;

static const Result *resultOf(const void *task) {
  uint32_t flags = ((const Task *)task)->flags;
  if (!(flags & isFuture)) return NULL;
  const char *future = (const char *)task + taskSize;
  if (flags & isChild) future += childPart;
  if (flags & isOfGroup) future += groupPart;
  return (const Result *)future;
}

static SwiftTasksOutcome outcomeOf(const Result *result) {
  enum { statusMask = 3 };
  if (!result) return SwiftTasksOutcomeUnknown;
  switch (__atomic_load_n(&result->status, __ATOMIC_ACQUIRE) & statusMask) {
    case 1: return SwiftTasksOutcomeSuccess;
    case 2: return SwiftTasksOutcomeFailure;
    default: return SwiftTasksOutcomeUnknown;
  }
}

SwiftTasksOutcome swift_tasks_outcome(const void *task, const void **error) {
  const Result *result = resultOf(task);
  SwiftTasksOutcome outcome = outcomeOf(result);
  if (outcome == SwiftTasksOutcomeFailure) *error = descriptorOf(result->error);
  return outcome;
}

const void *swift_tasks_error(const void *task) {
  const Result *result = resultOf(task);
  return outcomeOf(result) == SwiftTasksOutcomeFailure ? result->error : NULL;
}

SwiftTasksDependency swift_tasks_dependency(const void *task) {
  enum { dependencyKind = 0 };
  const Task *own = task;
  if (!(own->status & hasDependency)) return (SwiftTasksDependency){0, NULL};
  const StatusRecord *record = own->records;
  while (record && (record->kind & kindMask) != dependencyKind) record = record->outer;
  const Dependency *dependency = (const Dependency *)record;
  return dependency ? (SwiftTasksDependency){dependency->kind, dependency->subject} : (SwiftTasksDependency){0, NULL};
}

// The task that wakes a sleep calls a closure that holds only the address of the sleep's state. The runtime has several
// kinds of sleep. Their closures are recognised by type, and the self-test has seen each type.
enum { knownLimit = 4 };
static const void *knownClosures[knownLimit];

void swift_tasks_learnSleep(const void *job) {
  const char *closure = closureOf(job);
  if (!closure) return;
  const void *type = *(const void *const *)closure;
  for (int index = 0; index < knownLimit; index++) {
    if (knownClosures[index] == type) return;
    if (!knownClosures[index]) {
      knownClosures[index] = type;
      return;
    }
  }
}

const uintptr_t *swift_tasks_sleepState(const void *job) {
  enum { headerOfClosure = 16 };
  const char *closure = closureOf(job);
  if (!closure) return NULL;
  const void *type = *(const void *const *)closure;
  for (int index = 0; index < knownLimit; index++) {
    if (knownClosures[index] == type) return *(const uintptr_t *const *)(closure + headerOfClosure);
  }
  return NULL;
}

// What a task keeps while it waits for a continuation that can throw. The compiler makes it.
typedef struct {
  const void *caller, *resumeCaller;
  size_t flags, progress;
  const void *error;
} ThrowingWait;

bool swift_tasks_throw(const void *task, const void *error) {
  const Task *own = task;
  ThrowingWait *wait = (ThrowingWait *)own->context;
  if (own->resume != wait->resumeCaller || wait->error) return false;
  wait->error = error;
  return true;
}

void swift_tasks_mark(const void *job, uint64_t mark) {
  if (swift_tasks_isTask(job)) __atomic_store_n(&((Task *)job)->reserved, (void *)(uintptr_t)mark, __ATOMIC_RELAXED);
}

void swift_tasks_markIfNew(const void *job, uint64_t mark) {
  void *none = NULL;
  if (!swift_tasks_isTask(job)) return;
  __atomic_compare_exchange_n(&((Task *)job)->reserved, &none, (void *)(uintptr_t)mark, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

// An actor holds the job that makes it run, and the list of the tasks that wait for it.
enum { wordsOfActor = 14, kindOfActorJob = 192 };
static ptrdiff_t jobInActor, tasksInActor;

void swift_tasks_learnActor(const void *actor, const void *job, const void *task) {
  ptrdiff_t distance = (const char *)job - (const char *)actor;
  if (distance <= 0 || distance > wordsOfActor * (ptrdiff_t)sizeof(void *)) return;
  for (ptrdiff_t word = 2; word < wordsOfActor; word++) {
    ptrdiff_t place = word * (ptrdiff_t)sizeof(void *);
    if (*(const void *const *)((const char *)actor + place) != task) continue;
    jobInActor = distance;
    tasksInActor = place;
    return;
  }
}

uint64_t swift_tasks_markOf(const void *job) {
  uint32_t kind = ((const Task *)job)->flags & kindMask;
  if (kind == 0) return (uintptr_t)__atomic_load_n(&((const Task *)job)->reserved, __ATOMIC_RELAXED);
  if (kind != kindOfActorJob || !jobInActor) return 0;
  const Task *first = *(const Task *const *)((const char *)job - jobInActor + tasksInActor);
  return first && swift_tasks_isTask(first) ? (uintptr_t)first->reserved : 0;
}
