import AsyncRuntime
import CPlaygroundAgent
import SwiftTasks

/// The streams of a recorded program whose buffers held many values.
struct RecordedStreams {
  private struct Stream {
    let name: String
    let span: Span
  }

  /// The address of a stream's storage, and the code that adds values.
  ///
  /// The address alone is not enough, since another stream may have it later.
  private struct Key: Hashable {
    let storage, site: UInt
  }

  private var streams: [Key: Stream] = [:]
  private var names = SpanLabels()

  /// Lets the agent look at buffers, if Swift lays out streams as the agent expects.
  static func prepare() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let (throwing, other) = AsyncThrowingStream.makeStream(of: Int.self)
    let isKnown =
      agentCounts(continuation) { continuation.yield($0) } && agentCounts(other) { other.yield($0) }
    playground_agent_lookAtStreams(isKnown)
    withExtendedLifetime((stream, throwing)) {}
  }

  private static func agentCounts<Continuation>(
    _ continuation: Continuation, yield: (Int) -> Void
  ) -> Bool {
    guard MemoryLayout<Continuation>.size == MemoryLayout<UnsafeRawPointer>.size else {
      return false
    }
    let storage = unsafeBitCast(continuation, to: UnsafeRawPointer.self)
    return (0...2).allSatisfy { count in
      defer { yield(count) }
      return playground_agent_countInStream(storage) == count
    }
  }

  /// The event that notes how many values the buffer of a stream holds.
  ///
  /// - Parameters:
  ///   - site: the return address of the call that added the last value.
  ///   - place: the code at that address, in words.
  ///   - span: the task that added it. All events of a counter name the first such task.
  mutating func counter(
    _ storage: UInt, holds count: UInt32, since time: Instant, filledAt site: UInt,
    by place: @autoclosure () -> String?, _ span: Span
  ) -> TraceEvent {
    let key = Key(storage: storage, site: site)
    let stream =
      streams[key]
      ?? Stream(
        name: names.unique("buffer filled by \(place() ?? "a stream’s continuation")"), span: span)
    streams[key] = stream
    return .counter(stream.name, Double(count), role: .buffer, of: stream.span, at: time)
  }
}
