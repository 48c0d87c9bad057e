extension KeyframeTrack {
  /// The cubic curve through key frames that are sorted by time.
  struct Spline {
    let keyframes: [Keyframe]

    init(_ keyframes: [Keyframe]) { self.keyframes = keyframes }

    /// The index of the last key frame at or before `time`, among those that have a successor.
    func segment(at time: Double) -> Int {
      var (low, high) = (0, keyframes.count)
      while low < high {
        let middle = (low + high) / 2
        if keyframes[middle].time <= time { low = middle + 1 } else { high = middle }
      }
      return min(max(low - 1, 0), keyframes.count - 2)
    }

    /// The piece from a key frame to the next one.
    func piece(_ index: Int) -> Piece {
      Piece(
        start: keyframes[index], end: keyframes[index + 1], leaving: tangent(at: index),
        arriving: tangent(at: index + 1))
    }

    /// The slope of the curve at a key frame. Two key frames at the same time are a jump. Key frames beyond a jump are
    /// ignored.
    private func tangent(at index: Int) -> Value {
      let isFirst = index == 0 || keyframes[index - 1].time == keyframes[index].time
      let isLast =
        index == keyframes.count - 1 || keyframes[index + 1].time == keyframes[index].time
      let before = keyframes[isFirst ? index : index - 1]
      let after = keyframes[isLast ? index : index + 1]
      guard after.time > before.time else { return .zero }
      return (after.value - before.value).scaled(by: 1 / (after.time - before.time))
    }
  }

  /// A cubic curve between two key frames with different times, and its slopes at both ends.
  struct Piece {
    let start, end: Keyframe
    let leaving, arriving: Value

    private var span: Double { end.time - start.time }

    func value(at time: Double) -> Value {
      let s = (time - start.time) / span
      if s == 0 { return start.value }
      let change = end.value - start.value
      // How far the tangents pull the curve away from the straight line.
      let left = (leaving.scaled(by: span) - change).scaled(by: s * (1 - s) * (1 - s))
      let right = (arriving.scaled(by: span) - change).scaled(by: s * s * (1 - s))
      return start.value.interpolated(to: end.value, at: s) + (left - right)
    }

    /// The magnitude of the velocity.
    func speed(at time: Double) -> Double {
      let s = (time - start.time) / span
      let slope = (end.value - start.value).scaled(by: 1 / span)
      let left = (leaving - slope).scaled(by: (1 - s) * (1 - 3 * s))
      let right = (arriving - slope).scaled(by: s * (2 - 3 * s))
      return (slope + left - right).magnitude
    }

    /// The length of the curve between two times: the integral of the speed.
    ///
    /// If the formula is not accurate enough for an interval, the lengths of its two halves are added instead. That
    /// happens where the curve turns back.
    func length(from start: Double, to end: Double) -> Double {
      let extent =
        (self.end.value - self.start.value).magnitude
        + span * (leaving.magnitude + arriving.magnitude)
      return length(from: start, to: end, within: extent * 1e-10, halvings: 24)
    }

    private func length(
      from start: Double, to end: Double, within tolerance: Double, halvings: Int
    ) -> Double {
      let middle = (start + end) / 2
      let whole = formulaLength(from: start, to: end)
      let halves = formulaLength(from: start, to: middle) + formulaLength(from: middle, to: end)
      // The comparison is false if a length is NaN, so that the interval is then not halved any further.
      guard abs(halves - whole) > tolerance, halvings > 0 else { return halves }
      return length(from: start, to: middle, within: tolerance, halvings: halvings - 1)
        + length(from: middle, to: end, within: tolerance, halvings: halvings - 1)
    }

    /// The length by Gauss-Legendre quadrature with five points.
    private func formulaLength(from start: Double, to end: Double) -> Double {
      let (centre, radius) = ((start + end) / 2, (end - start) / 2)
      func pair(_ place: Double) -> Double {
        speed(at: centre - radius * place) + speed(at: centre + radius * place)
      }
      let sum =
        0.568888888888888889 * speed(at: centre) + 0.478628670499366468 * pair(0.538469310105683091)
        + 0.236926885056189088 * pair(0.906179845938663993)
      return sum * radius
    }
  }
}
