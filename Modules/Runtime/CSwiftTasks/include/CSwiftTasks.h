// Functions for Swift's concurrency runtime that cannot be written in Swift. Only the target SwiftTasks uses them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "RecordingFormat.h"
#include "ReplacedFunction.h"

// A thread-local variable that is found without a call. Its library must be loaded when the program starts, or have
// little thread-local memory.
#define SWIFT_TASKS_OF_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

/// The simulation that a thread runs. Its receiver gets the jobs that the thread enqueues, and its clock is the
/// thread's clock.
typedef struct {
  /// The object that receives jobs; not retained.
  void *_Nonnull receiver;
  /// The virtual time, in nanoseconds since the start.
  int64_t now;
  /// Whether the receiver wants to know which tasks run, and where.
  bool isWatched;
  /// The destination of the hop that is being enqueued: an actor, a serial executor, or null for the pool.
  const void *_Nullable destination;
  /// The Dispatch queue whose closure is running; null if none is.
  const void *_Nullable queue;
  /// The state of the simulation's random number generator.
  uint64_t random;
} SwiftTasksSimulation;

/// The simulation of the calling thread; null outside of one.
extern SWIFT_TASKS_OF_THREAD SwiftTasksSimulation *_Nullable swift_tasks_current;

static inline SwiftTasksSimulation *_Nullable swift_tasks_getCurrent(void) { return swift_tasks_current; }
static inline void swift_tasks_setCurrent(SwiftTasksSimulation *_Nullable simulation) { swift_tasks_current = simulation; }

/// The seconds at which the virtual clocks start: so late that no instant is negative.
#define SWIFT_TASKS_MONOTONIC_START 1000000
/// 1 January 2026, 0:00 UTC.
#define SWIFT_TASKS_WALL_START 1767225600

/// Whether the process has had a simulation or a recording. If not, no job and no Dispatch object can belong to one.
extern bool swift_tasks_isUsed;
static inline bool swift_tasks_getIsUsed(void) { return __atomic_load_n(&swift_tasks_isUsed, __ATOMIC_RELAXED); }
static inline void swift_tasks_noteUse(void) {
  if (!swift_tasks_getIsUsed()) __atomic_store_n(&swift_tasks_isUsed, true, __ATOMIC_RELAXED);
}

// The hop station.

/// Sets the two words of the executor through which hops go.
void swift_tasks_setHopStation(uintptr_t identity, uintptr_t implementation);

// The shortcut for jobs outside simulations.

/// Sends most jobs outside simulations directly to the platform's executor. Otherwise each job would pass through the
/// runtime's look-up of the default executor, and through the executor of this package. Call it before there are other
/// threads.
void swift_tasks_openShortcut(void);
/// Sends all jobs through the executor of this package. Call it before there are other threads.
void swift_tasks_closeShortcut(void);

// The simulation that a task belongs to, for a thread that belongs to none.

/// Marks a task with the simulation that it belongs to.
void swift_tasks_mark(const void *_Nonnull job, uint64_t simulation);
/// Marks a task if it has no mark. Another thread may have started the task in the meantime.
void swift_tasks_markIfNew(const void *_Nonnull job, uint64_t mark);
/// Returns the simulation that a job belongs to; 0 for none. It is that of the job's task. For the job of an actor, it
/// is that of the first task in the actor's queue.
uint64_t swift_tasks_markOf(const void *_Nonnull job);
/// Learns where an actor stores the job that makes it run, and the first task in its queue. `job` and `task` are those
/// of `actor`.
void swift_tasks_learnActor(const void *_Nonnull actor, const void *_Nonnull job, const void *_Nonnull task);

// The code that the calling thread runs.

/// The task that the thread runs; null if it runs none.
const void *_Nullable swift_tasks_runningTask(void);
/// Whether the task that the thread runs prefers an executor.
bool swift_tasks_runningTaskPrefersExecutor(void);
/// The actor or serial executor that the thread is on; null for the pool.
const void *_Nullable swift_tasks_runningExecutor(void);

// Dispatch queues.

typedef enum { SwiftTasksQueueMain, SwiftTasksQueueSerial, SwiftTasksQueueConcurrent } SwiftTasksQueueKind;
SwiftTasksQueueKind swift_tasks_queueKind(const void *_Nonnull queue);
const char *_Nonnull swift_tasks_queueLabel(const void *_Nonnull queue);
/// The function that a closure calls. The receiver got the closure as `context` and `function`.
const void *_Nullable swift_tasks_functionOfItem(const void *_Nullable context, void (*_Nonnull function)(void *_Nullable));
void swift_tasks_retainQueue(const void *_Nonnull queue);
void swift_tasks_releaseQueue(const void *_Nonnull queue);

// The content of a task's memory. The task must not be running. It must be retained, or not yet complete.

