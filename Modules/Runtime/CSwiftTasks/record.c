// Records what tasks do, as it happens, on any thread. If the program is killed, everything recorded until then
// remains.
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CSwiftTasks.h"
#include "recordingFile.h"

// Backtraces for people leave out the code in this section.
#pragma clang section text = "playground_agent_code"

bool swift_tasks_isRecording;

#define OF_THREAD static SWIFT_TASKS_OF_THREAD

/// The task that the thread runs.
OF_THREAD struct {
  const void *task;
  uint32_t number;
  /// Whether the task lies in its parent's memory, which is freed soon after the task completes. Such a task is not
  /// retained.
  bool isLent;
  /// Whether the task is retained only while it runs here. Other tasks stay retained until they complete.
  bool isHeldHere;
  /// Whether the task is in a function that blocks. Such a function may call another one.
  bool isBlocked;
  /// Whether the task has called `Task.yield()` and will be suspended.
  bool yields;
  /// When the task was made ready by its own code, before it was suspended; 0 if it was not.
  int64_t readied;
  /// How the task ended, if it lies in its parent's memory. This is known once the task makes its parent ready.
  SwiftTasksOutcome outcome;
  const void *error;
  /// The executor that the task has entered, or tries to enter; null is the pool.
  const void *executor;
  /// The entry of that executor in `holders` before.
  uint64_t before;
} running;

/// The task that the thread is about to make.
OF_THREAD SwiftTasksCreation *creation;

SWIFT_TASKS_OF_THREAD bool swift_tasks_handsOverJob;

extern void *swift_retain(void *);
extern void swift_release(void *);
extern __attribute__((swiftcall)) const void *swift_task_getCurrent(void);

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void stop(void) { swift_tasks_isRecording = false; }

static int noteImage(struct dl_phdr_info *image, size_t size, void *count);
static void forget(void *known);
static pthread_key_t endOfKnown;

bool swift_tasks_startRecording(const char *path, uint64_t capacity) {
  if (pthread_key_create(&endOfKnown, forget) || !swift_tasks_openRecording(path, capacity)) return false;
  swift_tasks_recording->start = now();
  int images = 0;
  dl_iterate_phdr(noteImage, &images);
  // The first call of `backtrace` loads a library, so it is made here.
  void *frame;
  backtrace(&frame, 1);
  // A forked copy of the process is not recorded.
  pthread_atfork(NULL, NULL, stop);
  swift_tasks_noteUse();
  __atomic_store_n(&swift_tasks_isRecording, true, __ATOMIC_RELEASE);
  return true;
}

void swift_tasks_recordExit(int code) {
  if (!swift_tasks_isRecording) return;
  swift_tasks_recording->end = now();
  swift_tasks_recording->exitCode = code;
  swift_tasks_recording->hasExited = 1;
}

void swift_tasks_recordCrash(void) {
  if (swift_tasks_isRecording) swift_tasks_recording->end = now();
}

static void put(int64_t time, SwiftTasksRecordKind kind, uint32_t task, uint32_t other, uint64_t first,
                uint64_t second) {
  if (!swift_tasks_makeRoom(time)) return;
  swift_tasks_addRecord((SwiftTasksRecord){time, kind, task, other, {first, second}});
}

static void putText(int64_t time, uint32_t task, const char *text) {
  enum { limit = 64, part = 16 };
  size_t length = strnlen(text, limit);
  for (size_t start = 0; start < length; start += part) {
    uint64_t words[2] = {0, 0};
    memcpy(words, text + start, length - start < part ? length - start : part);
    put(time, SwiftTasksRecordName, task, (uint32_t)start, words[0], words[1]);
  }
}

// MARK: Places and executors

// One place in a program may make many tasks, whose functions all have the same name. The first task of a place records
// where the place is. Later tasks record only its number. Executors are numbered in the same way, but anew in each
// block.

/// Addresses of code, and the words of a closure that may be addresses of code. If a function only calls a closure, the
/// task has the closure's name. So the words belong to the place.
typedef struct {
  const void *function, *site, *siteOfCaller;
  uint64_t words[4];
} Place;

/// An executor, and the first word of its object. Another executor may have the same address later.
typedef struct {
  const void *executor;
  uint64_t type;
} Executor;

