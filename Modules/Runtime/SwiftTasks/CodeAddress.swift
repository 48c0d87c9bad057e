internal import CSwiftTasks

/// An address in the code of the process.
public struct CodeAddress: Hashable, @unchecked Sendable {
  // Safe to share: only an address, through which nothing is read.
  let pointer: UnsafeRawPointer

  public init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }

  /// Nil for 0.
  public init?(number: UInt) {
    guard let pointer = UnsafeRawPointer(bitPattern: number) else { return nil }
    self.pointer = pointer
  }

  /// The address as a number, which is valid in this process and in its copies.
  public var number: UInt { UInt(bitPattern: pointer) }

  /// The name of the file of the program or library that contains the address.
  public var image: Substring? {
    swift_tasks_image(pointer).flatMap { String(cString: $0).split(separator: "/").last }
  }

  /// The name of the last exported symbol before the address.
  public var exportedSymbol: String? { swift_tasks_symbol(pointer).map { String(cString: $0) } }
}
