public import AsyncRuntime

/// Counts what is under way, and tells when nothing is any more.
///
/// ```swift
/// let group = JoinGroup("pages")
/// for url in urls {
///   let membership = group.membership()
///   load(url) { page in
///     keep(page)
///     membership.leave()
///   }
/// }
/// group.notify(on: .main) { show() }
/// ```
///
/// A dispatch group, without its traps:
///
/// - A leave too many is reported as `unbalanced-leave`, with the place where it was called, and ignored. It
///   crashes nothing.
/// - A membership leaves once. Letting go of one that has not left is reported with the place where it was
///   taken, and counts as leaving: nobody waits for ever because of it.
/// - `enter` and `leave` only count, as with a dispatch group. If they do not match, the group cannot know which
///   of them was forgotten: when it is let go of it reports where it was entered, and how often it was left.
/// - No thread waits for anything, and no closure runs under a lock.
/// - When it was empty it can be used again.
///
/// The `trace` of its runtime is told of misuse alone: who is in a group are steps only under a pattern, which tells of
/// them.
///
/// Enter *before* the work begins, not inside it: until somebody is in it, the group is empty, and says so.
public final class JoinGroup: Sendable {
  let storage: JoinGroupStorage

  /// - Parameters:
  ///   - label: what reports call it.
  ///   - runtime: where threads come from, and who is told of misuse.
  public init(_ label: String = "", runtime: any Runtime = LiveRuntime.shared) {
    storage = JoinGroupStorage(label: label, runtime: runtime)
  }

  /// How many are in the group. Another thread may change it at once.
  public var count: Int { storage.count }

  /// Enters the group: it is not empty until somebody has left it once more.
  ///
  /// - Complexity: O(lines of source that it was entered from since it was empty).
  public func enter(file: StaticString = #fileID, line: UInt = #line) {
    storage.enter(at: SourceSite(file: file, line: line))
  }

  /// Leaves the group. The last one to leave tells those who wait, on the calling thread.
  ///
  /// One that answers no `enter` is reported as `unbalanced-leave`, and has no effect; it never ends a
  /// membership.
  public func leave(file: StaticString = #fileID, line: UInt = #line) {
    storage.leave(at: SourceSite(file: file, line: line))
  }

  /// Calls `handler` once: as soon as the group is empty, which it may be already.
  ///
  /// Those who wait are told in the order in which they asked. Whoever enters after the group was empty is not
  /// waited for.
  ///
  /// - Parameter placement: where it runs; `.inline` is on the lane that leaves last, or on the calling one.
  public func notify(
    on placement: Placement = .pool, _ handler: @escaping @Sendable () -> Void
  ) {
    let runtime = storage.runtime
    storage.notify { placement.run(on: runtime, handler) }
  }

  /// Suspends until the group is empty; returns at once if it is.
  ///
  /// - Throws: `CancellationError` as soon as the calling task is cancelled. Nobody is left waiting then, and
  ///   those in the group go on.
  public func wait() async throws {
    try await storage.waitUntilEmpty()
  }
}