enum { bitsOfKnown = 6, knownCount = 1 << bitsOfKnown, largestPlace = UINT16_MAX };

static size_t hashed(uint64_t value) { return value * 0x9E3779B97F4A7C15ull >> (64 - bitsOfKnown); }

/// The places at which the thread has made tasks, each with its number, and the executors of the thread's block.
OF_THREAD struct Known {
  struct { Place place; uint32_t number; } places[knownCount];
  Executor executors[knownCount];
  /// The `beginning` of the thread's buffer for which the numbers of executors are valid.
  uint32_t beginning;
} *known;

static void forget(void *memory) {
  free(memory);
  known = NULL;
}

static bool hasKnown(void) {
  if (known) return true;
  known = calloc(1, sizeof *known);
  if (known) pthread_setspecific(endOfKnown, known);
  return known;
}

/// - Returns: the number of the executor in the block, which must have room for two records; 0 for the pool.
static uint32_t numberOfExecutor(int64_t time, const void *executor) {
  if (!executor || !hasKnown()) return 0;
  if (known->beginning != swift_tasks_place.beginning) {
    known->beginning = swift_tasks_place.beginning;
    memset(known->executors, 0, sizeof known->executors);
  }
  Executor found = {executor, *(const uint64_t *)executor};
  size_t index = hashed((uintptr_t)executor);
  uint32_t number = (uint32_t)index + 1;
  Executor *place = &known->executors[index];
  if (place->executor == found.executor && place->type == found.type) return number;
  *place = found;
  swift_tasks_addRecord((SwiftTasksRecord){
    time, SwiftTasksRecordExecutor, running.number, number, {(uintptr_t)found.executor, found.type}});
  return number;
}

static void putOfExecutor(int64_t time, SwiftTasksRecordKind kind, uint32_t other, const void *executor,
                          uint32_t holder) {
  if (!swift_tasks_makeRoom(time)) return;
  uint32_t number = numberOfExecutor(time, executor);
  swift_tasks_addRecord((SwiftTasksRecord){time, kind, running.number, other, {number, holder}});
}

// A task that goes to a free actor is not suspended, and a record of each such hop would cost too much. Instead, a task
// notes here which executor it has entered. A task that finds the executor occupied then records its holder.

/// The task that is in an executor, in the lower half. The upper half is a part of the executor's address. An entry is 0
/// if no task is there. Executors that share an entry hide each other's holders.
static uint64_t holders[1024];

static uint64_t *holderOf(const void *executor) {
  return &holders[(uintptr_t)executor / 16 % (sizeof holders / sizeof *holders)];
}

static uint64_t asHolder(uint32_t task, const void *executor) {
  return (uint64_t)((uintptr_t)executor / 16) << 32 | task;
}

/// Notes that the running task enters an executor.
static void enter(const void *executor) {
  running.executor = executor;
  if (!executor) return;
  uint64_t *entry = holderOf(executor);
  running.before = __atomic_load_n(entry, __ATOMIC_RELAXED);
  __atomic_store_n(entry, asHolder(running.number, executor), __ATOMIC_RELAXED);
}

/// Replaces the entry of the running task, unless another task has replaced it.
static void leave(uint64_t next) {
  if (!running.executor) return;
  uint64_t *entry = holderOf(running.executor), own = asHolder(running.number, running.executor);
  if (__atomic_load_n(entry, __ATOMIC_RELAXED) == own) __atomic_store_n(entry, next, __ATOMIC_RELAXED);
  running.executor = NULL;
}

void swift_tasks_recordHop(const void *executor) {
  // A task that is already there makes no hop.
  if (!running.task || swift_tasks_runningExecutor() == executor) return;
  leave(0);
  enter(executor);
}

/// The task in an executor for which the running task is suspended; 0 if it is not known.
static uint32_t findHolder(const void *executor) {
  if (!executor) return 0;
  uint64_t holder = __atomic_load_n(holderOf(executor), __ATOMIC_RELAXED);
  if (running.executor == executor) {
    // The task has not reached the executor.
    holder = running.before;
    leave(holder);
  }
  return holder == asHolder((uint32_t)holder, executor) ? (uint32_t)holder : 0;
}