/// The functions in which a task continues: its own, then those of its callers.
typedef struct {
  const void *_Nonnull task;
  const void *_Nullable function;
  const void *_Nullable context;
  /// The address of the memory in `copy`; 0 if nothing was copied.
  uintptr_t copied;
  uint64_t copy[128];
} SwiftTasksFrames;

/// Prepares to read the functions of a task, which is suspended or enqueued.
void swift_tasks_beginFrames(SwiftTasksFrames *_Nonnull frames, const void *_Nonnull task);
/// Takes the next function; null after the last one.
const void *_Nullable swift_tasks_nextFrame(SwiftTasksFrames *_Nonnull frames);
/// Writes the functions in which a task continues. Returns their number, at most `limit`.
///
/// Only for a task that is suspended or enqueued.
size_t swift_tasks_frames(const void *_Nonnull task, const void *_Nullable *_Nonnull frames, size_t limit);
/// Writes the functions that a task may call, if the task starts in a thunk.
///
/// Returns the number of functions, at most `limit`.
size_t swift_tasks_insideThunk(const void *_Nonnull task, const void *_Nullable *_Nonnull functions, size_t limit);
/// Identifies the program or library that contains an address; null if none does.
const void *_Nullable swift_tasks_imageIdentity(const void *_Nonnull address);
/// The file of the program or library that contains an address.
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
/// Learns what a job that wakes a sleep looks like. Such jobs are recognised from now on.
void swift_tasks_learnSleep(const void *_Nonnull job);
/// The word that a sleeping task shares with the job that wakes it; null if the job does not wake a sleep.
const uintptr_t *_Nullable swift_tasks_sleepState(const void *_Nonnull job);
/// Whether the sleep with this word was cancelled. The job that wakes it then has nothing to do.
static inline bool swift_tasks_isCancelledSleep(const uintptr_t *_Nonnull state) { return (*state & 3) == 2; }
/// The task that sleeps with this word; null if its sleep has not started or has ended.
static inline const void *_Nullable swift_tasks_sleeper(const uintptr_t *_Nonnull state) {
  return *state & 3 ? NULL : (const void *)*state;
}
bool swift_tasks_isCancelled(const void *_Nonnull task);
/// Makes the last wait of a task throw an error, which must be retained for that. The task must be about to continue
/// after it waited for a continuation that can throw.
///
/// Returns false if the task continues in another way; then nothing changes.
bool swift_tasks_throw(const void *_Nonnull task, const void *_Nonnull error);

/// What a suspended task waits for.
typedef struct {
  /// A SwiftTasksDependencyKind.
  int kind;
  /// The task, the continuation's context, the group or the executor.
  const void *_Nullable subject;
} SwiftTasksDependency;
SwiftTasksDependency swift_tasks_dependency(const void *_Nonnull task);

// Recording what tasks do.

/// The marks of recorded tasks, in place of the number of a simulation. A task with the second mark is retained until
/// it has completed, so that its outcome can be read then.
#define SWIFT_TASKS_RECORDED 0xfffffffffffffffeull
#define SWIFT_TASKS_HELD 0xffffffffffffffffull

/// Copies the records of a buffer. The process may keep recording meanwhile.
///
/// - Returns: false if there are none.
bool swift_tasks_readBuffer(const SwiftTasksBlock *_Nonnull buffer, SwiftTasksBlock *_Nonnull copy);

/// Set before there are other threads.
extern bool swift_tasks_isRecording;
static inline bool swift_tasks_records(void) { return swift_tasks_isRecording; }
/// Starts to record to a new file of at most `capacity` blocks. Call it once, before there are tasks. Returns false if
/// the file cannot be made.
bool swift_tasks_startRecording(const char *_Nonnull path, uint64_t capacity);
/// The program exits with a code.
void swift_tasks_recordExit(int code);
/// The program crashes. A handler of signals may call this.
void swift_tasks_recordCrash(void);
/// A job is ready, or will be ready after the delay if that is not negative.
void swift_tasks_recordReady(const void *_Nonnull job, int64_t delay);
void swift_tasks_recordStart(const void *_Nonnull task);
/// The calling thread's task is suspended.
void swift_tasks_recordEnd(const void *_Nonnull task);
/// The calling thread's task goes to an executor; null is the pool.
void swift_tasks_recordHop(const void *_Nullable executor);

/// A task that is being made.
typedef struct SwiftTasksCreation {
  const void *_Nullable function;
  const void *_Nullable site, *_Nullable siteOfCaller;
  int64_t time;
  /// The first words of the task's closure.
  uint64_t words[4];
  bool hasWords;
  struct SwiftTasksCreation *_Nullable outer;
} SwiftTasksCreation;

