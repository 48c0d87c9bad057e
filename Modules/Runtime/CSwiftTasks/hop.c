// The hop station. An await that may change its executor calls swift_task_switch, which continues immediately where the
// executor is free: the orders in which another task arrives first would never be tried. Calls from the code of users go
// through the table of their program, so that the function defined here is called. In a simulation it leads each hop over
// an executor of the simulation, where the order is a choice.
//
// It is weak: with the static standard library the linker takes the runtime's own, unless it is called with
// `-Xlinker --wrap=swift_task_switch`.
#define _GNU_SOURCE
#include <stddef.h>

#include "CSwiftTasks.h"

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

typedef ASYNC void (*Resume)(CONTEXT void *);
typedef ASYNC void (*Switch)(CONTEXT void *, void *, void *, uintptr_t);

extern __attribute__((swiftcall)) void *swift_task_alloc(size_t);
extern __attribute__((swiftcall)) void swift_task_dealloc(void *);
typedef struct { void *identity; uintptr_t implementation; } Executor;
extern __attribute__((swiftcall)) Executor swift_task_getPreferredTaskExecutor(void);
extern __attribute__((swiftcall)) Executor swift_task_getCurrentExecutor(void);

static uintptr_t hopIdentity, hopImplementation;

void swift_tasks_setHopStation(uintptr_t identity, uintptr_t implementation) {
  hopIdentity = identity;
  hopImplementation = implementation;
}

static Switch theRuntimes(void) { return (Switch)REPLACED("swift_task_switch"); }

static bool leavesAlone(void *destination) {
  // A task that is there already makes no hop; one that prefers an executor arrives at that, and not where the simulation
  // is.
  return !swift_tasks_current || !hopIdentity || swift_task_getCurrentExecutor().identity == destination ||
         swift_task_getPreferredTaskExecutor().identity;
}

/// A frame of the task's own stack: how the runtime's function sees the caller, and where the hop leads.
typedef struct {
  void *parent, *resumeParent;
  void *context, *resume, *identity;
  uintptr_t implementation;
} Hop;

static ASYNC void arrive(CONTEXT void *frame, void *a, void *b, uintptr_t c) {
  Hop hop = *(Hop *)frame;
  swift_task_dealloc(frame);
  __attribute__((musttail)) return theRuntimes()(hop.context, hop.resume, hop.identity, hop.implementation);
}

__attribute__((weak)) ASYNC void swift_task_switch(CONTEXT void *context, void *resume, void *identity,
                                                   uintptr_t implementation) {
  if (leavesAlone(identity)) {
    __attribute__((musttail)) return theRuntimes()(context, resume, identity, implementation);
  }
  Hop *hop = swift_task_alloc(sizeof(Hop));
  *hop = (Hop){context, 0, context, resume, identity, implementation};
  swift_tasks_current->destination = identity;
  __attribute__((musttail)) return theRuntimes()(hop, (void *)arrive, (void *)hopIdentity, hopImplementation);
}
WRAPS(swift_task_switch)
