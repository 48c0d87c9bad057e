/// The choices of a simulation: which candidate was next, each time there were several. A simulation that replays a
/// schedule repeats the same events.
///
/// As text it is one line, such as `4 workers, cancel at 12, 3:1 17:2`. There are four workers, and the run is
/// cancelled after twelve events. Choice 3 was candidate 1, and choice 17 was candidate 2, all counted from 0. All
/// other choices are candidate 0, which is first in, first out.
public struct Schedule: Sendable, Hashable, Codable {
  /// How many workers the pool has.
  public var workers: Int
  /// The kind and the place of an injection; nil for none.
  public var injection: Injection.Point?
  /// The choices, in order. After the last one, every choice is 0.
  public var choices: [Int]

  public init(workers: Int, choices: [Int] = [], injection: Injection.Point? = nil) {
    self.workers = workers
    self.choices = choices
    self.injection = injection
  }
}

/// A disturbance that an exploration injects into runs, to see whether they handle it.
public enum Injection: String, Sendable, Hashable, CaseIterable, Codable {
  /// The run is cancelled between two events.
  case cancel
  /// A step fails as it starts.
  case failure
  /// A step's completion is held back until nothing else is left to happen.
  case lateness

  /// A place where a disturbance can be injected.
  public struct Point: Sendable, Hashable, Codable {
    public var kind: Injection
    /// For `cancel`, after how many events. Otherwise, at which start of a step, counted from 0.
    public var place: Int

    public init(_ kind: Injection, at place: Int) {
      self.kind = kind
      self.place = place
    }
  }
}

extension Schedule: LosslessStringConvertible {
  public var description: String {
    var parts = ["\(workers) \(workers == 1 ? "worker" : "workers")"]
    if let injection { parts.append("\(injection.kind.rawValue) at \(injection.place)") }
    let deviations = choices.enumerated().filter { $0.element != 0 }
    if !deviations.isEmpty {
      parts.append(deviations.map { "\($0.offset):\($0.element)" }.joined(separator: " "))
    }
    return parts.joined(separator: ", ")
  }

  /// Parses the text that `description` returns; nil for any other text.
  public init?(_ description: String) {
    var parts = description.split(separator: ",").map { $0.split(separator: " ") }[...]
    guard let first = parts.popFirst(), first.count == 2, let workers = Int(first[0]),
      workers >= 1, first[1] == (workers == 1 ? "worker" : "workers")
    else { return nil }
    self.init(workers: workers)
    if let part = parts.first, part.count == 3, part[1] == "at" {
      guard let kind = Injection(rawValue: String(part[0])), let place = Int(part[2]), place >= 0
      else { return nil }
      injection = Injection.Point(kind, at: place)
      parts.removeFirst()
    }
    guard let deviations = parts.popFirst() else { return }
    guard parts.isEmpty, deviations.allSatisfy({ add($0) }) else { return nil }
  }

  /// The longest schedule that can be parsed.
  private static let lengthLimit = 10_000_000

  /// Adds a choice, written as `3:1`. Choices must come in order.
  private mutating func add(_ deviation: Substring) -> Bool {
    let numbers = deviation.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let index = numbers[0], let choice = numbers[1],
      (choices.count..<Self.lengthLimit).contains(index), choice > 0
    else { return false }
    choices += Array(repeating: 0, count: index - choices.count) + [choice]
    return true
  }
}
