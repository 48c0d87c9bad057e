// The hop station. An `await` that may change the executor calls swift_task_switch. If the new executor is free, the
// runtime continues there immediately. An order in which another task arrives first would then never be tried. The
// function defined here sends each hop of a simulation through an executor of that simulation, where the order is a
// choice. It also notes the hops of a recorded program: a task that enters a free actor is not suspended.
//
// User code calls swift_task_switch through the linkage table of its program, and so finds the function defined here.
// That function is weak: with the static standard library, the linker takes the runtime's own function instead. To
// prevent this, link with `-Xlinker --wrap=swift_task_switch`.
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
  // A task that is already at the destination makes no hop. A task that prefers an executor would continue on that one,
  // and not on the executor of the simulation.
  return !swift_tasks_current || !hopIdentity || swift_task_getCurrentExecutor().identity == destination ||
         swift_task_getPreferredTaskExecutor().identity;
}

/// A frame on the task's own stack. To the runtime, its first two words look like the frame of a caller. The other
/// words say where the hop goes.
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
  if (swift_tasks_isRecording) swift_tasks_recordHop(identity);
  if (leavesAlone(identity)) {
    __attribute__((musttail)) return theRuntimes()(context, resume, identity, implementation);
  }
  Hop *hop = swift_task_alloc(sizeof(Hop));
  *hop = (Hop){context, 0, context, resume, identity, implementation};
  swift_tasks_current->destination = identity;
  __attribute__((musttail)) return theRuntimes()(hop, (void *)arrive, (void *)hopIdentity, hopImplementation);
}
WRAPS(swift_task_switch)
