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
SWIFT_TASKS_OF_THREAD struct SwiftTasksPlace swift_tasks_place;

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
  start->header.format = SWIFT_TASKS_RECORDING_FORMAT;
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

// Whether the disk has room for this many blocks, and for the file of runs that is made from them.
static bool hasRoom(uint64_t blocks) {
  enum { bytesOfRuns = 20 };
  struct statvfs disk;
  uint64_t bytes = blocks * sizeof(SwiftTasksBlock);
  return statvfs(folder, &disk) || disk.f_bavail >= bytesOfRuns * bytes / disk.f_frsize;
}

// Appends a buffer to the blocks in the file.
static bool empty(SwiftTasksBlock *buffer) {
  const char *bytes = (const char *)buffer;
  size_t left = sizeof *buffer;
  off_t place = (off_t)(sizeof *start + (buffer->number - 1) * sizeof *buffer);
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
  __atomic_store_n(&buffer->number, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&buffer->used, 0, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  return true;
}

static SwiftTasksBlock *takeBuffer(void) {
  for (uint32_t index = 0; index < SwiftTasksBuffers; index++) {
    SwiftTasksBlock *buffer = &start->buffers[index];
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
  swift_tasks_place.buffer = NULL;
  swift_tasks_place.next = swift_tasks_place.limit = NULL;
  __atomic_store_n(&((SwiftTasksBlock *)value)->isTaken, 0, __ATOMIC_RELEASE);
}

static bool lose(void) {
  __atomic_fetch_add(&start->header.lost, 1, __ATOMIC_RELAXED);
  return false;
}

// Makes the records that follow independent of those before.
static bool begin(uint8_t *next, int64_t time) {
  static SWIFT_TASKS_OF_THREAD uint32_t thread = UINT32_MAX;
  if (thread == UINT32_MAX) {
    thread = gettid() == getpid() ? 0 : __atomic_add_fetch(&start->header.threads, 1, __ATOMIC_RELAXED);
  }
  swift_tasks_place.next = next;
  swift_tasks_place.beginning += 1;
  swift_tasks_addRecord((SwiftTasksRecord){.time = time, .kind = SwiftTasksRecordThread, .other = thread});
  return true;
}

static bool beginBlock(int64_t time) {
  // The room after the limit: one record with which a new thread begins, two records that its caller may then add, and
  // eight bytes, since writing a record may overwrite that many bytes after it.
  enum { reserved = 3 * SwiftTasksLongestRecord + sizeof(uint64_t), blocksBetweenLooks = 4 };
  SwiftTasksBlock *buffer = swift_tasks_place.buffer;
  if (!buffer) {
    buffer = takeBuffer();
    if (!buffer) return lose();
    swift_tasks_place.buffer = buffer;
    swift_tasks_place.limit = buffer->bytes + sizeof buffer->bytes - reserved;
    if (buffer->number && buffer->bytes + buffer->used < swift_tasks_place.limit) {
      return begin(buffer->bytes + buffer->used, time);
    }
  }
  swift_tasks_place.next = swift_tasks_place.limit;
  if (buffer->number && !empty(buffer)) {
    stop();
    return false;
  }
  SwiftTasksRecordingHeader *header = &start->header;
  if (__atomic_load_n(&header->count, __ATOMIC_RELAXED) >= header->capacity) return lose();
  uint64_t number = __atomic_add_fetch(&header->count, 1, __ATOMIC_RELAXED);
  if (number > header->capacity) return lose();
  if (number % blocksBetweenLooks == 1 && !hasRoom(number + blocksBetweenLooks)) {
    stop();
    return false;
  }
  __atomic_store_n(&buffer->number, number, __ATOMIC_RELEASE);
  return begin(buffer->bytes, time);
}

bool swift_tasks_beginBlock(int64_t time) {
  int error = errno;
  bool hasBegun = beginBlock(time);
  errno = error;
  return hasBegun;
}

bool swift_tasks_readBuffer(const SwiftTasksBlock *buffer, SwiftTasksBlock *copy) {
  copy->number = __atomic_load_n(&buffer->number, __ATOMIC_ACQUIRE);
  copy->used = __atomic_load_n(&buffer->used, __ATOMIC_ACQUIRE);
  if (copy->number == 0 || copy->used == 0 || copy->used > sizeof buffer->bytes) return false;
  memcpy(copy->bytes, buffer->bytes, copy->used);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  // If the number has changed, the buffer has been written to the file, and its records are found there.
  return __atomic_load_n(&buffer->number, __ATOMIC_RELAXED) == copy->number;
}
