import AsyncRuntime
import CPlaygroundAgent
import SwiftTasks

/// The streams of a recorded program whose buffers held many values.
struct RecordedStreams {
  private struct Stream {
    let name: String
    let span: Span
  }

  /// The address of a stream's storage, and the function that adds values.
  ///
  /// The address alone is not enough, since another stream may have it later.
  private struct Key: Hashable {
    let storage: UInt
    let function: String
  }

  private var streams: [Key: Stream] = [:]
  /// For each storage, the stream that had it last, and whether its buffer was empty.
  private var last: [UInt: (stream: Stream, isEmpty: Bool)] = [:]
  private var names = SpanLabels()

  /// Lets the agent look at buffers, if Swift lays out streams as the agent expects.
  static func prepare() {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let (throwing, other) = AsyncThrowingStream.makeStream(of: Int.self)
    let isKnown =
      agentCounts(continuation, stream.makeAsyncIterator()) { continuation.yield($0) }
      && agentCounts(other, throwing.makeAsyncIterator()) { other.yield($0) }
    playground_agent_lookAtStreams(isKnown)
    withExtendedLifetime((stream, throwing)) {}
  }

  private static func agentCounts<Continuation, Iterator>(
    _ continuation: Continuation, _ iterator: Iterator, yield: (Int) -> Void
  ) -> Bool {
    let sizes = [MemoryLayout<Continuation>.size, MemoryLayout<Iterator>.size]
    guard sizes.allSatisfy({ $0 == MemoryLayout<UnsafeRawPointer>.size }) else { return false }
    let storage = unsafeBitCast(continuation, to: UnsafeRawPointer.self)
    let found = withUnsafeBytes(of: iterator) { bytes in
      playground_agent_storageOfIterator(
        bytes.baseAddress!.assumingMemoryBound(to: UnsafeRawPointer.self))
    }
    guard found == storage else { return false }
    return (0...2).allSatisfy { count in
      defer { yield(count) }
      return playground_agent_countInStream(storage) == count
    }
  }

  /// The event that notes how many values the buffer of a stream holds; nil if the stream is not known.
  ///
  /// One stream can be filled from several places. While its buffer holds values, no other stream has its storage. So
  /// its counter keeps the name of the first place.
  ///
  /// - Parameters:
  ///   - site: the return address of the call that added the last value; 0 if a task is about to take a value.
  ///   - place: the code at that address.
  ///   - span: the task that acts. All events of a counter name the first such task.
  mutating func counter(
    _ storage: UInt, holds count: UInt32, since time: Instant, filledAt site: UInt,
    by place: @autoclosure () -> CodeLocation?, _ span: Span
  ) -> TraceEvent? {
    var stream = last[storage]?.stream
    if site != 0, last[storage]?.isEmpty ?? true {
      let place = place()
      let key = Key(storage: storage, function: place?.function ?? "")
      stream =
        streams[key]
        ?? Stream(
          name: names.unique(
            "buffer filled by \(place.map { "\($0)" } ?? "a stream’s continuation")"), span: span)
      streams[key] = stream
    }
    guard let stream else { return nil }
    last[storage] = (stream, count == 0)
    return .counter(stream.name, Double(count), role: .buffer, of: stream.span, at: time)
  }
}
