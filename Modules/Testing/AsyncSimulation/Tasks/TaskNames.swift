import SwiftTasks

/// What people call tasks: the names that they were given, or those of their functions.
struct TaskNames {
  private var names: [SwiftTask: String] = [:]
  private var counts: [String: Int] = [:]

  /// The name of a task that has just been made, or was asked for before.
  mutating func name(of task: SwiftTask) -> String {
    if let known = names[task] { return known }
    let function = firstFunction(of: task) ?? ""
    let name = unique(task.name ?? (function.isEmpty ? "task" : function))
    names[task] = name
    return name
  }

  /// The task is complete: another one may come to have its memory.
  mutating func forget(_ task: SwiftTask) { names[task] = nil }

  /// The function in which it starts.
  private func firstFunction(of task: SwiftTask) -> String? {
    guard let start = task.frames.first.flatMap({ CodeLocation.location(of: $0) }) else {
      return nil
    }
    guard start.isThunk else { return start.title }
    for address in task.functionsInsideThunk {
      if let inside = CodeLocation.location(of: address), inside.library == nil, !inside.isThunk {
        return inside.title
      }
    }
    return start.title
  }

  /// The name itself, or with a number if it was given before.
  mutating func unique(_ name: String) -> String {
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count == 1 ? name : "\(name) \(count)"
  }

  /// Where a task that does not run will continue in the code of the program.
  func location(of task: SwiftTask) -> CodeLocation? {
    CodeLocation.firstWritten(among: task.frames)
  }

  /// Whether it waits inside of an asynchronous stream of the standard library.
  func isInStream(_ task: SwiftTask) -> Bool {
    for address in task.frames {
      guard let location = CodeLocation.location(of: address) else { continue }
      if location.isInsideStream { return true }
      if location.isWritten { return false }
    }
    return false
  }
}
