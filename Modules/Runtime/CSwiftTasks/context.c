// The runtime tells the standard library which task a thread runs, for the checks of exclusive access. It calls another
// library for this, and so finds the function defined here. That function notices each task that runs, even if an actor
// takes several tasks from its queue one after another.
#define _GNU_SOURCE
#include "CSwiftTasks.h"

enum { exclusivityInTask = 80 };

// Defined in Swift.
extern void swift_tasks_willRun(void *receiver, const void *task);

__attribute__((weak)) void swift_task_exitThreadLocalContext(char *state) {
  if (swift_tasks_isRecording) swift_tasks_recordEnd(state - exclusivityInTask);
  ((void (*)(char *))REPLACED("swift_task_exitThreadLocalContext"))(state);
}
WRAPS(swift_task_exitThreadLocalContext)

static void notify(const void *task) {
  SwiftTasksSimulation *simulation = swift_tasks_current;
  if (swift_tasks_isRecording) swift_tasks_recordStart(task);
  if (simulation && simulation->isWatched) swift_tasks_willRun(simulation->receiver, task);
}

__attribute__((weak)) void swift_task_enterThreadLocalContext(char *state) {
  if (swift_tasks_getIsUsed()) notify(state - exclusivityInTask);
  ((void (*)(char *))REPLACED("swift_task_enterThreadLocalContext"))(state);
}
WRAPS(swift_task_enterThreadLocalContext)
