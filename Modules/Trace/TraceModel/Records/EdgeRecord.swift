/// An edge: one step let another continue. A step is named by its label if that is unique, otherwise by its path. The
/// run's own step is named by its label.
public struct EdgeRecord: Sendable, Hashable {
  public var from: String
  public var to: String
  public var kind: Kind

  public init(from: String, to: String, kind: Kind) {
    self.from = from
    self.to = to
    self.kind = kind
  }

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case spawned, dependency
    case resolvedBy = "resolved-by"
    case woke
    case permitFrom = "permit-from"
  }
}
