/// Which plugin that comes with the program has which pattern, for whoever writes a pattern's name before
/// the plugin is loaded: what a plugin has is known only once it is.
enum ShippedPatterns {
  /// The plugins by the names of their patterns.
  static let plugins: [String: String] = {
    var plugins: [String: String] = [:]
    for (plugin, patterns) in names { for name in patterns { plugins[name] = plugin } }
    return plugins
  }()

  private static let names: [String: [String]] = [
    "AsyncRender": ["render", "render.sync", "render.yy"],
    "Foundation": ["foundation.operations"],
    "GCD": ["gcd.group", "gcd.semaphore"],
    "HTTP": ["http"],
    "OperationGraph": [
      "graph", "group", "group.naive", "bounded", "bounded.semaphore", "operations", "barrier",
    ],
    "Promises": [
      "promise", "all", "any", "race", "settled", "task", "timeout", "retry", "delay", "recover",
    ],
    "RunLoopTransaction": ["transaction", "transaction.yy"],
    "SerialQueue": [
      "serial", "serial.semaphore", "serial.chain", "serial.nested", "animate", "keyframes",
    ],
    "SwiftConcurrency": ["swift.sequence", "swift.taskgroup"],
  ]
}