typedef struct { uintptr_t start, end; } Range;

static bool holds(Range range, uintptr_t address) { return address >= range.start && address < range.end; }

/// The address ranges of the program and of all libraries that it had loaded when the recording began.
static Range ofProgram, ofLibraries;
/// The address range of the runtime's library; empty if the program contains the runtime.
static Range ofRuntime;

static void add(uintptr_t start, uintptr_t end, Range *range) {
  if (range->start == 0 || start < range->start) range->start = start;
  if (end > range->end) range->end = end;
}

static int noteImage(struct dl_phdr_info *image, size_t size, void *count) {
  (void)size;
  bool isProgram = (*(int *)count)++ == 0;
  Range own = {0, 0};
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[index];
    if (part->p_type != PT_LOAD) continue;
    uintptr_t start = image->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    add(start, end, &own);
    add(start, end, isProgram ? &ofProgram : &ofLibraries);
  }
  if (!isProgram && holds(own, (uintptr_t)swift_task_getCurrent)) ofRuntime = own;
  return 0;
}

static bool mayBeCode(uint64_t word) { return holds(ofProgram, word) || holds(ofLibraries, word); }

/// - Returns: the number of the place; 0 if there are too many places, or no memory for this one.
static uint32_t numberOfPlace(const SwiftTasksCreation *made, bool *isNew) {
  static uint32_t count;
  Place place = {made->function, made->site, made->siteOfCaller, {0, 0, 0, 0}};
  uint64_t hash = (uintptr_t)place.function ^ (uintptr_t)place.site << 7 ^ (uintptr_t)place.siteOfCaller << 13;
  for (int index = 0; made->hasWords && index < 4; index++) {
    if (mayBeCode(made->words[index])) hash ^= (place.words[index] = made->words[index]) << (17 + index);
  }
  size_t index = hashed(hash);
  *isNew = true;
  if (!hasKnown()) return 0;
  *isNew = known->places[index].number == 0 || memcmp(&known->places[index].place, &place, sizeof place);
  if (!*isNew) return known->places[index].number;
  uint32_t number = __atomic_load_n(&count, __ATOMIC_RELAXED);
  if (number < largestPlace) number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  if (number > largestPlace) number = largestPlace;
  // The last number stands for no place, since several threads may reach it.
  if (number == largestPlace) return 0;
  known->places[index].place = place;
  return known->places[index].number = number;
}

// MARK: Tasks

static void putCreation(const void *job, const SwiftTasksCreation *made) {
  swift_tasks_markIfNew(job, SWIFT_TASKS_RECORDED);
  const void *parent = swift_tasks_parent(job);
  uint32_t task = swift_tasks_identifier(job);
  bool isNew;
  uint64_t place = numberOfPlace(made, &isNew);
  uint32_t distance = parent ? swift_tasks_identifier(parent) - running.number : 0;
  put(made->time, SwiftTasksRecordCreated, task, running.number, swift_tasks_flags(job),
      place | (uint64_t)distance << 32);
  uint32_t group = swift_tasks_group(job);
  if (group) put(made->time, SwiftTasksRecordGroup, task, group, 0, 0);
  if (isNew) {
    put(made->time, SwiftTasksRecordSite, task, 0, (uintptr_t)made->function, (uintptr_t)made->site);
    if (made->siteOfCaller) put(made->time, SwiftTasksRecordCaller, task, 0, (uintptr_t)made->siteOfCaller, 0);
  }
  if (isNew && made->hasWords) {
    put(made->time, SwiftTasksRecordClosure, task, 0, made->words[0], made->words[1]);
    put(made->time, SwiftTasksRecordClosure, task, 2, made->words[2], made->words[3]);
  }
  const char *name = swift_tasks_name(job);
  if (name) putText(made->time, task, name);
}

static uint64_t (*spansOfThread)(void);
/// The spans that were last recorded for the thread.
OF_THREAD uint64_t recordedSpans;

void swift_tasks_setSpansOfThread(uint64_t (*spans)(void)) {
  __atomic_store_n(&spansOfThread, spans, __ATOMIC_RELEASE);
}

