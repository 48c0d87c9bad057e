// Functions of the system that the agent needs and Swift cannot call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Makes a copy of the process. Returns the identifier of the copy; 0 in the copy itself, -1 if there is no copy.
pid_t playground_agent_fork(void);
/// From now on, the system kills the calling process when its parent ends.
void playground_agent_endWithParent(void);
/// Makes a file in memory, and returns its descriptor. The name is only for debuggers.
int playground_agent_memoryFile(const char *_Nonnull name);

/// Calls `report` before a fatal signal ends the process.
void playground_agent_onFatalSignal(void (*_Nonnull report)(void));
/// Records when the program crashes, before its own handlers run: to show a backtrace can take seconds.
void playground_agent_recordCrashes(void);
/// Calls `isDue` after `seconds` of real time, on the thread that runs the program. `carrier` returns the value of
/// `pthread_self` on that thread; 0 stands for any thread.
void playground_agent_after(double seconds, void (*_Nonnull isDue)(void), uintptr_t (*_Nonnull carrier)(void));
/// Whether the calling thread is the main thread.
bool playground_agent_isMainThread(void);
/// From now on, SIGTERM interrupts waiting calls of the process, and the process ignores Ctrl-C.
void playground_agent_listenForInterruption(void);
/// Whether SIGTERM has arrived.
bool playground_agent_isInterrupted(void);

/// Writes the return addresses of the calling thread, the innermost first, and returns their number.
int playground_agent_backtrace(void *_Nullable *_Nonnull addresses, int limit);
/// Whether an address belongs to the agent itself.
bool playground_agent_isOwn(const void *_Nonnull address);
/// Whether a word can be read at `address`, and belongs to the file that was loaded at `start`.
bool playground_agent_isLoaded(uintptr_t address, uintptr_t start);
/// The number of values in the buffer of the stream with that storage; negative if it cannot be read.
ssize_t playground_agent_countInStream(const void *_Nonnull storage);
/// The storage of the stream to which an iterator belongs; null if the stream has none.
const void *_Nullable playground_agent_storageOfIterator(const void *_Nonnull const *_Nonnull iterator);
/// Sets whether the agent looks at the buffers of streams. It may do so only if it knows how Swift lays them out.
void playground_agent_lookAtStreams(bool isNowKnown);
/// The name of a Swift symbol as Swift code writes it; null for other symbols. The caller frees it.
char *_Nullable playground_agent_demangled(const char *_Nonnull symbol);

/// Retains the context of a Swift closure.
void playground_agent_retain(void *_Nullable context);
/// Calls a Swift closure without parameters, and releases its context.
void playground_agent_callAndRelease(void *_Nonnull function, void *_Nullable context);
