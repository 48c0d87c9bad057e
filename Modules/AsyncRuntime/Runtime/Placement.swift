/// Where code that somebody hands over runs.
public enum Placement: Sendable {
  /// On the run loop of the runtime.
  case main
  /// On the workers of the runtime.
  case pool
  /// On a scheduler of one's own, such as one that `Runtime.serial(_:)` made.
  // In a box, so that a placement is one word: most are none of one's own, and are handed on and on.
  indirect case scheduler(any Scheduler)
  /// On the lane of whoever asks, without a hop: at once, or as soon as what runs there this way has
  /// returned. However many such pieces of code ask for each other, they need no stack.
  case inline

  /// Runs `body` there, on behalf of whoever asks. Bodies of one placement start in the order in which
  /// one lane asked for them.
  public func run(on runtime: any Runtime, _ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main: runtime.main.schedule(body)
    case .pool: runtime.pool.schedule(body)
    case .scheduler(let scheduler): scheduler.schedule(body)
    case .inline: LaneContext.current.perform(body)
    }
  }
}

extension LaneContext {
  /// Runs `body` at once, or as soon as what runs this way on the lane has returned; then it still
  /// runs on behalf of whoever asked.
  public func perform(_ body: @escaping () -> Void) {
    withTrampoline { $0.run(.body(body, causality), in: self) }
  }

  /// Runs `work` at once, or as soon as what runs this way on the lane has returned; then it still
  /// runs on behalf of whoever asked.
  package func perform(_ work: any LaneWork) {
    withTrampoline { trampoline in
      if trampoline.isRunning {
        trampoline.run(.work(work, causality), in: self)
      } else {
        trampoline.enter(in: self) { work.run(in: self) }
      }
    }
  }

  /// Whether code runs this way on the lane: what asks for it now has to wait.
  package var isPerforming: Bool { withTrampoline { $0.isRunning } }

  /// Runs `body` at once, and then what it leaves behind, also if it was called from within such code:
  /// that waits for what is being run here.
  package func performNested(_ body: () -> Void) {
    withTrampoline { trampoline in
      let isNested = trampoline.isRunning
      trampoline.enter(in: self, body)
      if isNested { trampoline.drain(in: self) }
    }
  }

  /// From now until `endPerforming` code runs this way on the lane, where none does so far.
  package func beginPerforming() { withTrampoline { $0.isRunning = true } }

  /// Runs what was left behind since `beginPerforming`.
  package func endPerforming() {
    withTrampoline { trampoline in
      trampoline.drain(in: self)
      trampoline.isRunning = false
    }
  }
}
