import Measuring
import OperationGraph

/// The cost of a task of a graph that is built, run once and freed, and of a task that is run again.
enum TasksOfGraphs {
  static let sizes = [(1_024, rounds: 21), (16_384, rounds: 9), (262_144, rounds: 3)]
  private static let work = Work()

  /// - Parameter only: the number of tasks of the only graphs to measure; nil means all sizes.
  static func measure(only: Int?, _ show: (Ranking) -> Void) throws {
    for (size, rounds) in sizes where only == nil || size == only {
      for kind in Shape.kinds {
        let shape = kind(size)
        let isExcepted = shape.isFanOut || size > 100_000
        show(try wholeLives(shape, rounds: rounds, isExcepted: isExcepted))
        show(try runsAgain(shape, rounds: 3 * rounds, isExcepted: isExcepted))
        show(try workers(shape, rounds: 3 * rounds))
      }
    }
    for size in [1_024, 4_096] where only == nil || size == only {
      show(try quadratic(.chain(size)))
    }
  }

  /// Builds, runs and frees graphs on two threads. Several small graphs run at the same time, each started as soon as
  /// it is built. This spreads the cost of waking a thread over many tasks.
  private static func wholeLives(
    _ shape: Shape, rounds: Int, isExcepted: Bool
  ) throws -> Ranking {
    let levels = shape.levels
    let graphs = max(16_384 / shape.count, 1)
    func repeated(_ name: String, _ body: @escaping () -> Void) -> Contestant {
      Contestant(name) { time { for _ in 0..<graphs { body() } } }
    }
    var contestants = [
      Contestant(Graphs.name) { time { Graphs.buildAndRun(shape, work, times: graphs) } },
      repeated(Peers.floor) { Floor(shape, work).run() },
      repeated(Peers.taskGroup) { Peers.taskGroup(levels, work) },
      repeated(Peers.dispatch) { Peers.dispatch(levels, work) },
    ]
    #if PEER_TASKFLOW
      let before = TaskflowPeer.before(shape)
      contestants.append(
        Contestant(TaskflowPeer.name) {
          time { TaskflowPeer.buildAndRun(before, times: graphs) }
        })
    #endif
    // A larger graph would take seconds.
    if shape.count < 100_000 {
      contestants.append(
        repeated(Peers.queueOfOne) { Peers.operationQueue(shape, width: 1, work) })
    }
    return try ranking(
      "\(shape.name) of \(shape.count): a task built, run and freed"
        + (graphs > 1 ? ", in \(graphs) graphs" : ""), contestants, graphs * shape.count,
      rounds: rounds,
      targets: targets([Peers.floor: 4, Peers.queueOfOne: 1.0 / 30], unless: isExcepted))
  }

  /// Several runs of small graphs at the same time, for the same reason.
  private static func runsAgain(_ shape: Shape, rounds: Int, isExcepted: Bool) throws -> Ranking {
    let graph = Graphs.build(shape, work)
    let floor = Floor(shape, work)
    let runs = max(16_384 / shape.count, 1)
    var contestants = [
      Contestant(Graphs.name) { time { Graphs.run(graph, times: runs) } },
      Contestant(Peers.floor) { time { Floor.run(floor, times: runs) } },
    ]
    #if PEER_TASKFLOW
      // Taskflow does not run one graph several times at the same time.
      let flows = (0..<runs).map { _ in TaskflowPeer(TaskflowPeer.before(shape)) }
      contestants.append(Contestant(TaskflowPeer.name) { time { TaskflowPeer.run(flows) } })
    #endif
    return try ranking(
      "\(shape.name) of \(shape.count): a task run again"
        + (runs > 1 ? ", in \(runs) runs at the same time" : ""),
      contestants, runs * shape.count, rounds: rounds,
      targets: targets([Peers.floor: 3], unless: isExcepted))
  }

  /// The target against Taskflow, which holds for every shape, and the other targets unless the shape is excepted.
  private static func targets(
    _ targets: [String: Double], unless isExcepted: Bool
  ) -> [String: Double] {
    #if PEER_TASKFLOW
      (isExcepted ? [:] : targets).merging([TaskflowPeer.name: 1]) { $1 }
    #else
      isExcepted ? [:] : targets
    #endif
  }

  /// Compares two workers with one, with tasks that do nothing.
  private static func workers(_ shape: Shape, rounds: Int) throws -> Ranking {
    let graph = Graphs.build(shape, work)
    return try ranking(
      "\(shape.name) of \(shape.count): a task run again on two workers",
      [
        Contestant("two workers") { time { Graphs.run(graph) } },
        Contestant("one worker") { time { Graphs.run(graph, width: 1) } },
      ], shape.count, rounds: rounds, targets: ["one worker": 1.05])
  }

  /// A shape for which OperationQueue takes quadratic time.
  private static func quadratic(_ shape: Shape) throws -> Ranking {
    try ranking(
      "\(shape.name) of \(shape.count): a task built, run and freed",
      [
        Contestant(Graphs.name) { time { Graphs.run(Graphs.build(shape, work)) } },
        Contestant(Peers.queue) { time { Peers.operationQueue(shape, width: nil, work) } },
      ], shape.count, rounds: 3, targets: [Peers.queue: 1.0 / 30])
  }

  private static func ranking(
    _ what: String, _ contestants: [Contestant], _ count: Int, rounds: Int,
    targets: [String: Double]
  ) throws -> Ranking {
    let times = try Contestant.times(of: contestants, rounds: rounds)
    return Ranking(
      what, zip(contestants, times).map { (name: $0.name, times: $1) }, count: count,
      targets: targets)
  }

  private static func time(_ body: () -> Void) -> Duration { ContinuousClock().measure(body) }

  static func runAlone(_ kind: OperationGraphSuite.Kind, _ shape: Shape) {
    switch kind {
    case .build: _ = Graphs.build(shape, work)
    case .floor: Floor(shape, work).run()
    case .inline: Graphs.build(shape, work).start(on: .inline) { _ in }
    case .threads: Graphs.run(Graphs.build(shape, work))
    }
  }
}
