#include "CSwiftTasks.h"

_Thread_local SwiftTasksSimulation *swift_tasks_current;