// Records the thread's library spans if they have changed. While a task runs, nothing is recorded: the task itself
// acts, and its spans are known.
static void putSpans(int64_t time) {
  uint64_t (*known)(void) = __atomic_load_n(&spansOfThread, __ATOMIC_ACQUIRE);
  if (!known || running.task) return;
  uint64_t spans = known();
  if (spans == recordedSpans) return;
  recordedSpans = spans;
  put(time, SwiftTasksRecordOnBehalf, 0, 0, (uint32_t)spans, spans >> 32);
}

/// The address range of the thread's stack. Looked up once; empty if that failed.
OF_THREAD struct {
  bool isLookedUp;
  uintptr_t start, end;
} stack;

static void lookUpStack(void) {
  pthread_attr_t attributes;
  stack.isLookedUp = true;
  if (pthread_getattr_np(pthread_self(), &attributes)) return;
  void *start = NULL;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  stack.start = (uintptr_t)start;
  stack.end = stack.start + size;
}

typedef struct Frame {
  const struct Frame *outer;
  const void *site;
} Frame;

// Returns the return address of a function's caller; null where the code keeps no chain of frames.
static const void *siteOfCaller(const Frame *frame) {
  if (!stack.isLookedUp) lookUpStack();
  const Frame *callers = frame->outer;
  // A stack can be read from any of its frames to its end. But code may run on a stack of its own, and a frame need not
  // hold the address of another frame.
  bool canBeRead = (uintptr_t)frame >= stack.start && callers > frame && (uintptr_t)(callers + 1) <= stack.end &&
                   (uintptr_t)callers % sizeof(void *) == 0;
  return canBeRead ? callers->site : NULL;
}

void swift_tasks_recordBeginCreation(SwiftTasksCreation *made, const void *entry, const void *closure,
                                     const void *site, const void *frame) {
  // The entry of a closure begins with the distance to its code.
  made->function = (const char *)entry + *(const int32_t *)entry;
  made->site = site;
  // In a debug build, the program first calls its own copy of a Swift library function.
  made->siteOfCaller = siteOfCaller(frame);
  made->time = now();
  made->hasWords = swift_tasks_wordsOfContext(closure, made->words);
  made->outer = creation;
  creation = made;
}

void swift_tasks_recordEndCreation(SwiftTasksCreation *made, const void *task) {
  // If the task was not made ready, an actor has put it into its queue.
  if (creation == made && task) {
    putSpans(made->time);
    putCreation(task, made);
  }
  creation = made->outer;
}

void swift_tasks_recordEvent(int64_t time, const void *bytes, size_t count) {
  enum { part = 16 };
  for (size_t start = 0; start < count; start += part) {
    uint64_t words[2] = {0, 0};
    memcpy(words, (const char *)bytes + start, count - start < part ? count - start : part);
    put(time, SwiftTasksRecordLibrary, running.number, (uint32_t)start, words[0], words[1]);
  }
}

void swift_tasks_recordReady(const void *job, int64_t delay) {
  swift_tasks_handsOverJob = delay < 0;
  // The job may be the parent. It cannot run yet, so the memory of the running task still exists.
  if (running.isLent && running.task && !running.outcome) {
    running.outcome = swift_tasks_outcome(running.task, &running.error);
  }
  if (swift_tasks_isYield(job)) running.yields = true;
  if (!swift_tasks_isTask(job)) return;
  bool isKnown = swift_tasks_markOf(job) != 0;
  int64_t time = creation && !isKnown ? creation->time : now();
  uint32_t task = swift_tasks_identifier(job);
  putSpans(creation ? creation->time : time);
  if (!isKnown) {
    SwiftTasksCreation *made = creation;
    if (made) {
      putCreation(job, made);
      creation = made->outer;
    } else {
      // Swift's own library made the task.
      SwiftTasksCreation found = {.time = time};
      swift_tasks_frames(job, &found.function, 1);
      found.hasWords = swift_tasks_wordsOfClosure(job, found.words);
      putCreation(job, &found);
    }
  }
  // Another thread may start the task before this thread records that it was suspended.
  if (task == running.number) running.readied = time;
  put(time, delay < 0 ? SwiftTasksRecordReady : SwiftTasksRecordSleeps, task, running.number,
      delay < 0 ? 0 : (uint64_t)delay, 0);
}

