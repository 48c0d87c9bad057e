/// The graph that a loop runs. An object, since a table that held one would hold itself.
final class LoopBody: Sendable {
  let graph: OperationGraph

  init(graph: OperationGraph) { self.graph = graph }
}
