// The file of a recording. Each thread fills a buffer of its own, and writes it behind the other records when it is full.
#pragma once

#include "CSwiftTasks.h"

/// The beginning of the file, in memory.
extern SwiftTasksRecordingHeader *swift_tasks_recording;

/// The buffer of the thread, and the place in it for its next record.
extern SWIFT_TASKS_OF_THREAD struct SwiftTasksPlaces {
  SwiftTasksRecord *next, *end;
  SwiftTasksBuffer *buffer;
} swift_tasks_places;

bool swift_tasks_openRecording(const char *path, uint64_t capacity);
/// Writes the buffer of the thread if it has one, and empties it. False if there is no place for more.
bool swift_tasks_takePlaces(void);

/// The place for the next record of the thread; null if there is none.
static inline SwiftTasksRecord *swift_tasks_nextPlace(void) {
  if (swift_tasks_places.next == swift_tasks_places.end && !swift_tasks_takePlaces()) return NULL;
  return swift_tasks_places.next++;
}

/// Publishes the record that the thread wrote last.
static inline void swift_tasks_keepRecord(void) {
  SwiftTasksBuffer *buffer = swift_tasks_places.buffer;
  __atomic_store_n(&buffer->used, (uint32_t)(swift_tasks_places.next - buffer->records), __ATOMIC_RELEASE);
}
