import Synchronization

/// Some promises on the way of a failure, one after another, which those promises have in common: each knows
/// its place in it.
///
/// The first is always where the failure began. A promise that is the first to take the failure over from the
/// last one writes itself behind it; others, and who finds no room, go on in a copy of the end. So a link costs
/// a constant time, averaged over many, a promise can tell the last ones before it, and what it holds is bounded however
/// long the way has been.
final class FailureWay: @unchecked Sendable {
  // Safe to share: a place is written once, by who has reserved it, before anybody knows that it is there.
  struct Link {
    let site: Site
    let role: FailureTrail.Role
  }

  /// The failure whose way it is.
  let failure: UntakenFailure
  private let links: UnsafeMutablePointer<Link>
  private let capacity: Int
  /// How many lie between the first and the second.
  private let leftOut: Int
  /// How many places are taken; one more than there are if it goes on elsewhere.
  private let count: Atomic<Int>

  /// As many as a node's word has room for.
  static let largest = 63

  /// The way of a failure that begins at `site`.
  init(of failure: UntakenFailure, from site: Site) {
    self.failure = failure
    capacity = 4
    leftOut = 0
    links = .allocate(capacity: capacity)
    links.initialize(to: Link(site: site, role: .began))
    count = Atomic(1)
  }

  /// A copy of the end of another one, and `link` behind it.
  fileprivate init(
    of failure: UntakenFailure, _ kept: (links: [Link], leftOut: Int), followedBy link: Link
  ) {
    self.failure = failure
    // There has to be room for the last ones and as many again.
    capacity = kept.links.count < 8 ? 16 : Self.largest
    leftOut = kept.leftOut
    links = .allocate(capacity: capacity)
    for (index, link) in (kept.links + [link]).enumerated() {
      (links + index).initialize(to: link)
    }
    count = Atomic(kept.links.count + 1)
  }

  deinit { links.deallocate() }

  /// Writes `link` behind the one at `last`, if nobody else has, and there is room.
  fileprivate func append(_ link: Link, after last: Int) -> Bool {
    let (isReserved, _) = count.compareExchange(
      expected: last + 1, desired: last + 2, ordering: .acquiringAndReleasing)
    guard isReserved, last + 1 < capacity else { return false }
    (links + last + 1).initialize(to: link)
    return true
  }

  /// Whether somebody took the failure over from the link at `last`.
  fileprivate func goesOn(from last: Int) -> Bool { count.load(ordering: .acquiring) > last + 1 }

  /// The first, and the last ones up to that at `last`; and how many lie between.
  fileprivate func trail(upTo last: Int) -> (links: [Link], leftOut: Int) {
    guard last > 0 else { return ([links[0]], 0) }
    let start = max(1, last + 2 - FailureTrail.limit)
    return ([links[0]] + (start...last).map { links[$0] }, leftOut + start - 1)
  }
}

/// A promise's place in the way of a failure.
struct FailurePlace: Sendable {
  let way: FailureWay
  let index: Int

  var failure: UntakenFailure { way.failure }
  var trail: (links: [FailureWay.Link], leftOut: Int) { way.trail(upTo: index) }
  /// Whether somebody took the failure over from here.
  var goesOn: Bool { way.goesOn(from: index) }

  /// The place of a promise made at `site` that takes the failure over.
  func goOn(to site: Site) -> FailurePlace {
    let link = FailureWay.Link(site: site, role: .passedOn)
    if way.append(link, after: index) { return FailurePlace(way: way, index: index + 1) }
    return branch(link, of: failure)
  }

  /// The place of one that fails with `other` because of it.
  func branch(
    to site: Site, _ role: FailureTrail.Role, with other: UntakenFailure
  ) -> FailurePlace {
    branch(FailureWay.Link(site: site, role: role), of: other)
  }

  private func branch(_ link: FailureWay.Link, of failure: UntakenFailure) -> FailurePlace {
    let kept = trail
    return FailurePlace(
      way: FailureWay(of: failure, kept, followedBy: link), index: kept.links.count)
  }
}