static void hold(const void *task) {
  running.task = task;
  running.number = swift_tasks_identifier(task);
  running.readied = 0;
  running.outcome = SwiftTasksOutcomeUnknown;
  running.error = NULL;
  running.isLent = swift_tasks_isOfAsyncLet(task);
  running.isHeldHere = false;
  running.executor = NULL;
  uint64_t mark = swift_tasks_markOf(task);
  if (running.isLent || mark == SWIFT_TASKS_HELD) return;
  swift_retain((void *)task);
  // The mark of a task in a simulation names that simulation, so it must stay.
  if (mark == 0 || mark == SWIFT_TASKS_RECORDED) swift_tasks_mark(task, SWIFT_TASKS_HELD);
  else running.isHeldHere = true;
}

static void releaseTask(bool hasCompleted) {
  const void *task = running.task;
  leave(0);
  running.task = NULL;
  running.number = 0;
  if (!running.isLent && (hasCompleted || running.isHeldHere)) swift_release((void *)task);
}

static void complete(int64_t time) {
  const void *error = running.error;
  SwiftTasksOutcome outcome = running.isLent ? running.outcome : swift_tasks_outcome(running.task, &error);
  put(time, SwiftTasksRecordCompleted, running.number, outcome, (uint64_t)(uintptr_t)error, 0);
  releaseTask(true);
}

void swift_tasks_recordStart(const void *task) {
  int64_t time = now();
  if (running.task && (running.isLent || swift_tasks_isComplete(running.task))) {
    // An actor runs one task after another from its queue, and the task before this one has completed.
    complete(time);
  } else if (running.task) {
    // The previous task has not completed. It runs the job of this task, in a way that the recorder does not see.
    releaseTask(false);
  }
  putSpans(time);
  hold(task);
  const void *executor = swift_tasks_runningExecutor();
  enter(executor);
  putOfExecutor(time, SwiftTasksRecordStarted, swift_tasks_isUnreferenced(task), executor, 0);
}

/// The function of the runtime's library in which the program lets a task wait for a continuation; null if the task waits
/// in a function of the program.
static const void *functionOfRuntime(const void *task) {
  enum { limit = 8 };
  SwiftTasksFrames frames;
  swift_tasks_beginFrames(&frames, task);
  const void *function = NULL;
  for (int count = 0; count < limit; count++) {
    const void *next = swift_tasks_nextFrame(&frames);
    if (!holds(ofRuntime, (uintptr_t)next)) break;
    function = next;
  }
  return function;
}

void swift_tasks_recordEnd(const void *task) {
  if (running.task != task) return;
  SwiftTasksDependency dependency = swift_tasks_dependency(task);
  uint32_t kind = running.yields ? SwiftTasksDependencyYield : (uint32_t)dependency.kind;
  running.yields = false;
  int64_t time = running.readied ? running.readied : now();
  if (kind == SwiftTasksDependencyExecutor) {
    uint32_t holder = findHolder(dependency.subject);
    putOfExecutor(time, SwiftTasksRecordSuspended, kind, dependency.subject, holder);
  } else {
    uint64_t detail = 0;
    if (kind == SwiftTasksDependencyTask) detail = swift_tasks_identifier(dependency.subject);
    if (kind == SwiftTasksDependencyContinuation) detail = (uintptr_t)functionOfRuntime(task);
    put(time, SwiftTasksRecordSuspended, running.number, kind, detail, 0);
  }
  releaseTask(false);
}

// MARK: Jobs

SwiftTasksRunning swift_tasks_recordBeginJob(void) {
  SwiftTasksRunning outer = {running.task, running.number, running.isLent, running.isHeldHere, running.executor};
  running.task = NULL;
  running.number = 0;
  return outer;
}

void swift_tasks_recordEndJob(SwiftTasksRunning outer) {
  // A suspended task would have been recorded as such, so this task has completed.
  if (running.task) complete(now());
  running.task = outer.task;
  running.number = outer.number;
  running.isLent = outer.isLent;
  running.isHeldHere = outer.isHeldHere;
  running.executor = outer.executor;
}

