internal import HeapModule

/// Simulates a run without its work. It uses the state machine of the coordinated run, and ends each operation when its
/// duration has passed.
struct Forecast {
  private var state: CoordinatedState
  private var free: ResourceState?
  private let durations: [Duration]
  private let run = SingleUser()
  /// The expected ends of the operations in progress, and the number of ends added so far.
  private var ends: Heap<End> = []
  private var endCount = 0

  /// A user of a pool's resources that shares them with no other run.
  private final class SingleUser: ResourceUser {
    func lookForResources() {}
  }

  init(
    _ graph: OperationGraph, _ width: Int, _ resources: ResourcePool?, _ durations: [Duration]
  ) throws {
    let pool = resources ?? graph.table.implicitPool
    // Nothing fails in a forecast. This policy rejects the fewest graphs.
    state = try CoordinatedState(
      graph, try graph.plan(), onFailure: .finishIndependent, width: width, workers: 1, pool: pool,
      isOpen: false, isSuspended: false, isRecording: true)
    free = pool?.allFree
    self.durations = durations
  }

  /// Simulates the run, and returns the times of its events.
  mutating func records() -> [OperationRecord] {
    state.records?.now = .zero
    settle(state.begin())
    for (operation, options) in state.graph.table.options.entries(from: 0)
    where options.remote != nil {
      expectEnd(of: operation, at: Instant.zero.advanced(by: durations[Int(operation)]))
    }
    startAll()
    while let now = ends.min?.time {
      state.records?.now = now
      while ends.min?.time == now { end(ends.removeMin().operation) }
      startAll()
    }
    return state.records?.all ?? []
  }

  private mutating func expectEnd(of operation: Int32, at time: Instant) {
    endCount += 1
    ends.insert(End(time: time, number: endCount, operation: operation))
  }

  private mutating func end(_ operation: Int32) {
    settle(
      state.isRemote(operation)
        ? state.remoteEnded(operation, .succeeded) : state.finish(operation, nil))
  }

  private mutating func startAll() {
    while let operation = state.takeNext(&free, run).operation {
      guard state.start(operation) != nil, let now = state.records?.now else { continue }
      let duration = durations[Int(operation)]
      let end: CoordinatedReturn.End = duration == .zero ? .ended(nil) : .later
      let actions = state.didReturn(CoordinatedReturn(operation: operation, end: end))
      if duration > .zero { expectEnd(of: operation, at: now.advanced(by: duration)) }
      settle(actions)
    }
  }

  /// Applies all consequences of a transition. Every condition counts as true.
  private mutating func settle(_ actions: [CoordinatedAction]) {
    var actions = state.settle(actions, &free, run).actions
    var position = 0
    while position < actions.count {
      if case .ask(let operation) = actions[position] {
        actions += state.settle(state.answer(operation, true), &free, run).actions
      }
      position += 1
    }
  }
}

extension ResourcePool {
  /// The state of the pool with all resources free.
  fileprivate var allFree: ResourceState {
    ResourceState(limits: limits.keys.sorted().map { limits[$0] ?? 0 })
  }
}

/// The end of an operation. If several operations end together, the one that started first comes first.
private struct End: Comparable {
  let time: Instant
  let number: Int
  let operation: Int32

  static func < (one: End, other: End) -> Bool {
    one.time != other.time ? one.time < other.time : one.number < other.number
  }
}
