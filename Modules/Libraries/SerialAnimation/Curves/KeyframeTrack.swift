/// The values of one property at moments of an animation, and all the values in between.
///
/// ```swift
/// let track = KeyframeTrack<Double>([.init(at: 0, 0), .init(at: 0.25, 1), .init(at: 1, 0)], mode: .cubic)
/// track.value(at: 0.25)  // 1
/// ```
///
/// - In the modes that heed times, the value at a key frame's time is exactly that key frame's; the paced
///   modes too begin exactly at the first value, pass through all, and end exactly at the last.
/// - Before the first key frame the value is the first one's, after the last the last one's.
/// - Two key frames at one time are a jump, from the first of them to the last; a cubic curve is then smooth on
///   either side, not across.
/// - No key frames at all: the value is `Value.zero`.
///
/// The cubic modes are the spline of Catmull and Rom (“A Class of Local Interpolating Splines”, 1974,
/// doi:10.1016/B978-0-12-079050-0.50020-5) as Hermite pieces: the tangent at a key frame is the slope from
/// the one before it to the one after it. At the ends, where one of them is missing, it is the slope to the
/// neighbour there is. So two key frames make a straight way, and evenly spaced values on a line stay on it at
/// constant speed. Core Animation does not document its own choice for the ends.
public struct KeyframeTrack<Value: Animatable>: Sendable {
  /// A value at a moment.
  public struct Keyframe: Sendable, Equatable {
    /// The share of the whole duration that has passed, 0…1.
    public var time: Double
    public var value: Value

    public init(at time: Double, _ value: Value) {
      (self.time, self.value) = (time, value)
    }
  }

  /// The key frames by their times, as the mode has it: paced ones where their distances put them.
  public let keyframes: [Keyframe]
  public let mode: CalculationMode
  /// The pace of the whole animation, across all key frames.
  public let curve: TimingCurve
  /// For the constant speed on a curve.
  private let lengths: ArcLengths?

  /// - Parameters:
  ///   - keyframes: in any order; those of one time in the order in which they take effect. Times are clamped to
  ///     0…1, one that is not a number counts as 0.
  ///   - mode: how the values in between are found.
  ///   - curve: the pace of the whole animation. Where it leaves 0…1 the first or last value stays.
  /// - Complexity: O(n log n) in the number of key frames.
  public init(
    _ keyframes: [Keyframe], mode: CalculationMode = .linear, curve: TimingCurve = .linear
  ) {
    let clamped = keyframes.map {
      Keyframe(at: $0.time.clamped(to: 0...1, ifNotANumber: 0), $0.value)
    }
    // The order of equal times counts, and `sort` alone does not promise to keep it.
    let sorted = clamped.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    self.keyframes = mode.ignoresTimes ? KeyframeTrack.paced(sorted) : sorted
    self.mode = mode
    self.curve = curve
    lengths = mode == .cubicPaced ? ArcLengths(Spline(self.keyframes)) : nil
  }

  /// The value at a moment.
  ///
  /// - Parameter progress: the share of the whole duration that has passed, 0…1; clamped to it, 0 if it is
  ///   not a number.
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

  /// Each key frame at the share of the whole way at which it lies.
  private static func paced(_ keyframes: [Keyframe]) -> [Keyframe] {
    guard let last = keyframes.last else { return [] }
    var way = 0.0
    var distances = [0.0]
    for (previous, next) in zip(keyframes, keyframes.dropFirst()) {
      way += (next.value - previous.value).magnitude.madeFinite
      distances.append(way)
    }
    // Nothing moves, or farther than can be measured: there is no speed to keep.
    guard way > 0, way.isFinite else { return [Keyframe(at: 0, last.value)] }
    let paced = zip(keyframes, distances).map { Keyframe(at: $1 / way, $0.value) }
    // What does not move takes no time: of equal neighbours the last will do.
    let followers = paced.dropFirst().map(\.time) + [.infinity]
    return zip(paced, followers).filter { $0.time < $1 }.map(\.0)
  }
}
