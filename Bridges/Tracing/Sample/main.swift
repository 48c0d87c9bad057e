import Logging
import TimingTrace
import TimingTraceBridge
import Tracing

let recorder = Recorder(clock: .live)
let tracer = TimingTracer(recorder)
InstrumentationSystem.bootstrap(tracer)
LoggingSystem.bootstrap { TimingLogHandler($0, tracer: tracer) }

let log = Logger(label: "pages")

func fetch(_ name: String, for time: Duration) async throws {
  try await withSpan("fetch-\(name)", ofKind: .client) { _ in
    try await Task.sleep(for: time)
    log.info("fetched", metadata: ["name": "\(name)"])
  }
}

try await withSpan("request", ofKind: .server) { span in
  span.attributes["http.route"] = "/page"
  try await withThrowingTaskGroup { group in
    group.addTask { try await fetch("text", for: .milliseconds(20)) }
    group.addTask { try await fetch("image", for: .milliseconds(35)) }
    try await group.waitForAll()
  }
  try await withSpan("render") { _ in try await Task.sleep(for: .milliseconds(10)) }
}

let trace = ProgramTrace(recorder, name: "server")
print(Timeline(trace.record).render(), terminator: "")
if let file = CommandLine.arguments.dropFirst().first {
  try TraceFormat.otlp.write([trace.run], startingAt: trace.start, toFile: file)
}
