internal import AsyncRuntime

/// Layers of one renderer that are shown together: what is drawn for them in one display pass is set in one turn,
/// when all of it has been drawn.
///
/// ```swift
/// let row = DisplayGroup()
/// for layer in [title, artist, cover] { layer.group = row }
/// ```
///
/// A drawing that is cancelled is not waited for. What is displayed synchronously, or has nothing to draw, is
/// set at once. A layer that is asked for again while the others are waited for follows its policy, as
/// if its drawing were still at work.
public final class DisplayGroup: Sendable {
  /// A group without layers.
  public init() {}

  /// A group of `layers`, which leave the groups in which they were.
  public convenience init(_ layers: [RenderLayer]) {
    self.init()
    for layer in layers { layer.group = self }
  }
}

/// The drawings of one display pass that are to be shown together.
final class DisplayRound: Sendable {
  private struct State: Sendable {
    /// How many are waited for; the pass that makes it counts as one.
    var open = 1
    var drawn: [Drawn] = []
  }

  private let state = Locked(State())

  /// A drawing is to be waited for.
  func join() { state.withLock { $0.open += 1 } }

  /// A drawing has ended that is not to be shown, or the pass has begun all that it was to begin.
  func leave(on loop: LoopQueue) { close(loop) { _ in } }

  /// A drawing has been drawn.
  ///
  /// - Parameter canWait: whether they may be shown a while later, if it was the last.
  func arrive(_ drawn: Drawn, on loop: LoopQueue, canWait: Bool) {
    close(loop, canWait: canWait) { $0.append(drawn) }
  }

  private func close(
    _ loop: LoopQueue, canWait: Bool = false, _ body: (inout [Drawn]) -> Void
  ) {
    let complete = state.withLock { state -> [Drawn] in
      body(&state.drawn)
      state.open -= 1
      guard state.open == 0 else { return [] }
      defer { state.drawn = [] }
      return state.drawn
    }
    if !complete.isEmpty { loop.schedule(canWait: canWait) { Drawn.present(complete) } }
  }
}
