/// The way of a failure: through which promises it went, and where those were made.
///
/// ```swift
/// if let trail = page.failureTrail { print("failed: \(trail)") }
/// ```
///
/// Of a longer way than `limit`, the first promise and the last ones.
public struct FailureTrail: Sendable, Hashable, CustomStringConvertible {
  /// A promise on the way.
  public struct Link: Sendable, Hashable, CustomStringConvertible {
    /// Where the promise was made, as “file:line”.
    public let site: String
    /// What it did with the failure.
    public let role: Role

    init(_ link: FailureWay.Link) {
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

  /// What a promise has to do with a failure.
  public enum Role: String, Sendable, Hashable {
    /// The failure began there: its resolver was given an error, or its handler threw one.
    case began
    /// It failed with another error because one failed that it was made from: `mapError`, a `recover` that
    /// throws, an `any`.
    case replaced
    /// It failed since one did that it was made from, with the same error.
    case passedOn
  }

  /// The promises in the order in which they failed.
  public let links: [Link]
  /// How many there are between the first and the second of `links`.
  public let leftOut: Int

  /// How many promises of a way are named.
  public static let limit = 32

  init(_ place: FailurePlace) {
    let kept = place.trail
    links = kept.links.map(Link.init)
    leftOut = kept.leftOut
  }

  /// The way in one line, from where the failure began.
  public var description: String {
    var parts = links.map(\.description)
    if leftOut > 0 { parts.insert("\(leftOut) more", at: 1) }
    return parts.joined(separator: " → ")
  }
}

extension Promise {
  /// The way of its failure; nil unless it has failed, and for a cancellation, which is none.
  ///
  /// Whoever reads it has not taken the failure.
  ///
  /// - Complexity: O(`FailureTrail.limit`). What it is made of is kept from when a promise fails, at O(1) for each
  ///   link, and nothing as long as none does.
  public var failureTrail: FailureTrail? { storage.root().failureTrail }
}
