/// A part of a duration, both ends in 0…1.
struct Window: Sendable {
  var start: Double
  var end: Double
  static let whole = Window(start: 0, end: 1)

  init(start: Double, end: Double) { (self.start, self.end) = (start, end) }

  /// Brings what lies outside the duration to its nearest end.
  init(relativeStart: Double, relativeDuration: Double) {
    start = relativeStart.clamped(to: 0...1, ifNotANumber: 0)
    end = (start + relativeDuration).clamped(to: start...1, ifNotANumber: start)
  }
}
