extension LaneContext {
  /// Runs `body` immediately. If the lane is already running code of `perform`, `body` runs as soon as that code has
  /// returned. In both cases it runs on behalf of the calling code.
  public func perform(_ body: @escaping () -> Void) {
    withTrampoline { $0.run(.body(body, causality), in: self) }
  }

  /// Runs `work` immediately. If the lane is already running code of `perform`, `work` runs as soon as that code has
  /// returned. In both cases it runs on behalf of the calling code.
  public func perform(_ work: any LaneWork) {
    withTrampoline { trampoline in
      if trampoline.isRunning {
        trampoline.run(.work(work, causality), in: self)
      } else {
        trampoline.enter(in: self) { work.run(in: self) }
      }
    }
  }

  /// Whether the lane is running code of `perform`, so that other such code is deferred.
  public var isPerforming: Bool { withTrampoline { $0.isRunning } }

  /// Runs `body` immediately, and then the code that `body` defers. Inside code of `perform`, the deferred code runs
  /// here too, because that code waits for `body`.
  public func performNested(_ body: () -> Void) {
    withTrampoline { trampoline in
      let isNested = trampoline.isRunning
      trampoline.enter(in: self, body)
      if isNested { trampoline.drain(in: self) }
    }
  }

  /// Defers the code of `perform` until `endPerforming`. The lane must not be running such code.
  public func beginPerforming() { withTrampoline { $0.isRunning = true } }

  /// Runs the code that was deferred since `beginPerforming`.
  public func endPerforming() {
    withTrampoline { trampoline in
      trampoline.drain(in: self)
      trampoline.isRunning = false
    }
  }
}
