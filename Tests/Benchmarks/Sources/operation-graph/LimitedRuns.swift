import Dispatch
import Measuring
import OperationGraph

/// The cost of a task in runs that are not spread over all workers: runs of a limited width, and runs on the calling
/// thread.
enum LimitedRuns {
  private static let count = 16_384
  private static let rounds = 27
  private static let work = Work()

  static func measure(_ show: (Ranking) -> Void) throws {
    for shape in [Shape.tree(count), .wavefront(count)] {
      let (plain, handlers) = (Graphs.build(shape, work), Graphs.buildWithHandlers(shape, work))
      let floor = Floor(shape, work)
      func row(
        _ what: String, _ graph: OperationGraph, width: Int, on placement: Placement = .pool
      ) throws {
        let contestants = [
          Contestant(Graphs.name) {
            time { Graphs.run(graph, width: width, on: placement) }
          },
          Contestant(Peers.floor) { time { floor.run() } },
        ]
        let times = try Contestant.times(of: contestants, rounds: rounds)
        show(
          Ranking(
            "\(shape.name) of \(shape.count): a task run again, \(what)",
            zip(contestants, times).map { (name: $0.name, times: $1) }, count: shape.count))
      }
      try row("inline", plain, width: .max, on: .inline)
      try row("inline, width 2", plain, width: 2, on: .inline)
      try row("inline, ends by a handler", handlers, width: .max, on: .inline)
      for width in [2, 8] {
        try row("width \(width)", plain, width: width)
        try row("width \(width), ends by a handler", handlers, width: width)
      }
    }
  }

  private static func time(_ body: () -> Void) -> Duration { ContinuousClock().measure(body) }
}
