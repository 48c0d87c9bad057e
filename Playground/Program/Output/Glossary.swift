/// The terms of pictures, help and messages, each explained in one line.
///
/// The page `Glossary.md` in the documentation of AsyncPatterns has the same lines.
enum Glossary {
  struct Term {
    let name: String
    let meaning: String

    init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }

    /// The line that explains it.
    var line: String { name + ": " + meaning }
  }

  static func term(_ name: String) -> Term? { terms.first { $0.name == name } }

  /// Sorted by name.
  static let terms: [Term] = [
    Term("actor", "A Swift type whose code runs for one task at a time, which protects its state."),
    Term("baseline", "The first row of a comparison, with which the other rows are compared."),
    Term("blocked", "A thread is blocked while it waits and can run nothing else."),
    Term(
      "cancellation", "A request to stop. The work is notified, and decides itself when to end."),
    Term(
      "cause",
      "Why a step started, resumed or ended, such as the end of another step, a timer or a "
        + "permit."),
    Term("choice", "A point in a simulated run at which any of several events can be next."),
    Term(
      "completion",
      "The function that a step calls exactly once, with its result, to say that it has finished."),
    Term(
      "concurrency",
      "The largest number of steps, without steps inside them, that ran at the same time."),
    Term("continuation", "The place where suspended code continues when other code resumes it."),
    Term("counter", "A number that a trace shows over time, such as the length of a queue."),
    Term(
      "critical path",
      "The chain of steps that determined the makespan. Only a change to it can shorten the run."),
    Term(
      "deadlock",
      "Nothing left in a run can make progress, often because steps wait for each other in a "
        + "cycle."),
    Term("dependency", "A step that must finish before another one starts. “after” names it."),
    Term(
      "dispatch gap", "A time in which a step was ready and a worker was free, but nothing ran."),
    Term("edge", "A connection in a trace from one step to another step that waited for it."),
    Term(
      "escape",
      "Work from outside a simulation, such as a thread, for which the simulation waits in "
        + "real time."),
    Term("event", "One thing that happened in a run, with its time, its lane and its cause."),
    Term("executor", "The object that runs the jobs of tasks, such as an actor or the pool."),
    Term(
      "exploration",
      "Many runs of the same code under different schedules, to find one that fails."),
    Term("finding", "A problem that a lint rule found in a run, or that an exploration found."),
    Term("handler", "A closure that is called with a result."),
    Term(
      "hop",
      "The move of a task to an actor or another executor, after which it may have to wait."),
    Term(
      "injection",
      "A cancellation, a failure or a late completion that an exploration adds to a run."),
    Term("item", "The unit of work of a queue."),
    Term(
      "job",
      "A piece of code that an executor runs without interruption. “jobs” lists runs in the "
        + "background."),
    Term(
      "lane",
      "A thread of a run: “main”, or a worker of the pool such as “pool-1”. It runs one "
        + "thing at a time."),
    Term(
      "law",
      "A rule that every pattern must keep, such as to complete exactly once. “plugin "
        + "check” tests the laws."),
    Term(
      "lint", "A search for mistakes in the trace of a run. Each rule finds one kind of mistake."),
    Term(
      "live clock",
      "The clock of the machine. Steps take real time, which varies from run to run."),
    Term("makespan", "The time from the start of a run to its last completion."),
    Term("mark", "A named moment in a trace."),
    Term(
      "narrative",
      "The events of a run as a list, one a line, with what else could have happened next."),
    Term(
      "operation", "The unit of work of a graph. It starts when its dependencies have finished."),
    Term("outcome", "How a run or a step ended: success, failure, cancelled or unfinished."),
    Term("pattern", "A step made of several steps. It decides when each of them starts."),
    Term(
      "permit",
      "The right to run or to continue. A semaphore or a limit has a fixed number of permits."),
    Term("plugin", "A Swift file, package or library that adds patterns to the playground."),
    Term("pool", "The workers that run everything that is not on the main lane."),
    Term("promise", "A result that is available later. It is set once."),
    Term("queued", "A step is queued while it is ready and waits for a thread or a permit."),
    Term("race", "A mistake that shows only if events happen in a certain order."),
    Term(
      "reentrancy",
      "While a task is suspended in a function of an actor, the actor runs other tasks."),
    Term("replay", "A run under a known schedule. It repeats what an exploration has found."),
    Term("run", "One execution of steps or of a program, with its record."),
    Term(
      "schedule",
      "All choices of a run, in one line of text. The same schedule gives the same run."),
    Term(
      "seed",
      "The number that determines the choices of a simulated run. With 0, the first in is "
        + "the first out."),
    Term("shrinking", "The search for the simplest schedule that fails in the same way."),
    Term(
      "simulation",
      "A run on the virtual clock, whose order of events a seed or a schedule determines."),
    Term("slack", "How much later a step could have ended without delaying the run."),
    Term(
      "span", "The part of a trace that belongs to one step or task, from its start to its end."),
    Term(
      "stalled",
      "A run is stalled when nothing in it can make progress."),
    Term("step", "The unit of work of a pattern. It has a label, and yields a value or an error."),
    Term("suspended", "A task or a step is suspended while it waits and holds no thread."),
    Term("task", "Swift's unit of asynchronous code. It can be suspended and resumed."),
    Term("timed out", "A step has timed out when a timeout ended it before it had finished."),
    Term("trace", "The events that were recorded in a run."),
    Term(
      "unfinished", "A step or a run is unfinished if it had not completed when the record ended."),
    Term("verdict", "The result of a comparison: faster, slower, same or inconclusive."),
    Term(
      "violation", "A run of an exploration in which an expected property does not hold."),
    Term(
      "virtual clock",
      "A simulated clock. It jumps to the next timer, so nothing sleeps and times are exact."),
    Term("width", "The largest number of steps that a pattern runs at the same time."),
    Term("work", "The time in which steps kept a thread busy, summed over all steps."),
    Term("worker", "A thread of the pool."),
  ]
}
