/// Work took longer than its time limit.
///
/// The work is cancelled, if it can be. Work that ignores the cancellation may still be running.
public struct TimedOut: Error, Hashable, CustomStringConvertible {
  /// The name of the work in messages: the label of a step, or the name of an operation.
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
