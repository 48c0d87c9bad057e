import Promises

/// The reports of the live runtime. A test can await them.
final class AwaitedReports: TraceSink {
  private let reports = Locked<[String]>([])
  private let (stream, continuation) = AsyncStream<Void>.makeStream()

  var all: [String] { reports.withLock { $0 } }

  func record(_ event: TraceEvent) {
    guard event.kind == .misuse else { return }
    reports.withLock { $0.append(event.detail) }
    continuation.yield()
  }

  func wait(for count: Int) async {
    var left = count
    guard left > 0 else { return }
    for await _ in stream {
      left -= 1
      if left == 0 { return }
    }
  }
}
