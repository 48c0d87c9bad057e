// Before main, and so before anything has asked for an executor: the first to create the executors wins.

// In Swift.
extern void swift_tasks_install(void);

__attribute__((constructor)) static void install(void) { swift_tasks_install(); }
