// Recording: what the code of a program calls to make tasks, to cancel them and to run jobs. It does so through the table
// of its program, so that the functions defined here are called.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "CSwiftTasks.h"
#include "RealFunction.h"

#define SWIFT __attribute__((swiftcall))

typedef struct {
  void *identity;
  uintptr_t implementation;
} Executor;

// MARK: Tasks

typedef struct {
  void *task, *context;
} MadeTask;

SWIFT MadeTask swift_task_create(size_t flags, void *options, const void *type, void *entry, void *context) {
  SWIFT MadeTask (*real)(size_t, void *, const void *, void *, void *) = REAL_FUNCTION("swift_task_create");
  if (!swift_tasks_isRecording) return real(flags, options, type, entry, context);
  SwiftTasksCreation creation;
  swift_tasks_recordBeginCreation(&creation, entry, context, __builtin_return_address(0), __builtin_frame_address(0));
  MadeTask made = real(flags, options, type, entry, context);
  swift_tasks_recordEndCreation(&creation, made.task);
  return made;
}

SWIFT void swift_asyncLet_begin(void *child, void *options, const void *type, void *entry, void *context,
                                void *buffer) {
  SWIFT void (*real)(void *, void *, const void *, void *, void *, void *) = REAL_FUNCTION("swift_asyncLet_begin");
  if (!swift_tasks_isRecording) return real(child, options, type, entry, context, buffer);
  SwiftTasksCreation creation;
  swift_tasks_recordBeginCreation(&creation, entry, context, __builtin_return_address(0), __builtin_frame_address(0));
  real(child, options, type, entry, context, buffer);
  swift_tasks_recordEndCreation(&creation, NULL);
}

// Task.cancel()
SWIFT void playground_agent_cancel(void *task, const void *success, const void *failure, const void *isError)
  __asm__("$sScT6cancelyyF");

SWIFT void playground_agent_cancel(void *task, const void *success, const void *failure, const void *isError) {
  if (swift_tasks_isRecording) swift_tasks_recordCancellation(task, __builtin_return_address(0));
  SWIFT void (*real)(void *, const void *, const void *, const void *) = REAL_FUNCTION("$sScT6cancelyyF");
  real(task, success, failure, isError);
}

// MARK: Jobs

SWIFT void swift_task_immediate(void *task, void *identity, uintptr_t implementation) {
  SWIFT void (*real)(void *, void *, uintptr_t) = REAL_FUNCTION("swift_task_immediate");
  if (!swift_tasks_isRecording) return real(task, identity, implementation);
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  real(task, identity, implementation);
  swift_tasks_recordEndJob(outer);
}

// Executors of the program run their jobs with these.

SWIFT void swift_job_run(void *job, void *identity, uintptr_t implementation) {
  SWIFT void (*real)(void *, void *, uintptr_t) = REAL_FUNCTION("swift_job_run");
  if (!swift_tasks_isRecording) return real(job, identity, implementation);
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  real(job, identity, implementation);
  swift_tasks_recordEndJob(outer);
}

SWIFT void swift_job_run_on_task_executor(void *job, void *identity, uintptr_t implementation) {
  SWIFT void (*real)(void *, void *, uintptr_t) = REAL_FUNCTION("swift_job_run_on_task_executor");
  if (!swift_tasks_isRecording) return real(job, identity, implementation);
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  real(job, identity, implementation);
  swift_tasks_recordEndJob(outer);
}

SWIFT void swift_job_run_on_serial_and_task_executor(void *job, void *serial, uintptr_t serialImplementation,
                                                     void *identity, uintptr_t implementation) {
  SWIFT void (*real)(void *, void *, uintptr_t, void *, uintptr_t) =
    REAL_FUNCTION("swift_job_run_on_serial_and_task_executor");
  if (!swift_tasks_isRecording) return real(job, serial, serialImplementation, identity, implementation);
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  real(job, serial, serialImplementation, identity, implementation);
  swift_tasks_recordEndJob(outer);
}
