extension KeyframeTrack {
  /// The cubic curve through key frames that are in order.
  struct Spline {
    let keyframes: [Keyframe]

    init(_ keyframes: [Keyframe]) { self.keyframes = keyframes }

    /// The last key frame whose time has come, if another one follows.
    func segment(at time: Double) -> Int {
      var (low, high) = (0, keyframes.count)
      while low < high {
        let middle = (low + high) / 2
        if keyframes[middle].time <= time { low = middle + 1 } else { high = middle }
      }
      return min(max(low - 1, 0), keyframes.count - 2)
    }

    func value(at time: Double, in index: Int) -> Value {
      let piece = Piece(self, index)
      let s = (time - piece.start.time) / piece.span
      if s == 0 { return piece.start.value }
      let change = piece.end.value - piece.start.value
      // The straight way, and how far the tangents draw away from it.
      let leaving = (piece.leaving.scaled(by: piece.span) - change)
        .scaled(by: s * (1 - s) * (1 - s))
      let arriving = (piece.arriving.scaled(by: piece.span) - change)
        .scaled(by: s * s * (1 - s))
      let straight = piece.start.value.interpolated(to: piece.end.value, at: s)
      return straight + (leaving - arriving)
    }

    /// The magnitude of the velocity.
    func speed(at time: Double, in index: Int) -> Double {
      let piece = Piece(self, index)
      let s = (time - piece.start.time) / piece.span
      let slope = (piece.end.value - piece.start.value).scaled(by: 1 / piece.span)
      let velocity =
        slope + (piece.leaving - slope).scaled(by: (1 - s) * (1 - 3 * s))
        - (piece.arriving - slope).scaled(by: s * (2 - 3 * s))
      return velocity.magnitude
    }

    /// The slope of the curve at a key frame; across a jump nothing counts.
    fileprivate func tangent(at index: Int) -> Value {
      let isFirst = index == 0 || keyframes[index - 1].time == keyframes[index].time
      let isLast =
        index == keyframes.count - 1 || keyframes[index + 1].time == keyframes[index].time
      let before = keyframes[isFirst ? index : index - 1]
      let after = keyframes[isLast ? index : index + 1]
      guard after.time > before.time else { return .zero }
      return (after.value - before.value).scaled(by: 1 / (after.time - before.time))
    }
  }

  private struct Piece {
    let start, end: Keyframe
    let leaving, arriving: Value
    var span: Double { end.time - start.time }

    init(_ spline: Spline, _ index: Int) {
      start = spline.keyframes[index]
      end = spline.keyframes[index + 1]
      leaving = spline.tangent(at: index)
      arriving = spline.tangent(at: index + 1)
    }
  }

  /// How far along a curve each of its moments is, to walk it at constant speed.
  struct ArcLengths: Sendable {
    /// The time and the length of the way up to it, at points that lie close together.
    private let marks: [(time: Double, length: Double)]
    private let keyframes: [Keyframe]
    private static var piecesPerSegment: Int { 32 }

    /// - Complexity: O(n) in the number of key frames.
    init?(_ spline: Spline) {
      keyframes = spline.keyframes
      guard let first = keyframes.first, keyframes.count > 1 else { return nil }
      var marks = [(time: first.time, length: 0.0)]
      for index in 0..<keyframes.count - 1 {
        let (start, end) = (keyframes[index].time, keyframes[index + 1].time)
        for piece in 1...ArcLengths.piecesPerSegment {
          let share = Double(piece) / Double(ArcLengths.piecesPerSegment)
          let time = start.interpolated(to: end, at: share)
          let last = marks[marks.count - 1]
          let length = ArcLengths.length(of: spline, in: index, from: last.time, to: time)
          marks.append((time, last.length + length))
        }
      }
      self.marks = marks
    }

    /// When a share of the whole length has been walked.
    ///
    /// - Complexity: O(log n)
    func time(at share: Double) -> Double {
      let goal = share * marks[marks.count - 1].length
      var (low, high) = (0, marks.count - 1)
      while high - low > 1 {
        let middle = (low + high) / 2
        if marks[middle].length <= goal { low = middle } else { high = middle }
      }
      let spline = Spline(keyframes)
      let index = low / ArcLengths.piecesPerSegment
      let (start, end) = (marks[low], marks[high])
      guard share < 1, end.length > start.length else { return end.time }
      var (from, to) = (start.time, end.time)
      var time = from.interpolated(
        to: to, at: (goal - start.length) / (end.length - start.length))
      // Newton, held inside the interval: the way never gets shorter.
      for _ in 0..<40 {
        let length = ArcLengths.length(of: spline, in: index, from: start.time, to: time)
        let error = start.length + length - goal
        if error < 0 { from = time } else { to = time }
        let speed = spline.speed(at: time, in: index)
        var next = speed > 0 ? time - error / speed : from
        if !(next > from && next < to) { next = from + (to - from) / 2 }
        if abs(next - time) < 1e-12 { break }
        time = next
      }
      return time
    }

    /// The integral of the speed, by the formula of Gauss and Legendre with five points.
    private static func length(
      of spline: Spline, in index: Int, from start: Double, to end: Double
    ) -> Double {
      let (centre, radius) = ((start + end) / 2, (end - start) / 2)
      let sum = gauss.reduce(0) { sum, point in
        sum + point.weight * spline.speed(at: centre + radius * point.place, in: index)
      }
      return sum * radius
    }

    private static var gauss: [(place: Double, weight: Double)] {
      [
        (0, 0.568888888888888889),
        (-0.538469310105683091, 0.478628670499366468),
        (0.538469310105683091, 0.478628670499366468),
        (-0.906179845938663993, 0.236926885056189088),
        (0.906179845938663993, 0.236926885056189088),
      ]
    }
  }
}
