import AsyncPatterns
import Dispatch

/// The patterns of Dispatch, on its own queues, for comparison.
public struct GCD: Plugin {
  public static let name = "GCD"
  public static let summary = "Dispatch groups and semaphores."
  public static let patterns: [any AsyncPattern.Type] = [DispatchGroups.self, Semaphores.self]
}

/// `gcd.group`: enter and leave by hand, one notification at the end.
struct DispatchGroups: AsyncPattern {
  static let manual = Manual(
    name: "gcd.group",
    summary: "Runs its steps in parallel in a dispatch group that notifies when all have left.",
    discussion: """
      Each step enters the group, starts from a concurrent queue, and leaves the group when it \
      completes. A failure is the result once all have ended; of several, the first in step order.

      The trap: dispatch_group_async alone leaves when its block has returned, long before \
      asynchronous work is done, so the notification comes early. Enter and leave must be called \
      by hand, as here, and each exactly once: an extra leave crashes the program, and with a \
      missing one the group never notifies. Here the kernel ensures this.
      """,
    flow: .sideBySide, failure: .own, clocks: [.live],
    seeAlso: ["group", "group.naive"],
    examples: ["gcd.group { a: sleep 20ms; b: work 5ms; c: sleep 10ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let results = Results(steps.count)
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "gcd.group", attributes: .concurrent)
    for (index, step) in steps.enumerated() {
      group.enter()
      queue.async {
        scope.start(step, input: input) { result in
          results.set(result, at: index)
          group.leave()
        }
      }
    }
    group.notify(queue: queue) { completion(results.combined) }
  }
}

/// `gcd.semaphore`: as many steps at the same time as a semaphore has permits.
struct Semaphores: AsyncPattern {
  static let manual = Manual(
    name: "gcd.semaphore",
    summary: "Runs at most “width” steps in parallel; a semaphore blocks the caller.",
    discussion: """
      Before each step the calling thread waits for a permit of a semaphore, which the end of an \
      earlier step releases. A failure is the result once all have ended; of several, the first in \
      step order.

      The trap: the caller is really blocked until the last step has started. On the main thread \
      the program freezes; on a worker of a pool, as here, the pool has one fewer worker, and with \
      as many callers as workers it deadlocks. The fix is a limit that makes the steps wait \
      instead of the thread, such as swift.taskgroup(width: 2).
      """,
    parameters: [
      Parameter(
        "width", .integer(1...1_000_000), default: .integer(2),
        summary: "how many steps run at the same time")
    ],
    flow: .sideBySide, failure: .own, clocks: [.live], blocksThread: true,
    breaks: [.blocksNoThread],
    differsFrom: "bounded, which blocks no thread",
    seeAlso: ["bounded", "bounded.semaphore"],
    examples: ["gcd.semaphore(width: 2) { a: sleep 20ms; b: sleep 10ms; c: sleep 20ms }"])

  private let width: Int

  init(_ arguments: Arguments) throws { width = try arguments.integer("width") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let results = Results(steps.count)
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "gcd.semaphore", attributes: .concurrent)
    // Dispatch crashes when a semaphore is released with fewer permits than it was created with.
    let permits = DispatchSemaphore(value: 0)
    for _ in 0..<width { permits.signal() }
    for (index, step) in steps.enumerated() {
      wait(for: permits, in: scope)
      group.enter()
      queue.async {
        scope.start(step, input: input) { result in
          results.set(result, at: index)
          permits.signal()
          group.leave()
        }
      }
    }
    group.notify(queue: queue) { completion(results.combined) }
  }

  /// Blocks the calling thread until there is a permit, and records that in the trace.
  private func wait(for permits: DispatchSemaphore, in scope: Scope) {
    if permits.wait(timeout: .now()) == .success { return }
    LaneContext.current.willBlock()
    scope.runtime.trace?.record(.blocked(scope.span, at: scope.runtime.now))
    permits.wait()
    scope.runtime.trace?.record(.unblocked(scope.span, at: scope.runtime.now))
  }
}

/// The results of the steps, each at its own position.
private final class Results: Sendable {
  private let results: Locked<[Result<Value, any Error>]>

  init(_ count: Int) { results = Locked(Array(repeating: .success(.none), count: count)) }

  func set(_ result: Result<Value, any Error>, at index: Int) {
    results.withLock { $0[index] = result }
  }

  /// The values in step order, or the first failure.
  var combined: Result<Value, any Error> {
    let results = results.withLock { $0 }
    return Result { .list(try results.map { try $0.get() }) }
  }
}
