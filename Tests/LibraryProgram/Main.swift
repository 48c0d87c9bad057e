import AsyncPatterns
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
    try await Task(name: "meal") {
      try await run(
        Step("cooking", pattern: InOrder(), steps: [.pause("chopping"), .pause("frying")]))
      try await run(Step("serving", pattern: InOrder(), steps: [.pause("plating")]))
    }.value
  }

  private static func run(_ step: Step) async throws {
    try await withCheckedThrowingContinuation { continuation in
      _ = Run(step, on: LiveRuntime.shared) { continuation.resume(with: $0.map { _ in }) }
    }
  }

  private static func send(_ file: String) async throws -> String {
    try await Task.sleep(for: .milliseconds(2))
    return file
  }
}

extension Step {
  fileprivate static func pause(_ label: String) -> Step { .sleep(label, .milliseconds(2)) }
}
