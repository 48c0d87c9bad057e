import ArgumentParser
import Dispatch
import Foundation
import Measuring
import SerialQueue

/// The memory of many queues that have worked and are idle now. Each kind is measured in its own process, so that other
/// allocations do not affect the result.
enum IdleQueues {
  private static let count = 10_000

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case serial, dispatch
  }

  static func measure() throws -> Figure {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let sizes = try Kind.allCases.map { kind in
      // The median of several measurements, because the system assigns memory in larger pieces than pages.
      try (0..<5).map { _ in
        let text = try Child(program, ["--idle", kind.rawValue]).output()
        guard let bytes = Int(text.filter(\.isNumber)) else { throw NoNumber(text: text) }
        return bytes
      }.sorted()[2]
    }
    return Figure(
      "\(count) idle queues", .bytes(sizes[0]), peer: ("as many Dispatch queues", .bytes(sizes[1])),
      target: .amount(.bytes(10_000_000)))
  }

  /// How much more memory the process holds with the queues than without.
  static func bytes(of kind: Kind) -> Int {
    switch kind {
    case .serial: bytes(of: { SerialQueue("queue \($0)") }, eachAfter: work)
    case .dispatch: bytes(of: { DispatchQueue(label: "queue \($0)") }, eachAfter: work)
    }
  }

  private static func work(_ queue: SerialQueue, _ tally: Tally) { queue.enqueue { tally.add() } }

  private static func work(_ queue: DispatchQueue, _ tally: Tally) { queue.async { tally.add() } }

  private static func bytes<Queue>(
    of make: (Int) -> Queue, eachAfter use: (Queue, Tally) -> Void
  ) -> Int {
    // The first use starts threads and allocates other memory.
    let first = Tally(1)
    use(make(0), first)
    first.wait()
    let before = residentBytes
    let queues = (0..<count).map(make)
    for queue in queues {
      let tally = Tally(1)
      use(queue, tally)
      tally.wait()
    }
    return withExtendedLifetime(queues) { residentBytes - before }
  }

  private struct NoNumber: Error, CustomStringConvertible {
    let text: String
    var description: String {
      "the child process should have printed a number of bytes, but printed: \(text)"
    }
  }
}
