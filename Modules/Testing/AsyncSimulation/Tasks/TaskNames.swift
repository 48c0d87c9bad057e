import SwiftTasks

/// Gives each task a readable name: the name that it was given, or else the name of its function.
struct TaskNames {
  private var names: [SwiftTask: String] = [:]
  private var counts: [String: Int] = [:]

  /// The name of a task that was just created, or whose name has been read before.
  mutating func name(of task: SwiftTask) -> String {
    if let known = names[task] { return known }
    let function = firstFunction(of: task) ?? ""
    let name = unique(task.name ?? (function.isEmpty ? "task" : function))
    names[task] = name
    return name
  }

  /// Forgets a completed task: another task may reuse its memory.
  mutating func forget(_ task: SwiftTask) { names[task] = nil }

  /// The function in which the task starts.
  private func firstFunction(of task: SwiftTask) -> String? {
    guard let start = task.frames.first.flatMap({ CodeLocation.location(of: $0) }) else {
      return nil
    }
    // XCTest starts a task for each asynchronous test, and for its set-up and tear-down.
    if let library = start.library, library.hasPrefix("libXCTest") { return "XCTest" }
    guard start.isThunk else { return start.title }
    for address in task.functionsInsideThunk {
      if let inside = CodeLocation.location(of: address), inside.library == nil, !inside.isThunk {
        return inside.title
      }
    }
    return start.title
  }

  /// The name itself, or the name with a number if it was used before.
  mutating func unique(_ name: String) -> String {
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count == 1 ? name : "\(name) \(count)"
  }

  /// The place in the code of the program at which a task that is not running will continue.
  func location(of task: SwiftTask) -> CodeLocation? {
    CodeLocation.firstWritten(among: task.frames)
  }

  /// Whether the task waits inside an asynchronous stream of the standard library.
  func isInStream(_ task: SwiftTask) -> Bool {
    for address in task.frames {
      guard let location = CodeLocation.location(of: address) else { continue }
      if location.isInsideStream { return true }
      if location.isWritten { return false }
    }
    return false
  }
}
