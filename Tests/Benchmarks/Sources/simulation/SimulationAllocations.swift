import Allocations
import AsyncSimulation
import Measuring

/// How often something allocates memory. The number is the same in each run and on each machine.
enum SimulationAllocations {
  /// The allocations of a schedule of the graph of ten sleeps, from the check of one schedule to that of the next.
  static func ofSchedule() throws -> Figure {
    let step = try Schedules.graphOfSleeps()
    let counts = Locked<[Int]>([])
    let exploration = Exploration(schedules: 1_000, isExact: true)
    let report = exploration.explore(step) { _ in
      // The list has room, so that it does not count itself.
      counts.withLock { counts in
        if counts.isEmpty { counts.reserveCapacity(1_000) }
        counts.append(allocation_count())
      }
      return nil
    }
    precondition(report.schedules == 1_000)
    let all = counts.withLock { $0 }
    // The first schedules also make what all of them share.
    let each = zip(all, all.dropFirst()).map { $1 - $0 }.sorted()
    return figure("a schedule of a graph of ten sleeps", each[each.count / 2], atMost: 81)
  }

  /// The allocations of 1000 calls of `Task.yield()`, of which each is two jobs. Swift's runtime allocates the first.
  static func ofYields() async -> Figure {
    let count = Locked(0)
    _ = await Exploration(schedules: 2, isExact: true).explore {
      await Task.yield()
      let before = allocation_count()
      for _ in 0..<1_000 { await Task.yield() }
      let more = allocation_count() - before
      count.withLock { $0 = more }
    }
    return figure("1000 yields of plain Swift", count.withLock { $0 }, atMost: 1_000)
  }

  private static func figure(_ what: String, _ count: Int, atMost most: Int) -> Figure {
    Figure(
      what, .number(Double(count), of: "allocations"),
      target: .amount(.number(Double(most), of: "allocations")))
  }
}
