// The runtime notifies the standard library of the task that a thread runs, for the checks of exclusive access. That
// call leaves its library, so that the function defined here is called: it shows each task that runs, also those which
// an actor takes from its queue one after another.
#define _GNU_SOURCE
#include "CSwiftTasks.h"

enum { exclusivityInTask = 80 };

// In Swift.
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
