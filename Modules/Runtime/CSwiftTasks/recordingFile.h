// The file of a recording. Each thread fills its own buffer. When the buffer is full, the thread appends it to the
// records in the file.
#pragma once

#include "CSwiftTasks.h"

/// The beginning of the file, mapped into memory.
extern SwiftTasksRecordingHeader *swift_tasks_recording;

/// The thread's buffer, and the place in it for the next record.
extern SWIFT_TASKS_OF_THREAD struct SwiftTasksPlaces {
  SwiftTasksRecord *next, *end;
  SwiftTasksBuffer *buffer;
} swift_tasks_places;

bool swift_tasks_openRecording(const char *path, uint64_t capacity);
/// Appends the thread's buffer, if it has one, to the records in the file, and empties it. Returns false if there is no
/// place for more records.
bool swift_tasks_takePlaces(void);

/// Returns the place for the thread's next record; null if there is none.
static inline SwiftTasksRecord *swift_tasks_nextPlace(void) {
  if (swift_tasks_places.next == swift_tasks_places.end && !swift_tasks_takePlaces()) return NULL;
  return swift_tasks_places.next++;
}

/// Publishes the record that the thread wrote last.
static inline void swift_tasks_keepRecord(void) {
  SwiftTasksBuffer *buffer = swift_tasks_places.buffer;
  __atomic_store_n(&buffer->used, (uint32_t)(swift_tasks_places.next - buffer->records), __ATOMIC_RELEASE);
}
