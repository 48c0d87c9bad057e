/// Room in a node for a value of a type that only the caller knows: in place if it is small, otherwise in a box.
///
/// A stored property of that type would do, but each node that goes would then have to look up what its type is,
/// which costs as much as all the rest.
@usableFromInline
struct Payload {
  // Two words: a closure, a string, an error.
  @usableFromInline var room: (UInt, UInt) = (0, 0)

  @inlinable init() {}

  @inlinable
  static func fits<Value>(_: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= 2 * MemoryLayout<UInt>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
  }

  /// Whether a value of that type can be left where it is when its room goes.
  @inlinable
  static func isTrivial<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) && fits(Value.self) }

  /// Where the value is. Only for a payload that stays where it is, in an object.
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

  /// A copy of the value. Many threads may read at once, so this changes nothing, not even formally.
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

  /// Takes the value out.
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
