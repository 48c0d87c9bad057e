import AsyncPatterns
import AsyncRender

/// The displays of the label, from the request until they are shown.
extension LabelCourse {
  /// Creates the next display.
  func makeDrawing() -> LabelDrawing {
    let (number, change) = state.withLock { ($0.displays.next(), $0.displays.change) }
    return LabelDrawing(number, showing: change, of: self)
  }

  func willDisplay(_ label: String) {
    scope.mark("will-display", label, role: .displayBegan)
    state.withLock { $0.displays.begin() }
  }

  /// - Returns: whether drawing may start.
  func beginDrawing() -> Bool {
    state.withLock { state in
      guard state.failure == nil, state.completion != nil else { return false }
      state.displays.drawing += 1
      return true
    }
  }

  func endDrawing(_ result: Result<Value, any Error>) {
    state.withLock { $0.displays.drawing -= 1 }
    if case .failure(let error) = result, !(error is CancellationError) { fail(error) }
    settle()
  }

  func didDisplay(_ drawing: LabelDrawing, _ isFinished: Bool) {
    scope.mark(
      "did-display", drawing.label, role: isFinished ? .displayFinished : .displayCancelled)
    let displays = state.withLock { state in
      state.displays.end(isFinished, after: drawing.duration)
      return state.displays
    }
    if isFinished {
      scope.counter("drawn", Double(displays.drawn))
      if drawing.change < displays.settled { reportStaleContents(drawing) }
    } else {
      scope.counter("cancelled", Double(displays.cancelled))
      scope.counter("wasted ms", displays.wasted / .milliseconds(1))
    }
    settle()
  }

  private func reportStaleContents(_ drawing: LabelDrawing) {
    // On the live clock, a change may have come after the drawing was shown.
    guard terms.cancelsOnChange, scope.runtime.clockKind == .virtual else { return }
    scope.misuse(
      "stale-contents",
      "“\(drawing.label)” was shown although a change had cancelled it: another lane increased the counter between the "
        + "check and the setting of the contents; check and show under one lock, as render does")
  }
}