// The functions that the runtime hands to Dispatch: one runs jobs of tasks, the other jobs of the main actor.
enum { functionLimit = 2 };
static void (*functions[functionLimit])(void *);

static void runJob(void *job, int index) {
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  functions[index](job);
  swift_tasks_recordEndJob(outer);
}

static void runFirst(void *job) { runJob(job, 0); }
static void runSecond(void *job) { runJob(job, 1); }

void (*swift_tasks_recordedJob(void (*function)(void *)))(void *) {
  static void (*const runs[functionLimit])(void *) = {runFirst, runSecond};
  for (int index = 0; index < functionLimit; index++) {
    void (*known)(void *) = __atomic_load_n(&functions[index], __ATOMIC_ACQUIRE);
    if (known == function) return runs[index];
    if (!known && (__atomic_compare_exchange_n(&functions[index], &known, function, false, __ATOMIC_ACQ_REL,
                                               __ATOMIC_ACQUIRE) ||
                   known == function)) {
      return runs[index];
    }
  }
  return function;
}

// MARK: What tasks do

void swift_tasks_recordEndOfAsyncLet(const void *asyncLet) {
  const void *task = swift_tasks_taskOfAsyncLet(asyncLet);
  if (!swift_tasks_isComplete(task)) return swift_tasks_recordCancellation(task);
  const void *error = NULL;
  SwiftTasksOutcome outcome = swift_tasks_outcome(task, &error);
  if (outcome != SwiftTasksOutcomeFailure) return;
  put(now(), SwiftTasksRecordOutcome, swift_tasks_identifier(task), outcome, (uint64_t)(uintptr_t)error, 0);
}

void swift_tasks_recordCancellation(const void *task) {
  put(now(), SwiftTasksRecordCancelled, swift_tasks_identifier(task), running.number, 0, 0);
}

void swift_tasks_recordGroupCancellation(const void *group) {
  put(now(), SwiftTasksRecordGroupCancelled, swift_tasks_numberOfGroup(group), running.number, 0, 0);
}

/// The number of bits of the count that was recorded last for a buffer. After the buffer has held many values, 1 stands
/// for few values. 0 stands for none, and for a buffer that has not held many yet. Streams that share an entry hide
/// some of each other's counts.
static uint8_t *lengthOfCount(const void *storage) {
  enum { tableSize = 1024, alignment = 16 };
  static uint8_t lengths[tableSize];
  return &lengths[(uintptr_t)storage / alignment % tableSize];
}

bool swift_tasks_holdsMany(const void *storage) {
  return __atomic_load_n(lengthOfCount(storage), __ATOMIC_RELAXED) > 0;
}

void swift_tasks_recordBuffer(const void *storage, uint64_t count, const void *site) {
  enum { few = 32 };
  uint8_t *known = lengthOfCount(storage);
  uint8_t before = __atomic_load_n(known, __ATOMIC_RELAXED);
  uint8_t length = count >= few ? (uint8_t)(64 - __builtin_clzll(count)) : count > 0 && before > 0;
  if (length == before || __atomic_exchange_n(known, length, __ATOMIC_RELAXED) == length) return;
  uint32_t clamped = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
  put(now(), SwiftTasksRecordBuffer, running.number, clamped, (uint64_t)(uintptr_t)storage, (uint64_t)(uintptr_t)site);
}

bool swift_tasks_beginBlocking(const char *function) {
  enum { limit = 12 };
  if (!swift_tasks_isRecording || !running.task || running.isBlocked) return false;
  running.isBlocked = true;
  int64_t time = now();
  put(time, SwiftTasksRecordBlocked, running.number, 0, (uint64_t)(uintptr_t)function, 0);
  void *frames[limit];
  int error = errno;
  int count = backtrace(frames, limit);
  errno = error;
  // The first frame is this function.
  for (int index = 1; index + 1 < count; index += 2) {
    put(time, SwiftTasksRecordFrames, running.number, 0, (uint64_t)(uintptr_t)frames[index],
        (uint64_t)(uintptr_t)frames[index + 1]);
  }
  return true;
}

void swift_tasks_endBlocking(void) {
  running.isBlocked = false;
  put(now(), SwiftTasksRecordUnblocked, running.number, 0, 0, 0);
}
