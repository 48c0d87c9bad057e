// The run loops of Foundation. A program and XCTest call them through the linkage table, and so find the functions
// defined here. On the threads of the simulation, a run loop waits in virtual time, and the simulation runs meanwhile.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/timerfd.h>

#include "CPlaygroundAgent.h"
#include "CSwiftTasks.h"

#define CALL __attribute__((swiftcall))
// Weak, as in recordedTasks.c.
#define SWIFT __attribute__((weak)) CALL
#define SELF __attribute__((swift_context))

// Functions in Swift. Those with a Boolean result return false on a thread that does not belong to a simulation.
extern bool playground_agent_runOnce(
  void *loop, uintptr_t mode, uintptr_t modeRest, double limit, bool looks, bool *hasRun);
extern bool playground_agent_runUntil(void *loop, double limit);
extern bool playground_agent_startThread(void *function, void *context);
extern void playground_agent_wake(void *loop);

extern void *swift_retain(void *);
extern void swift_release(void *);

// Whether a function of the library has made the call that returns to `address`.
static bool isOf(const char *library, const void *address) {
  const char *file = swift_tasks_image(address);
  if (!file) return false;
  const char *slash = strrchr(file, '/');
  return strcmp(slash ? slash + 1 : file, library) == 0;
}

static bool isOfXCTest(const void *address) { return isOf("libXCTest.so", address); }

// RunLoop.run(mode:before:). The mode is a string, and the date is a number of seconds.
#define RUN_ONCE "$s10Foundation7RunLoopC3run4mode6beforeSbAC4ModeV_0A10Essentials4DateVtF"
SWIFT bool playground_agent_runLoopOnce(uintptr_t mode, uintptr_t modeRest, double limit, SELF void *loop)
  __asm__(RUN_ONCE);

SWIFT bool playground_agent_runLoopOnce(uintptr_t mode, uintptr_t modeRest, double limit, SELF void *loop) {
  bool looks = isOfXCTest(__builtin_return_address(0)), hasRun;
  if (playground_agent_runOnce(loop, mode, modeRest, limit, looks, &hasRun)) return hasRun;
  CALL bool (*real)(uintptr_t, uintptr_t, double, SELF void *) = REPLACED(RUN_ONCE);
  return real(mode, modeRest, limit, loop);
}
WRAPS_SYMBOL(playground_agent_runLoopOnce, RUN_ONCE)

// RunLoop.run(until:)
#define RUN_UNTIL "$s10Foundation7RunLoopC3run5untily0A10Essentials4DateV_tF"
SWIFT void playground_agent_runLoopUntil(double limit, SELF void *loop) __asm__(RUN_UNTIL);

SWIFT void playground_agent_runLoopUntil(double limit, SELF void *loop) {
  if (playground_agent_runUntil(loop, limit)) return;
  CALL void (*real)(double, SELF void *) = REPLACED(RUN_UNTIL);
  real(limit, loop);
}
WRAPS_SYMBOL(playground_agent_runLoopUntil, RUN_UNTIL)

// RunLoop.run()
#define RUN "$s10Foundation7RunLoopC3runyyF"
SWIFT void playground_agent_runLoop(SELF void *loop) __asm__(RUN);

SWIFT void playground_agent_runLoop(SELF void *loop) {
  if (playground_agent_runUntil(loop, __builtin_inf())) return;
  CALL void (*real)(SELF void *) = REPLACED(RUN);
  real(loop);
}
WRAPS_SYMBOL(playground_agent_runLoop, RUN)

// RunLoop._stop(), by which XCTest ends a wait.
#define STOP "$s10Foundation7RunLoopC5_stopyyF"
SWIFT void playground_agent_stopRunLoop(SELF void *loop) __asm__(STOP);

SWIFT void playground_agent_stopRunLoop(SELF void *loop) {
  CALL void (*real)(SELF void *) = REPLACED(STOP);
  real(loop);
  playground_agent_wake(loop);
}
WRAPS_SYMBOL(playground_agent_stopRunLoop, STOP)

// RunLoop.perform(_:)
#define PERFORM "$s10Foundation7RunLoopC7performyyyyYbcF"
SWIFT void playground_agent_perform(void *function, void *context, SELF void *loop) __asm__(PERFORM);

SWIFT void playground_agent_perform(void *function, void *context, SELF void *loop) {
  CALL void (*real)(void *, void *, SELF void *) = REPLACED(PERFORM);
  real(function, context, loop);
  playground_agent_wake(loop);
}
WRAPS_SYMBOL(playground_agent_perform, PERFORM)

// RunLoop.perform(inModes:block:)
#define PERFORM_IN_MODES "$s10Foundation7RunLoopC7perform7inModes5blockySayAC4ModeVG_yyYbctF"
SWIFT void playground_agent_performInModes(void *modes, void *function, void *context, SELF void *loop)
  __asm__(PERFORM_IN_MODES);

SWIFT void playground_agent_performInModes(void *modes, void *function, void *context, SELF void *loop) {
  CALL void (*real)(void *, void *, void *, SELF void *) = REPLACED(PERFORM_IN_MODES);
  real(modes, function, context, loop);
  playground_agent_wake(loop);
}
WRAPS_SYMBOL(playground_agent_performInModes, PERFORM_IN_MODES)

// Foundation sets a system timer for the next timer of a run loop, and then watches only the system timer. Here, the
// instant of the next timer is virtual. So this function makes the system timer due immediately, and Foundation
// compares the instant with the virtual clock.
int timerfd_settime(int file, int flags, const struct itimerspec *time, struct itimerspec *old) {
  int (*real)(int, int, const struct itimerspec *, struct itimerspec *) = REPLACED("timerfd_settime");
  bool isSet = time->it_value.tv_sec || time->it_value.tv_nsec;
  if (!isSet || !swift_tasks_current || !isOf("libFoundation.so", __builtin_return_address(0))) {
    return real(file, flags, time, old);
  }
  struct itimerspec due = {.it_value = {0, 1}};
  return real(file, flags, &due, old);
}

// Thread.detachNewThread(_:). XCTest starts a thread for each task that awaits expectations. In the simulation, that
// thread is one of the simulation, so that its time is virtual. Other threads of a program stay outside.
#define DETACH "$s10Foundation6ThreadC09detachNewB0yyyyYbcFZ"
SWIFT void playground_agent_detachThread(void *function, void *context, SELF void *type) __asm__(DETACH);

SWIFT void playground_agent_detachThread(void *function, void *context, SELF void *type) {
  if (isOfXCTest(__builtin_return_address(0)) && playground_agent_startThread(function, context)) return;
  CALL void (*real)(void *, void *, SELF void *) = REPLACED(DETACH);
  real(function, context, type);
}
WRAPS_SYMBOL(playground_agent_detachThread, DETACH)

void playground_agent_retain(void *context) { if (context) swift_retain(context); }

void playground_agent_callAndRelease(void *function, void *context) {
  ((CALL void (*)(SELF void *))function)(context);
  if (context) swift_release(context);
}
