public import AsyncRuntime

/// Counts work in progress, and notifies its waiters when none is left.
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
/// It works like a dispatch group, but without the pitfalls:
///
/// - A `leave` without an `enter` is reported as `unbalanced-leave`, with the source location of the call, and ignored.
///   It does not crash.
/// - A membership leaves exactly once. Releasing one that has not left is reported with the source location where it
///   was taken. It counts as leaving, so no waiter waits forever because of it.
/// - `enter` and `leave` only count, as with a dispatch group. If they do not match, the group
///   cannot know which call was forgotten. When the group is released, it reports the places where
///   it was entered and the number of times it was left.
/// - No thread is blocked, and no closure runs under a lock.
/// - An empty group can be used again.
///
/// The group reports only misuse to the `trace` of its runtime. Its members are steps only under a pattern, which
/// records them.
///
/// Enter *before* the work starts, not inside it. Otherwise the group is still empty, and notifies
/// its waiters.
public final class JoinGroup: Sendable {
  let storage: JoinGroupStorage

  /// - Parameters:
  ///   - label: its name in reports.
  ///   - runtime: the source of threads. Its trace receives reports of misuse.
  public init(_ label: String = "", runtime: any Runtime = LiveRuntime.shared) {
    storage = JoinGroupStorage(label: label, runtime: runtime)
  }

  /// The number of entries and memberships that have not left. Another thread may change it immediately.
  public var count: Int { storage.count }

  /// Enters the group. The group then needs one more `leave` to become empty.
  ///
  /// - Complexity: O(source lines that it was entered from since it was empty).
  public func enter(file: StaticString = #fileID, line: UInt = #line) {
    storage.enter(at: CallSite(file: file, line: line))
  }

  /// Leaves the group. The last call notifies the waiters, on the calling thread.
  ///
  /// A call without a matching `enter` is reported as `unbalanced-leave`, and has no effect. It never ends a
  /// membership.
  public func leave(file: StaticString = #fileID, line: UInt = #line) {
    storage.leave(at: CallSite(file: file, line: line))
  }

  /// Calls `handler` once, as soon as the group is empty, or immediately if it is empty.
  ///
  /// Waiters are notified in the order of their calls. They do not wait for entries that are made
  /// after the group was empty.
  ///
  /// - Parameter placement: where the handler runs. With `.inline` it runs on the lane that leaves last, or on the
  ///   calling lane.
  public func notify(
    on placement: Placement = .pool, _ handler: @escaping @Sendable () -> Void
  ) {
    let runtime = storage.runtime
    storage.notify { placement.run(on: runtime, handler) }
  }

  /// Suspends until the group is empty; returns immediately if it is.
  ///
  /// - Throws: `CancellationError` as soon as the calling task is cancelled. The wait has then ended, and the members
  ///   of the group are not affected.
  public func wait() async throws {
    try await storage.waitUntilEmpty()
  }
}
