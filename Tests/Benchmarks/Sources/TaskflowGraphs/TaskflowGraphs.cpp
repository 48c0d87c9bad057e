#include "TaskflowGraphs.h"

#include <taskflow/taskflow.hpp>
#include <vector>

struct taskflow_graph {
  tf::Taskflow taskflow;
};

void *taskflow_make_executor(intptr_t threads) { return new tf::Executor(threads); }

taskflow_graph *taskflow_build(intptr_t count, const int32_t *before, intptr_t *number) {
  auto graph = new taskflow_graph;
  std::vector<tf::Task> tasks;
  tasks.reserve(count);
  for (intptr_t index = 0; index < count; ++index) {
    // As in the other implementations, races do no harm.
    tasks.push_back(graph->taskflow.emplace([number] {
      __atomic_store_n(number, __atomic_load_n(number, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    }));
    for (int place = 0; place < 2; ++place) {
      int32_t earlier = before[2 * index + place];
      if (earlier >= 0) tasks[earlier].precede(tasks[index]);
    }
  }
  return graph;
}

void taskflow_start(void *executor, taskflow_graph *graph) {
  static_cast<tf::Executor *>(executor)->run(graph->taskflow);
}

void taskflow_wait(void *executor) { static_cast<tf::Executor *>(executor)->wait_for_all(); }

void taskflow_free(taskflow_graph *graph) { delete graph; }
