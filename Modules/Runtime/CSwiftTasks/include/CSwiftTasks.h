// What Swift cannot say about its own concurrency runtime: see the target SwiftTasks, which alone uses it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ReplacedFunction.h"

// A variable of a thread that is found without a call. Its library must be loaded when the program starts, or be small.
#define SWIFT_TASKS_OF_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

/// The simulation that a thread runs: its receiver gets the jobs that the thread enqueues, and its clock is the thread's.
typedef struct {
  /// The object that receives jobs; not retained.
  void *_Nonnull receiver;
  /// The virtual time, in nanoseconds since the start.
  int64_t now;
  /// Whether the receiver wants to know which tasks run, and where.
  bool isWatched;
  /// The executor to which the hop leads that is being enqueued: an actor, a serial executor, or null for the pool.
  const void *_Nullable destination;
  /// The queue of Dispatch whose closure runs; null if none does.
  const void *_Nullable queue;
  /// The state of the generator that the simulation's random numbers come from.
  uint64_t random;
} SwiftTasksSimulation;

/// The simulation of the calling thread; null outside of one.
extern SWIFT_TASKS_OF_THREAD SwiftTasksSimulation *_Nullable swift_tasks_current;

static inline SwiftTasksSimulation *_Nullable swift_tasks_getCurrent(void) { return swift_tasks_current; }
static inline void swift_tasks_setCurrent(SwiftTasksSimulation *_Nullable simulation) { swift_tasks_current = simulation; }

/// The seconds at which the virtual clocks start: late enough that no instant is negative.
#define SWIFT_TASKS_MONOTONIC_START 1000000
/// 1 January 2026, 0:00 UTC.
#define SWIFT_TASKS_WALL_START 1767225600

/// Whether the process has had a simulation or a recording: without, no job and no object of Dispatch can belong to one.
extern bool swift_tasks_isUsed;
static inline bool swift_tasks_getIsUsed(void) { return __atomic_load_n(&swift_tasks_isUsed, __ATOMIC_RELAXED); }
static inline void swift_tasks_noteUse(void) {
  if (!swift_tasks_getIsUsed()) __atomic_store_n(&swift_tasks_isUsed, true, __ATOMIC_RELAXED);
}

// The hop station.

/// Sets the executor over which hops are led: its two words.
void swift_tasks_setHopStation(uintptr_t identity, uintptr_t implementation);

// The shortcut of jobs outside of simulations.

/// Leads most of those jobs directly to the platform's executor. Otherwise they would pass the runtime's look-up of the
/// default executor, and the executor of this package. To be called before there are other threads.
void swift_tasks_openShortcut(void);
/// Lets all jobs pass the executor of this package. To be called before there are other threads.
void swift_tasks_closeShortcut(void);

// Which simulation a task belongs to, for a thread that belongs to none.

/// Notes on a task which simulation it belongs to.
void swift_tasks_mark(const void *_Nonnull job, uint64_t simulation);
/// The same, if the task has no mark: another thread may have started it meanwhile.
void swift_tasks_markIfNew(const void *_Nonnull job, uint64_t mark);
/// The simulation that a job belongs to: a task's own, or that of the task for which an actor was made ready; 0 for none.
uint64_t swift_tasks_markOf(const void *_Nonnull job);
/// Notes where in an actor the job is by which it is made ready, and the first task in its queue, of which both are known.
void swift_tasks_learnActor(const void *_Nonnull actor, const void *_Nonnull job, const void *_Nonnull task);

// What the calling thread runs.

/// The task that the thread runs; null if it runs none.
const void *_Nullable swift_tasks_runningTask(void);
/// Whether that task prefers an executor.
bool swift_tasks_runningTaskPrefersExecutor(void);
/// The actor or serial executor that the thread is on; null for the pool.
const void *_Nullable swift_tasks_runningExecutor(void);

// Queues of Dispatch.

