/// How a ``KeyframeTrack`` computes the values between its key frames.
public enum CalculationMode: String, Sendable, CaseIterable {
  /// On straight lines. The movement along each line takes the time between its two key frames.
  case linear
  /// Without intermediate values: each value stays until the next key frame.
  case discrete
  /// On straight lines at constant speed. The times of the key frames are ignored.
  case paced
  /// On a smooth curve through all values (Catmull-Rom). The movement along each piece takes the time between its two
  /// key frames.
  case cubic
  /// On a smooth curve at constant speed. The times of the key frames are ignored.
  case cubicPaced

  /// Whether the times of the key frames are ignored.
  public var ignoresTimes: Bool { self == .paced || self == .cubicPaced }
}
