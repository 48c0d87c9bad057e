extension SpanTable.Node {
  /// The properties that few nodes have.
  package struct Details: Sendable {
    /// The named list that it belongs to.
    var group: String?
    /// Why it failed.
    package var reason = ""
    /// The span that had cancelled it when it ended, and when.
    var cancelled: (by: Int?, at: Int64)?
    /// The span that cancelled it from outside, if it ended because of that.
    var canceller: Int?
    /// The call in which it first blocked a lane, if known.
    var blockingCall: String?
    /// Whether a lane was blocked for it to the end of the run.
    var isBlockedToEnd = false
    var blockCount = 0
    package var blocked: Int64 = 0
    package var blockLane: Lane?
  }
}
