import SwiftTasks

/// What people call tasks: the names that they were given, or those of their functions.
struct TaskNames {
  private var names: [SwiftTask: String] = [:]
  private var counts: [String: Int] = [:]
  private var locations: [CodeAddress: CodeLocation] = [:]

  /// The name of a task that has just been made, or was asked for before.
  mutating func name(of task: SwiftTask) -> String {
    if let known = names[task] { return known }
    let name = unique(task.name ?? firstFunction(of: task) ?? "task")
    names[task] = name
    return name
  }

  /// The task is complete: another one may come to have its memory.
  mutating func forget(_ task: SwiftTask) { names[task] = nil }

  /// The function in which it starts.
  private mutating func firstFunction(of task: SwiftTask) -> String? {
    guard let start = task.frames.first.flatMap({ location(of: $0) }) else { return nil }
    let inside = start.isThunk ? task.functionInsideThunk.flatMap { location(of: $0) } : nil
    return (inside ?? start).title
  }

  /// The name itself, or with a number if it was given before.
  mutating func unique(_ name: String) -> String {
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count == 1 ? name : "\(name) \(count)"
  }

  /// Where a task that does not run will continue in the code of the program.
  mutating func location(of task: SwiftTask) -> CodeLocation? {
    for address in task.frames {
      if let location = location(of: address), location.isWritten { return location }
    }
    return nil
  }

  /// Whether it waits inside of an asynchronous stream of the standard library.
  mutating func isInStream(_ task: SwiftTask) -> Bool {
    for address in task.frames {
      guard let location = location(of: address) else { continue }
      if location.isInsideConcurrency { return true }
      if location.isWritten { return false }
    }
    return false
  }

  private mutating func location(of address: CodeAddress) -> CodeLocation? {
    if let known = locations[address] { return known }
    let location = CodeLocation.location(of: address)
    locations[address] = location
    return location
  }
}
