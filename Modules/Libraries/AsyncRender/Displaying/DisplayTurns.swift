internal import AsyncRuntime

/// The display passes of a renderer. Each runs at the end of a turn of the run loop. If the time in one turn is not
/// enough for a pass, the pass continues at the end of the next turn.
final class DisplayTurns: Sendable {
  private struct State: Sendable {
    /// The passes that have started, and after them at most one pass to which layers are still added.
    var passes: [DisplayPass] = []
    var begun = 0
    /// The numbers of two turns at whose ends layers are displayed: the turn that is awaited, and
    /// the turn that ended last.
    var awaited: UInt64 = 0
    var ended: UInt64 = 0
    var registration: (any Cancellable)?

    /// Starts to await the end of a turn, unless one is awaited already.
    ///
    /// - Returns: the number of the turn, if the caller must register for its end.
    mutating func nextTurn() -> UInt64? {
      guard awaited == ended else { return nil }
      awaited += 1
      return awaited
    }
  }

  private let queue: LoopQueue
  /// The time for which all passes together may hold a turn; nil for no limit.
  let limit: Duration?
  private let state = Locked(State())

  init(on queue: LoopQueue, limit: Duration?) {
    self.queue = queue
    self.limit = limit
  }

  private var loop: any RunLoopScheduler { queue.loop }

  /// Displays a layer at the end of the turn.
  func enter(_ layer: RenderLayerStorage) {
    let turn = state.withLock { state in
      if state.passes.count == state.begun { state.passes.append(DisplayPass()) }
      state.passes[state.passes.count - 1].add(layer, on: loop)
      return state.nextTurn()
    }
    if let turn { awaitEnd(of: turn) }
  }

  /// Registers for the end of a turn, and wakes the loop for it.
  private func awaitEnd(of turn: UInt64) {
    let registration = loop.atEndOfTurn(order: Renderer.displayOrder) { self.end(turn) }
    let isFinished = state.withLock { state in
      if state.ended < turn { state.registration = registration }
      return state.ended >= turn
    }
    if isFinished { registration.cancel() } else { loop.wake() }
  }

  private func end(_ turn: UInt64) {
    let (passes, registration) = state.withLock { state -> ([DisplayPass], (any Cancellable)?) in
      guard state.ended < turn else { return ([], nil) }
      state.ended = turn
      // Layers that request a display from now on are displayed in the next turn.
      state.begun = state.passes.count
      defer { state.registration = nil }
      return (state.passes, state.registration)
    }
    registration?.cancel()
    guard !passes.isEmpty else { return }
    let deadline = limit.map { loop.now.advanced(by: $0) }
    var isFirst = true
    var done = 0
    for pass in passes {
      guard pass.perform(on: queue, until: deadline, &isFirst) else { break }
      done += 1
    }
    let next = state.withLock { [done] state in
      state.passes.removeFirst(done)
      state.begun -= done
      return state.begun > 0 ? state.nextTurn() : nil
    }
    if let next { awaitEnd(of: next) }
  }
}
