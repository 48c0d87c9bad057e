/// An event in the memory of a recorder.
///
/// Every event has the first properties of `TraceEvent`, up to its time and its causes. Numbers and names follow only if
/// the event has any: most events take 40 bytes instead of 88. The memory begins with a word that says which parts
/// follow. The word also has the number of the event in the order of the recorder's events.
@usableFromInline struct StoredEvent {
  private let memory: UnsafeRawPointer

  /// - Parameter memory: the memory of a stored event. It must stay valid as long as this value is used.
  init(at memory: UnsafeRawPointer) { self.memory = memory }

  // The sizes are computed properties, so that the compiler treats them as constants.
  /// The size of the largest stored event, in bytes.
  static var largestSize: Int { wordSize + MemoryLayout<TraceEvent>.stride }
  /// The average size of the events of a step that is submitted, starts and finishes, in bytes.
  static var usualSize: Int { wordSize + headSize + (namesSize + 2) / 3 }
  private static var wordSize: Int { MemoryLayout<UInt64>.stride }
  /// The size of the properties that every event has. They are the first ones of an event.
  static var headSize: Int { 32 }
  /// The size of `since` and `number`, which follow them.
  static var numbersSize: Int { 16 }
  /// The size of `name` and `detail`, which come last.
  static var namesSize: Int { 2 * MemoryLayout<String>.stride }

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
    let (hasNumbers, hasNames) = (event.hasNumbers, event.hasNames)
    memory.storeBytes(
      of: sequence << 2 | (hasNumbers ? 1 : 0) | (hasNames ? 2 : 0), as: UInt64.self)
    // The event is moved, which avoids reference counting. Parts that it does not have contain no references. They are
    // overwritten by its other parts or by the next event.
    (memory + wordSize).initializeMemory(as: TraceEvent.self, to: event)
    let end = memory + wordSize + headSize
    if !hasNames { return wordSize + headSize + (hasNumbers ? numbersSize : 0) }
    if hasNumbers { return largestSize }
    end.copyMemory(from: end + numbersSize, byteCount: namesSize)
    return wordSize + headSize + namesSize
  }

  private var word: UInt64 { memory.load(as: UInt64.self) }
  private var hasNumbers: Bool { word & 1 != 0 }
  private var hasNames: Bool { word & 2 != 0 }
  /// Only the parts that the event has may be read, except for its names, which may be at another place.
  private var content: UnsafePointer<TraceEvent> {
    (memory + Self.wordSize).assumingMemoryBound(to: TraceEvent.self)
  }
  /// Its name and its detail, if it has any.
  private var names: UnsafePointer<String> {
    (memory + Self.wordSize + Self.headSize + (hasNumbers ? Self.numbersSize : 0))
      .assumingMemoryBound(to: String.self)
  }

  var sequence: UInt64 { word >> 2 }
  var time: Instant { content.pointee.time }
  var span: Span { content.pointee.span }
  var lane: Lane { content.pointee.lane }
  var name: String { hasNames ? names[0] : "" }
  var detail: String { hasNames ? names[1] : "" }
  /// The number of bytes that it takes.
  var size: Int {
    Self.wordSize + Self.headSize + (hasNumbers ? Self.numbersSize : 0)
      + (hasNames ? Self.namesSize : 0)
  }

  @usableFromInline var event: TraceEvent {
    TraceEvent(
      content.pointee.kind, content.pointee.span, at: content.pointee.time,
      on: content.pointee.lane, outcome: content.pointee.outcome, role: content.pointee.role,
      awaitsAll: content.pointee.awaitsAll, parent: content.pointee.parent,
      cause: content.pointee.cause, after: content.pointee.after,
      since: hasNumbers ? content.pointee.since : Instant(nanoseconds: 0),
      number: hasNumbers ? content.pointee.number : 0, name: name, detail: detail)
  }

  /// Ends the life of the event. Its memory must not be read any more.
  func destroy() {
    if hasNames { UnsafeMutablePointer(mutating: names).deinitialize(count: 2) }
  }
}

extension TraceEvent {
  fileprivate var hasNumbers: Bool { since.nanoseconds != 0 || number.bitPattern != 0 }
  fileprivate var hasNames: Bool { !name.isEmpty || !detail.isEmpty }
}
