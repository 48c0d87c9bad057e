extension PluginSources {
  /// A pattern that leaves a group once more than it entered it.
  static let leaving = """
    import AsyncPatterns
    import OperationGraph

    public struct Leaving: Plugin {
      public static let name = "Leaving"
      public static let summary = "A group that is left too often."
      public static let patterns: [any AsyncPattern.Type] = [LeavesTwice.self]
    }

    struct LeavesTwice: AsyncPattern {
      static let manual = Manual(name: "leaves-twice", summary: "Enters once and leaves twice.")
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        let group = JoinGroup(runtime: scope.runtime)
        group.enter()
        group.leave()
        group.leave()
        completion(.success(input))
      }
    }
    """
}
