/// Storage in a node for a value whose type only the caller knows. A small value is stored in place, others in a box.
///
/// A stored property of that type would also work. But each node would then look up the type at its
/// release, which would cost as much as everything else.
@usableFromInline
struct Payload {
  // Two words hold a closure, a string or an error.
  @usableFromInline var room: (UInt, UInt) = (0, 0)

  @inlinable init() {}

  @inlinable
  static func fits<Value>(_: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= 2 * MemoryLayout<UInt>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
  }

  /// Whether a value of type `Value` needs no clean-up when the storage is released.
  @inlinable
  static func isTrivial<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) && fits(Value.self) }

  /// The address of the value. Only for a payload that is stored in an object, and so does not move.
  @inlinable
  mutating func address<Value>(of _: Value.Type) -> UnsafeMutableRawPointer {
    let raw = withUnsafeMutablePointer(to: &room) { UnsafeMutableRawPointer($0) }
    if Self.fits(Value.self) { return raw }
    guard let box = UnsafeMutableRawPointer(bitPattern: room.0) else {
      preconditionFailure("an empty payload has no address")
    }
    return box
  }

  @inlinable
  mutating func store<Value>(_ value: Value) {
    if !Self.fits(Value.self) {
      let box = UnsafeMutableRawPointer.allocate(
        byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
      room.0 = UInt(bitPattern: box)
    }
    address(of: Value.self).initializeMemory(as: Value.self, to: value)
  }

  /// A copy of the value. Several threads can read at the same time, so this function mutates nothing, not even
  /// formally.
  @inlinable
  func load<Value>(_: Value.Type) -> Value {
    guard Self.fits(Value.self) else {
      guard let box = UnsafeRawPointer(bitPattern: room.0) else {
        preconditionFailure("an empty payload has no value")
      }
      return box.assumingMemoryBound(to: Value.self).pointee
    }
    return withUnsafePointer(to: room) {
      UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Moves the value out.
  @inlinable
  mutating func take<Value>(_: Value.Type) -> Value {
    let address = address(of: Value.self)
    defer { if !Self.fits(Value.self) { address.deallocate() } }
    return address.assumingMemoryBound(to: Value.self).move()
  }

  @inlinable
  mutating func destroy<Value>(_: Value.Type) {
    let address = address(of: Value.self)
    address.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    if !Self.fits(Value.self) { address.deallocate() }
  }
}
