import AsyncPatterns
import Dispatch

/// The ways of Dispatch, on its own queues: peers to compare with.
public struct GCD: Plugin {
  public static let name = "GCD"
  public static let summary = "Dispatch groups and semaphores, as they are."
  public static let patterns: [any AsyncPattern.Type] = [DispatchGroups.self, Semaphores.self]
}

/// `gcd.group`: enter and leave by hand, one notification at the end.
struct DispatchGroups: AsyncPattern {
  static let manual = Manual(
    name: "gcd.group",
    summary: "Runs its steps side by side in a dispatch group that notifies when all have left.",
    discussion: """
      Each step enters the group, starts from a concurrent queue, and leaves the group when it \
      completes. A failure is the result once all have ended; of several, the first in step order.

      The trap: dispatch_group_async alone leaves when its block has returned, long before asynchronous \
      work is done, so the notification comes early. Enter and leave by hand, as here; then each must \
      be called exactly once: a leave too many crashes the program, one too few and it never \
      notifies. Here the kernel sees to that.
      """,
    flow: .sideBySide, failure: .own, clocks: [.live],
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

/// `gcd.semaphore`: as many at once as a semaphore has permits.
struct Semaphores: AsyncPattern {
  static let manual = Manual(
    name: "gcd.semaphore",
    summary: "Runs its steps side by side, at most “width” at once; a semaphore blocks the caller.",
    discussion: """
      Before each step the calling thread waits for a permit of a semaphore, which the end of an \
      earlier step gives back. A failure is the result once all have ended; of several, the first in \
      step order.

      The trap: the caller really stands blocked until the last step has started. On the main thread \
      the program freezes; on a worker of a pool, as here, the pool has a worker less, and with as \
      many callers as it has workers nothing moves any more. The way out is a limit that keeps the \
      steps waiting instead of the thread, such as swift.taskgroup(width: 2).
      """,
    parameters: [
      Parameter(
        "width", .integer(1...1_000_000), default: .integer(2), summary: "how many run at once")
    ],
    flow: .sideBySide, failure: .own, clocks: [.live], blocksThread: true,
    breaks: [.blocksNoThread],
    examples: ["gcd.semaphore(width: 2) { a: sleep 20ms; b: sleep 10ms; c: sleep 20ms }"])

  private let width: Int

  init(_ arguments: Arguments) throws { width = try arguments.integer("width") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let results = Results(steps.count)
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "gcd.semaphore", attributes: .concurrent)
    // Dispatch traps when a semaphore goes with fewer permits than it began with.
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

  /// Blocks the calling thread until there is a permit, and tells the trace.
  private func wait(for permits: DispatchSemaphore, in scope: Scope) {
    if permits.wait(timeout: .now()) == .success { return }
    LaneContext.current.willBlock()
    scope.runtime.trace?.record(.blocked(scope.span, at: scope.runtime.now))
    permits.wait()
    scope.runtime.trace?.record(.unblocked(scope.span, at: scope.runtime.now))
  }
}

/// What the steps came to, each at its own place.
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
