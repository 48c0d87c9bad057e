// Records how a program makes tasks, cancels them and runs jobs. The linker redirects the calls of the program to the
// functions defined here.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>

#include "CSwiftTasks.h"

// Weak, since a program that contains Swift's libraries defines these functions, too: see ReplacedFunction.h.
#define CALL __attribute__((swiftcall))
#define SWIFT __attribute__((weak)) CALL

typedef struct {
  void *identity;
  uintptr_t implementation;
} Executor;

// MARK: Tasks

typedef struct {
  void *task, *context;
} MadeTask;

SWIFT MadeTask swift_task_create(size_t flags, void *options, const void *type, void *entry, void *context) {
  CALL MadeTask (*real)(size_t, void *, const void *, void *, void *) = REPLACED("swift_task_create");
  if (!swift_tasks_isRecording) return real(flags, options, type, entry, context);
  SwiftTasksCreation creation;
  swift_tasks_recordBeginCreation(&creation, entry, context, __builtin_return_address(0), __builtin_frame_address(0));
  MadeTask made = real(flags, options, type, entry, context);
  swift_tasks_recordEndCreation(&creation, made.task);
  return made;
}
WRAPS(swift_task_create)

SWIFT void swift_asyncLet_begin(void *child, void *options, const void *type, void *entry, void *context,
                                void *buffer) {
  CALL void (*real)(void *, void *, const void *, void *, void *, void *) = REPLACED("swift_asyncLet_begin");
  if (!swift_tasks_isRecording) return real(child, options, type, entry, context, buffer);
  SwiftTasksCreation creation;
  swift_tasks_recordBeginCreation(&creation, entry, context, __builtin_return_address(0), __builtin_frame_address(0));
  real(child, options, type, entry, context, buffer);
  swift_tasks_recordEndCreation(&creation, NULL);
}
WRAPS(swift_asyncLet_begin)

typedef __attribute__((swiftasynccall)) void (*EndAsyncLet)(__attribute__((swift_async_context)) void *, void *,
                                                            void *, void *, void *);

__attribute__((weak, swiftasynccall)) void swift_asyncLet_finish(__attribute__((swift_async_context)) void *context,
                                                           void *child, void *buffer, void *resume,
                                                           void *callContext) {
  EndAsyncLet real = (EndAsyncLet)REPLACED("swift_asyncLet_finish");
  if (swift_tasks_isRecording) swift_tasks_recordEndOfAsyncLet(child);
  __attribute__((musttail)) return real(context, child, buffer, resume, callContext);
}
WRAPS(swift_asyncLet_finish)

// Task.cancel()
SWIFT void playground_agent_cancel(void *task, const void *success, const void *failure, const void *isError)
  __asm__("$sScT6cancelyyF");

SWIFT void playground_agent_cancel(void *task, const void *success, const void *failure, const void *isError) {
  if (swift_tasks_isRecording) swift_tasks_recordCancellation(task);
  CALL void (*real)(void *, const void *, const void *, const void *) = REPLACED("$sScT6cancelyyF");
  real(task, success, failure, isError);
}
WRAPS_SYMBOL(playground_agent_cancel, "$sScT6cancelyyF")

// The method `cancelAll()` of each kind of task group. The parameters after the group are types.
#define CANCEL_ALL(name, symbol)                                                                                       \
  SWIFT void name(void *group, const void *first, const void *second, const void *third) __asm__(symbol);              \
  SWIFT void name(void *group, const void *first, const void *second, const void *third) {                             \
    if (swift_tasks_isRecording) swift_tasks_recordGroupCancellation(group);                                           \
    CALL void (*real)(void *, const void *, const void *, const void *) = REPLACED(symbol);                            \
    real(group, first, second, third);                                                                                 \
  }                                                                                                                    \
  WRAPS_SYMBOL(name, symbol)

CANCEL_ALL(playground_agent_cancelAll, "$sScG9cancelAllyyF")
CANCEL_ALL(playground_agent_cancelAllThrowing, "$sScg9cancelAllyyF")
CANCEL_ALL(playground_agent_cancelAllDiscarding, "$ss19DiscardingTaskGroupV9cancelAllyyF")
CANCEL_ALL(playground_agent_cancelAllThrowingDiscarding, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")

// MARK: Libraries

// The module AsyncRuntime finds these functions by their names, if they exist.

bool playground_agent_introduce_1(uint64_t (*spansOfThread)(void)) {
  if (swift_tasks_isRecording) swift_tasks_setSpansOfThread(spansOfThread);
  return swift_tasks_isRecording;
}

void playground_agent_recordEvent_1(int64_t time, const void *bytes, size_t count) {
  if (swift_tasks_isRecording) swift_tasks_recordEvent(time, bytes, count);
}

// MARK: Jobs

SWIFT void swift_task_immediate(void *task, void *identity, uintptr_t implementation) {
  CALL void (*real)(void *, void *, uintptr_t) = REPLACED("swift_task_immediate");
  if (!swift_tasks_isRecording) return real(task, identity, implementation);
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  real(task, identity, implementation);
  swift_tasks_recordEndJob(outer);
}
WRAPS(swift_task_immediate)

// The executors of the program run their jobs with these functions.

SWIFT void swift_job_run(void *job, void *identity, uintptr_t implementation) {
  CALL void (*real)(void *, void *, uintptr_t) = REPLACED("swift_job_run");
  if (!swift_tasks_isRecording) return real(job, identity, implementation);
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  real(job, identity, implementation);
  swift_tasks_recordEndJob(outer);
}
WRAPS(swift_job_run)

SWIFT void swift_job_run_on_task_executor(void *job, void *identity, uintptr_t implementation) {
  CALL void (*real)(void *, void *, uintptr_t) = REPLACED("swift_job_run_on_task_executor");
  if (!swift_tasks_isRecording) return real(job, identity, implementation);
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  real(job, identity, implementation);
  swift_tasks_recordEndJob(outer);
}
WRAPS(swift_job_run_on_task_executor)

SWIFT void swift_job_run_on_serial_and_task_executor(void *job, void *serial, uintptr_t serialImplementation,
                                                     void *identity, uintptr_t implementation) {
  CALL void (*real)(void *, void *, uintptr_t, void *, uintptr_t) =
    REPLACED("swift_job_run_on_serial_and_task_executor");
  if (!swift_tasks_isRecording) return real(job, serial, serialImplementation, identity, implementation);
  SwiftTasksRunning outer = swift_tasks_recordBeginJob();
  real(job, serial, serialImplementation, identity, implementation);
  swift_tasks_recordEndJob(outer);
}
WRAPS(swift_job_run_on_serial_and_task_executor)