/// The calling thread is about to make a task from a closure. The second function says that it has done so.
void swift_tasks_recordBeginCreation(SwiftTasksCreation *_Nonnull made, const void *_Nonnull entry,
                                     const void *_Nullable closure, const void *_Nullable site,
                                     const void *_Nonnull frame);
void swift_tasks_recordEndCreation(SwiftTasksCreation *_Nonnull made, const void *_Nullable task);

/// The task that a thread runs.
typedef struct {
  const void *_Nullable task;
  uint32_t number;
  bool isLent, isHeldHere;
  const void *_Nullable executor;
} SwiftTasksRunning;

/// The calling thread is about to run a job. The second function says that the job has returned. A job may run inside
/// another one.
SwiftTasksRunning swift_tasks_recordBeginJob(void);
void swift_tasks_recordEndJob(SwiftTasksRunning outer);
/// Whether the job that the runtime hands to Dispatch next is recorded.
extern SWIFT_TASKS_OF_THREAD bool swift_tasks_handsOverJob;
/// Returns a function that runs a job as `function` does, and records that.
void (*_Nonnull swift_tasks_recordedJob(void (*_Nonnull function)(void *_Nullable)))(void *_Nullable);

/// The creator of an `async let` is about to leave its scope. This cancels the task unless the task has completed.
void swift_tasks_recordEndOfAsyncLet(const void *_Nonnull asyncLet);
void swift_tasks_recordCancellation(const void *_Nonnull task);
void swift_tasks_recordGroupCancellation(const void *_Nonnull group);
/// Whether the count that was recorded last for the buffer of a stream was not 0.
bool swift_tasks_holdsMany(const void *_Nonnull storage);
/// The buffer of the stream with this storage holds `count` values. The count is recorded each time it passes a power
/// of two from 32 on, in either direction, and when the buffer is empty again. `site` is null if no value was added.
void swift_tasks_recordBuffer(const void *_Nonnull storage, uint64_t count, const void *_Nullable site);
/// Records an event that a library reports in its own format.
void swift_tasks_recordEvent(int64_t time, const void *_Nonnull bytes, size_t count);
/// Sets the function that returns the spans of the calling thread. The upper half is the span that acts. The lower half
/// is the span that the thread runs for.
void swift_tasks_setSpansOfThread(uint64_t (*_Nonnull spans)(void));
/// The calling thread is about to block in a function. Returns false if that is not recorded.
bool swift_tasks_beginBlocking(const char *_Nonnull function);
void swift_tasks_endBlocking(void);
/// Returns the result of a call that blocks the calling thread, and records the blocking.
#define SWIFT_TASKS_BLOCKING(function, call)                                                                           \
  ({                                                                                                                   \
    bool isRecorded = swift_tasks_beginBlocking(function);                                                             \
    __auto_type blockingResult = (call);                                                                               \
    if (isRecorded) swift_tasks_endBlocking();                                                                         \
    blockingResult;                                                                                                    \
  })
/// The number that the runtime has given a task.
uint32_t swift_tasks_identifier(const void *_Nonnull task);
/// Writes the first four words that the closure of a task holds. Returns false if it has no closure.
bool swift_tasks_wordsOfClosure(const void *_Nonnull task, uint64_t *_Nonnull words);
bool swift_tasks_wordsOfContext(const void *_Nullable closure, uint64_t *_Nonnull words);
/// The flags of a task: its kind, its priority from bit 8 on, and the ways in which it is a child.
uint32_t swift_tasks_flags(const void *_Nonnull task);

/// The task of an `async let`.
const void *_Nonnull swift_tasks_taskOfAsyncLet(const void *_Nonnull asyncLet);

/// The number of the task group that a task belongs to; 0 if there is none.
uint32_t swift_tasks_group(const void *_Nonnull task);
/// A part of the group's address. Two groups with the same number would lie 64 GiB apart.
uint32_t swift_tasks_numberOfGroup(const void *_Nonnull group);

/// Whether no code refers to a task that starts to run, so that no code can ever await it. Always false for a child
/// task. The caller must have retained the task exactly once, unless it is a child.
bool swift_tasks_isUnreferenced(const void *_Nonnull task);

/// Whether an `async let` made the task. Such a task lies in the memory of its parent.
bool swift_tasks_isOfAsyncLet(const void *_Nonnull task);

typedef enum { SwiftTasksOutcomeUnknown, SwiftTasksOutcomeSuccess, SwiftTasksOutcomeFailure } SwiftTasksOutcome;
/// How a completed task ended. Also writes the descriptor of its error's type, if there is one.
SwiftTasksOutcome swift_tasks_outcome(const void *_Nonnull task, const void *_Nullable *_Nonnull error);
/// The error with which a completed task ended, as Swift stores an `any Error`; null if there is none. It is not
/// retained, and is valid as long as the task.
const void *_Nullable swift_tasks_error(const void *_Nonnull task);
