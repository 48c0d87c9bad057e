// The file of a recording. Each thread fills its own buffer. When the buffer is full, the thread appends it to the
// blocks in the file.
#pragma once

#include "CSwiftTasks.h"

/// The beginning of the file, mapped into memory.
extern SwiftTasksRecordingHeader *swift_tasks_recording;

/// The thread's buffer, and the place in it for the next record.
extern SWIFT_TASKS_OF_THREAD struct SwiftTasksPlace {
  uint8_t *next;
  /// From here on, there may not be enough room for a record.
  uint8_t *limit;
  SwiftTasksBlock *buffer;
  SwiftTasksCoding coding;
  /// A number that changes when the next record cannot refer to earlier records.
  uint32_t beginning;
} swift_tasks_place;

bool swift_tasks_openRecording(const char *path, uint64_t capacity);
/// Appends the thread's buffer to the blocks in the file, and begins a new block in the buffer. A thread without a
/// buffer first takes a free one, and continues the block in it if there is room. Returns false if there is no place
/// for more records.
bool swift_tasks_beginBlock(int64_t time);

/// Makes room for a record of that time. Returns false if there is none.
static inline bool swift_tasks_makeRoom(int64_t time) {
  return swift_tasks_place.next < swift_tasks_place.limit || swift_tasks_beginBlock(time);
}

/// Adds a record to the thread's buffer, which must have room.
static inline void swift_tasks_addRecord(SwiftTasksRecord record) {
  SwiftTasksBlock *buffer = swift_tasks_place.buffer;
  swift_tasks_place.next = swift_tasks_writeRecord(swift_tasks_place.next, &swift_tasks_place.coding, record);
  __atomic_store_n(&buffer->used, (uint32_t)(swift_tasks_place.next - buffer->bytes), __ATOMIC_RELEASE);
}
