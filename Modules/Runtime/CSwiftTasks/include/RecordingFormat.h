// The format of a recording: its only description.
//
// The file consists of a header, the buffers of the threads and the blocks that threads have appended. A buffer has the
// same structure as a block. It lies in a part of the file that is mapped into memory. So its records remain even if the
// process is killed.
//
// The records of a block belong to one thread at a time, and vary in length. Each holds only what differs from the
// record before it. A block does not depend on other blocks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum {
  /// No record: the bytes have not been written yet.
  SwiftTasksRecordNone,
  /// From here on, the records of the block belong to the thread `other`. 0 is the main thread. Each block begins with
  /// such a record. It makes the records after it independent of those before it.
  SwiftTasksRecordThread,
  /// From here on, the number `other` stands for an executor. The values are its address and its first word.
  SwiftTasksRecordExecutor,
  /// `other` made the task. The first value is the task's flags. The second value is the number of the place where it was
  /// made; 0 is none. For a child task, the upper half is the difference between the parent's number and `other`.
  SwiftTasksRecordCreated,
  /// The first value is the function in which the task starts. The second value is where the program made the task, and
  /// 0 if that is not known. This record, the caller and the closure exist only for the first task with the number of a
  /// place, and for tasks without a place.
  SwiftTasksRecordSite,
  /// Where the function that made the task was called.
  SwiftTasksRecordCaller,
  /// Two words of the closure that the task calls, starting with word number `other`.
  SwiftTasksRecordClosure,
  /// The task belongs to a group, with the number `other`.
  SwiftTasksRecordGroup,
  /// Sixteen bytes of the task's name, starting with byte number `other`.
  SwiftTasksRecordName,
  /// `other` made the task ready.
  SwiftTasksRecordReady,
  /// `other` sleeps until this task wakes it. The first value is the delay in nanoseconds.
  SwiftTasksRecordSleeps,
  /// The task runs. The first value is the number of its executor; 0 is the pool. `other` is 1 if no code refers to the
  /// task any more.
  SwiftTasksRecordStarted,
  /// The task is suspended. `other` is the kind of its dependency. The first value is the number of a task or an
  /// executor. For an executor, the second value is the task that holds it; 0 if that is not known.
  SwiftTasksRecordSuspended,
  /// The task has completed with the outcome `other`. The first value is the descriptor of its error's type.
  SwiftTasksRecordCompleted,
  /// `other` cancelled the task.
  SwiftTasksRecordCancelled,
  /// `other` cancelled a group. The field `task` is the number of the group.
  SwiftTasksRecordGroupCancelled,
  /// The task blocks its thread in a function. The first value is the address of the function's name.
  SwiftTasksRecordBlocked,
  SwiftTasksRecordUnblocked,
  /// Two of the functions in which the task blocks, from the innermost to the outermost.
  SwiftTasksRecordFrames,
  /// Sixteen bytes of an event that a library reports, starting with byte number `other`. `task` was running at that
  /// time.
  SwiftTasksRecordLibrary,
  /// From now on the thread runs for a span of a library, and so do the tasks that start on the thread. The first value
  /// is this span. The second value is the span that acts outside tasks. 0 is none.
  SwiftTasksRecordOnBehalf,
  /// The buffer of a stream holds `other` values. The first value is the address of the stream's storage. The second
  /// value is the return address of the call that added the last element; 0 if a task is about to take an element.
  SwiftTasksRecordBuffer,
  /// The outcome `other` of a task whose completion was recorded before. The first value is the descriptor of its
  /// error's type.
  SwiftTasksRecordOutcome,
  /// The number of kinds. The head of a record has room for 32.
  SwiftTasksRecordKinds,
} SwiftTasksRecordKind;

/// What a suspended task waits for. The numbers are those of the runtime, except for the last one.
typedef enum {
  SwiftTasksDependencyNone,
  SwiftTasksDependencyTask,
  SwiftTasksDependencyContinuation,
  SwiftTasksDependencyGroup,
  /// The task is enqueued on an executor.
  SwiftTasksDependencyExecutor,
  /// The task has called `Task.yield()`.
  SwiftTasksDependencyYield = 255,
} SwiftTasksDependencyKind;

/// A record before it is encoded. Tasks are identified by the runtime's numbers; 0 is none.
typedef struct {
  /// The time in nanoseconds, by the monotonic clock.
  int64_t time;
  uint32_t kind;
  uint32_t task, other;
  uint64_t values[2];
} SwiftTasksRecord;

