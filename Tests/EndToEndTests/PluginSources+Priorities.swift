extension PluginSources {
  /// A pattern that runs one step at a time, by the priority of each step alone. Dependencies of important steps are
  /// delayed.
  static let priorities = """
    import AsyncPatterns

    public struct Priorities: Plugin {
      public static let name = "Priorities"
      public static let summary = "A queue with priorities that are not inherited."
      public static let patterns: [any AsyncPattern.Type] = [OwnPriority.self]
    }

    struct OwnPriority: AsyncPattern {
      static let manual = Manual(
        name: "own-priority", summary: "One at a time, by each step's own priority.",
        flow: .sideBySide, ordering: .byDependency,
        stepOptions: [
          Parameter("priority", .word(["low", "normal", "high"]), summary: "Who starts first.")
        ])

      init(_ arguments: Arguments) {}

      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        for step in steps {
          let roles: [String: TraceEvent.Role] = ["low": .lowPriority, "high": .highPriority]
          let role = roles[Self.priority(of: step)] ?? .normalPriority
          scope.mark("priority", step.label, role: role)
        }
        Self.next(of: steps, after: [], in: scope, completion)
      }

      private static func priority(of step: Step) -> String {
        if case .string(let word)? = step.options["priority"] { word } else { "normal" }
      }

      private static func next(
        of steps: [Step], after ended: Set<String>, in scope: Scope,
        _ completion: @escaping Completion
      ) {
        let ready = steps.filter { ended.isSuperset(of: $0.predecessors) }
        let best = ["high", "normal", "low"].lazy.compactMap { word in
          ready.first { priority(of: $0) == word }
        }.first
        guard let best else { return completion(.success(.none)) }
        scope.start(best) { _ in
          next(
            of: steps.filter { $0.label != best.label }, after: ended.union([best.label]), in: scope,
            completion)
        }
      }
    }
    """
}
