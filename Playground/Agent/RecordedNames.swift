import SwiftTasks

/// What the tasks and actors of a recorded program are called, looked up in another process of it.
struct RecordedNames {
  /// By the numbers of the tasks.
  private(set) var ofTasks: [UInt32: String] = [:]
  private let recordedMap: AddressMap
  private let ownMap = AddressMap.own

  init(_ records: [TaskRecord], recordedMap: AddressMap) {
    self.recordedMap = recordedMap
    var given: [UInt32: [UInt8]] = [:]
    var functions: [UInt32: UInt] = [:]
    var closures: [UInt32: [UInt]] = [:]
    for record in records {
      switch record.kind {
      case .created(_, let function): functions[record.task] = function
      case .closure(let first, let second): closures[record.task, default: []] += [first, second]
      case .name(let bytes): given[record.task, default: []] += bytes
      default: break
      }
    }
    for (task, function) in functions {
      ofTasks[task] =
        given[task].map { String(decoding: $0, as: UTF8.self) }
        ?? title(of: function, closures[task] ?? [])
    }
  }

  private func title(of function: UInt, _ closure: [UInt]) -> String? {
    guard let start = location(recordedMap.translate(function, to: ownMap)) else { return nil }
    guard start.isThunk || start.library != nil else { return start.title }
    for word in closure {
      // The description of an asynchronous function begins with the distance to its code.
      guard let description = recordedMap.translate(word, to: ownMap),
        let pointer = UnsafeRawPointer(bitPattern: description)
      else { continue }
      let distance = Int(pointer.loadUnaligned(as: Int32.self))
      if let inside = location(description &+ UInt(bitPattern: distance)), inside.library == nil,
        !inside.isThunk
      {
        return inside.title
      }
    }
    return start.title.isEmpty ? nil : start.title
  }

  private func location(_ address: UInt?) -> CodeLocation? {
    address.flatMap { CodeAddress(number: $0) }.flatMap { CodeLocation.location(of: $0) }
  }

  /// What an executor is called.
  ///
  /// - Parameter type: the first word of the object.
  func name(of executor: UInt, _ type: UInt) -> String {
    guard let metadata = recordedMap.translate(type, to: ownMap),
      let pointer = UnsafeRawPointer(bitPattern: metadata)
    else { return "actor" }
    if CodeAddress(pointer).image == "agent.so" { return "main actor" }
    let name = _typeName(unsafeBitCast(pointer, to: Any.Type.self), qualified: false)
    return name
  }
}
