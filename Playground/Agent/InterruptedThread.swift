import AsyncRuntime
import CPlaygroundAgent
import Foundation
import SwiftTasks

#if canImport(Glibc)
  import Glibc
#endif

/// Where the calling thread is. The handler of a signal that has interrupted the thread asks this.
struct InterruptedThread {
  /// The function of a library that it has called, as that is known.
  private var callee: String?
  /// The function of the program.
  private var location: CodeLocation?

  init() {
    let program = ProgramArguments.programName[...]
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 128) { addresses in
      addresses.initialize(repeating: nil)
      let count = Int(playground_agent_backtrace(addresses.baseAddress!, 128))
      for address in addresses[..<count] {
        guard let address, !playground_agent_isOwn(address) else { continue }
        // The call is before the address to which it returns.
        let place = CodeAddress(address - 1)
        guard let found = CodeLocation.location(of: place), !Self.isOwn(found) else { continue }
        if found.isWritten, found.file != nil || place.image == program {
          location = found
          return
        }
        let name = found.library == nil ? found.function : found.function.demangled
        // Functions inside of the system's libraries say nothing to most people.
        if !name.isEmpty, !name.hasPrefix("_"), name != "sigaction" { callee = name }
      }
    }
  }

  /// Whether it is code of the agent, which may be a part of the program.
  private static func isOwn(_ location: CodeLocation) -> Bool {
    location.file?.hasPrefix(#filePath.dropLast("BlockedThread.swift".count)) == true
  }

  func description(after limit: Duration) -> String {
    let time = "after \(limit.shortDescription) of real time it had not ended"
    guard let location else {
      return time + (callee.map { ": its main thread was blocked in “\($0)”" } ?? "")
    }
    var place = "“\(location.function)”"
    if let file = location.file, let line = location.line {
      place += " at \(file.split(separator: "/").last ?? ""):\(line)"
    }
    let call = callee.map { " in “\($0)”" } ?? ""
    return "\(time): \(place) blocked its thread\(call), and no task can run meanwhile"
  }
}

extension String {
  /// As it is written in Swift, if it is the name of a symbol of Swift's.
  fileprivate var demangled: String {
    guard let text = playground_agent_demangled(self) else { return self }
    defer { free(text) }
    // Without the result.
    return String(cString: text).split(separator: " -> ").first.map(String.init) ?? self
  }
}
