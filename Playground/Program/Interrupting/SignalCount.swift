import AsyncPatterns
import Foundation

/// Counts the signals that ask the program to end. Signals that arrive together count as one: `timeout` sends its
/// signal twice, and when a window is closed, both the shell and the system send one.
struct SignalCount: Sendable {
  enum Place { case first, same, second }

  /// How long after the first signal another one is part of the same request.
  static let window = Duration.milliseconds(200)

  private(set) var first: Int32?
  private var time = Instant.zero

  mutating func add(_ signal: Int32, at now: Instant) -> Place {
    guard let first else {
      (self.first, time) = (signal, now)
      return .first
    }
    // Ctrl-C and a signal of another program are two requests, however close they are.
    let hasSameSource = (first == SIGINT) == (signal == SIGINT)
    return hasSameSource && time.duration(to: now) < Self.window ? .same : .second
  }

  /// Resets the count.
  mutating func forget() { first = nil }
}
