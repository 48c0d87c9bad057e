#include "CSwiftTasks.h"

#define SWIFTCALL __attribute__((swiftcall))

typedef SWIFTCALL void (*Enqueue)(void *job);

// Weak: if the runtime has no hook, jobs take the longer way.
extern SWIFTCALL void (*swift_task_enqueueGlobal_hook)(void *job, Enqueue original) __attribute__((weak));

// Defined in Swift.
extern SWIFTCALL void swift_tasks_enqueueOnPlatform(void *job);

static SWIFTCALL void enqueue(void *job, Enqueue original) {
  if (swift_tasks_getIsUsed()) {
    if (swift_tasks_current) return original(job);
    if (swift_tasks_isRecording) swift_tasks_recordReady(job, -1);
    else if (swift_tasks_markOf(job)) return original(job);
  }
  swift_tasks_enqueueOnPlatform(job);
}

void swift_tasks_openShortcut(void) {
  if (&swift_task_enqueueGlobal_hook && !swift_task_enqueueGlobal_hook) swift_task_enqueueGlobal_hook = enqueue;
}

void swift_tasks_closeShortcut(void) {
  if (&swift_task_enqueueGlobal_hook && swift_task_enqueueGlobal_hook == enqueue) swift_task_enqueueGlobal_hook = NULL;
}
