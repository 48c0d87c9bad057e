/// The graph that a loop runs. This is a class because a table that stored a graph directly would contain itself.
final class LoopBody: Sendable {
  let graph: OperationGraph

  init(graph: OperationGraph) { self.graph = graph }
}
