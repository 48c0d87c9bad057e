internal import AsyncPatterns

extension TraceEvent.Ending {
  /// The arguments that tell of it in a Chrome trace.
  static let chromeNames: [(name: String, bit: Self)] = [
    ("waits_for_all", .saysAllHaveEnded), ("ended_by_timer", .byTimer),
    ("ended_by_itself", .byItself), ("ended_after_wait", .afterWait),
  ]
}
