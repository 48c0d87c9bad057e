extension TraceEvent {
  /// The beginning of the bytes of an event. The name and the detail follow it.
  private struct Head {
    var kind, outcome, role, awaitsAll, nameLength, detailLength: UInt8
    var span, parent, cause, after: UInt32
    var since: Int64
    var number: Double
  }

  /// The maximum number of bytes of a name or a detail; the rest is dropped.
  private static let textLimit = 200
  private static let noOutcome = UInt8.max

  /// Calls `body` with the bytes of the event. They contain everything except the time and the
  /// lane.
  package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    let size = MemoryLayout<Head>.size
    withUnsafeTemporaryAllocation(
      byteCount: size + 2 * Self.textLimit, alignment: MemoryLayout<Head>.alignment
    ) { buffer in
      let (name, detail) = (name.utf8.prefix(Self.textLimit), detail.utf8.prefix(Self.textLimit))
      let head = Head(
        kind: kind.rawValue, outcome: outcome?.rawValue ?? Self.noOutcome, role: role.rawValue,
        awaitsAll: awaitsAll ? 1 : 0, nameLength: UInt8(name.count),
        detailLength: UInt8(detail.count), span: span.id, parent: parent.id, cause: cause.bits,
        after: after.bits, since: since.nanoseconds, number: number)
      buffer.storeBytes(of: head, as: Head.self)
      buffer[size...].copyBytes(from: name)
      buffer[(size + name.count)...].copyBytes(from: detail)
      body(UnsafeRawBufferPointer(rebasing: buffer[..<(size + name.count + detail.count)]))
    }
  }

  /// Makes an event from the bytes that ``withBytes(_:)`` made; nil if some are missing.
  package init?(_ bytes: UnsafeRawBufferPointer, on lane: Lane, at time: Instant) {
    let size = MemoryLayout<Head>.size
    guard bytes.count >= size else { return nil }
    let head = bytes.loadUnaligned(as: Head.self)
    let (nameEnd, end) = (
      size + Int(head.nameLength), size + Int(head.nameLength) + Int(head.detailLength)
    )
    guard bytes.count >= end, let kind = Kind(rawValue: head.kind) else { return nil }
    self.init(
      kind, Span(id: head.span), at: time, outcome: Outcome(rawValue: head.outcome),
      role: Role(rawValue: head.role) ?? .plain, awaitsAll: head.awaitsAll != 0,
      parent: Span(id: head.parent), cause: Cause(bits: head.cause), after: Cause(bits: head.after),
      since: Instant(nanoseconds: head.since), number: head.number,
      name: String(decoding: bytes[size..<nameEnd], as: UTF8.self),
      detail: String(decoding: bytes[nameEnd..<end], as: UTF8.self))
    self.lane = lane
  }
}
