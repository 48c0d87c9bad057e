extension KeyframeTrack {
  /// The length of a curve up to each time. It is used to move along the curve at constant speed.
  struct ArcLengths: Sendable {
    /// Closely spaced points: the time of each, and the length of the curve up to it.
    private let marks: [(time: Double, length: Double)]
    private let keyframes: [Keyframe]
    private static var marksPerPiece: Int { 16 }

    /// - Complexity: O(n) in the number of key frames.
    init?(_ spline: Spline) {
      keyframes = spline.keyframes
      guard let first = keyframes.first, keyframes.count > 1 else { return nil }
      var marks = [(time: first.time, length: 0.0)]
      for index in 0..<keyframes.count - 1 {
        let piece = spline.piece(index)
        for mark in 1...ArcLengths.marksPerPiece {
          let share = Double(mark) / Double(ArcLengths.marksPerPiece)
          let time = piece.start.time.interpolated(to: piece.end.time, at: share)
          let last = marks[marks.count - 1]
          marks.append((time, last.length + piece.length(from: last.time, to: time)))
        }
      }
      self.marks = marks
    }

    /// The time at which a fraction of the whole length has been covered.
    ///
    /// - Complexity: O(log n)
    func time(at share: Double) -> Double {
      let goal = share * marks[marks.count - 1].length
      var (low, high) = (0, marks.count - 1)
      while high - low > 1 {
        let middle = (low + high) / 2
        if marks[middle].length <= goal { low = middle } else { high = middle }
      }
      let piece = Spline(keyframes).piece(low / ArcLengths.marksPerPiece)
      let (start, end) = (marks[low], marks[high])
      guard share < 1, end.length > start.length else { return end.time }
      var (from, to) = (start.time, end.time)
      var time = from.interpolated(
        to: to, at: (goal - start.length) / (end.length - start.length))
      // Newton's method, kept inside the interval: the length never decreases with time.
      for _ in 0..<40 {
        let error = start.length + piece.length(from: start.time, to: time) - goal
        if error < 0 { from = time } else { to = time }
        let speed = piece.speed(at: time)
        var next = speed > 0 ? time - error / speed : from
        if !(next > from && next < to) { next = from + (to - from) / 2 }
        if abs(next - time) < 1e-12 { break }
        time = next
      }
      return time
    }
  }
}