typedef enum { SwiftTasksQueueMain, SwiftTasksQueueSerial, SwiftTasksQueueConcurrent } SwiftTasksQueueKind;
SwiftTasksQueueKind swift_tasks_queueKind(const void *_Nonnull queue);
const char *_Nonnull swift_tasks_queueLabel(const void *_Nonnull queue);
/// The function that a closure calls which was handed to a queue.
const void *_Nullable swift_tasks_functionOfItem(const void *_Nullable context, void (*_Nonnull function)(void *_Nullable));
void swift_tasks_retainQueue(const void *_Nonnull queue);
void swift_tasks_releaseQueue(const void *_Nonnull queue);

// What a task's memory says. Only for a task that is not running, and not yet complete, or retained.

/// Writes the functions in which a task continues: its own, then those of its callers.
///
/// Only for a task that is suspended or enqueued.
/// Returns their number, at most `limit`.
size_t swift_tasks_frames(const void *_Nonnull task, const void *_Nullable *_Nonnull frames, size_t limit);
/// Writes what may be the function that a task calls which starts in a thunk.
///
/// Returns how many there are, at most `limit`.
size_t swift_tasks_insideThunk(const void *_Nonnull task, const void *_Nullable *_Nonnull functions, size_t limit);
/// The file of the program or library that an address belongs to.
const char *_Nullable swift_tasks_image(const void *_Nonnull address);
/// The last exported symbol before an address.
const char *_Nullable swift_tasks_symbol(const void *_Nonnull address);
/// The name that a task was given; null without one.
const char *_Nullable swift_tasks_name(const void *_Nonnull task);
/// Whether a job is a task.
bool swift_tasks_isTask(const void *_Nonnull job);
/// Whether a job resumes a task that has called `Task.yield()`.
bool swift_tasks_isYield(const void *_Nonnull job);
/// The parent of a child task; null for another task.
const void *_Nullable swift_tasks_parent(const void *_Nonnull task);
/// Whether a task has completed.
bool swift_tasks_isComplete(const void *_Nonnull task);
/// Notes that a job wakes a sleep: jobs like it are recognised from now on.
void swift_tasks_learnSleep(const void *_Nonnull job);
/// The word in which a sleeping task and the job that wakes it agree; null if the job does not wake a sleep.
const uintptr_t *_Nullable swift_tasks_sleepState(const void *_Nonnull job);
/// Whether the sleep was cancelled to which the word belongs: the job that wakes it has nothing to do.
static inline bool swift_tasks_isCancelledSleep(const uintptr_t *_Nonnull state) { return (*state & 3) == 2; }

/// What a suspended task waits for.
typedef struct {
  /// 0: it waits for nothing; 1: a task; 2: a continuation; 3: a task group; 4: an executor, as it is enqueued.
  int kind;
  /// The task, the continuation's context, the group or the executor.
  const void *_Nullable subject;
} SwiftTasksDependency;
SwiftTasksDependency swift_tasks_dependency(const void *_Nonnull task);

// Recording what tasks do.

/// The kind of dependency of a task that has called `Task.yield()`.
#define SWIFT_TASKS_DEPENDENCY_YIELD 255
/// The mark of a task that was recorded, in place of the number of a simulation; and the mark of one that is retained
/// until it has completed, so that its outcome can be asked for then.
#define SWIFT_TASKS_RECORDED 0xfffffffffffffffeull
#define SWIFT_TASKS_HELD 0xffffffffffffffffull

