#include "CSwiftTasks.h"

bool swift_tasks_isUsed;
SWIFT_TASKS_OF_THREAD SwiftTasksSimulation *swift_tasks_current;
