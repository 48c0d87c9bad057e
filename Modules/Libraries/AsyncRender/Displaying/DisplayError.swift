/// Why a requested display was not shown.
public enum DisplayError: Error, Sendable, Hashable, CustomStringConvertible {
  /// `cancelDisplay()` was called.
  case cancelled
  /// The layer was released.
  case layerGone
  /// The drawing failed: there was no canvas to draw on.
  case failed(DrawingError)

  public var description: String {
    switch self {
    case .cancelled: "the display was cancelled; call setNeedsDisplay() to display the layer"
    case .layerGone:
      "the layer was released before it was displayed; keep a reference to it while it is shown"
    case .failed(let error): "the layer could not be drawn: \(error)"
    }
  }
}
