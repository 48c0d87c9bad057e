internal import AsyncRuntime

/// The display passes of a renderer, each at the end of a turn of its loop, or of several if there is no time for
/// all of it in one.
final class DisplayTurns: Sendable {
  private struct State: Sendable {
    /// Those that have begun, and behind them one to which layers are added.
    var passes: [DisplayPass] = []
    var begun = 0
    /// The ends of turns at which something is to be displayed, counted: that which is awaited, and that which
    /// came last.
    var awaited: UInt64 = 0
    var ended: UInt64 = 0
    var registration: (any Cancellable)?

    /// Awaits the end of a turn, unless it is awaited already.
    ///
    /// - Returns: its number, if it is to be awaited.
    mutating func nextTurn() -> UInt64? {
      guard awaited == ended else { return nil }
      awaited += 1
      return awaited
    }
  }

  private let queue: LoopQueue
  /// How long a turn may be held.
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

  /// Sees to it that the turn comes.
  private func awaitEnd(of turn: UInt64) {
    let registration = loop.atEndOfTurn(order: Renderer.displayOrder) { self.end(turn) }
    let isOver = state.withLock { state in
      if state.ended < turn { state.registration = registration }
      return state.ended >= turn
    }
    if isOver { registration.cancel() } else { loop.wake() }
  }

  private func end(_ turn: UInt64) {
    let (passes, registration) = state.withLock { state -> ([DisplayPass], (any Cancellable)?) in
      guard state.ended < turn else { return ([], nil) }
      state.ended = turn
      // Who asks from now on is displayed in the next turn.
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
