#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A graph of Taskflow and the threads that run it.
typedef struct taskflow_graph taskflow_graph;

/// Makes an executor of so many threads.
void *_Nonnull taskflow_make_executor(intptr_t threads);

/// Makes a graph of `count` tasks. Each increases `number`. `before` has two earlier tasks for each task, or -1.
taskflow_graph *_Nonnull taskflow_build(intptr_t count, const int32_t *_Nonnull before, intptr_t *_Nonnull number);

/// Starts a run of the graph. Runs of the same graph follow one another.
void taskflow_start(void *_Nonnull executor, taskflow_graph *_Nonnull graph);

/// Waits for the end of all runs.
void taskflow_wait(void *_Nonnull executor);

void taskflow_free(taskflow_graph *_Nonnull graph);

#ifdef __cplusplus
}
#endif
