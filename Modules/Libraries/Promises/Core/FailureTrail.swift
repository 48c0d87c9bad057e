/// The path of a failure: the promises that it passed through, and the places where they were made.
///
/// ```swift
/// if let trail = page.failureTrail { print("failed: \(trail)") }
/// ```
///
/// If the path is longer than `limit`, the trail holds only the first promise and the last ones.
public struct FailureTrail: Sendable, Hashable, CustomStringConvertible {
  /// A promise on the path of a failure.
  public struct Link: Sendable, Hashable, CustomStringConvertible {
    /// The place where the promise was made, as “file:line”.
    public let site: String
    /// What the promise did with the failure.
    public let role: Role

    init(_ link: FailurePath.Link) {
      site = link.site.description
      role = link.role
    }

    public var description: String {
      switch role {
      case .began: "\(site) (where it began)"
      case .replaced: "\(site) (with another error from there on)"
      case .passedOn: site
      }
    }
  }

  /// What a promise did with a failure.
  public enum Role: String, Sendable, Hashable {
    /// The failure started here: the resolver was given an error, or the handler threw one.
    case began
    /// The promise failed with another error because its source failed: `mapError`, a `recover` that throws, or `any`.
    case replaced
    /// The promise failed with the same error as its source.
    case passedOn
  }

  /// The promises, in the order in which they failed.
  public let links: [Link]
  /// The number of promises left out between the first and the second of `links`.
  public let leftOut: Int

  /// The largest number of promises that `links` holds.
  public static let limit = 32

  init(_ place: FailurePlace) {
    let kept = place.trail
    links = kept.links.map(Link.init)
    leftOut = kept.leftOut
  }

  /// The path in one line, starting where the failure began.
  public var description: String {
    var parts = links.map(\.description)
    if leftOut > 0 { parts.insert("\(leftOut) more", at: 1) }
    return parts.joined(separator: " → ")
  }
}

extension Promise {
  /// The path of the promise's failure. Nil if the promise has not failed, or was cancelled: a cancellation is not a
  /// failure.
  ///
  /// Reading the path does not count as handling the failure.
  ///
  /// - Complexity: O(`FailureTrail.limit`). The path is recorded from the moment a promise fails, at O(1) for each
  ///   link. Nothing is recorded while no promise fails.
  public var failureTrail: FailureTrail? { storage.root().failureTrail }
}
