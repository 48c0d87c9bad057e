import Synchronization

/// A unit of asynchronous work. Its completion is called exactly once.
public struct Step: Sendable {
  /// Unique among the steps of its list.
  public var label: String
  private(set) var content: Content
  // Its place, in less memory than an optional place. The number of the composition is 0 if there is none.
  private var composition: UInt32 = 0
  private var position: Int32 = 0

  /// Its position among the steps of its pattern.
  struct Place: Sendable {
    var composition: UInt32
    var position: Int
  }

  var place: Place? {
    get { composition == 0 ? nil : Place(composition: composition, position: Int(position)) }
    set {
      composition = newValue?.composition ?? 0
      position = Int32(clamping: newValue?.position ?? 0)
    }
  }

  /// Everything but the label and the place. It is an object that copies of the step share, because steps are copied
  /// often, and a count can make a million of them.
  final class Content: Sendable {
    let kind: String
    let body: Body
    // The properties that relate the step to its list.
    let predecessors: [String]
    let options: Arguments
    let group: String?
    let lane: StartLane

    init(
      _ kind: String, _ body: Body, after predecessors: [String] = [],
      options: Arguments = Arguments(), group: String? = nil
    ) {
      self.kind = kind
      self.body = body
      self.predecessors = predecessors
      self.options = options
      self.group = group
      lane =
        switch options["on"] {
        case .string("main")?: .main
        case .string("pool")?: .pool
        default: .callers
        }
    }
  }

  private mutating func change(
    kind: String? = nil, predecessors: [String]? = nil, options: Arguments? = nil,
    group: String?? = nil
  ) {
    content = Content(
      kind ?? content.kind, content.body, after: predecessors ?? content.predecessors,
      options: options ?? content.options, group: group ?? content.group)
  }

  /// The kind of step, for the trace: `sleep`, `serial`, `step`.
  public var kind: String {
    get { content.kind }
    set { change(kind: newValue) }
  }

  /// A step that reports its result through a completion.
  ///
  /// - Parameter start: receives the input, the step's scope, and the completion, which it must call once.
  public init(
    _ label: String,
    start: @escaping @Sendable (Value, Scope, @escaping Completion) -> Void
  ) {
    self.init(kind: "step", label, body: .callback(start))
  }

  /// A step that is an asynchronous function. It runs on the runtime's pool, and cancelling the scope cancels its task.
  public init(
    _ label: String, run: @escaping @Sendable (Value, Scope) async throws -> Value
  ) {
    self.init(kind: "step", label, body: .asynchronous(run))
  }

  /// A step that a pattern makes out of several steps.
  public init(_ label: String, pattern: any AsyncPattern, steps: consuming [Step]) {
    self.init(
      kind: type(of: pattern).manual.name, label,
      body: .composition(Composition(pattern: pattern, steps: steps)))
  }

  init(kind: String, _ label: String, body: Body) {
    self.label = label
    content = Content(kind, body)
  }

  /// The labels of the steps it comes after.
  public var predecessors: [String] {
    get { content.predecessors }
    set { change(predecessors: newValue) }
  }

  /// The options written after `with`, checked against the manual of the pattern that the step belongs to.
  public var options: Arguments {
    get { content.options }
    set { change(options: newValue) }
  }

  /// The name of the list in which it was written, if it was taken from a named list.
  public var group: String? {
    get { content.group }
    set { change(group: .some(newValue)) }
  }

  /// Whether it is a composition whose pattern is a test: see ``Manual/isTest``.
  public var isTest: Bool {
    if case .composition(let composition) = content.body {
      type(of: composition.pattern).manual.isTest
    } else {
      false
    }
  }

  /// Where it starts. `here` is the main lane when the caller is already on it: the step then starts without a hop.
  enum StartLane { case callers, main, pool, here }

  enum Body: Sendable {
    case callback(@Sendable (Value, Scope, @escaping Completion) -> Void)
    /// Occupies a worker; starts when one is free.
    case occupation(WorkerActivity, Duration)
    /// Takes a course that is determined when it starts. If the course needs a worker, it starts when one is free.
    case course(@Sendable (Scope) -> (course: Course, onStart: @Sendable () -> Void))
    case asynchronous(@Sendable (Value, Scope) async throws -> Value)
    case composition(Composition)
  }
}

/// A pattern with the steps it coordinates.
final class Composition: Sendable {
  let pattern: any AsyncPattern
  let steps: [Step]
  /// The properties of the pattern that the kernel uses.
  let isUnguarded: Bool
  let flow: Manual.Flow
  /// The predecessors of each step, under a pattern that orders its steps by dependency.
  let predecessors: PredecessorPositions?
  let failure: FailureBehavior
  /// Unique within the process, as long as it makes fewer than 2³² compositions. Never 0.
  let id: UInt32

  private static let count = Atomic<UInt32>(0)

  init(pattern: any AsyncPattern, steps: consuming [Step]) {
    self.pattern = pattern
    let manual = type(of: pattern).manual
    isUnguarded = manual.isUnguarded
    flow = pattern.flow
    failure = manual.failure
    predecessors = manual.ordering == .byDependency ? PredecessorPositions(of: copy steps) : nil
    id = max(Self.count.wrappingAdd(1, ordering: .relaxed).newValue, 1)
    for index in steps.indices {
      steps[index].place = Step.Place(composition: id, position: index)
    }
    self.steps = steps
  }
}

extension Step {
  /// The pattern that made it, if there is one.
  public var pattern: (any AsyncPattern)? {
    if case .composition(let composition) = content.body { composition.pattern } else { nil }
  }

  /// The steps it is made of, if a pattern made it.
  public var steps: [Step] {
    if case .composition(let composition) = content.body { composition.steps } else { [] }
  }
}