typedef enum {
  /// Not written yet.
  SwiftTasksRecordNone,
  /// `other` made the task; the parent's number, below the task's flags, and the function in which it starts. The upper
  /// 16 bits of the function are the number of the place; 0 is none.
  SwiftTasksRecordCreated,
  /// Where in the program the task was made, and where the function was called that made it. This and the closure are
  /// recorded for the first task of a place, or if there is no number.
  SwiftTasksRecordSite,
  /// The task belongs to a group, with the number `other`.
  SwiftTasksRecordGroup,
  /// Two words of the closure that the task calls, from the number `other` on.
  SwiftTasksRecordClosure,
  /// Sixteen bytes of the task's name, from the number `other` on.
  SwiftTasksRecordName,
  /// `other` made the task ready; for which place.
  SwiftTasksRecordReady,
  /// `other` sleeps until this task wakes it; the delay in nanoseconds is second.
  SwiftTasksRecordSleeps,
  /// The task runs; its executor, and the first word of that.
  SwiftTasksRecordStarted,
  /// The task waits for a dependency of the kind `other`, or lets other tasks run first: the number of a task, or an address and the word there.
  SwiftTasksRecordSuspended,
  /// The task has completed with the outcome `other`; the descriptor of its error's type.
  SwiftTasksRecordCompleted,
  /// `other` cancelled the task.
  SwiftTasksRecordCancelled,
  /// `other` cancelled a group. Its number stands in place of the task.
  SwiftTasksRecordGroupCancelled,
  /// The task blocks its thread, in a function whose name is at the address.
  SwiftTasksRecordBlocked,
  SwiftTasksRecordUnblocked,
  /// Two of the functions in which it did, from the innermost on.
  SwiftTasksRecordFrames,
  /// Sixteen bytes of an event that a library reports, from byte `other` on. The task ran at that time.
  SwiftTasksRecordLibrary,
  /// From now on the thread runs for a span of a library, and so do the tasks that start on it. The second value is the
  /// span that acts outside of tasks. 0 is none.
  SwiftTasksRecordOnBehalf,
  /// The buffer of a stream holds `other` values; the address of the stream's storage, and the address to which the call
  /// returns that added the last one.
  SwiftTasksRecordBuffer,
  /// The task had completed with the outcome `other`; the descriptor of its error's type.
  SwiftTasksRecordOutcome,
} SwiftTasksRecordKind;

/// Tasks are known by the numbers of the runtime, and 0 is none.
typedef struct {
  /// Nanoseconds, of the monotonic clock.
  int64_t time;
  uint32_t kind;
  /// 0 is the main thread.
  uint32_t thread;
  uint32_t task, other;
  uint64_t values[2];
} SwiftTasksRecord;

/// The records that a thread has not yet written behind the others. They lie in the file as well, mapped into memory: they
/// are there, too, if the process is killed.
enum { SwiftTasksRecordsOfBuffer = 408, SwiftTasksBuffers = 1024 };
typedef struct {
  /// The number of its first record, counted from 1; 0 if there is none.
  uint64_t start;
  uint32_t used;
  /// Whether it belongs to a thread.
  uint32_t isTaken;
  uint64_t unused[6];
  SwiftTasksRecord records[SwiftTasksRecordsOfBuffer];
} SwiftTasksBuffer;

/// The beginning of the file, before the buffers. The records come last.
typedef struct {
  uint64_t capacity;
  /// How many places for records threads have taken; there are none beyond the capacity. A place may stay empty.
  uint64_t count;
  /// How many records were lost since there was no buffer for them.
  uint64_t lost;
  int64_t start;
  uint32_t threads;
  /// Whether the disk had no room for more.
  uint32_t isFull;
  uint64_t unused[3];
} SwiftTasksRecordingHeader;

typedef struct {
  SwiftTasksRecordingHeader header;
  SwiftTasksBuffer buffers[SwiftTasksBuffers];
} SwiftTasksRecordingStart;

/// Copies the records of a buffer. The process may keep recording meanwhile.
///
/// - Returns: the number of the first of them, counted from 1; 0 if there are none.
uint64_t swift_tasks_readBuffer(const SwiftTasksBuffer *_Nonnull buffer, SwiftTasksRecord *_Nonnull records,
                                uint32_t *_Nonnull count);

/// Set before there are other threads.
extern bool swift_tasks_isRecording;
static inline bool swift_tasks_records(void) { return swift_tasks_isRecording; }
/// Records to a new file from now on; to be called once, before there are tasks. False if the file cannot be made.
bool swift_tasks_startRecording(const char *_Nonnull path, uint64_t capacity);
/// A job is ready, or with a delay that is not negative, will be.
void swift_tasks_recordReady(const void *_Nonnull job, int place, int64_t delay);
void swift_tasks_recordStart(const void *_Nonnull task);
/// The calling thread's task is suspended.
void swift_tasks_recordEnd(const void *_Nonnull task);

/// A task that is being made.
typedef struct SwiftTasksCreation {
  const void *_Nullable function;
  const void *_Nullable site, *_Nullable siteOfCaller;
  int64_t time;
  /// What its closure holds.
  uint64_t words[4];
  bool hasWords;
  struct SwiftTasksCreation *_Nullable outer;
} SwiftTasksCreation;

