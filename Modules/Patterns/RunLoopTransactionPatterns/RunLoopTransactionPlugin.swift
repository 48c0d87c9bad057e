public import AsyncPatterns
import RunLoopTransaction

/// Work that is combined and run at the end of a run loop's turn.
public struct RunLoopTransactionPlugin: Plugin {
  public static let name = "RunLoopTransaction"
  public static let summary =
    "Work at the end of a turn of the run loop, once for all requests."
  public static let patterns: [any AsyncPattern.Type] = [
    TransactionPattern.self, OriginalTransactionPattern.self,
  ]
}

@_cdecl("async_pattern_plugin_RunLoopTransaction")
public func runLoopTransactionPlugin() -> UnsafePointer<async_pattern_plugin> {
  async_pattern_handshake { RunLoopTransactionPlugin.describe(to: $0) }
}
