// Runs before main, and so before any code asks for an executor. The first code that creates the executors wins.

// Defined in Swift.
extern void swift_tasks_install(void);

__attribute__((constructor)) static void install(void) { swift_tasks_install(); }
