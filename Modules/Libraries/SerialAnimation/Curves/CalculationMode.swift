/// How a ``KeyframeTrack`` finds the values between its key frames.
public enum CalculationMode: String, Sendable, CaseIterable {
  /// On straight ways, each in the time between its two key frames.
  case linear
  /// Not at all: each value stays until the next key frame.
  case discrete
  /// On straight ways at one constant speed; the key frames' times are ignored.
  case paced
  /// On a smooth curve through all values (Catmull-Rom), each piece in the time between its two key frames.
  case cubic
  /// On a smooth curve at one constant speed; the key frames' times are ignored.
  case cubicPaced

  /// Whether the key frames' times count for nothing.
  public var ignoresTimes: Bool { self == .paced || self == .cubicPaced }
}
