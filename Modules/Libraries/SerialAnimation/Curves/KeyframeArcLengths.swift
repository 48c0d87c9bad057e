extension KeyframeTrack {
  /// How far along a curve each of its moments is, to walk it at constant speed.
  struct ArcLengths: Sendable {
    /// The time and the length of the way up to it, at points that lie close together.
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
      let piece = Spline(keyframes).piece(low / ArcLengths.marksPerPiece)
      let (start, end) = (marks[low], marks[high])
      guard share < 1, end.length > start.length else { return end.time }
      var (from, to) = (start.time, end.time)
      var time = from.interpolated(
        to: to, at: (goal - start.length) / (end.length - start.length))
      // Newton, held inside the interval: the way never gets shorter.
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
