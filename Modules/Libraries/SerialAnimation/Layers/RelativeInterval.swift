/// A part of a duration; both ends are in 0…1.
struct RelativeInterval: Sendable {
  var start: Double
  var end: Double
  static let whole = RelativeInterval(start: 0, end: 1)

  init(start: Double, end: Double) { (self.start, self.end) = (start, end) }

  /// Clamps both ends to the duration.
  init(relativeStart: Double, relativeDuration: Double) {
    start = relativeStart.clamped(to: 0...1, ifNotANumber: 0)
    end = (start + relativeDuration).clamped(to: start...1, ifNotANumber: start)
  }
}
