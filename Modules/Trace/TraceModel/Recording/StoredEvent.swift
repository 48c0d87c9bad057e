internal import Synchronization

/// An event in the memory of a recorder.
///
/// It begins with the first properties of `TraceEvent`, up to its time and its causes. Other parts follow only if the
/// event has them: its names, its second time, its number, and its number in the order of the recorder's events. Most
/// events take 32 bytes instead of 88.
struct StoredEvent {
  private let memory: UnsafeRawPointer

  /// - Parameter memory: the memory of a stored event. It must stay valid as long as this value is used.
  init(at memory: UnsafeRawPointer) { self.memory = memory }

  // The sizes are computed properties, so that the compiler treats them as constants.
  /// The size of the largest stored event, in bytes.
  static var largestSize: Int { sequenceSize + MemoryLayout<TraceEvent>.stride }
  /// The size of the properties that every event has. They are the first ones of an event.
  static var headSize: Int { 32 }
  /// The place of `awaitsAll`.
  static var partsOffset: Int { 3 }
  /// The size of `name` and `detail`, which come next.
  static var namesSize: Int { 2 * MemoryLayout<String>.stride }
  /// The size of `since`, and that of `number`.
  static var numberSize: Int { 8 }
  private static var sequenceSize: Int { MemoryLayout<UInt64>.stride }

  /// The average size of the start and the end of a step that waited for its lane, in bytes.
  static var usualSize: Int { headSize + numberSize / 2 }

  /// The parts that follow the first properties. They are stored in the unused bits of `awaitsAll`.
  private struct Parts: OptionSet {
    let rawValue: UInt8

    static var awaitsAll: Parts { Parts(rawValue: 1) }
    static var names: Parts { Parts(rawValue: 2) }
    static var since: Parts { Parts(rawValue: 4) }
    static var number: Parts { Parts(rawValue: 8) }
    static var sequence: Parts { Parts(rawValue: 16) }

    /// Their size in bytes, with that of the first properties.
    var size: Int {
      headSize + (contains(.sequence) ? sequenceSize : 0) + (contains(.since) ? numberSize : 0)
        + (contains(.number) ? numberSize : 0) + (contains(.names) ? namesSize : 0)
    }

    /// The place of a part: behind those with smaller numbers.
    func offset(of part: Parts) -> Int { Parts(rawValue: rawValue & (part.rawValue - 1)).size }
  }

  /// Stores an event.
  ///
  /// - Parameters:
  ///   - sequence: the number of the event in the order of the recorder's events. Nil if their times determine it.
  ///   - memory: has room for the largest event.
  /// - Returns: the number of bytes that it takes.
  @inline(__always)
  static func store(
    _ event: consuming TraceEvent, sequence: UInt64?, at memory: UnsafeMutableRawPointer
  ) -> Int {
    let (since, number) = (event.since.nanoseconds, event.number.bitPattern)
    let hasNames = !isEmptyLiteral(event.name) || !isEmptyLiteral(event.detail)
    // The event is moved, which avoids reference counting. Parts that it does not have contain no references. They are
    // overwritten by its other parts or by the next event.
    memory.initializeMemory(as: TraceEvent.self, to: event)
    // Atomic only to keep it apart from the move. Otherwise the move would be split around it, and the processor would
    // stall.
    let place = (memory + partsOffset).assumingMemoryBound(to: Atomic<UInt8>.self)
    var parts = Parts(rawValue: place.pointee.load(ordering: .relaxed))
    if hasNames { parts.insert(.names) }
    if since != 0 { parts.insert(.since) }
    if number != 0 { parts.insert(.number) }
    if sequence != nil { parts.insert(.sequence) }
    place.pointee.store(parts.rawValue, ordering: .relaxed)
    if since != 0 {
      memory.storeBytes(of: since, toByteOffset: parts.offset(of: .since), as: Int64.self)
    }
    if number != 0 {
      memory.storeBytes(of: number, toByteOffset: parts.offset(of: .number), as: UInt64.self)
    }
    if let sequence {
      memory.storeBytes(of: sequence, toByteOffset: parts.offset(of: .sequence), as: UInt64.self)
    }
    return parts.size
  }

  /// Whether a string is `""` without any storage. Other empty strings may own memory.
  @inline(__always)
  private static func isEmptyLiteral(_ text: String) -> Bool {
    unsafeBitCast(text, to: (UInt64, UInt64).self) == emptyLiteral
  }

  /// The memory of `""`.
  static var emptyLiteral: (UInt64, UInt64) { (0, 0xE000_0000_0000_0000) }

  private var parts: Parts {
    Parts(rawValue: memory.load(fromByteOffset: Self.partsOffset, as: UInt8.self))
  }
  /// Only the first properties may be read.
  private var head: UnsafePointer<TraceEvent> { memory.assumingMemoryBound(to: TraceEvent.self) }
  /// Its name and its detail, if it has any.
  private var names: UnsafePointer<String> {
    (memory + Self.headSize).assumingMemoryBound(to: String.self)
  }

  /// Reads a part. Zero if the event has none.
  private func load<Number: BitwiseCopyable>(_ part: Parts, zero: Number) -> Number {
    let parts = parts
    guard parts.contains(part) else { return zero }
    return memory.load(fromByteOffset: parts.offset(of: part), as: Number.self)
  }

  var sequence: UInt64 { load(.sequence, zero: 0) }
  var time: Instant { head.pointee.time }
  var span: Span { head.pointee.span }
  var lane: Lane { head.pointee.lane }
  var name: String { parts.contains(.names) ? names[0] : "" }
  var detail: String { parts.contains(.names) ? names[1] : "" }
  /// The number of bytes that it takes.
  var size: Int { parts.size }

  var event: TraceEvent {
    TraceEvent(
      head.pointee.kind, head.pointee.span, at: head.pointee.time, on: head.pointee.lane,
      outcome: head.pointee.outcome, role: head.pointee.role,
      awaitsAll: parts.contains(.awaitsAll), parent: head.pointee.parent,
      cause: head.pointee.cause, after: head.pointee.after,
      since: Instant(nanoseconds: load(.since, zero: 0)), number: load(.number, zero: 0),
      name: name, detail: detail)
  }

  /// Ends the life of the event. Its memory must not be read any more.
  func destroy() {
    if parts.contains(.names) { UnsafeMutablePointer(mutating: names).deinitialize(count: 2) }
  }
}
