// Recording. What tasks do is written to a file in memory as it happens, on any thread, so that a program that is killed
// leaves what it has done until then. A record is 40 bytes; its kind is written last.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "CSwiftTasks.h"

bool swift_tasks_isRecording;

static SwiftTasksRecordingHeader *header;
static SwiftTasksRecord *records;

static _Thread_local uint32_t thread = UINT32_MAX;
static _Thread_local uint32_t running;

static uint32_t threadNumber(void) {
  if (thread == UINT32_MAX) {
    thread = gettid() == getpid() ? 0 : __atomic_add_fetch(&header->threads, 1, __ATOMIC_RELAXED);
  }
  return thread;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void stop(void) { swift_tasks_isRecording = false; }

bool swift_tasks_startRecording(const char *path, uint64_t capacity) {
  size_t size = sizeof(SwiftTasksRecordingHeader) + capacity * sizeof(SwiftTasksRecord);
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return false;
  // The file has holes: only what is written takes room.
  void *memory = ftruncate(file, (off_t)size) ? MAP_FAILED
                                              : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return false;
  header = memory;
  records = (SwiftTasksRecord *)(header + 1);
  header->capacity = capacity;
  header->start = now();
  // A copy of the process is another program.
  pthread_atfork(NULL, NULL, stop);
  __atomic_store_n(&swift_tasks_isRecording, true, __ATOMIC_RELEASE);
  return true;
}

static void put(int64_t time, SwiftTasksRecordKind kind, uint32_t task, uint32_t other, uint64_t first,
                  uint64_t second) {
  uint64_t index = __atomic_fetch_add(&header->count, 1, __ATOMIC_RELAXED);
  if (index >= header->capacity) return;
  SwiftTasksRecord *record = &records[index];
  record->time = time;
  record->thread = threadNumber();
  record->task = task;
  record->other = other;
  record->values[0] = first;
  record->values[1] = second;
  __atomic_store_n(&record->kind, kind, __ATOMIC_RELEASE);
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

static void created(const void *job, uint32_t task, int64_t time, int place) {
  const void *parent = swift_tasks_parent(job);
  const void *function = NULL;
  swift_tasks_frames(job, &function, 1);
  put(time, SwiftTasksRecordCreated, task, running, parent ? swift_tasks_identifier(parent) : 0,
        (uint64_t)(uintptr_t)function);
  uint64_t words[4];
  if (swift_tasks_wordsOfClosure(job, words)) {
    put(time, SwiftTasksRecordClosure, task, 0, words[0], words[1]);
    put(time, SwiftTasksRecordClosure, task, 2, words[2], words[3]);
  }
  const char *name = swift_tasks_name(job);
  if (name) putText(time, task, name);
}

enum { recorded = 1 };

void swift_tasks_recordReady(const void *job, int place, int64_t delay) {
  if (!swift_tasks_isTask(job)) return;
  int64_t time = now();
  uint32_t task = swift_tasks_identifier(job);
  // The word in which a simulation notes its number; those of simulations are never this one.
  if (swift_tasks_markOf(job) == 0) {
    swift_tasks_mark(job, UINT64_MAX);
    created(job, task, time, place);
  }
  put(time, delay < 0 ? SwiftTasksRecordReady : SwiftTasksRecordSleeps, task, running, (uint64_t)place,
        (uint64_t)delay);
}

void swift_tasks_recordStart(const void *task) {
  running = swift_tasks_identifier(task);
  const void *executor = swift_tasks_runningExecutor();
  put(now(), SwiftTasksRecordStarted, running, 0, (uint64_t)(uintptr_t)executor,
        executor ? *(const uint64_t *)executor : 0);
}

void swift_tasks_recordEnd(const void *task) {
  bool isComplete = swift_tasks_isComplete(task);
  put(now(), isComplete ? SwiftTasksRecordCompleted : SwiftTasksRecordSuspended, running, 0, 0, 0);
  running = 0;
}
