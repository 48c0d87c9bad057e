import CPlaygroundAgent
import SwiftTasks

/// The names of the tasks and actors of a recorded program.
///
/// They are looked up in another process of the same program.
struct RecordedNames {
  /// The names of tasks, by their numbers.
  private(set) var ofTasks: [UInt32: String] = [:]
  private let recordedMap: AddressMap
  private let ownMap = AddressMap.own

  init(_ records: [TaskRecord], recordedMap: AddressMap) {
    self.recordedMap = recordedMap
    var given: [UInt32: [UInt8]] = [:]
    var makings: [UInt32: Making] = [:]
    for record in records {
      switch record.kind {
      case .created(_, _, let place): makings[record.task] = Making(place: place)
      case .site(let function, let site):
        makings[record.task]?.function = function
        makings[record.task]?.sites = [site]
      case .caller(let site): makings[record.task]?.sites.append(site)
      case .closure(let first, let second): makings[record.task]?.closure += [first, second]
      case .name(let bytes): given[record.task, default: []] += bytes
      default: break
      }
    }
    // The task of `main` starts without being made ready, before all others.
    let first = records.first { if case .started = $0.kind { true } else { false } }
    let main = first.flatMap { first in
      records.prefix { $0.time <= first.time }
        .contains { if case .ready = $0.kind { $0.task == first.task } else { false } }
        ? nil : first.task
    }
    if let main { ofTasks[main] = "main" }
    var titles: [UInt16: String?] = [:]
    for making in makings.values where making.place != 0 && making.function != nil {
      titles[making.place] = title(of: making)
    }
    for (task, making) in makings where task != main {
      ofTasks[task] =
        given[task].map { String(decoding: $0, as: UTF8.self) }
        ?? titles[making.place] ?? title(of: making)
    }
  }

  /// How a task was made.
  private struct Making {
    let place: UInt16
    /// The function in which the task starts; nil unless the task is the first one made at its place.
    var function: UInt?
    /// The return addresses of the calls that made the task, the innermost first.
    var sites: [UInt] = []
    var closure: [UInt] = []
  }

  private func title(of making: Making) -> String? {
    guard let function = making.function,
      var start = location(recordedMap.translate(function, to: ownMap))
    else { return nil }
    if start.isThunk || start.library != nil {
      // If the function is not known, the call that makes the task is.
      start = inside(making.closure) ?? written(making.sites) ?? start
    }
    if start.library == nil, start.line ?? 0 == 0 {
      // Compiled code for a closure has no line. The call that makes the task has one.
      start.line = written(making.sites)?.line
    }
    return start.title.isEmpty ? nil : start.title
  }

  /// The function that a thunk calls.
  private func inside(_ closure: [UInt]) -> CodeLocation? {
    for word in closure {
      // The description of an asynchronous function begins with the distance to its code.
      guard let description = pointer(word) else { continue }
      let distance = Int(description.loadUnaligned(as: Int32.self))
      let function = UInt(bitPattern: description) &+ UInt(bitPattern: distance)
      if let inside = location(function), inside.library == nil, !inside.isThunk { return inside }
    }
    return nil
  }

  /// Whether a function belongs to a stream. A task that waits for a continuation there waits for the next element.
  func isInsideStream(_ function: UInt) -> Bool {
    guard function != 0 else { return false }
    return location(recordedMap.translate(function, to: ownMap))?.isInsideStream ?? false
  }

  private func location(_ address: UInt?) -> CodeLocation? {
    address.flatMap { CodeAddress(number: $0) }.flatMap { CodeLocation.location(of: $0) }
  }

  /// The name of an executor.
  ///
  /// - Parameter type: the first word of the executor's object.
  func name(of executor: UInt, _ type: UInt) -> String {
    guard let metadata = pointer(type) else { return "actor" }
    if SwiftExecutor.isTypeOfMain(metadata) { return "main actor" }
    return _typeName(unsafeBitCast(metadata, to: Any.Type.self), qualified: false)
  }

  /// The name of a type that has a descriptor.
  func name(ofDescriptor descriptor: UInt) -> String? {
    // A descriptor holds its flags, the distance to its parent, and the distance to its name.
    let nameInDescriptor: UInt = 8
    guard let place = pointer(descriptor)?.advanced(by: Int(nameInDescriptor)) else { return nil }
    let distance = Int(place.loadUnaligned(as: Int32.self))
    return String(cString: (place + distance).assumingMemoryBound(to: CChar.self))
  }

  /// The called function, and the code of the program that called it, in words.
  ///
  /// - Parameters:
  ///   - function: the address of the function's name.
  ///   - addresses: the return addresses of the calls, the innermost first.
  func place(ofCallTo function: UInt, _ addresses: [UInt]) -> String {
    let name = pointer(function).map {
      String(cString: $0.assumingMemoryBound(to: CChar.self))
    }
    let caller = written(addresses)
    return [name.map { "in \($0)" }, caller.map { "called by \($0)" }].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// The code of the program that made a call; nil if it is not known.
  ///
  /// - Parameter site: the return address of the call.
  func caller(at site: UInt) -> CodeLocation? { written([site]) }

  /// The first call by code of the program.
  ///
  /// - Parameter addresses: the return addresses of the calls. An element that is 0 stands for no address.
  private func written(_ addresses: [UInt]) -> CodeLocation? {
    for site in addresses where site > 0 {
      guard let place = recordedMap.translate(site - 1, to: ownMap),
        let address = CodeAddress(number: place),
        !playground_agent_isOwn(UnsafeRawPointer(bitPattern: place)!),
        let location = CodeLocation.location(of: address), location.isWritten,
        location.isOfProgram(at: address)
      else { continue }
      return location
    }
    return nil
  }

  private func pointer(_ address: UInt) -> UnsafeRawPointer? {
    recordedMap.translate(address, to: ownMap).flatMap { UnsafeRawPointer(bitPattern: $0) }
  }
}
