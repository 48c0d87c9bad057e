#define _GNU_SOURCE
#include "recordingFile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

SwiftTasksRecordingHeader *swift_tasks_recording;
SWIFT_TASKS_OF_THREAD struct SwiftTasksPlaces swift_tasks_places;

static SwiftTasksRecordingStart *start;
static int file = -1;
// Where the file lies.
static char *folder;
// Its value is the buffer of the thread.
static pthread_key_t endOfThread;

static void giveBack(void *buffer);

bool swift_tasks_openRecording(const char *path, uint64_t capacity) {
  int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  // The file has holes: only what is written takes room.
  void *memory = ftruncate(descriptor, sizeof *start) || posix_fallocate(descriptor, 0, sizeof start->header)
                   ? MAP_FAILED
                   : mmap(NULL, sizeof *start, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED || pthread_key_create(&endOfThread, giveBack)) {
    close(descriptor);
    return false;
  }
  file = descriptor;
  start = memory;
  folder = dirname(strdup(path));
  swift_tasks_recording = &start->header;
  start->header.capacity = capacity;
  return true;
}

static void stop(void) {
  __atomic_store_n(&start->header.isFull, 1, __ATOMIC_RELAXED);
  swift_tasks_isRecording = false;
}

// Whether the disk has room for the record and those before it, and for the file of runs that is made of all afterwards.
static bool hasRoom(uint64_t record) {
  enum { bytesOfRuns = 6 };
  struct statvfs disk;
  uint64_t bytes = record * sizeof(SwiftTasksRecord);
  return statvfs(folder, &disk) || disk.f_bavail >= bytesOfRuns * bytes / disk.f_frsize;
}

// Writes the records of a buffer behind the others.
static bool empty(SwiftTasksBuffer *buffer) {
  const char *bytes = (const char *)buffer->records;
  size_t left = buffer->used * sizeof *buffer->records;
  off_t place = (off_t)(sizeof *start + (buffer->start - 1) * sizeof *buffer->records);
  while (left > 0) {
    ssize_t written = pwrite(file, bytes, left, place);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    place += written;
    left -= (size_t)written;
  }
  // Who reads meanwhile sees that the records are no longer here.
  __atomic_store_n(&buffer->start, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&buffer->used, 0, __ATOMIC_RELEASE);
  return true;
}

static SwiftTasksBuffer *takeBuffer(void) {
  for (uint32_t index = 0; index < SwiftTasksBuffers; index++) {
    SwiftTasksBuffer *buffer = &start->buffers[index];
    uint32_t isTaken = 0;
    if (__atomic_load_n(&buffer->isTaken, __ATOMIC_RELAXED) ||
        !__atomic_compare_exchange_n(&buffer->isTaken, &isTaken, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      continue;
    }
    pthread_setspecific(endOfThread, buffer);
    return buffer;
  }
  return NULL;
}

// The thread ends. What it does afterwards gets another buffer.
static void giveBack(void *value) {
  SwiftTasksBuffer *buffer = value;
  swift_tasks_places = (struct SwiftTasksPlaces){NULL, NULL, NULL};
  if (swift_tasks_isRecording && buffer->start && !empty(buffer)) stop();
  __atomic_store_n(&buffer->isTaken, 0, __ATOMIC_RELEASE);
}

static bool take(void) {
  enum { count = SwiftTasksRecordsOfBuffer, buffersBetweenLooks = 16 };
  SwiftTasksBuffer *buffer = swift_tasks_places.buffer;
  if (buffer && buffer->start && !empty(buffer)) {
    stop();
    return false;
  }
  if (!buffer) {
    buffer = takeBuffer();
    // A write to memory for which the disk has no room would end the program. Of a buffer that was used before, it has.
    off_t place = (char *)buffer - (char *)start;
    if (buffer && posix_fallocate(file, place, sizeof *buffer)) {
      stop();
      return false;
    }
    swift_tasks_places.buffer = buffer;
  }
  if (!buffer) {
    __atomic_fetch_add(&start->header.lost, 1, __ATOMIC_RELAXED);
    return false;
  }
  uint64_t first = __atomic_fetch_add(&start->header.count, count, __ATOMIC_RELAXED);
  if (first + count > start->header.capacity) return false;
  if (first / count % buffersBetweenLooks == 0 && !hasRoom(first + buffersBetweenLooks * count)) {
    stop();
    return false;
  }
  __atomic_store_n(&buffer->start, first + 1, __ATOMIC_RELEASE);
  swift_tasks_places.next = buffer->records;
  swift_tasks_places.end = buffer->records + count;
  return true;
}

bool swift_tasks_takePlaces(void) {
  int error = errno;
  bool isTaken = take();
  errno = error;
  return isTaken;
}

uint64_t swift_tasks_readBuffer(const SwiftTasksBuffer *buffer, SwiftTasksRecord *records, uint32_t *count) {
  uint64_t first = __atomic_load_n(&buffer->start, __ATOMIC_ACQUIRE);
  *count = __atomic_load_n(&buffer->used, __ATOMIC_ACQUIRE);
  if (first == 0 || *count == 0 || *count > SwiftTasksRecordsOfBuffer) return 0;
  memcpy(records, buffer->records, *count * sizeof *records);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  // If they were written meanwhile, they are behind the others.
  return __atomic_load_n(&buffer->start, __ATOMIC_RELAXED) == first ? first : 0;
}
