extension LaneContext {
  /// Runs `body` immediately, or as soon as the code has returned that runs this way on the lane. In both cases it runs
  /// on behalf of the calling code.
  public func perform(_ body: @escaping () -> Void) {
    withTrampoline { $0.run(.body(body, causality), in: self) }
  }

  /// Runs `work` immediately, or as soon as the code has returned that runs this way on the lane. In both cases it runs
  /// on behalf of the calling code.
  public func perform(_ work: any LaneWork) {
    withTrampoline { trampoline in
      if trampoline.isRunning {
        trampoline.run(.work(work, causality), in: self)
      } else {
        trampoline.enter(in: self) { work.run(in: self) }
      }
    }
  }

  /// Whether code runs this way on the lane, so that other code must wait.
  public var isPerforming: Bool { withTrampoline { $0.isRunning } }

  /// Runs `body` immediately, and then the code that it leaves behind. It does so inside such code, too: that waits for
  /// `body`.
  public func performNested(_ body: () -> Void) {
    withTrampoline { trampoline in
      let isNested = trampoline.isRunning
      trampoline.enter(in: self, body)
      if isNested { trampoline.drain(in: self) }
    }
  }

  /// From now until `endPerforming`, code runs this way on the lane. Before, none did.
  public func beginPerforming() { withTrampoline { $0.isRunning = true } }

  /// Runs the code that was left behind since `beginPerforming`.
  public func endPerforming() {
    withTrampoline { trampoline in
      trampoline.drain(in: self)
      trampoline.isRunning = false
    }
  }
}
