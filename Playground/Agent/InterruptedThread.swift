import AsyncRuntime
import CPlaygroundAgent
import Foundation
import SwiftTasks

#if canImport(Glibc)
  import Glibc
#endif

/// The code that the calling thread ran when a signal interrupted it.
///
/// The handler of the signal creates it.
struct InterruptedThread {
  /// The library function in which the program blocked the thread; nil if none is known.
  private var callee: String?
  /// The place in the program; nil if it is not known.
  private var location: CodeLocation?
  /// The name that the program gave to the task of the thread; nil if it gave none.
  private let task = SwiftTask.current?.name

  init() {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 128) { addresses in
      addresses.initialize(repeating: nil)
      var isBusy = false
      let count = Int(playground_agent_backtrace(addresses.baseAddress!, 128))
      for address in addresses[..<count] {
        guard let address, !playground_agent_isOwn(address) else { continue }
        // A call returns to the address after it.
        let place = CodeAddress(address - 1)
        guard let found = CodeLocation.location(of: place), !Self.isOwn(found) else { continue }
        if found.isOfProgram(at: place) {
          location = found
          return
        }
        let name = found.library == nil ? found.function.publicName : found.function.demangled
        guard let name, !name.isEmpty, name != "sigaction" else { continue }
        // Swift’s libraries block a thread only in functions of the system.
        if callee == nil, found.library != nil { isBusy = true }
        if !isBusy { callee = name }
      }
    }
  }

  /// Whether a location is in the agent's code, which may be linked into the program.
  private static func isOwn(_ location: CodeLocation) -> Bool {
    location.file?.hasPrefix(#filePath.dropLast("InterruptedThread.swift".count)) == true
  }

  func description(after limit: Duration) -> String {
    let time = "after \(limit.shortDescription) of real time it had not ended"
    guard let subject else {
      let thread = playground_agent_isMainThread() ? "its main thread" : "one of its threads"
      return time + (callee.map { ": \(thread) was blocked in “\($0)”" } ?? "")
    }
    if let callee {
      return "\(time): \(subject) blocked its thread in “\(callee)”, and no task can run meanwhile"
    }
    return
      "\(time): \(subject) kept its thread busy, and no task can run meanwhile. Virtual time does not pass while "
      + "a task runs, so a loop that waits for the clock never ends."
  }

  /// The task and its code, as far as they are known.
  private var subject: String? {
    let name = task.map { "“\($0)”" }
    guard let location else { return name }
    var place = "“\(location.function)”"
    if let file = location.file, let line = location.line, line > 0 {
      place += " at \(file.split(separator: "/").last ?? ""):\(line)"
    }
    return name.map { "\($0), in \(place)," } ?? place
  }
}

extension String {
  /// The name of a function of the system as people know it: `read` for `__read`, and `lock` for `lock@@VERSION`. Nil
  /// if it is an internal function, which most people do not know.
  fileprivate var publicName: String? {
    let name = String(prefix { $0 != "@" })
    guard name.hasPrefix("_") else { return name }
    let known = String(name.drop { $0 == "_" })
    return dlsym(nil, known) == nil ? nil : known
  }

  /// The name as Swift code writes it, if this is a Swift symbol. Otherwise the same text.
  fileprivate var demangled: String {
    guard let text = playground_agent_demangled(self) else { return self }
    defer { free(text) }
    // The type of the result is left out.
    return String(cString: text).split(separator: " -> ").first.map(String.init) ?? self
  }
}
