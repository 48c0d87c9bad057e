extension LaneContext {
  /// Runs `body` at once, or as soon as what runs this way on the lane has returned; then it still
  /// runs on behalf of whoever asked.
  public func perform(_ body: @escaping () -> Void) {
    withTrampoline { $0.run(.body(body, causality), in: self) }
  }

  /// Runs `work` at once, or as soon as what runs this way on the lane has returned; then it still
  /// runs on behalf of whoever asked.
  public func perform(_ work: any LaneWork) {
    withTrampoline { trampoline in
      if trampoline.isRunning {
        trampoline.run(.work(work, causality), in: self)
      } else {
        trampoline.enter(in: self) { work.run(in: self) }
      }
    }
  }

  /// Whether code runs this way on the lane: what asks for it now has to wait.
  public var isPerforming: Bool { withTrampoline { $0.isRunning } }

  /// Runs `body` at once, and then what it leaves behind, also if it was called from within such code:
  /// that waits for what is being run here.
  public func performNested(_ body: () -> Void) {
    withTrampoline { trampoline in
      let isNested = trampoline.isRunning
      trampoline.enter(in: self, body)
      if isNested { trampoline.drain(in: self) }
    }
  }

  /// From now until `endPerforming` code runs this way on the lane, where none does so far.
  public func beginPerforming() { withTrampoline { $0.isRunning = true } }

  /// Runs what was left behind since `beginPerforming`.
  public func endPerforming() {
    withTrampoline { trampoline in
      trampoline.drain(in: self)
      trampoline.isRunning = false
    }
  }
}
