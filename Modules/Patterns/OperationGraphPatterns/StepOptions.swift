import AsyncPatterns
import OperationGraph

/// The options after `with` on a step of a graph, as options of an operation.
struct StepOptions: Sendable {
  static let parameters: [Parameter] = [
    Parameter(
      "trigger", .word(OperationGraph.Trigger.allCases.map(\.rawValue)),
      summary: "when it starts, depending on how its predecessors ended; all-succeeded unless given"
    ),
    Parameter(
      "limit", .string,
      summary: "a resource that it uses, and how many steps may use it: \"db 2\" or \"db 2, net 4\""
    ),
    Parameter(
      "exclusive", .string,
      summary: "a resource that it uses alone: no other step that names it runs at the same time"),
    Parameter(
      "priority", .word(priorities.map(\.word)),
      summary: "which of the ready steps starts first; normal unless given"),
    Parameter(
      "retry", .integer(1...Int.max), summary: "how many times it may start until it succeeds"),
    Parameter("timeout", .duration, summary: "how long each of its starts may take"),
  ]

  private static let priorities: [(word: String, priority: Priority)] = [
    ("low", .low), ("normal", .normal), ("high", .high),
  ]

  /// The options of each step.
  private(set) var options: [[OperationGraph.Option]] = []
  /// The capacity of each resource that a step names.
  private(set) var resources: [String: Int] = [:]
  /// For each resource, the label of the step that set its capacity.
  private var sources: [String: String] = [:]

  /// - Throws: `CompositionError` for contradictory options.
  init(
    _ steps: [Step], under policy: OperationGraph.FailurePolicy
  ) throws(CompositionError) {
    guard steps.contains(where: { !$0.options.isEmpty }) else {
      options = Array(repeating: [], count: steps.count)
      return
    }
    for step in steps {
      do {
        options.append(step.options.isEmpty ? [] : try read(step, policy))
      } catch let error as CompositionError {
        throw error
      } catch {
        throw CompositionError("\(error)", step: step.label)
      }
    }
    for step in steps {
      guard case .string(let name)? = step.options["exclusive"] else { continue }
      if resources[name.trimmed] == nil { resources[name.trimmed] = 1 }
    }
  }

  private mutating func read(
    _ step: Step, _ policy: OperationGraph.FailurePolicy
  ) throws -> [OperationGraph.Option] {
    var read: [OperationGraph.Option] = []
    let given = step.options
    if given["trigger"] != nil { read.append(.trigger(try trigger(of: step, policy))) }
    if given["limit"] != nil {
      for name in try limits(of: step) { read.append(.needs(name)) }
    }
    if given["exclusive"] != nil { read.append(.exclusive(try exclusive(of: step))) }
    if given["priority"] != nil {
      let word = try given.string("priority")
      read.append(.priority(Self.priorities.first { $0.word == word }?.priority ?? .normal))
    }
    if given["retry"] != nil { read.append(.retry(try given.integer("retry"))) }
    if given["timeout"] != nil {
      let limit = try given.duration("timeout")
      guard limit > .zero else {
        throw CompositionError(
          "“\(step.label)” has the timeout \(limit.shortDescription), so it could never end in time; give it "
            + "a timeout above zero", step: step.label)
      }
      read.append(.timeout(limit))
    }
    return read
  }

  private func trigger(
    of step: Step, _ policy: OperationGraph.FailurePolicy
  ) throws -> OperationGraph.Trigger {
    let word = try step.options.string("trigger")
    let trigger = OperationGraph.Trigger(rawValue: word) ?? .allSucceeded
    if trigger != .allSucceeded, step.predecessors.isEmpty {
      throw CompositionError(
        "“\(step.label)” has a trigger, but no predecessor: name one with “after”",
        step: step.label)
    }
    if trigger == .anyFailed, !policy.startsAfterFailure {
      throw CompositionError(
        "“\(step.label)” could never start, because the graph starts no step after a failure; give "
          + "it on-failure: finish-independent or continue", step: step.label)
    }
    return trigger
  }

  /// The names of the resources that the step takes. It takes one unit of each.
  private mutating func limits(of step: Step) throws -> [String] {
    let text = try step.options.string("limit")
    var names: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(whereSeparator: \.isWhitespace)
      guard words.count == 2, let limit = Int(words[1]), limit > 0 else {
        throw CompositionError(
          "“\(step.label)” has the limit “\(text)”; write a name and a whole number from 1, as in "
            + "“db 2”", step: step.label)
      }
      let name = String(words[0])
      guard !names.contains(name) else {
        throw CompositionError(
          "“\(step.label)” names “\(name)” twice in its limit; leave out one", step: step.label)
      }
      if let known = resources[name], known != limit {
        throw CompositionError(
          "“\(step.label)” limits “\(name)” to \(limit), but “\(sources[name] ?? "")” limits it to \(known); "
            + "use the same limit", step: step.label)
      }
      resources[name] = limit
      sources[name] = step.label
      names.append(name)
    }
    return names
  }

  private func exclusive(of step: Step) throws -> String {
    let name = try step.options.string("exclusive").trimmed
    guard !name.isEmpty else {
      throw CompositionError(
        "“\(step.label)” has an empty name in “exclusive”; write a name, as in exclusive: db",
        step: step.label)
    }
    if case .string(let limits)? = step.options["limit"],
      limits.split(separator: ",").contains(where: {
        $0.split(whereSeparator: \.isWhitespace).first.map(String.init) == name
      })
    {
      throw CompositionError(
        "“\(step.label)” names “\(name)” in “limit” and in “exclusive”; leave out one of the two",
        step: step.label)
    }
    return name
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
