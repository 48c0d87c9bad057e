internal import AsyncRuntime

/// Layers of one renderer that are shown together. The pictures drawn for them in one display pass are set in one turn,
/// when all of them have been drawn.
///
/// ```swift
/// let row = DisplayGroup()
/// for layer in [title, artist, cover] { layer.group = row }
/// ```
///
/// The group does not wait for a cancelled drawing. A layer that displays synchronously, or has
/// nothing to draw, is set immediately. A layer may get a new request while the group waits. Its
/// policy then applies as if its drawing were still in progress.
public final class DisplayGroup: Sendable {
  /// A group without layers.
  public init() {}

  /// A group of `layers`, which leave their previous groups.
  public convenience init(_ layers: [RenderLayer]) {
    self.init()
    for layer in layers { layer.group = self }
  }
}

/// The drawings of one display pass that are shown together.
final class DisplayRound: Sendable {
  private struct State: Sendable {
    /// The number of drawings still awaited. The pass that creates the round counts as one.
    var open = 1
    var drawn: [Drawn] = []
  }

  private let state = Locked(State())

  /// Adds a drawing to wait for.
  func join() { state.withLock { $0.open += 1 } }

  /// Called when a drawing was cancelled, or when the pass has started all of its displays.
  func leave(on loop: LoopQueue) { close(loop) { _ in } }

  /// Called when a drawing has been drawn.
  ///
  /// - Parameter canWait: whether showing the round may be delayed, if this is the last of its drawings.
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
