/// A rule for findings in a trace: what it finds, why that matters, and the fix.
public struct LintRule: Sendable, Hashable {
  public var name: String
  /// Two sentences: what was seen, and why it matters.
  public var explanation: String
  /// The fix: what to do instead.
  public var fix: String

  /// The page of the documentation that explains the rule: a path and an anchor on the site that `Scripts/docs` makes.
  public var page: String { "documentation/timingtrace/lints#\(name)" }

  public init(_ name: String, _ explanation: String, fix: String) {
    self.name = name
    self.explanation = explanation
    self.fix = fix
  }

  /// The rule with the given name, if the library has one. Custom patterns may come with other rules.
  public static func named(_ name: String) -> LintRule? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// All rules of the library, by subject: threads, completions, cancellation, order, drawing, tasks, the clock.
  public static let all = [
    LintRule(
      "blocked-thread",
      "A thread was blocked while it waited. It keeps its stack and a worker's place, and if "
        + "all workers wait like that, the work that they wait for never runs.",
      fix:
        "Start the next step from the completion of the step that is waited for, or wait with a "
        + "timer."),
    LintRule(
      "thread-explosion",
      "More than 16 threads were blocked at the same time. If each of many steps blocks a "
        + "thread, the pool starts a thread for each, until memory or the pool's limit is reached.",
      fix:
        "Start a few steps at a time, as bounded does, or wait without a thread, as sleep does."),
    LintRule(
      "starvation",
      "A step was ready to run and found no worker, because workers were blocked. If the work "
        + "that they wait for needs a worker too, nothing can make progress.",
      fix: "Let the steps that hold the workers wait without a thread."),
    LintRule(
      "priority-inversion",
      "An important step waited for a less important one, directly or through a step in between. "
        + "So the less important one decided when the important one continued.",
      fix:
        "Give a step the priority of the most important step that waits for it, as graph does."),
    LintRule(
      "completed-twice",
      "A step called its completion a second time. Code that counts completions then counts one "
        + "too many: the next step starts early, a group ends early, or a continuation traps.",
      fix: "Call the completion once on every path; count only the first call of each step."),
    LintRule(
      "completion-dropped",
      "A step released its completion without calling it. Code that waits for that step would "
        + "wait forever; here the step fails instead.",
      fix: "Call the completion on every path, even after an error or an early return."),
    LintRule(
      "never-completed",
      "A step started and had not completed when the run ended. Some code holds its completion "
        + "and will never call it, so the step looks the same as one that takes a long time.",
      fix: "Call the completion on every path, and limit the wait with a timeout."),
    LintRule(
      "early-notification",
      "A pattern that waits for all of its steps completed while some still ran. Code that "
        + "continues then reads results that do not exist yet, or releases objects that the steps "
        + "still use.",
      fix: "Enter before the work starts, and leave in its completion, as group does."),
    LintRule(
      "unbalanced-leave",
      "A group was not left exactly as often as it was entered. With one leave too many it ends "
        + "early, or traps; with one too few it never ends.",
      fix: "Leave once for every enter, on every path; a membership leaves by itself."),
    LintRule(
      "overlap",
      "A step started while the one before it still ran, in a pattern that runs one step at a "
        + "time. Code that relies on having the lane for itself then has a race.",
      fix: "Count only the first completion of each step, as serial does."),
    LintRule(
      "unhandled-failure",
      "A promise or a task failed, and no code can handle its error. The error is lost, and the program "
        + "continues as if nothing had failed.",
      fix:
        "End every chain with a handler for failures, or return the promise to a caller that has "
        + "one. Catch errors in a task that is not kept, or keep the task and await it."),
    LintRule(
      "late-cancel",
      "A step or a task was cancelled, by a timer, by a task or with the pattern around it, and kept "
        + "running well after that. Until it ends it holds its worker and everything else that it uses, for a "
        + "result that is discarded.",
      fix: "Check isCancelled between pieces of the work, or stop the work in onCancel."),
    LintRule(
      "lost-wakeup",
      "A step waits for a signal that nothing is left to give, or that was given before the "
        + "wait began. The wait lasts until another event happens to end it, or forever.",
      fix:
        "Signal on every path, and wake the waiting side when the first piece of work arrives."),
    LintRule(
      "lost-commit",
      "Work was committed for the end of the turn, and was missing from the set that was "
        + "flushed. Two lanes changed the set at the same time, and one change was lost.",
      fix: "Guard the set with a lock, as transaction does."),
    LintRule(
      "commit-cycle",
      "Work at the end of a turn commits itself again, turn after turn. The run loop never "
        + "becomes idle, and keeps a processor busy for nothing.",
      fix: "Commit only what has changed, and nothing during its own flush."),
    LintRule(
      "wasted-drawing",
      "Most of the drawing time was spent on drawings that were cancelled before they were "
        + "shown. That work has no effect, and outdated contents stay visible longer.",
      fix:
        "Request displays less often than a drawing takes, or let the drawing in progress be shown."
    ),
    LintRule(
      "missing-did-display",
      "A layer called willDisplay for a drawing, and never didDisplay. Code that waits for "
        + "didDisplay, to remove a placeholder or to count drawings, waits forever.",
      fix: "Call didDisplay exactly once for each willDisplay, on every path."),
    LintRule(
      "stale-contents",
      "A drawing was shown although it had been cancelled, because it had checked for "
        + "cancellation just before. Until the next drawing finishes, the layer shows outdated "
        + "contents.",
      fix: "Check for cancellation and show the drawing under one lock, as render does."),
    LintRule(
      "failed-display",
      "A layer could not be drawn, and no handler was notified. The layer still shows its old "
        + "contents, as if nothing had failed.",
      fix: "Set the layer's onFailure, or wait with displayed()."),
    LintRule(
      "held-thread",
      "A task ran for longer than a frame without being suspended, and another task waited for "
        + "its thread. There is one thread for each core, and a running task keeps its thread.",
      fix:
        "Await Task.yield() between pieces of the work, or give it threads of its own: a dispatch "
        + "queue or a task executor."),
    LintRule(
      "held-main-actor",
      "A task held the main actor for longer than a frame. Meanwhile nothing is drawn and no "
        + "input is handled.",
      fix:
        "Do the work in a nonisolated function, and return to the main actor with its result."),
    LintRule(
      "actor-contention",
      "Tasks waited for an actor for a tenth of the run or more. An actor runs one task at a "
        + "time, so all of its work delays each task that waits for it.",
      fix:
        "Compute outside of the actor and only store the result in it, or divide its state among "
        + "several actors."),
    LintRule(
      "never-resumed",
      "A task waits for a continuation that was never resumed. The task never ends, and neither "
        + "does any task that awaits it.",
      fix:
        "Resume each continuation exactly once on every path, even after an error or a "
        + "cancellation."),
    LintRule(
      "outliving-task",
      "A task that is never awaited kept running after the task that created it had ended. Its "
        + "errors are lost, and cancelling the other task does not cancel it.",
      fix:
        "Make it a child, with async let or a task group, or keep the task, and await or cancel it."
    ),
    LintRule(
      "task-flood",
      "Hundreds of tasks without a parent task were ready at the same time. Only as many run as "
        + "there are cores, and each of the others costs memory.",
      fix: "Use a task group: add a few tasks, and the next one whenever one has ended."),
    LintRule(
      "growing-buffer",
      "The buffer of a stream held hundreds of values. Its consumer is slower than its "
        + "producer, so the program needs more and more memory and works on old values.",
      fix:
        "Limit the buffer with bufferingPolicy, or let the producer wait until a value has been "
        + "taken."),
    LintRule(
      "clock-escape",
      "Work left the virtual clock: it returned from a thread or a timer that the runtime does "
        + "not control. Its duration and its order are then a matter of chance, and the next run "
        + "may differ.",
      fix: "Take time and threads from the scope's runtime, and sleep with its clock."),
  ]
}
