#include "CSwiftTasks.h"

bool swift_tasks_isUsed;
_Thread_local SwiftTasksSimulation *swift_tasks_current;
