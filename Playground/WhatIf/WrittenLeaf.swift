import AsyncPatterns
import Composing

/// A step that stands by itself, as it was written: what stands in its place until it is known what was
/// measured of it. It is never started.
struct WrittenLeaf: AsyncPattern {
  static let manual = Manual(name: "leaf", summary: "Stands in the place of a step.", steps: .none)

  let kind: String
  let arguments: Arguments

  init(_ arguments: Arguments) { self.init("leaf", arguments) }

  init(_ kind: String, _ arguments: Arguments) {
    self.kind = kind
    self.arguments = arguments
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) { completion(.failure(StepFailure("“\(kind)” is to be replaced before it starts"))) }

  /// The course that its words alone tell; nil for what takes as long as the world lets it.
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

  /// What it ends with, unless something went wrong.
  var success: Course.Ending {
    switch kind {
    case "sleep", "work", "block", "print", "write": .success(nil)
    case "value": .success(arguments["value"] ?? Value.none)
    case "fail": .failure((try? arguments.string("why")) ?? "failed")
    case "never": .never
    case "twice": .twice
    // What it yielded was not measured.
    default: .success(Value.none)
    }
  }

  /// Whether its words say how long it takes.
  var isTimed: Bool { ["sleep", "work", "block", "twice"].contains(kind) }
}

extension Vocabulary {
  /// The same words, with every step that stands by itself as it was written.
  var withWrittenLeaves: Vocabulary {
    let kinds = steps.values.map { kind in
      let name = kind.manual.name
      return StepKind(kind.manual) { Step(name, pattern: WrittenLeaf(name, $0), steps: []) }
    }
    return Vocabulary(steps: kinds).replacingPatterns(Array(patterns.values))
  }
}
