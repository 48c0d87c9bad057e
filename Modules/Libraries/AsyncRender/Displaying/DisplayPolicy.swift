/// What happens to an unfinished drawing when its layer gets a new request.
public enum DisplayPolicy: Sendable, Hashable {
  /// The drawing is cancelled, and the new display starts in the next display pass. This shows the latest contents
  /// soonest.
  ///
  /// If requests keep arriving faster than the layer can be drawn, it never shows anything new.
  case cancelLatest

  /// The drawing is finished and shown. Then one display follows for all requests that arrived meanwhile. New contents
  /// are shown as often as possible, but late.
  case finishThenLatest

  /// The drawing is cancelled, unless the *n* - 1 drawings before it were cancelled too. So at least every *n*-th
  /// drawing is shown. 1 or less is the same as `finishThenLatest`.
  case atLeastEvery(Int)

  /// Whether a drawing must be finished if the `cancelled` drawings just before it were all cancelled.
  func protects(after cancelled: Int) -> Bool {
    switch self {
    case .cancelLatest: false
    case .finishThenLatest: true
    case .atLeastEvery(let count): cancelled >= max(count, 1) - 1
    }
  }
}
