import AsyncSimulation
import Dispatch
import Foundation
import Measuring
import TimingTrace

/// The cost of an event: a job that runs, or a timer that fires and runs a job.
enum Events {
  private static let count = 500_000

  static func measure() throws -> [Figure] {
    let kinds: [(String, (SimulatedRuntime) -> Void)] = [
      ("a job of the pool", { hop(on: $0.pool, count) }),
      ("a job of main", { hop(on: $0.main, count) }),
      ("a job of a serial scheduler", { hop(on: $0.serial("queue"), count) }),
      ("a timer of 1000 fires, and its job runs: half of it", { tick(on: $0, count / 2) }),
    ]
    var contestants = kinds.map { name, start in
      Contestant(name) { time(of: start, trace: nil) }
    }
    contestants += kinds.map { name, start in
      Contestant(name) { time(of: start, trace: Recorder(clock: .virtual)) }
    }
    contestants.append(Contestant("dispatch", round: dispatch))
    let times = try Contestant.medians(of: contestants, rounds: 7).map { $0 / count }
    let peer = ("a block of a Dispatch queue", times[kinds.count * 2])
    return kinds.indices.map {
      Figure(kinds[$0].0, times[$0], peer: peer, target: .nanoseconds(200))
    }
      + kinds.indices.map {
        Figure(
          kinds[$0].0 + ", traced", times[kinds.count + $0], peer: peer,
          target: .nanoseconds(333))
      }
  }

  private static func time(
    of start: (SimulatedRuntime) -> Void, trace: (any TraceSink)?
  ) -> Duration {
    let runtime = SimulatedRuntime(trace: trace)
    start(runtime)
    return ContinuousClock().measure { runtime.runUntilIdle() }
  }

  /// A job that schedules the next one.
  private static func hop(on scheduler: any Scheduler, _ left: Int) {
    scheduler.schedule { if left > 1 { hop(on: scheduler, left - 1) } }
  }

  /// A thousand timers, each of which sets the next one.
  private static func tick(on runtime: SimulatedRuntime, _ count: Int) {
    for number in 1...1_000 {
      tick(on: runtime.pool, .microseconds(number), count / 1_000)
    }
  }

  private static func tick(on scheduler: any Scheduler, _ delay: Duration, _ left: Int) {
    scheduler.schedule(after: delay) { if left > 1 { tick(on: scheduler, delay, left - 1) } }
  }

  private static func dispatch() -> Duration {
    let queue = DispatchQueue(label: "peer")
    let done = DispatchSemaphore(value: 0)
    @Sendable func hop(_ left: Int) {
      queue.async { if left > 1 { hop(left - 1) } else { done.signal() } }
    }
    return ContinuousClock().measure {
      hop(count)
      done.wait()
    }
  }
}
