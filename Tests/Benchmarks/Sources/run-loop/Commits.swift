import AsyncRuntime
import Dispatch
import Measuring
import RunLoopTransaction

/// Only commits, on the thread of the loop. No flush happens during the measurement.
enum Commits {
  private static let targetCount = 1_000
  /// How many times all targets are committed in a round.
  private static let turns = 50

  static func measure() throws -> [Ranking] {
    let targets = (0..<targetCount).map { _ in Target() }
    let fresh = [
      transactions("Transaction.commit", targets, again: 1) { target, queue in
        Transaction(target, action: .layout).commit(to: queue)
      },
      set("an insert into a locked set", targets, again: 1),
      transactions("Transaction.commit, its action made in place", targets, again: 1) {
        target, queue in
        Transaction(target, "layout") { _ in }.commit(to: queue)
      },
    ]
    let equal = [
      transactions("Transaction.commit", targets, again: 10) { target, queue in
        Transaction(target, action: .layout).commit(to: queue)
      },
      set("an insert into a locked set", targets, again: 10),
    ]
    let times = try Contestant.times(of: fresh + equal, rounds: 41)
    let named = zip(fresh + equal, times).map { (name: $0.name, times: $1) }
    let targets16 = ["an insert into a locked set": 1.6]
    return [
      Ranking(
        "one of a thousand different commits", Array(named[..<fresh.count]),
        count: targetCount * turns, targets: targets16),
      Ranking(
        "a commit, nine of ten of which are combined with an equal one",
        Array(named[fresh.count...]), count: targetCount * turns * 10, targets: targets16),
    ]
  }

  private static func transactions(
    _ name: String, _ targets: [Target], again: Int,
    _ commit: @escaping @Sendable (Target, TransactionQueue) -> Void
  ) -> Contestant {
    let loop = LiveRuntime.shared.runLoop("commits")
    let queue = TransactionQueue(on: loop)
    return Contestant(name) {
      on(loop) {
        var time = Duration.zero
        for _ in 0..<turns {
          time += ContinuousClock().measure {
            for _ in 0..<again { for target in targets { commit(target, queue) } }
          }
          _ = queue.flushNow()
        }
        return time
      }
    }
  }

  /// A minimal implementation: identity and key in a set, behind a lock.
  private static func set(_ name: String, _ targets: [Target], again: Int) -> Contestant {
    let loop = LiveRuntime.shared.runLoop("set")
    let set = Locked<Set<Entry>>([])
    return Contestant(name) {
      on(loop) {
        var time = Duration.zero
        for _ in 0..<turns {
          time += ContinuousClock().measure {
            for _ in 0..<again {
              for target in targets {
                let entry = Entry(target: target, key: 1)
                _ = set.withLock { $0.insert(entry).inserted }
              }
            }
          }
          set.withLock { $0.removeAll(keepingCapacity: true) }
        }
        return time
      }
    }
  }

  private static func on(
    _ loop: any RunLoopScheduler, _ body: @escaping @Sendable () -> Duration
  ) -> Duration {
    let done = DispatchSemaphore(value: 0)
    let time = Locked(Duration.zero)
    loop.schedule {
      let measured = body()
      time.withLock { $0 = measured }
      done.signal()
    }
    done.wait()
    return time.withLock { $0 }
  }
}

final class Target: Sendable {}

extension TransactionAction where Target == run_loop.Target {
  static let layout = TransactionAction("layout") { _ in }
}

private struct Entry: Hashable, Sendable {
  let target: Target
  let key: Int

  static func == (left: Entry, right: Entry) -> Bool {
    left.target === right.target && left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(target))
    hasher.combine(key)
  }
}
