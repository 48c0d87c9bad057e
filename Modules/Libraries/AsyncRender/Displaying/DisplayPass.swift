internal import AsyncRuntime

/// One display pass: all layers that have asked for a display in a turn.
final class DisplayPass: Sendable {
  private struct State: Sendable {
    var displays: [Display] = []
    /// How many of them have begun.
    var begun = 0
    var rounds: [ObjectIdentifier: Round] = [:]
  }

  /// What a layer has to do, and the code that asked for it.
  private struct Display: Sendable {
    let layer: RenderLayerStorage
    let origin: CodeOrigin
  }

  /// What is shown together of a group; that is held, so that no other one is taken for it.
  private struct Round: Sendable {
    let group: DisplayGroup
    let drawings = DisplayRound()
    /// Which of the pass it is.
    let position: Int
  }

  private let state = Locked(State())

  /// Adds a layer, which then displays for the span of the caller.
  func add(_ layer: RenderLayerStorage, on loop: any RunLoopScheduler) {
    let display = Display(layer: layer, origin: LaneContext.current.origin(on: loop))
    state.withLock { $0.displays.append(display) }
  }

  /// Displays the layers, in the order in which they asked, those of them that have been left. Nobody adds another
  /// one by now.
  ///
  /// - Parameters:
  ///   - deadline: from when on no further one begins.
  ///   - isFirst: whether nothing has been displayed in this turn: then one begins in any case.
  /// - Returns: whether none is left.
  func perform(on queue: LoopQueue, until deadline: Instant?, _ isFirst: inout Bool) -> Bool {
    while let display = next(unless: !isFirst && deadline.map { queue.loop.now >= $0 } ?? false) {
      isFirst = false
      LaneContext.current.perform(from: display.origin, on: display.layer.renderer.runtime) {
        display.layer.display(in: self)
      }
    }
    let rounds = state.withLock { state -> [Round]? in
      guard state.begun == state.displays.count else { return nil }
      defer { (state.displays, state.begun, state.rounds) = ([], 0, [:]) }
      return state.rounds.values.sorted { $0.position < $1.position }
    }
    guard let rounds else { return false }
    for round in rounds { round.drawings.leave(on: queue) }
    return true
  }

  private func next(unless isLate: Bool) -> Display? {
    state.withLock { state in
      guard !isLate, state.begun < state.displays.count else { return nil }
      defer { state.begun += 1 }
      return state.displays[state.begun]
    }
  }

  /// What is shown together of a group in this pass.
  ///
  /// - Complexity: O(1).
  func round(of group: DisplayGroup) -> DisplayRound {
    state.withLock { state in
      let key = ObjectIdentifier(group)
      if let known = state.rounds[key] { return known.drawings }
      let round = Round(group: group, position: state.rounds.count)
      state.rounds[key] = round
      return round.drawings
    }
  }
}
