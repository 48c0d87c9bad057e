import AsyncRuntime
import CPlaygroundAgent
import SwiftTasks

/// The streams of a recorded program whose buffers held many values.
struct RecordedStreams {
  private struct Stream {
    let name: String
    let span: Span
  }

  /// By the addresses of their storages.
  private var streams: [UInt: Stream] = [:]
  private var names = SpanLabels()

  /// Lets the agent look at buffers, if Swift lays out streams as the agent expects.
  static func prepare() {
    guard MemoryLayout<AsyncStream<Int>.Continuation>.size == MemoryLayout<UnsafeRawPointer>.size
    else { return }
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let storage = unsafeBitCast(continuation, to: UnsafeRawPointer.self)
    for count in 0...2 {
      guard playground_agent_knowsStream(storage, count) else { break }
      continuation.yield(count)
    }
    withExtendedLifetime(stream) {}
  }

  /// How many values the buffer of a stream holds.
  ///
  /// - Parameters:
  ///   - place: the code that added the last one.
  ///   - span: the task that did. The first one that does stands for all.
  mutating func counter(
    _ storage: UInt, holds count: UInt32, since time: Instant, filledBy place: String?,
    _ span: Span
  ) -> TraceEvent {
    let stream =
      streams[storage]
      ?? Stream(
        name: names.unique("buffer filled by \(place ?? "a stream’s continuation")"), span: span)
    streams[storage] = stream
    return .counter(stream.name, Double(count), role: .buffer, of: stream.span, at: time)
  }
}
