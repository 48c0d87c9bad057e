/// The values of one property at given times of an animation, and the values in between.
///
/// ```swift
/// let track = KeyframeTrack<Double>([.init(at: 0, 0), .init(at: 0.25, 1), .init(at: 1, 0)], mode: .cubic)
/// track.value(at: 0.25)  // 1
/// ```
///
/// - In the modes that use times, the value at the time of a key frame is exactly that of the key frame. The paced
///   modes also begin exactly at the first value, pass through all values, and end exactly at the last.
/// - Before the first key frame the value is the first one, after the last key frame it is the last one.
/// - Several key frames at the same time make a jump from the first of them to the last. A cubic curve is then smooth
///   on either side, but not across the jump.
/// - Without key frames the value is `Value.zero`.
///
/// The cubic modes use the spline of Catmull and Rom (“A Class of Local Interpolating Splines”, 1974,
/// doi:10.1016/B978-0-12-079050-0.50020-5) in Hermite form. The tangent at a key frame is the slope from the key frame
/// before it to the one after it. At the ends, where one of them is missing, it is the slope to the only neighbour. Two
/// key frames therefore make a straight line, and evenly spaced values on a line stay on it at constant speed. Core
/// Animation does not document its tangents at the ends.
public struct KeyframeTrack<Value: Animatable>: Sendable {
  /// A value and its time.
  public struct Keyframe: Sendable, Equatable {
    /// The fraction of the whole duration that has passed, 0…1.
    public var time: Double
    public var value: Value

    public init(at time: Double, _ value: Value) {
      (self.time, self.value) = (time, value)
    }
  }

  /// The key frames, sorted by time. In the paced modes their distances determine the times.
  public let keyframes: [Keyframe]
  public let mode: CalculationMode
  /// The timing of the whole animation, across all key frames.
  public let curve: TimingCurve
  /// Used to move along a curve at constant speed.
  private let lengths: ArcLengths?

  /// - Parameters:
  ///   - keyframes: in any order. Key frames with the same time take effect in the given order. Times are clamped to
  ///     0…1. NaN and times below 1e-100 count as 0.
  ///   - mode: how the values in between are computed.
  ///   - curve: the timing of the whole animation. Where it leaves 0…1, the first or last value stays.
  /// - Complexity: O(n log n) in the number of key frames.
  public init(
    _ keyframes: [Keyframe], mode: CalculationMode = .linear, curve: TimingCurve = .linear
  ) {
    let clamped = keyframes.map {
      Keyframe(at: $0.time.clamped(to: 0...1, ifNotANumber: 0).asKeyTime, $0.value)
    }
    // The order of equal times matters, and `sort` alone does not guarantee to keep it.
    let sorted = clamped.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    self.keyframes = mode.ignoresTimes ? KeyframeTrack.paced(sorted) : sorted
    self.mode = mode
    self.curve = curve
    lengths = mode == .cubicPaced ? ArcLengths(Spline(self.keyframes)) : nil
  }

  /// The value at a time.
  ///
  /// - Parameter progress: the fraction of the whole duration that has passed; clamped to 0…1, and NaN counts as 0.
  /// - Complexity: O(log n) in the number of key frames.
  public func value(at progress: Double) -> Value {
    guard let first = keyframes.first, let last = keyframes.last else { return .zero }
    let progress = progress.clamped(to: 0...1, ifNotANumber: 0)
    var time = curve.value(at: progress).clamped(to: 0...1, ifNotANumber: 0)
    if let lengths { time = lengths.time(at: time) }
    guard time >= first.time else { return first.value }
    guard time < last.time else { return last.value }
    let spline = Spline(keyframes)
    let index = spline.segment(at: time)
    let (start, end) = (keyframes[index], keyframes[index + 1])
    switch mode {
    case .discrete:
      return start.value
    case .linear, .paced:
      let share = (time - start.time) / (end.time - start.time)
      return start.value.interpolated(to: end.value, at: share)
    case .cubic, .cubicPaced:
      return spline.piece(index).value(at: time)
    }
  }

  /// Sets the time of each key frame to its fraction of the whole distance.
  private static func paced(_ keyframes: [Keyframe]) -> [Keyframe] {
    guard let last = keyframes.last else { return [] }
    var way = 0.0
    var distances = [0.0]
    for (previous, next) in zip(keyframes, keyframes.dropFirst()) {
      way += (next.value - previous.value).magnitude.madeFinite
      distances.append(way)
    }
    // If nothing moves, or the distance is too large to measure, there is no speed to keep
    // constant.
    guard way > 0, way.isFinite else { return [Keyframe(at: 0, last.value)] }
    let paced = zip(keyframes, distances).map { Keyframe(at: ($1 / way).asKeyTime, $0.value) }
    // A value that does not move takes no time: of equal neighbours only the last is needed.
    let followers = paced.dropFirst().map(\.time) + [.infinity]
    return zip(paced, followers).filter { $0.time < $1 }.map(\.0)
  }
}

extension Double {
  /// The time, or 0 if it is so small that a slope since 0 could be infinite.
  fileprivate var asKeyTime: Double { self < 1e-100 ? 0 : self }
}
