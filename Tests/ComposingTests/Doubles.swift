import AsyncPatterns

/// A pattern for tests of composing. It is never started.
protocol Double: AsyncPattern {}

extension Double {
  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) { completion(.failure(CancellationError())) }
}

struct SerialDouble: Double {
  static let manual = Manual(name: "serial", summary: "", ordering: .keepsOrder)
  init(_ arguments: Arguments) {}
}

struct SemaphoreDouble: Double {
  static let manual = Manual(name: "serial.semaphore", summary: "", ordering: .keepsOrder)
  init(_ arguments: Arguments) {}
}

struct PromiseDouble: Double {
  static let manual = Manual(name: "promise", summary: "", ordering: .keepsOrder)
  init(_ arguments: Arguments) {}
}

/// Follows dependencies, and refuses cycles.
struct GraphDouble: Double {
  static let manual = Manual(
    name: "graph", summary: "", parameters: [Parameter("width", .integer(1...64))],
    ordering: .byDependency,
    stepOptions: [
      Parameter("trigger", .word(["all-succeeded", "any-failed"])),
      Parameter("priority", .integer(0...9)),
    ])

  init(_ arguments: Arguments) {}

  func validate(_ steps: [Step]) throws {
    try Self.manual.validate(steps)
    var open = steps
    var done: Set<String> = []
    while let next = open.firstIndex(where: { done.isSuperset(of: $0.predecessors) }) {
      done.insert(open.remove(at: next).label)
    }
    if let stuck = open.first {
      throw CompositionError("“\(stuck.label)” waits for itself", step: stuck.label)
    }
  }
}

/// Imposes no order, and checks its argument itself.
struct BoundedDouble: Double {
  static let manual = Manual(
    name: "bounded", summary: "",
    parameters: [Parameter("limit", .integer(), isRequired: true)], flow: .sideBySide)

  init(_ arguments: Arguments) throws {
    guard try arguments.integer("limit") > 0 else {
      throw ArgumentError("“limit” is at least 1", parameter: "limit")
    }
  }
}

struct AnimateDouble: Double {
  static let manual = Manual(
    name: "animate", summary: "",
    parameters: [
      Parameter("for", .duration, isRequired: true),
      Parameter("curve", .curve, default: .curve(0, 0, 1, 1)),
    ], steps: .none)
  init(_ arguments: Arguments) {}
}

/// Has a parameter of every kind.
struct EveryDouble: Double {
  static let manual = Manual(
    name: "every", summary: "",
    parameters: [
      Parameter("flag", .bool), Parameter("number", .integer(1...10)), Parameter("real", .real),
      Parameter("time", .duration), Parameter("text", .string),
      Parameter("word", .word(["near", "far"])), Parameter("size", .size),
      Parameter("curve", .curve), Parameter("any", .value, default: .integer(7)),
    ])
  let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  /// Always refuses, with the arguments in the error, so that a test can check them.
  func validate(_ steps: [Step]) throws {
    let seen = arguments.names.sorted().map { "\($0)=\(arguments[$0] ?? .none)" }
    throw CompositionError(seen.joined(separator: " "))
  }
}

struct PairDouble: Double {
  static let manual = Manual(name: "pair", summary: "", steps: .exactly(2))
  init(_ arguments: Arguments) {}
}

struct SomeDouble: Double {
  static let manual = Manual(
    name: "some", summary: "", steps: .atLeast(1),
    stepOptions: [
      Parameter("weight", .integer(), isRequired: true),
      Parameter("share", .real, default: .real(1)),
    ])
  init(_ arguments: Arguments) {}
}

struct LiveDouble: Double {
  static let manual = Manual(name: "gcd.group", summary: "", clocks: [.live])
  init(_ arguments: Arguments) {}
}

struct VirtualDouble: Double {
  static let manual = Manual(name: "simulated", summary: "", clocks: [.virtual])
  init(_ arguments: Arguments) {}
}

let doubles: [any AsyncPattern.Type] = [
  SerialDouble.self, SemaphoreDouble.self, PromiseDouble.self, GraphDouble.self,
  BoundedDouble.self, AnimateDouble.self, EveryDouble.self, PairDouble.self, SomeDouble.self,
  LiveDouble.self, VirtualDouble.self,
]

/// The kernel's steps, and test doubles of the steps with input and output.
let stepKinds =
  StepKind.kernel
  + ["read", "sh"].map { name in
    StepKind(
      Manual(
        name: name, summary: "", parameters: [Parameter("text", .string, isRequired: true)],
        steps: .none, clocks: [.live])
    ) { _ in .never(name) }
  }
