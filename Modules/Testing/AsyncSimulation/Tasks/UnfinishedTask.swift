public import AsyncPatterns

extension SimulatedRuntime {
  /// A Swift task that has not completed.
  public struct UnfinishedTask: Hashable, Sendable, CustomStringConvertible {
    /// The name that the task was given, or the name of its function.
    public var name: String
    public var span: Span
    /// The function of the program in which the task waits, with file and line if the program has debug information.
    public var function: String?
    public var file: String?
    public var line: Int?
    /// The reason why the task waits, in words; empty if it is ready or blocked.
    public var waitsFor: String
    /// Whether the task has blocked its thread.
    public var isBlocked = false
    /// The task that it waits for, if it waits for a task.
    public var task: Span?

    public var description: String { "“\(name)” \(wait ?? "is ready and did not run")." }

    /// The reason and the place of its wait; nil if it is ready.
    var wait: String? {
      if isBlocked { return "has blocked its thread" }
      if waitsFor.isEmpty { return nil }
      var place = function.map { " in \($0)" } ?? ""
      if let file, let line { place += " at \(file.split(separator: "/").last ?? ""):\(line)" }
      return "waits for \(waitsFor)\(place)"
    }
  }
}

extension SimulatedRuntime.Report {
  /// Why the Swift tasks cannot continue: the cycle, if there is one, and what each task waits for.
  var taskSentences: [String] {
    var sentences = unfinishedTasks.map(\.description)
    if let cycle = taskCycle {
      let names = (cycle + [cycle[0]]).map { "“\($0.name)”" }
      sentences.insert("Deadlock: \(names.joined(separator: " waits for ")).", at: 0)
    }
    return sentences
  }

  /// The reason and the place of the wait of a task; nil if it does not wait.
  func waitOfTask(_ span: Span) -> String? { tasksBySpan[span]?.wait }

  /// The unfinished tasks. Of several tasks that run the code of a step, one that does not wait for the others.
  private var tasksBySpan: [Span: SimulatedRuntime.UnfinishedTask] {
    Dictionary(unfinishedTasks.map { ($0.span, $0) }) { $0.task == $0.span ? $1 : $0 }
  }

  private var taskCycle: [SimulatedRuntime.UnfinishedTask]? {
    let bySpan = tasksBySpan
    for first in unfinishedTasks {
      var path = [first]
      while let next = path.last?.task.flatMap({ bySpan[$0] }), path.count <= unfinishedTasks.count
      {
        if next == first { return path }
        path.append(next)
      }
    }
    return nil
  }
}
