/// Work took longer than its time limit.
///
/// Work that can be cancelled has been cancelled by then. It may still be running if it ignores that.
public struct TimedOut: Error, Hashable, CustomStringConvertible {
  /// What timed out, as messages name it: a step by its label, or an operation by its name.
  public var work: String
  /// How long the work was allowed to take.
  public var limit: Duration
  /// The place in the source code where the work or its timeout was set, as “file:line”.
  public var site: String?

  public init(_ work: String, after limit: Duration, site: String? = nil) {
    self.work = work
    self.limit = limit
    self.site = site
  }

  public var description: String {
    "“\(work)” timed out after \(limit.shortDescription)" + (site.map { " (\($0))" } ?? "")
  }
}
