import AsyncPatterns
import Composing

/// A leaf step as it was written. It is a placeholder until its measurements are known, and is never started.
struct WrittenLeaf: AsyncPattern {
  static let manual = Manual(name: "leaf", summary: "Takes the place of a step.", steps: .none)

  let kind: String
  let arguments: Arguments

  init(_ arguments: Arguments) { self.init("leaf", arguments) }

  init(_ kind: String, _ arguments: Arguments) {
    self.kind = kind
    self.arguments = arguments
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) { completion(.failure(StepFailure("“\(kind)” must be replaced before it starts"))) }

  /// The course given by the written arguments alone; nil if the duration depends on external events.
  var course: Course? {
    let duration = try? arguments.duration("for")
    switch kind {
    case "sleep": return Course(waiting: duration)
    case "work": return Course(work: duration)
    case "block": return Course(blocked: duration)
    case "twice": return Course(waiting: duration, ending: .twice)
    case "value", "fail", "never", "print", "write": return Course(ending: success)
    default: return nil
    }
  }

  /// The result of the step if there is no error.
  var success: Course.Ending {
    switch kind {
    case "sleep", "work", "block", "print", "write": .success(nil)
    case "value": .success(arguments["value"] ?? Value.none)
    case "fail": .failure((try? arguments.string("why")) ?? "failed")
    case "never": .never
    case "twice": .twice
    // The value of the step was not recorded.
    default: .success(Value.none)
    }
  }

  /// Whether the written arguments include a duration.
  var isTimed: Bool { ["sleep", "work", "block", "twice"].contains(kind) }
}

extension Vocabulary {
  /// The same vocabulary, in which each leaf step is a ``WrittenLeaf``.
  var withWrittenLeaves: Vocabulary {
    let kinds = steps.values.map { kind in
      let name = kind.manual.name
      return StepKind(kind.manual) { Step(name, pattern: WrittenLeaf(name, $0), steps: []) }
    }
    var result = Vocabulary(steps: kinds).replacingPatterns(Array(patterns.values))
    result.swift = { _ in Step("swift", pattern: WrittenLeaf("swift", Arguments()), steps: []) }
    return result
  }
}
