import Synchronization

/// A section of a failure's path: consecutive promises that the failure passed through. The
/// promises share this object, and each knows its index in it.
///
/// The first entry is always the promise where the failure began. Several promises may take the failure over from the
/// last entry. The first of them appends itself. Any other one continues in a new section, and so does the first one if
/// it finds no room. A new section starts with copies of the first entry and the last entries. So a link costs
/// amortized constant time, and a promise can name the last promises before it. The memory in use is bounded, however
/// long the path is.
final class FailurePath: @unchecked Sendable {
  // Safe to share: the code that reserved a place writes it once, before other code knows of it.
  struct Link {
    let site: Site
    let role: FailureTrail.Role
  }

  /// The failure that took this path.
  let failure: UnhandledFailure
  private let links: UnsafeMutablePointer<Link>
  private let capacity: Int
  /// The number of entries left out between the first and the second.
  private let leftOut: Int
  /// The number of reserved places. It is the number of entries, or one more if a full section
  /// continues in another one.
  private let count: Atomic<Int>

  /// The largest number of entries. A node's word has room for every index below it.
  static let largest = 63

  /// The path of a failure that begins at `site`.
  init(of failure: UnhandledFailure, from site: Site) {
    self.failure = failure
    capacity = 4
    leftOut = 0
    links = .allocate(capacity: capacity)
    links.initialize(to: Link(site: site, role: .began))
    count = Atomic(1)
  }

  /// A section with the entries `kept` of another one, followed by `link`.
  fileprivate init(
    of failure: UnhandledFailure, _ kept: (links: [Link], leftOut: Int), followedBy link: Link
  ) {
    self.failure = failure
    // Besides the first entry, there must be room for the last entries and for as many new ones.
    capacity = kept.links.count < 8 ? 16 : Self.largest
    leftOut = kept.leftOut
    links = .allocate(capacity: capacity)
    for (index, link) in (kept.links + [link]).enumerated() {
      (links + index).initialize(to: link)
    }
    count = Atomic(kept.links.count + 1)
  }

  deinit { links.deallocate() }

  /// Appends `link` after the entry at `last`, if no other promise has done so and there is room.
  fileprivate func append(_ link: Link, after last: Int) -> Bool {
    let (isReserved, _) = count.compareExchange(
      expected: last + 1, desired: last + 2, ordering: .acquiringAndReleasing)
    guard isReserved, last + 1 < capacity else { return false }
    (links + last + 1).initialize(to: link)
    return true
  }

  /// Whether another promise took the failure over from the entry at `last`.
  fileprivate func isContinued(from last: Int) -> Bool {
    count.load(ordering: .acquiring) > last + 1
  }

  /// The first entry and the last ones up to `last`, and the number of entries left out between them.
  fileprivate func trail(upTo last: Int) -> (links: [Link], leftOut: Int) {
    guard last > 0 else { return ([links[0]], 0) }
    let start = max(1, last + 2 - FailureTrail.limit)
    return ([links[0]] + (start...last).map { links[$0] }, leftOut + start - 1)
  }
}

/// The place of a promise in the path of a failure.
struct FailurePlace: Sendable {
  let path: FailurePath
  let index: Int

  var failure: UnhandledFailure { path.failure }
  var trail: (links: [FailurePath.Link], leftOut: Int) { path.trail(upTo: index) }
  /// Whether another promise took the failure over from this place.
  var isContinued: Bool { path.isContinued(from: index) }

  /// The place of a promise made at `site` that takes the failure over.
  func continued(to site: Site) -> FailurePlace {
    let link = FailurePath.Link(site: site, role: .passedOn)
    if path.append(link, after: index) { return FailurePlace(path: path, index: index + 1) }
    return branch(link, of: failure)
  }

  /// The place of a promise that fails with the failure `other` because of this one.
  func branch(
    to site: Site, _ role: FailureTrail.Role, with other: UnhandledFailure
  ) -> FailurePlace {
    branch(FailurePath.Link(site: site, role: role), of: other)
  }

  private func branch(_ link: FailurePath.Link, of failure: UnhandledFailure) -> FailurePlace {
    let kept = trail
    return FailurePlace(
      path: FailurePath(of: failure, kept, followedBy: link), index: kept.links.count)
  }
}
