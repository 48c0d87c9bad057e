import AsyncPatterns
import SerialQueue
import Synchronization

/// `serial`: steps in a `SerialQueue`.
struct SerialPattern: AsyncPattern {
  static let manual = Manual(
    name: "serial",
    summary: "Runs its steps one after another and blocks no thread.",
    discussion: """
      Each step is an item of a SerialQueue: it starts when the one before it has completed, with \
      that one's value as its input. The last value is the result. A failure skips the remaining \
      steps and is the result; after a cancellation, no more steps start.

      With a width above 1, steps start in order, and that many run in parallel: each gets the \
      pattern's input, and the result is the list of their values in the order written. With \
      on-failure: continue every step runs, even after a failure; the next one's input is then the \
      last value so far, and the first failure is the result once all have ended. With a timeout, \
      a step that has not completed that long after its start fails and is cancelled. The next one \
      then starts, although the old one's work may still be running.

      The trap is to mistake “returned” for “completed”: a Dispatch queue starts the next block \
      when the one before it has returned, long before its asynchronous work is done. \
      serial.semaphore blocks a thread until then, which is the price of the order. Here an item \
      ends when it reports that it is done. Until then no thread is blocked.

      Steps run on the lane that completed the one before them: steps that complete immediately \
      cost no hop.
      """,
    parameters: [
      Parameter(
        "width", .integer(1...Int.max), default: .integer(1),
        summary: "how many steps run in parallel"),
      Parameter(
        "on-failure", .word(["stop", "continue"]), default: .string("stop"),
        summary: "whether the steps after a failure run"),
      Parameter(
        "timeout", .duration, default: .duration(.zero),
        summary: "how long a step may take; zero for no limit"),
    ],
    ordering: .keepsOrder,
    differsFrom: "promise, whose steps are links of “then” and always end with the first failure",
    seeAlso: ["promise", "swift.sequence", "serial.chain", "serial.nested", "serial.semaphore"],
    examples: [
      "serial { fetch: sleep 20ms; parse: work 5ms }",
      """
      serial { a: value 1; b: fail "no such page"; c: value 3 }
      expect outcome == failure
      """,
      "serial(width: 2) { page: 4 * sleep 10ms }",
      """
      serial(timeout: 10ms, on-failure: continue) { a: never; b: sleep 5ms }
      expect outcome == failure
      expect makespan >= 15ms
      """,
    ])

  private let width: Int
  private let continuesAfterFailure: Bool
  private let timeout: Duration?

  init(_ arguments: Arguments) throws {
    width = arguments["width"] == nil ? 1 : try arguments.integer("width")
    continuesAfterFailure =
      arguments["on-failure"] == nil ? false : try arguments.string("on-failure") == "continue"
    let limit = arguments["timeout"] == nil ? .zero : try arguments.duration("timeout")
    timeout = limit > .zero ? limit : nil
  }

  var flow: Manual.Flow { width == 1 ? .sequence : .sideBySide }

  /// Rejects `after` if steps run in parallel, because an earlier step may not have ended.
  func validate(_ steps: [Step]) throws {
    try Self.manual.validate(steps)
    guard width > 1, let step = steps.first(where: { !$0.predecessors.isEmpty }) else { return }
    throw CompositionError(
      "“serial” with a width of \(width) runs steps in parallel, so “\(step.label)” cannot come after "
        + "another one; leave out the width, or use graph", step: step.label)
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    if width == 1, timeout == nil {
      let flow = QueuedStepSequence(
        steps, input: input, in: scope, continuesAfterFailure: continuesAfterFailure)
      start(flow, completion)
    } else if width == 1 {
      // A step that has timed out may complete while the next one starts, so this flow has a lock.
      let flow = StepSequence(
        steps, input: input, in: scope, continuesAfterFailure: continuesAfterFailure)
      start(flow, completion)
    } else {
      let flow = StepsSideBySide(
        steps, input: input, in: scope, continuesAfterFailure: continuesAfterFailure)
      start(flow, completion)
    }
  }

