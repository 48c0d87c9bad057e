internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps the events of a run in memory, in a separate buffer for each thread.
///
/// ```swift
/// let recorder = Recorder(clock: .live)
/// let runtime = LiveRuntime.shared.tracing(to: recorder)
/// ```
///
/// `Recorder.record` in `TraceAnalysis` records the caller's own code, with its name and its outcome.
///
/// Recording usually takes no lock, so one thread that records does not delay another. It takes a lock when a thread
/// needs more memory or the limit is reached, and for a counter of a recorder whose ``counterUpdates`` are followed.
/// Events beyond the limit are dropped and counted. A snapshot may be taken at any time from any thread.
public final class Recorder: TraceSink {
  /// The maximum number of events that it keeps.
  public let limit: Int

  private let identity = Recorder.identities.add(1, ordering: .relaxed).newValue
  private let key = RecordingThread.key
  private let room: Atomic<Int>
  private let chunkCount = Atomic<Int>(0)
  private let droppedCount = Atomic<Int>(0)
  private let spanCount = Atomic<UInt32>(0)
  private let sequence = Atomic<UInt64>(0)
  private let countsSequence: Bool
  private let buffers = Locked(Buffers())
  private let counters = Broadcast<TraceEvent>()
  /// Whether ``counterUpdates`` has been used.
  private let hasFollowers = Atomic<Bool>(false)

  private static let identities = Atomic<UInt64>(0)

  private struct Buffers: Sendable {
    var all: [EventBuffer] = []
    var byThread: [UInt64: EventBuffer] = [:]
  }

  /// - Parameters:
  ///   - clock: the clock of the recorded runtime. On the virtual clock, many events share an instant, so the recorder
  ///     counts them across threads and keeps their exact order. On the live clock, the time determines the order.
  ///   - limit: the maximum number of events to keep. An event takes 36 bytes, 32 more with a name or a detail, and 8 more
  ///     each with a number and with a second time. On the virtual clock, it takes 8 more. Beyond 13 million events, a
  ///     program with half a million threads may keep fewer.
  public init(clock: ClockKind, limit: Int = 8_000_000) {
    self.limit = max(limit, 0)
    room = Atomic(self.limit)
    countsSequence = clock == .virtual
  }

  /// Keeps `event`, or counts it as dropped if the limit is reached.
  ///
  /// - Complexity: O(1); about 10 ns.
  public func record(_ event: consuming TraceEvent) {
    if event.kind == .counter, hasFollowers.load(ordering: .relaxed) { counters.send(copy event) }
    let thread = RecordingThread.current(key)
    let position = countsSequence ? sequence.add(1, ordering: .relaxed).oldValue : nil
    if thread.pointee.place(for: identity) == nil { makeRoom(in: thread) }
    guard let place = thread.pointee.place(for: identity) else {
      droppedCount.add(1, ordering: .relaxed)
      return
    }
    thread.pointee.publish(StoredEvent.store(event, sequence: position, at: place))
  }

  public func nextSpan() -> Span {
    .outsideRuns(spanCount.add(1, ordering: .relaxed).newValue)
  }

  /// Gives the thread a place to append to, if there is room left.
  @inline(never)
  private func makeRoom(in thread: UnsafeMutablePointer<RecordingThread>) {
    let isKnown = thread.pointee.recorder == identity
    guard let buffer = buffer(of: thread.pointee.identity) else { return }
    if isKnown {
      room.add(buffer.takeRoomLeft(), ordering: .relaxed)
      guard let capacity = takeRoom(buffer.nextCapacity) else { return }
      buffer.grow(by: capacity)
    }
    thread.pointee.enter(buffer, of: identity)
    if !isKnown, thread.pointee.isFull { makeRoom(in: thread) }
  }

  /// The counters that are recorded from now on, including those beyond the limit. The `name` and the `number` of an
  /// element are the counter and its new value.
  ///
  /// ```swift
  /// for await counter in recorder.counterUpdates { meter.show(counter.name, counter.number) }
  /// ```
  ///
  /// The counters of one thread come in order. Each access makes another sequence, for one consumer. The buffer of a
  /// sequence has no limit, so that a slow consumer misses no value. A sequence does not retain the recorder, and ends
  /// when the recorder is released. No lock is held while a counter is delivered.
  ///
  /// - Complexity: O(1). From then on, recording a counter also takes a lock, and time in O(*n*) for *n* sequences.
  public var counterUpdates: AsyncStream<TraceEvent> {
    hasFollowers.store(true, ordering: .relaxed)
    return counters.events()
  }

  /// The number of events that were dropped for lack of room.
  public var dropped: Int { droppedCount.load(ordering: .relaxed) }

  /// All events recorded so far, in time order.
  ///
  /// Events of the same instant keep the order in which they were recorded. On the virtual clock, this holds across
  /// threads; on the live clock, only within each thread.
  ///
  /// - Complexity: O(n log n) at worst, O(n) for a single thread.
  public func snapshot() -> [TraceEvent] { events.array }

  /// All events recorded so far, as in ``snapshot()``. They are not copied.
  ///
  /// - Complexity: O(n log n) at worst, O(n) for a single thread.
  package var events: TraceEvents {
    var beginning = Position()
    return newEvents(since: &beginning)
  }

  /// A reading position in the recorded events.
  public struct Position: Sendable {
    fileprivate var cursors: [EventBuffer.Cursor] = []

    /// The beginning.
    public init() {}
  }

  /// Returns the events recorded since `position`, and advances `position`. Each event is returned once.
  ///
  /// Each result is in time order. Threads publish at their own pace, so a later result may contain slightly older
  /// events. Reading does not delay the threads that record.
  ///
  /// - Complexity: O(n log n) at worst in the number of new events.
  public func events(since position: inout Position) -> [TraceEvent] {
    newEvents(since: &position).array
  }

  private func newEvents(since position: inout Position) -> TraceEvents {
    let buffers = self.buffers.withLock { $0.all }
    var events = StoredEvents()
    // A reader that starts at the beginning gets about as many events as the buffers have room for.
    if position.cursors.isEmpty {
      events.reserveCapacity(limit - room.load(ordering: .relaxed))
    }
    while position.cursors.count < buffers.count { position.cursors.append(EventBuffer.Cursor()) }
    for (index, buffer) in buffers.enumerated() {
      buffer.read(from: &position.cursors[index], into: &events)
    }
    events.sort()
    return TraceEvents(events, in: buffers)
  }

  private func buffer(of thread: UInt64) -> EventBuffer? {
    if let existing = buffers.withLock({ $0.byThread[thread] }) { return existing }
    guard let capacity = takeRoom(64) else { return nil }
    let buffer = EventBuffer(capacity: capacity)
    buffers.withLock { buffers in
      buffers.all.append(buffer)
      buffers.byThread[thread] = buffer
    }
    return buffer
  }

  /// Takes at most `wanted` of the room that is left, for a chunk. Returns nil if there is none.
  private func takeRoom(_ wanted: Int) -> Int? {
    var left = room.load(ordering: .relaxed)
    while left > 0 {
      let taken = min(left, wanted)
      let (exchanged, original) = room.weakCompareExchange(
        expected: left, desired: left - taken, ordering: .relaxed)
      if exchanged {
        let chunks = chunkCount.add(1, ordering: .relaxed).newValue
        return chunks <= StoredEvents.mostChunks ? taken : nil
      }
      left = original
    }
    return nil
  }
}