// A block has the size of several whole pages. So the system writes it without reading, and without clearing parts of
// pages.
enum { SwiftTasksSizeOfBlock = 65536, SwiftTasksBytesOfBlock = SwiftTasksSizeOfBlock - 64, SwiftTasksBuffers = 1024 };
typedef struct {
  /// The number of the block, counted from 1. In a buffer, 0 if it holds no records. In the file, the number of a block
  /// that has not been written yet differs from its place.
  uint64_t number;
  /// The number of bytes that hold records.
  uint32_t used;
  /// Whether a thread uses the buffer.
  uint32_t isTaken;
  uint64_t unused[6];
  uint8_t bytes[SwiftTasksBytesOfBlock];
} SwiftTasksBlock;

typedef struct {
  /// The first word of the file.
  uint64_t format;
  /// The maximum number of blocks.
  uint64_t capacity;
  /// The number of blocks that threads have taken. No block lies beyond the capacity, and a block may stay empty.
  uint64_t count;
  /// The number of records that were lost because there was no free buffer, or no capacity left.
  uint64_t lost;
  int64_t start;
  uint32_t threads;
  /// Whether the recording stopped because the file could not be written, for example for lack of room on the disk.
  uint32_t isFull;
  /// When the program exited or crashed; 0 if that is not known.
  int64_t end;
  /// Whether the program exited, and its exit code.
  uint32_t hasExited;
  int32_t exitCode;
} SwiftTasksRecordingHeader;

/// The value of the field `format`. It changes with the format.
#define SWIFT_TASKS_RECORDING_FORMAT 0x3373676e64636552ull

typedef struct {
  union {
    SwiftTasksRecordingHeader header;
    uint8_t sizeOfHeader[SwiftTasksSizeOfBlock];
  };
  SwiftTasksBlock buffers[SwiftTasksBuffers];
} SwiftTasksRecordingStart;

// MARK: Coding

// A record begins with a head of 16 bits. From the lowest bit, it holds the kind in five bits and the length of the
// time in three. Then it holds the lengths of the task, of `other` and of the two values, in two bits each. These
// fields follow the head, each with its lowest byte first. The time is stored as the difference from the time of the
// record before. The task is stored as the difference from the likely task, and so is `other` if it is a task. The
// differences 0, -1, 1, -2 and so on are stored as 0, 1, 2, 3 and so on.

/// What the writer and the reader of a block know from the records before. At the beginning of a block, all is zero.
typedef struct {
  int64_t time;
  /// The task of the record before.
  uint32_t task;
  /// The task that runs.
  uint32_t running;
} SwiftTasksCoding;

enum { SwiftTasksLongestRecord = 2 + 8 + 4 + 4 + 8 + 8 };

#define SWIFT_TASKS_IS_ONE_OF(kind, set) ((set) >> (kind) & 1)
#define SWIFT_TASKS_KIND(name) (1u << SwiftTasksRecord##name)

static inline uint32_t swift_tasks_likelyTask(const SwiftTasksCoding *_Nonnull coding, uint32_t kind) {
  enum {
    ofRunningTask = SWIFT_TASKS_KIND(Suspended) | SWIFT_TASKS_KIND(Completed) | SWIFT_TASKS_KIND(Blocked) |
                    SWIFT_TASKS_KIND(Unblocked) | SWIFT_TASKS_KIND(Frames) | SWIFT_TASKS_KIND(Library) |
                    SWIFT_TASKS_KIND(Buffer)
  };
  return SWIFT_TASKS_IS_ONE_OF(kind, ofRunningTask) ? coding->running : coding->task;
}

static inline uint32_t swift_tasks_likelyOther(const SwiftTasksCoding *_Nonnull coding, uint32_t kind) {
  enum {
    byRunningTask = SWIFT_TASKS_KIND(Created) | SWIFT_TASKS_KIND(Ready) | SWIFT_TASKS_KIND(Sleeps) |
                    SWIFT_TASKS_KIND(Cancelled) | SWIFT_TASKS_KIND(GroupCancelled)
  };
  return SWIFT_TASKS_IS_ONE_OF(kind, byRunningTask) ? coding->running : 0;
}

static inline void swift_tasks_followRecord(SwiftTasksCoding *_Nonnull coding, const SwiftTasksRecord *_Nonnull record) {
  enum { endsRunning = SWIFT_TASKS_KIND(Suspended) | SWIFT_TASKS_KIND(Completed) };
  coding->time = record->time;
  coding->task = record->task;
  if (record->kind == SwiftTasksRecordStarted) coding->running = record->task;
  else if (SWIFT_TASKS_IS_ONE_OF(record->kind, endsRunning)) coding->running = 0;
}

// The lengths of the fields, in bytes, for the numbers in the head.
static inline unsigned swift_tasks_lengthOfTime(unsigned number) { return number == 7 ? 8 : number; }
static inline unsigned swift_tasks_lengthOfTask(unsigned number) { return (1u << number) >> 1; }
static inline unsigned swift_tasks_lengthOfValue(unsigned number) { return (1u << number) & ~1u; }

