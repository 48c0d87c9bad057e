import Synchronization

/// A unit of asynchronous work. Its completion is called exactly once.
public struct Step: Sendable {
  /// Unique among the steps it stands with.
  public var label: String
  /// What it is, for the trace: `sleep`, `serial`, `step`.
  public var kind = "step"
  let body: Body
  var place: Place?
  /// Together, since steps are copied often and most of them have none.
  private var circumstances: Circumstances?

  /// Its place among the steps of the pattern it was handed to.
  struct Place: Sendable {
    var composition: UInt64
    var position: Int
  }

  /// A step that is told how to report back.
  ///
  /// - Parameter start: gets the input, what the running step may use, and the completion to call once.
  public init(
    _ label: String,
    start: @escaping @Sendable (Value, Scope, @escaping Completion) -> Void
  ) {
    self.label = label
    body = .callback(start)
  }

  /// A step that is an asynchronous function; it runs on the runtime's pool, and cancelling the scope
  /// cancels its task.
  public init(
    _ label: String, run: @escaping @Sendable (Value, Scope) async throws -> Value
  ) {
    self.label = label
    body = .asynchronous(run)
  }

  /// The step that a pattern makes out of several.
  public init(_ label: String, pattern: any AsyncPattern, steps: [Step]) {
    self.label = label
    kind = type(of: pattern).manual.name
    body = .composition(Composition(pattern: pattern, steps: steps))
  }

  init(kind: String, _ label: String, body: Body) {
    self.label = label
    self.kind = kind
    self.body = body
  }

  /// The labels of the steps it comes after.
  public var predecessors: [String] {
    get { circumstances?.predecessors ?? [] }
    set { circumstances = Circumstances(newValue, options, group) }
  }

  /// What stood behind `with`, checked against the manual of the pattern it stands under.
  public var options: Arguments {
    get { circumstances?.options ?? Arguments() }
    set { circumstances = Circumstances(predecessors, newValue, group) }
  }

  /// The name of the list it was written in, where it was taken over from a named one.
  public var group: String? {
    get { circumstances?.group }
    set { circumstances = Circumstances(predecessors, options, newValue) }
  }

  /// What the steps it stands among have to do with it.
  private final class Circumstances: Sendable {
    let predecessors: [String]
    let options: Arguments
    let group: String?

    init?(_ predecessors: [String], _ options: Arguments, _ group: String?) {
      if predecessors.isEmpty, options.isEmpty, group == nil { return nil }
      self.predecessors = predecessors
      self.options = options
      self.group = group
    }
  }

  /// Whether it is made by a pattern that is a test: see ``Manual/isTest``.
  public var isTest: Bool {
    if case .composition(let composition) = body {
      type(of: composition.pattern).manual.isTest
    } else {
      false
    }
  }

  /// Whether nothing but its place among others tells where and when it starts.
  var isPlain: Bool { circumstances == nil }

  enum Body: Sendable {
    case callback(@Sendable (Value, Scope, @escaping Completion) -> Void)
    /// Holds a worker; it starts when there is one.
    indirect case occupation(WorkerActivity, Duration)
    /// Takes a course that is known when it starts, and so starts when there is a worker, if it needs one.
    case course(@Sendable (Scope) -> (course: Course, onStart: @Sendable () -> Void))
    case asynchronous(@Sendable (Value, Scope) async throws -> Value)
    case composition(Composition)
  }
}

/// A pattern with the steps it coordinates. An object, for a list may hold a million steps and hardly one
/// of them is a composition.
final class Composition: Sendable {
  let pattern: any AsyncPattern
  let steps: [Step]
  /// What the kernel goes by of the pattern's manual.
  let isUnguarded: Bool
  let flow: Manual.Flow
  /// What each step comes after, under a pattern that goes by it.
  let predecessors: PredecessorPositions?
  let failure: FailurePolicy
  /// Unique within the process.
  let id: UInt64

  private static let count = Atomic<UInt64>(0)

  init(pattern: any AsyncPattern, steps: [Step]) {
    self.pattern = pattern
    let manual = type(of: pattern).manual
    isUnguarded = manual.isUnguarded
    flow = pattern.flow
    failure = manual.failure
    predecessors = manual.ordering == .byDependency ? PredecessorPositions(of: steps) : nil
    id = Self.count.add(1, ordering: .relaxed).newValue
    var placed = steps
    for index in placed.indices {
      placed[index].place = Step.Place(composition: id, position: index)
    }
    self.steps = placed
  }
}

extension Step {
  /// The pattern that made it, if one did.
  public var pattern: (any AsyncPattern)? {
    if case .composition(let composition) = body { composition.pattern } else { nil }
  }

  /// The steps it is made of, if a pattern made it.
  public var steps: [Step] {
    if case .composition(let composition) = body { composition.steps } else { [] }
  }
}
