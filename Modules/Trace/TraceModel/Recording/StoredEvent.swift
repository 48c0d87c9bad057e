/// An event in the memory of a recorder.
///
/// Only events with a name, a detail, a number or a second time are stored whole. The others, which are most, take 40
/// bytes instead of 88. The memory begins with a word that says which kind it is. The word also has the number of the
/// event in the order of the recorder's events.
@usableFromInline struct StoredEvent {
  private let memory: UnsafeRawPointer

  /// - Parameter memory: the memory of a stored event. It must stay valid as long as this value is used.
  init(at memory: UnsafeRawPointer) { self.memory = memory }

  // The sizes are computed properties, so that the compiler treats them as constants.
  /// The size of the largest stored event, in bytes.
  static var largestSize: Int { wordSize + MemoryLayout<TraceEvent>.stride }
  /// The average size of the events of a step that is submitted, starts and finishes, in bytes.
  static var usualSize: Int { (largestSize + 2 * plainSize) / 3 }
  private static var plainSize: Int { wordSize + headSize }
  private static var wordSize: Int { MemoryLayout<UInt64>.stride }
  /// The size of the properties that every event has. They are the first ones of an event.
  static var headSize: Int { 32 }

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
    let isWhole = !event.isPlain
    memory.storeBytes(of: sequence << 1 | (isWhole ? 1 : 0), as: UInt64.self)
    // The event is moved, which avoids reference counting. The rest of a plain event has no references. It is overwritten
    // by the next event.
    (memory + wordSize).initializeMemory(as: TraceEvent.self, to: event)
    return isWhole ? largestSize : plainSize
  }

  private var word: UInt64 { memory.load(as: UInt64.self) }
  private var isWhole: Bool { word & 1 == 1 }
  /// Of a plain event, only the first properties may be read.
  private var content: UnsafePointer<TraceEvent> {
    (memory + Self.wordSize).assumingMemoryBound(to: TraceEvent.self)
  }

  var sequence: UInt64 { word >> 1 }
  var time: Instant { content.pointee.time }
  /// The number of bytes that it takes.
  var size: Int { isWhole ? Self.largestSize : Self.plainSize }

  @usableFromInline var event: TraceEvent {
    if isWhole { return content.pointee }
    return TraceEvent(
      content.pointee.kind, content.pointee.span, at: content.pointee.time,
      on: content.pointee.lane, outcome: content.pointee.outcome, role: content.pointee.role,
      awaitsAll: content.pointee.awaitsAll, parent: content.pointee.parent,
      cause: content.pointee.cause, after: content.pointee.after)
  }

  /// Ends the life of the event. Its memory must not be read any more.
  func destroy() {
    if isWhole { UnsafeMutablePointer(mutating: content).deinitialize(count: 1) }
  }
}

extension TraceEvent {
  /// Whether it has only the properties that every event has.
  fileprivate var isPlain: Bool {
    since.nanoseconds == 0 && number.bitPattern == 0 && name.isEmpty && detail.isEmpty
  }
}
