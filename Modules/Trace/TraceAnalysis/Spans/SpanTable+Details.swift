extension SpanTable.Node {
  /// The properties that few nodes have.
  package struct Details: Sendable {
    /// The name that it was given after it had been submitted.
    var name: String?
    /// The named list that it belongs to.
    var group: String?
    /// Why it failed.
    package var reason = ""
    /// The span that had cancelled it when it ended, and when.
    var cancelled: (by: Int?, at: Int64)?
    /// The span that cancelled it from outside, if it ended because of that.
    var canceller: Int?
    /// The longest time in which a lane was blocked for it, or else the one that lasted to the end of the run.
    private(set) var mainBlockage: LaneInterval?
    /// The call that blocked the lane in that time, if known.
    private(set) var blockingCall: String?
    private(set) var hasOtherCalls = false
    /// Whether a lane was blocked for it to the end of the run.
    var isBlockedToEnd: Bool { mainBlockage?.isOpen ?? false }
    private(set) var blockCount = 0
    package private(set) var blocked: Int64 = 0
    package var blockLane: Lane?

    mutating func noteBlockage(_ interval: LaneInterval, _ call: String?) {
      blocked = blocked.addingClamped(interval.length)
      blockCount += 1
      if blockCount > 1, call != blockingCall { hasOtherCalls = true }
      if let main = mainBlockage, main.isOpen || main.length >= interval.length && !interval.isOpen
      {
        return
      }
      (mainBlockage, blockingCall) = (interval, call)
    }
  }
}
