import AsyncPatterns
import TimingTrace
import TimingTraceBridge
import Tracing

// The code that the README shows, unchanged.

func answer(_ job: Step) async -> Result<Value, any Error> {
  await withSpan("request") { _ in
    let runtime = LiveRuntime.shared.tracing(to: TracerSink())
    return await withCheckedContinuation { continuation in
      Run(job, on: runtime) { continuation.resume(returning: $0) }
    }
  }
}

let load = Step("load") { input, scope in
  try await withSpan("query", context: scope.serviceContext) { _ in
    try await scope.sleep(for: .milliseconds(5))
    return input
  }
}

func send(_ record: RunRecord, to tracer: any Tracer) {
  record.send(to: tracer, startingAt: 1_767_225_600_000_000_000)
}
