/// An event in the memory of a recorder.
///
/// Only events with a name, a detail, a number or a second time are stored whole. The others, which are most, take 40
/// bytes instead of 88. The memory begins with a word that says which kind it is. The word also has the number of the
/// event in the order of the recorder's events.
@usableFromInline struct StoredEvent {
  private let memory: UnsafeRawPointer

  /// - Parameter memory: the memory of a stored event. It must stay valid as long as this value is used.
  init(at memory: UnsafeRawPointer) { self.memory = memory }

  /// The size of the largest stored event, in bytes.
  static let largestSize = wordSize + MemoryLayout<TraceEvent>.stride
  /// The average size of the events of a step that is submitted, starts and finishes, in bytes.
  static let usualSize = (largestSize + 2 * (wordSize + MemoryLayout<Head>.stride)) / 3
  private static let wordSize = MemoryLayout<UInt64>.stride

  /// Stores an event.
  ///
  /// - Parameters:
  ///   - sequence: the number of the event in the order of the recorder's events.
  ///   - memory: has room for the largest event.
  /// - Returns: the number of bytes that it takes.
  @inline(__always)
  static func store(
    _ event: consuming TraceEvent, sequence: UInt64, at memory: UnsafeMutableRawPointer
  ) -> Int {
    if event.isPlain {
      memory.storeBytes(of: sequence << 1, as: UInt64.self)
      (memory + wordSize).initializeMemory(as: Head.self, to: Head(event))
      return wordSize + MemoryLayout<Head>.stride
    }
    memory.storeBytes(of: sequence << 1 | 1, as: UInt64.self)
    // The event is moved, which avoids reference counting.
    (memory + wordSize).initializeMemory(as: TraceEvent.self, to: event)
    return largestSize
  }

  private var word: UInt64 { memory.load(as: UInt64.self) }
  private var isWhole: Bool { word & 1 == 1 }
  private var content: UnsafeRawPointer { memory + Self.wordSize }
  private var whole: UnsafePointer<TraceEvent> { content.assumingMemoryBound(to: TraceEvent.self) }
  private var head: UnsafePointer<Head> { content.assumingMemoryBound(to: Head.self) }

  var sequence: UInt64 { word >> 1 }
  var time: Instant { isWhole ? whole.pointee.time : head.pointee.time }
  /// The number of bytes that it takes.
  var size: Int { isWhole ? Self.largestSize : Self.wordSize + MemoryLayout<Head>.stride }
  @usableFromInline var event: TraceEvent { isWhole ? whole.pointee : head.pointee.event }

  /// Ends the life of the event. Its memory must not be read any more.
  func destroy() {
    if isWhole { UnsafeMutablePointer(mutating: whole).deinitialize(count: 1) }
  }

  /// The properties that every event has.
  private struct Head {
    let kind: TraceEvent.Kind
    let outcome: TraceEvent.Outcome?
    let role: TraceEvent.Role
    let awaitsAll: Bool
    let lane: Lane
    let time: Instant
    let span: Span
    let parent: Span
    let cause: Cause
    let after: Cause

    @inline(__always)
    init(_ event: borrowing TraceEvent) {
      (kind, outcome, role) = (event.kind, event.outcome, event.role)
      (awaitsAll, lane, time) = (event.awaitsAll, event.lane, event.time)
      (span, parent, cause, after) = (event.span, event.parent, event.cause, event.after)
    }

    var event: TraceEvent {
      TraceEvent(
        kind, span, at: time, on: lane, outcome: outcome, role: role, awaitsAll: awaitsAll,
        parent: parent, cause: cause, after: after)
    }
  }
}

extension TraceEvent {
  /// Whether it has only the properties that every event has.
  fileprivate var isPlain: Bool {
    since.nanoseconds == 0 && number.bitPattern == 0 && name.isEmpty && detail.isEmpty
  }
}