/// The calling thread is about to make a task from a closure, and has done so.
void swift_tasks_recordBeginCreation(SwiftTasksCreation *_Nonnull made, const void *_Nonnull entry,
                                     const void *_Nullable closure, const void *_Nullable site,
                                     const void *_Nonnull frame);
void swift_tasks_recordEndCreation(SwiftTasksCreation *_Nonnull made, const void *_Nullable task);

/// The task that a thread runs.
typedef struct {
  const void *_Nullable task;
  uint32_t number;
  bool isLent, isHeldHere;
} SwiftTasksRunning;

/// The calling thread is about to run a job, and has run it. Jobs may run in a job.
SwiftTasksRunning swift_tasks_recordBeginJob(void);
void swift_tasks_recordEndJob(SwiftTasksRunning outer);
/// Whether the job that the runtime hands to Dispatch next is recorded.
extern SWIFT_TASKS_OF_THREAD bool swift_tasks_handsOverJob;
/// A function that runs a job as `function` does, and records that.
void (*_Nonnull swift_tasks_recordedJob(void (*_Nonnull function)(void *_Nullable)))(void *_Nullable);

/// The creator of an `async let` is about to leave its scope, which cancels the task unless that is complete.
void swift_tasks_recordEndOfAsyncLet(const void *_Nonnull asyncLet);
void swift_tasks_recordCancellation(const void *_Nonnull task);
void swift_tasks_recordGroupCancellation(const void *_Nonnull group);
/// The buffer of the stream with that storage holds so many values. Records counts from 32 on, each time the count has
/// doubled or halved.
void swift_tasks_recordBuffer(const void *_Nonnull storage, uint64_t count, const void *_Nonnull site);
/// Records an event that a library reports in a form of its own.
void swift_tasks_recordEvent(int64_t time, const void *_Nonnull bytes, size_t count);
/// Sets the function that tells which span of a library acts on the calling thread, in the upper half, and the span that
/// the thread runs for.
void swift_tasks_setSpansOfThread(uint64_t (*_Nonnull spans)(void));
/// The calling thread is about to block in a function; false if that is not recorded.
bool swift_tasks_beginBlocking(const char *_Nonnull function);
void swift_tasks_endBlocking(void);
/// The result of a call that blocks the calling thread.
#define SWIFT_TASKS_BLOCKING(function, call)                                                                           \
  ({                                                                                                                   \
    bool isRecorded = swift_tasks_beginBlocking(function);                                                             \
    __auto_type blockingResult = (call);                                                                               \
    if (isRecorded) swift_tasks_endBlocking();                                                                         \
    blockingResult;                                                                                                    \
  })
/// The number that the runtime has given a task.
uint32_t swift_tasks_identifier(const void *_Nonnull task);
/// The first four words that the closure of a task holds; false if it has none.
bool swift_tasks_wordsOfClosure(const void *_Nonnull task, uint64_t *_Nonnull words);
bool swift_tasks_wordsOfContext(const void *_Nullable closure, uint64_t *_Nonnull words);
/// The flags of a task: its kind, its priority from bit 8 on, and whose child it is.
uint32_t swift_tasks_flags(const void *_Nonnull task);

/// The task of an `async let`.
const void *_Nonnull swift_tasks_taskOfAsyncLet(const void *_Nonnull asyncLet);

/// The number of the task group that a task belongs to; 0 if there is none.
uint32_t swift_tasks_group(const void *_Nonnull task);
/// A part of its address: two groups with one number would lie 64 GiB apart.
uint32_t swift_tasks_numberOfGroup(const void *_Nonnull group);

/// Whether `async let` has made a task: it lies in the memory of its parent.
bool swift_tasks_isOfAsyncLet(const void *_Nonnull task);

typedef enum { SwiftTasksOutcomeUnknown, SwiftTasksOutcomeSuccess, SwiftTasksOutcomeFailure } SwiftTasksOutcome;
/// How a task ended that has completed, and the descriptor of its error's type, if that has one.
SwiftTasksOutcome swift_tasks_outcome(const void *_Nonnull task, const void *_Nullable *_Nonnull error);