  private func start(_ flow: some StepFlow, _ completion: @escaping Completion) {
    // The scope records the steps, so the queue does not.
    let queue = SerialQueue(
      "serial", on: .inline, width: width, timeout: timeout, runtime: flow.scope.runtime,
      isTraced: false)
    StepItems(flow, in: queue, hasTimeout: timeout != nil, completion: completion).start()
  }
}

/// The steps of one pattern as items of a queue. In a sequence, the start of a step enqueues the next one, so a long list
/// takes no memory for items that wait. Steps in parallel are enqueued beforehand, because several threads start them.
private final class StepItems<Flow: StepFlow>: Sendable {
  private let flow: Flow
  private let steps: [Step]
  private let scope: Scope
  private let queue: SerialQueue
  private let hasTimeout: Bool
  private let completion: Completion
  /// The step that was enqueued last.
  private let latest = Atomic<Int>(0)
  /// Whether the last item has been enqueued, or the pattern has been stopped.
  private let isEnding = Atomic<Bool>(false)

  init(
    _ flow: Flow, in queue: SerialQueue, hasTimeout: Bool, completion: @escaping Completion
  ) {
    self.flow = flow
    steps = flow.steps
    scope = flow.scope
    self.queue = queue
    self.hasTimeout = hasTimeout
    self.completion = completion
  }

  func start() {
    for index in Flow.isSequence ? steps.indices.prefix(1) : steps.indices { enqueue(index) }
    if steps.isEmpty { end() }
  }

  private func enqueue(_ index: Int) {
    latest.store(index, ordering: .relaxed)
    if hasTimeout {
      let item = queue.enqueueWithCompletion(work: work(of: index))
      item.onCompletion { [self] in noteTimeout(of: index, $0) }
    } else {
      // An ignored item costs no references.
      queue.enqueueWithCompletion(work: work(of: index))
    }
    if index == steps.count - 1 { end() }
  }

  /// Enqueues the step after this one, unless this step or its timeout has done so: a step may time out before its work
  /// could start.
  private func enqueueNext(after index: Int) {
    guard Flow.isSequence, index + 1 < steps.count else { return }
    guard hasTimeout else { return enqueue(index + 1) }
    let (isFirst, _) = latest.compareExchange(
      expected: index, desired: index + 1, ordering: .relaxed)
    if isFirst { enqueue(index + 1) }
  }

  private func work(of index: Int) -> @Sendable (SerialQueue.Done<Void>) -> Void {
    guard Flow.isSequence, !hasTimeout else { return { [self] done in start(index, done) } }
    // Only one item waits. Its closure captures one object, so it takes no memory.
    return { [self] done in start(latest.load(ordering: .relaxed), done) }
  }

  private func start(_ index: Int, _ done: SerialQueue.Done<Void>) {
    guard let input = flow.input(of: index) else {
      stop()
      return done()
    }
    enqueueNext(after: index)
    guard hasTimeout else {
      return scope.start(steps[index], input: input) { [self] result in
        if !flow.record(result, of: index) { stop() }
        done()
      }
    }
    // A timeout cancels this step alone, and the step's result no longer counts.
    let own = scope.cancellable()
    done.onCancel { own.cancel() }
    own.start(steps[index], input: input) { [self] result in
      let isLate = own.isCancelled && !scope.isCancelled
      if !isLate, !flow.record(result, of: index) { stop() }
      done()
    }
  }

  private func noteTimeout(of index: Int, _ result: Result<Void, any Error>) {
    guard case .failure(let error) = result, let late = error as? TimedOut else { return }
    // The error of the queue would name the place where the item was enqueued, which is this file.
    let failure = TimedOut(steps[index].label, after: late.limit)
    guard flow.record(.failure(failure), of: index) else { return stop() }
    enqueueNext(after: index)
  }

  /// Starts no further steps.
  private func stop() {
    queue.cancelPending()
    end()
  }

  /// Completes the pattern when the items that have been enqueued so far have ended.
  private func end() {
    guard !isEnding.exchange(true, ordering: .relaxed) else { return }
    queue.onDrained { [flow, completion] in completion(flow.result) }
  }
}
