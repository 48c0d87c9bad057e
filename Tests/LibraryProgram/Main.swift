import OperationGraph
import Promises
import SerialQueue

/// A program that uses libraries of this package in its tasks.
@main struct Main {
  static func main() async throws {
    try await Task(name: "uploads") {
      let network = SerialQueue("network")
      let receipts = ["first", "second"].map { file in
        network.enqueue(.label(file)) { try await send(file) }
      }
      for receipt in receipts { _ = try await receipt.value }
    }.value
    try await Task(name: "page") {
      let text = Promise<String, any Error> { try await send("text") }
      _ = try await text.map { $0.count }.named("length").value
    }.value
    try await Task(name: "build") {
      var graph = OperationGraph("app")
      let compiled = graph.add("compile") { try await send("module") }
      graph.add("link", compiled) { "\($0), linked" }
      try await graph.run()
    }.value
  }

  private static func send(_ file: String) async throws -> String {
    try await Task.sleep(for: .milliseconds(2))
    return file
  }
}
