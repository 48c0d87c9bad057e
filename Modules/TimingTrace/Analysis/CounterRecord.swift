internal import AsyncPatterns

/// What one step, or one start of it, recorded of something that changes, such as an animated property.
///
/// A counter keeps each value until the next one is recorded. Values that are no finite numbers are left
/// out.
public struct CounterRecord: Sendable, Hashable, Codable {
  public var name: String
  /// The path of the step that recorded it; the run's own step goes by its label.
  public var step: String
  /// In the order of recording.
  public var points: [Point]

  /// A value, and since when; nanoseconds since the start of the run.
  public struct Point: Sendable, Hashable, Codable {
    public var time: Int64
    public var value: Double

    public init(time: Int64, value: Double) {
      self.time = time
      self.value = value
    }

    enum CodingKeys: String, CodingKey {
      case time = "at_ns"
      case value
    }
  }

  public init(name: String, step: String, points: [Point]) {
    self.name = name
    self.step = step
    self.points = points
  }
}

/// What is one line in a picture: a counter over the whole run, whichever steps recorded it in turn.
struct CounterLine {
  var name: String
  /// The step whose line it is, where others recorded a counter of that name at the same time.
  var step: String?
  var points: [CounterRecord.Point]

  /// What tells it from all others.
  var title: String { step.map { "\(name) of \($0)" } ?? name }

  /// The lines of the counters of a run, in the order in which they begin.
  ///
  /// Steps that record a counter of one name one after the other make one line: a property that three
  /// steps animate in turn is one property. Where any two of them record at the same time, it is a
  /// property of several things, and each step has a line of its own.
  ///
  /// - Parameter counters: in the order in which they begin.
  /// - Complexity: O(n log n) in the number of counters, O(n) in that of their points.
  static func lines(of counters: [CounterRecord]) -> [CounterLine] {
    var order: [String] = []
    var byName: [String: [CounterRecord]] = [:]
    for counter in counters where !counter.points.isEmpty {
      if byName[counter.name] == nil { order.append(counter.name) }
      byName[counter.name, default: []].append(counter)
    }
    return order.flatMap { name in lines(of: byName[name] ?? [], name) }
  }

  private static func lines(of counters: [CounterRecord], _ name: String) -> [CounterLine] {
    let inTurn = zip(counters, counters.dropFirst()).allSatisfy { earlier, later in
      (earlier.points.last?.time ?? .min) <= (later.points.first?.time ?? .max)
    }
    if inTurn { return [CounterLine(name: name, points: counters.flatMap(\.points))] }
    return counters.map { CounterLine(name: name, step: $0.step, points: $0.points) }
  }
}
