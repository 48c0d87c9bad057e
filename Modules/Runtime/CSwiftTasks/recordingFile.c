#define _GNU_SOURCE
#include "recordingFile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

SwiftTasksRecordingHeader *swift_tasks_recording;
SWIFT_TASKS_OF_THREAD struct SwiftTasksPlaces swift_tasks_places;

static SwiftTasksRecordingStart *start;
static int file = -1;
// Identifies the file: the program may close its descriptor and reuse the number.
static struct stat identity;
static char *path, *folder;
// The value of this key is the thread's buffer.
static pthread_key_t endOfThread;

static void giveBack(void *buffer);

// Reserves room on the disk. Without room, a write to mapped memory would end the program.
static bool reserve(int descriptor, off_t place, off_t size) {
  int error;
  do error = posix_fallocate(descriptor, place, size);
  while (error == EINTR);
  return error == 0;
}

bool swift_tasks_openRecording(const char *name, uint64_t capacity) {
  int descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return false;
  // The file has holes: only the parts that are written take room.
  bool isMade = !ftruncate(descriptor, sizeof *start) && reserve(descriptor, 0, sizeof start->header) &&
                !fstat(descriptor, &identity);
  void *memory = isMade ? mmap(NULL, sizeof *start, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED;
  if (memory == MAP_FAILED || pthread_key_create(&endOfThread, giveBack)) {
    close(descriptor);
    return false;
  }
  file = descriptor;
  start = memory;
  path = strdup(name);
  folder = dirname(strdup(name));
  swift_tasks_recording = &start->header;
  start->header.capacity = capacity;
  return true;
}

static void stop(void) {
  __atomic_store_n(&start->header.isFull, 1, __ATOMIC_RELAXED);
  swift_tasks_isRecording = false;
}

// The descriptor of the file. If the program has closed it, the file is opened again.
static int openFile(void) {
  struct stat found;
  int number = __atomic_load_n(&file, __ATOMIC_RELAXED);
  if (!fstat(number, &found) && found.st_dev == identity.st_dev && found.st_ino == identity.st_ino) return number;
  number = open(path, O_RDWR | O_CLOEXEC);
  __atomic_store_n(&file, number, __ATOMIC_RELAXED);
  return number;
}

// Whether the disk has room for this many records, and for the file of runs that is made from them.
static bool hasRoom(uint64_t records) {
  enum { bytesOfRuns = 6 };
  struct statvfs disk;
  uint64_t bytes = records * sizeof(SwiftTasksRecord);
  return statvfs(folder, &disk) || disk.f_bavail >= bytesOfRuns * bytes / disk.f_frsize;
}

// Appends the records of a buffer to those in the file.
static bool empty(SwiftTasksBuffer *buffer) {
  const char *bytes = (const char *)buffer->records;
  size_t left = buffer->used * sizeof *buffer->records;
  off_t place = (off_t)(sizeof *start + (buffer->start - 1) * sizeof *buffer->records);
  int number = openFile();
  while (left > 0) {
    ssize_t written = pwrite(number, bytes, left, place);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    place += written;
    left -= (size_t)written;
  }
  // This tells a reader that the records have moved.
  __atomic_store_n(&buffer->start, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&buffer->used, 0, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_RELEASE);
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
    if (reserve(openFile(), (char *)buffer - (char *)start, sizeof *buffer)) {
      pthread_setspecific(endOfThread, buffer);
      return buffer;
    }
    stop();
    break;
  }
  return NULL;
}

// Called when the thread ends. Its records stay in the buffer. The next thread that takes the buffer continues after
// them.
static void giveBack(void *value) {
  // In a forked copy of the process, the buffer belongs to a thread of the original.
  if (!swift_tasks_isRecording) return;
  swift_tasks_places = (struct SwiftTasksPlaces){NULL, NULL, NULL};
  __atomic_store_n(&((SwiftTasksBuffer *)value)->isTaken, 0, __ATOMIC_RELEASE);
}

static bool lose(void) {
  __atomic_fetch_add(&start->header.lost, 1, __ATOMIC_RELAXED);
  return false;
}

static bool take(void) {
  enum { count = SwiftTasksRecordsOfBuffer, buffersBetweenLooks = 16 };
  SwiftTasksBuffer *buffer = swift_tasks_places.buffer;
  if (!buffer) {
    buffer = takeBuffer();
    if (!buffer) return lose();
    swift_tasks_places.buffer = buffer;
    swift_tasks_places.end = buffer->records + count;
    swift_tasks_places.next = buffer->start ? buffer->records + buffer->used : swift_tasks_places.end;
    if (swift_tasks_places.next < swift_tasks_places.end) return true;
  }
  if (buffer->start && !empty(buffer)) {
    stop();
    return false;
  }
  if (__atomic_load_n(&start->header.count, __ATOMIC_RELAXED) + count > start->header.capacity) return lose();
  uint64_t first = __atomic_fetch_add(&start->header.count, count, __ATOMIC_RELAXED);
  if (first + count > start->header.capacity) return lose();
  if (first / count % buffersBetweenLooks == 0 && !hasRoom(first + buffersBetweenLooks * count)) {
    stop();
    return false;
  }
  __atomic_store_n(&buffer->start, first + 1, __ATOMIC_RELEASE);
  swift_tasks_places.next = buffer->records;
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
  // If the start has changed, the buffer has been written to the file, and its records are found there.
  return __atomic_load_n(&buffer->start, __ATOMIC_RELAXED) == first ? first : 0;
}
