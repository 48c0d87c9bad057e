internal import CSwiftTasks

/// The address of a function in which a task continues.
public struct CodeAddress: Hashable, @unchecked Sendable {
  // Safe to share: an address, which nothing reads from.
  let pointer: UnsafeRawPointer

  /// The name of the file of the program or library that it belongs to.
  var image: Substring? {
    swift_tasks_image(pointer).flatMap { String(cString: $0).split(separator: "/").last }
  }
}
