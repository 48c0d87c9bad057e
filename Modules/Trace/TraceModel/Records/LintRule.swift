/// A rule for findings in a trace: what it finds, why that matters, and the fix.
public struct LintRule: Sendable, Hashable {
  public var name: String
  /// Two sentences: what was seen, and why it matters.
  public var explanation: String
  /// The fix: what to do instead.
  public var wayOut: String

  /// The page of the documentation that explains the rule: a path and an anchor on the site that `Scripts/docs` makes.
  public var page: String { "documentation/timingtrace/lints#\(name)" }

  public init(_ name: String, _ explanation: String, wayOut: String) {
    self.name = name
    self.explanation = explanation
    self.wayOut = wayOut
  }

  /// The rule with a name, if the library has one. Custom patterns may come with other rules.
  public static func named(_ name: String) -> LintRule? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// All rules of the library, by subject: threads, completions, cancellation, order, drawing, the clock.
  public static let all = [
    LintRule(
      "blocked-thread",
      "A thread stood parked and did nothing but wait. It costs its stack and a worker's place, and if all workers "
        + "wait like that, what they wait for never runs.",
      wayOut:
        "Let the completion of what is waited for start what comes next, or wait with a timer."),
    LintRule(
      "thread-explosion",
      "More than 16 threads stood parked at once. Whatever starts as many blocking steps as there are things to do "
        + "makes the pool start a thread for each, until memory or the pool's limit is reached.",
      wayOut: "Start a few at a time, as bounded does, or wait without a thread, as sleep does."),
    LintRule(
      "starvation",
      "A step was ready to run and found no worker, because workers stood parked. If what they wait for needs a "
        + "worker, too, nothing goes on any more.",
      wayOut: "Let those that hold the workers wait without a thread."),
    LintRule(
      "priority-inversion",
      "An important step waited for a less important one, which stood back for something in between. So the step "
        + "in between, which mattered less, decided when the important one began.",
      wayOut:
        "Give a step the priority of the most important one that waits for it, as graph does."),
    LintRule(
      "completed-twice",
      "A step called its completion a second time. Whoever counts completions counts one too many: the next step "
        + "starts early, a group ends early, a continuation traps.",
      wayOut: "Call it once on every path; let only the first call of each step count."),
    LintRule(
      "completion-dropped",
      "A step let go of its completion without calling it. Whoever waits for that step would wait for ever; here the "
        + "step fails instead.",
      wayOut: "Call the completion on every path, also where something fails, or return early."),
    LintRule(
      "never-completed",
      "A step started and had not completed when the run ended. Its completion is held somewhere and will never be "
        + "called, so that nobody can tell it from one that takes long.",
      wayOut: "Call the completion on every path, and bound the wait with a timeout."),
    LintRule(
      "early-notification",
      "A pattern that waits for all of its steps completed while some still ran. Whoever goes on then reads results "
        + "that are not there yet, or lets go of what the steps still use.",
      wayOut: "Enter before the work starts, and leave in its completion, as group does."),
    LintRule(
      "unbalanced-leave",
      "A group was left more often than entered, or somebody never left it. One leave too many ends it early, or "
        + "traps; one too few, and it never ends.",
      wayOut: "Leave once for every enter, on every path; a membership leaves by itself."),
    LintRule(
      "overlap",
      "A step started while the one before it still ran, under a pattern that runs one at a time. What relies on "
        + "having the lane for itself is a race from then on.",
      wayOut: "Let only the first completion of each step count, as serial does."),
    LintRule(
      "unhandled-failure",
      "A promise failed, and nobody had asked for its failure. The error is lost, and the program goes on as if all "
        + "were well.",
      wayOut:
        "End every chain with a handler for failures, or return the promise to a caller who has one."
    ),
    LintRule(
      "late-cancel",
      "A step was called off, by a timer or with what it was a part of, and went on well after that. Until then it "
        + "holds its worker and whatever else it uses, for a result that nobody takes.",
      wayOut: "Ask isCancelled between pieces of the work, or stop it in onCancel."),
    LintRule(
      "lost-wakeup",
      "Something waits for a signal that nobody is left to give, or was given before anybody waited. It stands still "
        + "until something else happens to wake it, if anything does.",
      wayOut: "Signal on every path, and wake whoever has to act when the first of the work comes."),
    LintRule(
      "lost-commit",
      "Work was committed for the end of the turn, and was not there when that was flushed. Two lanes changed the "
        + "set at the same time, and one change was lost.",
      wayOut: "Guard the set with a lock, as transaction does."),
    LintRule(
      "commit-cycle",
      "Work at the end of a turn commits itself again, turn after turn. The loop never comes to rest, and a processor "
        + "is busy for nothing.",
      wayOut: "Commit only what has changed, and nothing from within its own flush."),
    LintRule(
      "wasted-drawing",
      "Most of the time spent on drawing went into drawings that were called off before anybody saw them. That is "
        + "work for nothing, and what is seen stays old the longer.",
      wayOut: "Ask for displays less often than a drawing takes, or let what is under way be shown."
    ),
    LintRule(
      "missing-did-display",
      "A drawing that had begun was never told to have ended. Whoever takes away a placeholder, or counts drawings, "
        + "at that moment waits for ever.",
      wayOut: "See to exactly one didDisplay for each willDisplay, on every path."),
    LintRule(
      "stale-contents",
      "A drawing that had been called off was shown all the same, since it had asked just before. Until the next "
        + "one is through, what is seen is older than what was known.",
      wayOut: "Ask and show under one lock, as render does."),
    LintRule(
      "failed-display",
      "A layer could not be drawn, and nobody was told. It goes on showing what it showed, as if all were well.",
      wayOut: "Set the layer's onFailure, or wait with displayed()."),
    LintRule(
      "held-thread",
      "A task ran for longer than a frame without being suspended, and another task waited for its thread. There is "
        + "one thread for each core, and none is taken from a task that runs.",
      wayOut:
        "Await Task.yield() between pieces of the work, or give it threads of its own: a queue of Dispatch or a task "
        + "executor."),
    LintRule(
      "held-main-actor",
      "A task held the main actor for longer than a frame. Meanwhile nothing is drawn and no input is answered.",
      wayOut:
        "Do the work in a nonisolated function, and come back to the main actor with its result."),
    LintRule(
      "actor-contention",
      "Tasks waited for an actor for a tenth of the run or more. An actor runs one task at a time, so that everything "
        + "that it does counts for all of them.",
      wayOut:
        "Compute outside of the actor and only store the result in it, or divide what it guards among several."
    ),
    LintRule(
      "never-resumed",
      "A task waits for a continuation that was never resumed. It never ends, and neither does any task that awaits it.",
      wayOut:
        "Resume each continuation exactly once, on every path, also when there is an error or a cancellation."
    ),
    LintRule(
      "outliving-task",
      "A task that is never awaited kept running after the task that had made it. Its errors are lost, and "
        + "cancelling its maker does not cancel it.",
      wayOut:
        "Make it a child, with async let or a task group, or keep the task, and await or cancel it."
    ),
    LintRule(
      "task-flood",
      "Hundreds of tasks that belong to no other one were ready at once. Only as many run as there are cores, and "
        + "each of the others costs memory.",
      wayOut: "Use a task group: add a few tasks, and the next one whenever one has ended."),
    LintRule(
      "growing-buffer",
      "The buffer of a stream held hundreds of values. Its consumer is slower than its producer, so that the program needs "
        + "more and more memory and works on old values.",
      wayOut:
        "Limit the buffer with bufferingPolicy, or let the producer wait until a value was taken."
    ),
    LintRule(
      "clock-escape",
      "Work left the virtual clock: it came back from a thread or a timer that no runtime knows of. How long it took "
        + "and in which order it came is chance then, and the next run may differ.",
      wayOut: "Take time and threads from the scope's runtime, and sleep with its clock."),
  ]
}
