internal import CSwiftTasks

/// An address in the code of the process.
public struct CodeAddress: Hashable, @unchecked Sendable {
  // Safe to share: an address, which nothing reads from.
  let pointer: UnsafeRawPointer

  public init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }

  /// Nil for 0.
  public init?(number: UInt) {
    guard let pointer = UnsafeRawPointer(bitPattern: number) else { return nil }
    self.pointer = pointer
  }

  /// It holds in this process, and in its copies.
  public var number: UInt { UInt(bitPattern: pointer) }

  /// The name of the file of the program or library that it belongs to.
  public var image: Substring? {
    swift_tasks_image(pointer).flatMap { String(cString: $0).split(separator: "/").last }
  }

  /// The name of the last exported symbol before it.
  public var exportedSymbol: String? { swift_tasks_symbol(pointer).map { String(cString: $0) } }
}
