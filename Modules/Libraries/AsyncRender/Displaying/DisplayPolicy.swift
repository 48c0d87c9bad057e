/// What becomes of a drawing when its layer is to be displayed anew before it is done.
public enum DisplayPolicy: Sendable, Hashable {
  /// It is cancelled, and the new one begins in the next display pass: the freshest contents the soonest.
  ///
  /// Asked for again and again faster than it can be drawn, the layer never shows anything new.
  case cancelLatest

  /// It goes on and is shown, and then one display follows for all that was asked for meanwhile: something new
  /// is shown as often as can be, if late.
  case finishThenLatest

  /// It is cancelled, unless so many in a row have been that it is the *n*-th: at least every *n*-th drawing is
  /// shown. 1 or below is the same as `finishThenLatest`.
  case atLeastEvery(Int)

  /// Whether a drawing goes on when `cancelled` in a row before it have been cancelled.
  func protects(after cancelled: Int) -> Bool {
    switch self {
    case .cancelLatest: false
    case .finishThenLatest: true
    case .atLeastEvery(let count): cancelled >= max(count, 1) - 1
    }
  }
}
