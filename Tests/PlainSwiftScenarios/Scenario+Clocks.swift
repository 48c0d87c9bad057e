import AsyncSimulation
import Dispatch
import Foundation

extension Scenario {
  static let clocks = [
    Scenario("each clock sleeps exactly as long as asked, whatever the tolerance") {
      let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
      try await ContinuousClock().sleep(for: .milliseconds(1500), tolerance: .seconds(1))
      try await SuspendingClock().sleep(for: .milliseconds(500), tolerance: .seconds(1))
      try await Task.sleep(for: .seconds(1), tolerance: .milliseconds(1), clock: .suspending)
      try await ContinuousClock().sleep(until: continuous + .seconds(5), tolerance: nil)
      try check(ContinuousClock.now - continuous == .seconds(5))
      try check(SuspendingClock.now - suspending == .seconds(5))
      let measured = try await ContinuousClock().measure {
        try await Task.sleep(nanoseconds: 1_000_000_001)
      }
      try check(measured == .nanoseconds(1_000_000_001))
    },
    Scenario("the clocks of Foundation and Dispatch show virtual time") {
      let (date, time) = (Date(), DispatchTime.now())
      let uptime = ProcessInfo.processInfo.systemUptime
      try await Task.sleep(for: .seconds(3600))
      try check(Date().timeIntervalSince(date) == 3600)
      try check(DispatchTime.now().uptimeNanoseconds - time.uptimeNanoseconds == 3_600_000_000_000)
      try check(ProcessInfo.processInfo.systemUptime - uptime == 3600)
    },
    Scenario("work that is faster than its timeout has a result") {
      let value = try await result(after: .seconds(1), timeout: .seconds(2))
      try check(value == 7)
    },
    Scenario("work that is slower than its timeout has none") {
      let start = ContinuousClock.now
      let value = try await result(after: .seconds(2), timeout: .seconds(1))
      try check(value == nil)
      try check(ContinuousClock.now - start == .seconds(1))
    },
    Scenario("work that takes as long as its timeout may win", outcomes: ["value", "timeout"]) {
      try await result(after: .seconds(1), timeout: .seconds(1)) == nil ? "timeout" : "value"
    },
    Scenario("two sleeps of one length end in any order", outcomes: ["a b", "b a"]) {
      let journal = Journal()
      try await withThrowingTaskGroup { group in
        for name in ["a", "b"] {
          group.addTask {
            try await Task.sleep(for: .seconds(1))
            journal.note(name)
          }
        }
        try await group.waitForAll()
      }
      return journal.text
    },
    Scenario("a clock of the program, on top of another one, takes virtual time") {
      let clock = SlowClock()
      let start = (ContinuousClock.now, clock.now)
      try await clock.sleep(for: .seconds(3))
      try await Task.sleep(until: clock.now.advanced(by: .seconds(1)), clock: clock)
      try check(start.1.duration(to: clock.now) == .seconds(4))
      try check(ContinuousClock.now - start.0 == .seconds(8))
    },
    Scenario("a sleep until the past takes no time") {
      let start = ContinuousClock.now
      try await Task.sleep(until: start - .seconds(1), clock: .continuous)
      try await Task.sleep(for: .zero)
      try check(ContinuousClock.now == start)
    },
  ]

  private static func result(after delay: Duration, timeout: Duration) async throws -> Int? {
    try await withThrowingTaskGroup(of: Int?.self) { group in
      group.addTask {
        try await Task.sleep(for: delay)
        return 7
      }
      group.addTask {
        try await ContinuousClock().sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}

/// Shows half of the time that has passed.
private struct SlowClock: Clock {
  struct Instant: InstantProtocol {
    var time: Duration
    func advanced(by duration: Duration) -> Self { Self(time: time + duration) }
    func duration(to other: Self) -> Duration { other.time - time }
    static func < (left: Self, right: Self) -> Bool { left.time < right.time }
  }

  private let start = ContinuousClock.now

  var now: Instant { Instant(time: (ContinuousClock.now - start) / 2) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await Task.sleep(for: (deadline.time - now.time) * 2, tolerance: tolerance)
  }
}