/// Writes a record, and returns the place after it. Up to eight bytes after the record are overwritten.
static inline uint8_t *_Nonnull swift_tasks_writeRecord(uint8_t *_Nonnull place, SwiftTasksCoding *_Nonnull coding,
                                                        SwiftTasksRecord record) {
  if (record.kind == SwiftTasksRecordThread) *coding = (SwiftTasksCoding){0, 0, 0};
  uint64_t later = (uint64_t)record.time - (uint64_t)coding->time;
  uint64_t time = later << 1 ^ (uint64_t)((int64_t)later >> 63);
  uint32_t apart = record.task - swift_tasks_likelyTask(coding, record.kind);
  uint32_t task = apart << 1 ^ (uint32_t)((int32_t)apart >> 31);
  apart = record.other - swift_tasks_likelyOther(coding, record.kind);
  uint32_t other = apart << 1 ^ (uint32_t)((int32_t)apart >> 31);
  unsigned ofTime = time == 0 ? 0 : (71 - (unsigned)__builtin_clzll(time)) / 8;
  if (ofTime > 7) ofTime = 7;
  unsigned ofTask = (task > 0) + (task > UINT8_MAX) + (task > UINT16_MAX);
  unsigned ofOther = (other > 0) + (other > UINT8_MAX) + (other > UINT16_MAX);
  unsigned ofValues[2];
  for (int index = 0; index < 2; index++) {
    uint64_t value = record.values[index];
    ofValues[index] = (value > 0) + (value > UINT16_MAX) + (value > UINT32_MAX);
  }
  uint16_t head = (uint16_t)(record.kind | ofTime << 5 | ofTask << 8 | ofOther << 10 | ofValues[0] << 12 |
                             ofValues[1] << 14);
  memcpy(place, &head, sizeof head);
  place += sizeof head;
  memcpy(place, &time, sizeof time);
  place += swift_tasks_lengthOfTime(ofTime);
  memcpy(place, &task, sizeof task);
  place += swift_tasks_lengthOfTask(ofTask);
  memcpy(place, &other, sizeof other);
  place += swift_tasks_lengthOfTask(ofOther);
  memcpy(place, &record.values[0], sizeof record.values[0]);
  place += swift_tasks_lengthOfValue(ofValues[0]);
  memcpy(place, &record.values[1], sizeof record.values[1]);
  place += swift_tasks_lengthOfValue(ofValues[1]);
  swift_tasks_followRecord(coding, &record);
  return place;
}

static inline uint64_t swift_tasks_readField(const uint8_t *_Nonnull *_Nonnull place, unsigned length) {
  uint64_t field = 0;
  memcpy(&field, *place, length);
  *place += length;
  return field;
}

/// Reads the record at `place`, and returns the place after it. Returns null if there is no whole record before `end`.
static inline const uint8_t *_Nullable swift_tasks_readRecord(const uint8_t *_Nonnull place, const uint8_t *_Nonnull end,
                                                              SwiftTasksCoding *_Nonnull coding,
                                                              SwiftTasksRecord *_Nonnull record) {
  uint16_t head;
  if (end - place < (ptrdiff_t)sizeof head) return NULL;
  memcpy(&head, place, sizeof head);
  place += sizeof head;
  uint32_t kind = head & 31;
  unsigned ofTime = swift_tasks_lengthOfTime(head >> 5 & 7), ofTask = swift_tasks_lengthOfTask(head >> 8 & 3),
           ofOther = swift_tasks_lengthOfTask(head >> 10 & 3), ofFirst = swift_tasks_lengthOfValue(head >> 12 & 3),
           ofSecond = swift_tasks_lengthOfValue(head >> 14);
  if (kind == SwiftTasksRecordNone || kind >= SwiftTasksRecordKinds) return NULL;
  if (end - place < (ptrdiff_t)(ofTime + ofTask + ofOther + ofFirst + ofSecond)) return NULL;
  if (kind == SwiftTasksRecordThread) *coding = (SwiftTasksCoding){0, 0, 0};
  uint64_t time = swift_tasks_readField(&place, ofTime);
  uint32_t task = (uint32_t)swift_tasks_readField(&place, ofTask);
  uint32_t other = (uint32_t)swift_tasks_readField(&place, ofOther);
  record->kind = kind;
  record->time = (int64_t)((uint64_t)coding->time + (time >> 1 ^ -(time & 1)));
  record->task = swift_tasks_likelyTask(coding, kind) + (task >> 1 ^ -(task & 1));
  record->other = swift_tasks_likelyOther(coding, kind) + (other >> 1 ^ -(other & 1));
  record->values[0] = swift_tasks_readField(&place, ofFirst);
  record->values[1] = swift_tasks_readField(&place, ofSecond);
  swift_tasks_followRecord(coding, record);
  return place;
}
