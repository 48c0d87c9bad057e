/// Why what was asked of a layer is not shown.
public enum DisplayError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Somebody called `cancelDisplay()`.
  case cancelled
  /// Nobody holds the layer any more.
  case layerGone
  /// There was nothing to draw on.
  case failed(DrawingError)

  public var description: String {
    switch self {
    case .cancelled: "the display was cancelled; call setNeedsDisplay() to have the layer displayed"
    case .layerGone:
      "the layer has gone before it was displayed; hold it as long as it is to be shown"
    case .failed(let error): "the layer could not be drawn: \(error)"
    }
  }
}
