internal import AsyncPatterns

/// One display pass: at the end of a turn, all layers that have asked for it.
final class DisplayPass: Sendable {
  /// Where Core Animation has its commit, too.
  static let order = 2_000_000

  private struct State: Sendable {
    var displays: [Job] = []
    var registration: (any Cancellable)?
    var isOver = false
    var rounds: [(group: DisplayGroup, round: DisplayRound)] = []
  }

  private let state = Locked(State())

  /// Adds what a layer has to do, to be done on behalf of the caller.
  func add(_ layer: RenderLayerStorage) {
    let job = Job { layer.display(in: self) }
    state.withLock { $0.displays.append(job) }
  }

  /// Has it performed at the end of the turn, and sees to it that there is one.
  func schedule(on runtime: any Runtime, _ perform: @escaping @Sendable () -> Void) {
    let registration = runtime.atEndOfTurn(order: Self.order, perform)
    let isOver = state.withLock { state in
      if !state.isOver { state.registration = registration }
      return state.isOver
    }
    if isOver { registration.cancel() } else { runtime.wakeMain() }
  }

  /// Displays the layers, in the order in which they asked. Nobody adds another one by now.
  func perform(on runtime: any Runtime) {
    let (displays, registration) = state.withLock { state in
      defer { (state.displays, state.registration, state.isOver) = ([], nil, true) }
      return (state.displays, state.registration)
    }
    registration?.cancel()
    for display in displays { display.run() }
    let rounds = state.withLock { state in
      defer { state.rounds = [] }
      return state.rounds
    }
    for (_, round) in rounds { round.leave(on: runtime) }
  }

  /// What is shown together of a group in this pass.
  func round(of group: DisplayGroup) -> DisplayRound {
    state.withLock { state in
      if let known = state.rounds.first(where: { $0.group === group }) { return known.round }
      let round = DisplayRound()
      state.rounds.append((group, round))
      return round
    }
  }
}
