// What the agent needs of the system and Swift cannot call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A copy of the process; 0 in the copy.
pid_t playground_agent_fork(void);
/// The process is killed when the process that made it ends.
void playground_agent_endWithParent(void);
/// A file without a name, in memory.
int playground_agent_memoryFile(const char *_Nonnull name);

/// Calls `report` when a signal is about to end the process, and then lets it.
void playground_agent_onFatalSignal(void (*_Nonnull report)(void));
/// Calls `isDue` on the main thread after so many seconds of real time.
void playground_agent_after(double seconds, void (*_Nonnull isDue)(void));
/// SIGTERM interrupts what the process waits for, and Ctrl-C is left to others.
void playground_agent_listenForInterruption(void);
/// Whether SIGTERM has come.
bool playground_agent_isInterrupted(void);

/// The addresses to which the functions return that the calling thread is in, from the innermost.
int playground_agent_backtrace(void *_Nullable *_Nonnull addresses, int limit);
/// Whether an address belongs to the agent itself.
bool playground_agent_isOwn(const void *_Nonnull address);
/// Whether a word at an address was loaded from a file, which begins at `start`, and can be read.
bool playground_agent_isLoaded(uintptr_t address, uintptr_t start);
/// How many values the buffer of the stream with that storage holds; negative if that cannot be read.
ssize_t playground_agent_countInStream(const void *_Nonnull storage);
/// From now on the agent looks at the buffers of streams, or does not.
void playground_agent_lookAtStreams(bool isNowKnown);
/// A symbol of Swift's as it is written there, to be freed; null for another one.
char *_Nullable playground_agent_demangled(const char *_Nonnull symbol);
