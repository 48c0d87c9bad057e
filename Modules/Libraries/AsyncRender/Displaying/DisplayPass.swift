internal import AsyncRuntime

/// One display pass: all layers that requested a display in one turn.
final class DisplayPass: Sendable {
  private struct State: Sendable {
    var displays: [Display] = []
    /// The number of displays that have started.
    var begun = 0
    var rounds: [ObjectIdentifier: Round] = [:]
  }

  /// A layer to display, and the code that requested it.
  private struct Display: Sendable {
    let layer: RenderLayerStorage
    let origin: CodeOrigin
  }

  /// The drawings of a group that are shown together. The group is retained so that no other group can get its
  /// identifier.
  private struct Round: Sendable {
    let group: DisplayGroup
    let drawings = DisplayRound()
    /// The position of the round in the pass.
    let position: Int
  }

  private let state = Locked(State())

  /// Adds a layer, which then displays on behalf of the caller's span.
  func add(_ layer: RenderLayerStorage, on loop: any RunLoopScheduler) {
    let display = Display(layer: layer, origin: LaneContext.current.origin(on: loop))
    state.withLock { $0.displays.append(display) }
  }

  /// Displays the remaining layers in the order of their requests. Layers are added to this pass only
  /// before the first call.
  ///
  /// - Parameters:
  ///   - deadline: no further display starts after this time.
  ///   - isFirst: whether nothing has been displayed in this turn. If so, one display starts in any case.
  /// - Returns: whether all layers have been displayed.
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

  /// The drawings of a group that are shown together in this pass.
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
