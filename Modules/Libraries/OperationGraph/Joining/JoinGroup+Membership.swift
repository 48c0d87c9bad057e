internal import AsyncRuntime
internal import Synchronization

extension JoinGroup {
  /// Enters the group and returns what leaves it: once, whoever calls it.
  public func membership(file: StaticString = #fileID, line: UInt = #line) -> Membership {
    storage.join()
    return Membership(in: storage, at: SourceSite(file: file, line: line))
  }

  /// Is in the group while `work` runs, however that ends.
  ///
  /// - Returns: what `work` returns.
  /// - Throws: what `work` throws.
  public func during<Success, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line, _ work: () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    let membership = membership(file: file, line: line)
    defer { membership.leave() }
    return try await work()
  }

  /// One stay in a group: it ends with the first `leave()`.
  ///
  /// A second call is reported as `unbalanced-leave`, with the place where the group was entered, and has no
  /// effect. Letting go of one that has not left is reported likewise, and counts as leaving. The group need
  /// not be held while somebody is in it.
  public final class Membership: Sendable {
    private let storage: JoinGroupStorage
    private let site: SourceSite
    /// Whose code took it.
    private let span = LaneContext.current.span
    private let hasLeft = Atomic<Bool>(false)

    init(in storage: JoinGroupStorage, at site: SourceSite) {
      self.storage = storage
      self.site = site
    }

    deinit {
      guard !hasLeft.load(ordering: .acquiring) else { return }
      // Somebody's lock may be held where the last reference goes: report from elsewhere.
      let (storage, site, span) = (storage, site, span)
      storage.runtime.pool.schedule {
        storage.runtime.misuse(
          "unbalanced-leave",
          "\(storage.name) was entered at \(site), and that membership was let go of without leaving; "
            + "it counts as left: call leave() on every path", of: span)
        storage.leaveMembership()
      }
    }

    /// Leaves the group. The last one to leave tells those who wait, on the calling thread.
    public func leave(file: StaticString = #fileID, line: UInt = #line) {
      guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else {
        return storage.runtime.misuse(
          "unbalanced-leave",
          "\(storage.name) was entered at \(site), and that membership left again at "
            + "\(SourceSite(file: file, line: line)); the second call was ignored", of: span)
      }
      storage.leaveMembership()
    }

    /// Whether it has left.
    public var isOver: Bool { hasLeft.load(ordering: .acquiring) }
  }
}
