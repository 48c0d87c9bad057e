import AsyncPatterns
import AsyncSimulation

/// Steps for a pattern to coordinate, and what is injected into their runs.
struct Workload: Sendable {
  var steps: [Step]
  /// The steps, as text for people.
  var text: String
  var injection: Injection?

  /// Steps with the labels a, b, c …
  ///
  /// - Parameter isLinked: whether the last step comes after all others.
  init(
    _ behaviours: [Behaviour], isLinked: Bool, options: Arguments, injecting injection: Injection?
  ) {
    let labels = behaviours.indices.map { index in
      index < 26 ? String(UnicodeScalar(UInt8(97 + index))) : "step-\(index + 1)"
    }
    steps = zip(labels, behaviours).map { label, behaviour in
      var step = behaviour.step(label)
      for name in options.names where step.options[name] == nil {
        step.options[name] = options[name]
      }
      return step
    }
    text = zip(labels, behaviours).map { "\($0): \($1.text)" }.joined(separator: "; ")
    if isLinked, let last = steps.indices.last {
      steps[last].predecessors = Array(labels.dropLast())
      text += " after " + labels.dropLast().joined(separator: ", ")
    }
    self.injection = injection
  }

  /// The labels of its steps.
  var labels: Set<String> { Set(steps.map(\.label)) }
  /// The labels of the steps that come after others.
  var followers: Set<String> { Set(steps.filter { !$0.predecessors.isEmpty }.map(\.label)) }
}

/// The workloads that suit a pattern.
struct Workloads {
  private let manual: Manual
  private let options: Arguments
  private(set) var all: [Workload] = []
  private var seen: Set<Made> = []

  private struct Made: Hashable {
    var behaviours: [Behaviour]
    var isLinked: Bool
    var injection: Injection?
  }

  init(for manual: Manual) {
    self.manual = manual
    options = manual.madeUpOptions()
  }

  /// How many steps a workload has, unless it tests a certain number of steps.
  private var count: Int {
    switch manual.steps {
    case .any: 3
    case .none: 0
    case .exactly(let number): number
    case .atLeast(let number): max(number, 3)
    }
  }

  /// Adds workloads with the usual number of steps for the pattern.
  ///
  /// - Parameter behaviour: returns what the step at `index` does, of `count` steps.
  mutating func add(
    _ injections: Injection?..., behaviour: (_ index: Int, _ count: Int) -> Behaviour
  ) {
    add(injections, of: count, behaviour)
  }

  /// Adds workloads of `count` steps, if the pattern accepts that many.
  mutating func add(
    of count: Int, _ injections: Injection?..., behaviour: (_ index: Int, _ count: Int) -> Behaviour
  ) {
    if manual.steps.allows(count) { add(injections, of: count, behaviour) }
  }

  private mutating func add(
    _ injections: [Injection?], of count: Int, _ behaviour: (Int, Int) -> Behaviour
  ) {
    let behaviours = (0..<count).map { behaviour($0, count) }
    for injection in injections.isEmpty ? [nil] : injections {
      add(Made(behaviours: behaviours, isLinked: false, injection: injection))
      guard manual.ordering == .byDependency, count > 1 else { continue }
      add(Made(behaviours: behaviours, isLinked: true, injection: injection))
    }
  }

  private mutating func add(_ made: Made) {
    guard seen.insert(made).inserted else { return }
    all.append(
      Workload(
        made.behaviours, isLinked: made.isLinked, options: options, injecting: made.injection))
  }
}

extension Workloads {
  /// How long the step at `index` takes, in milliseconds. Up to `index` 20, all sums of such times are different.
  static func time(_ index: Int) -> Int { 1 << min(index, 20) }

  /// Every kind of well-behaved step.
  static func mixed(_ index: Int, _ count: Int) -> Behaviour {
    let kinds: [Behaviour] = [
      .sleeps(2), .completesImmediately, .works(2), .awaits(2), .sleepsOnMain(2), .nests(2),
      .sleeps(4),
    ]
    return kinds[index % kinds.count]
  }

  /// Steps that all sleep for the same time.
  static func alike(_ index: Int, _ count: Int) -> Behaviour { .sleeps(2) }

  /// Steps that each sleep longer than the one before.
  static func longer(_ index: Int, _ count: Int) -> Behaviour { .sleeps(time(index)) }

  static func immediate(_ index: Int, _ count: Int) -> Behaviour { .completesImmediately }

  /// The first step completes twice, the second time while the next step sleeps. Each later step sleeps longer.
  static func rogue(_ index: Int, _ count: Int) -> Behaviour {
    index == 0 ? .completesTwice(2) : .sleeps(2 * time(index + 1))
  }

  /// Steps that succeed although they are cancelled.
  static func obstinate(_ index: Int, _ count: Int) -> Behaviour {
    .ignoresCancellation(time(index))
  }
}
