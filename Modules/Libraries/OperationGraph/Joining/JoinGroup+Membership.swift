internal import AsyncRuntime
internal import Synchronization

extension JoinGroup {
  /// Enters the group and returns a membership that leaves it exactly once, on any thread.
  public func membership(file: StaticString = #fileID, line: UInt = #line) -> Membership {
    storage.join()
    return Membership(in: storage, at: CallSite(file: file, line: line))
  }

  /// Keeps a membership in the group while `work` runs, and leaves however `work` ends.
  ///
  /// - Returns: the result of `work`.
  /// - Throws: any error that `work` throws.
  public func during<Success, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line, _ work: () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    let membership = membership(file: file, line: line)
    defer { membership.leave() }
    return try await work()
  }

  /// A membership in a group. The first `leave()` ends it.
  ///
  /// A second call is reported as `unbalanced-leave`, with the source location where the group was entered, and has no
  /// effect. Releasing a membership that has not left is also reported, and counts as leaving. The caller need not keep
  /// a reference to the group while it has members.
  public final class Membership: Sendable {
    private let storage: JoinGroupStorage
    private let site: CallSite
    /// The span whose code took the membership.
    private let span = LaneContext.current.span
    private let hasLeft = Atomic<Bool>(false)

    init(in storage: JoinGroupStorage, at site: CallSite) {
      self.storage = storage
      self.site = site
    }

    deinit {
      guard !hasLeft.load(ordering: .acquiring) else { return }
      // A lock may be held where the last reference is released, so report from another thread.
      let (storage, site, span) = (storage, site, span)
      storage.runtime.pool.schedule {
        storage.runtime.misuse(
          "unbalanced-leave",
          "\(storage.name) was entered at \(site), and that membership was released without leaving; "
            + "it counts as left: call leave() on every path", of: span)
        storage.leaveMembership()
      }
    }

    /// Leaves the group. The last member to leave notifies the waiters, on the calling thread.
    public func leave(file: StaticString = #fileID, line: UInt = #line) {
      guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else {
        return storage.runtime.misuse(
          "unbalanced-leave",
          "\(storage.name) was entered at \(site), and that membership left again at "
            + "\(CallSite(file: file, line: line)); the second call was ignored: leave only once",
          of: span)
      }
      storage.leaveMembership()
    }

    /// Whether it has left.
    public var isFinished: Bool { hasLeft.load(ordering: .acquiring) }
  }
}
