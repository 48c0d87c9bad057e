import AsyncPatterns
import InMemoryLogging
import Logging
import Testing
import TimingTrace
import TimingTraceBridge
import Tracing

@Suite struct TimingLogHandlerTests {
  let traced = Traced()

  func logger(_ label: String, then next: (any LogHandler)? = nil) -> Logger {
    let tracer = traced.tracer
    return Logger(label: label) { TimingLogHandler($0, tracer: tracer, then: next) }
  }

  @Test func `a line belongs to the span in which it is logged`() async {
    var log = logger("shop")
    log[metadataKey: "shop"] = "north"
    await withTracer(traced.tracer) { [log] in
      await withSpan("request") { _ in
        log.info("asked", metadata: ["b": "2", "a": "1"])
        async let inner: Void = withSpan("look-up") { _ in
          log.warning("slow", metadata: ["shop": "south"])
          log.error("gone", error: Broken())
        }
        await inner
      }
      log.notice("closed")
    }
    #expect(traced.marks(of: "request") == ["log.info: shop: asked a=1 b=2 shop=north"])
    #expect(
      traced.marks(of: "look-up") == [
        "log.warning: shop: slow shop=south",
        "log.error: shop: gone error=the line is broken shop=north",
      ])
    let outside = traced.trace.events.filter { $0.kind == .mark && $0.span == .none }
    #expect(outside.map(\.detail) == ["shop: closed shop=north"])
  }

  @Test func `a line is passed to the next log handler`() {
    let kept = InMemoryLogHandler()
    var log = logger("shop", then: kept)
    #expect(log.logLevel == kept.logLevel)
    log.logLevel = .debug
    log[metadataKey: "who"] = "me"
    log.debug("hello", metadata: ["n": "1"])
    log.trace("too much")
    #expect(kept.entries.map(\.message) == ["hello"])
    #expect(kept.entries.first?.metadata == ["who": "me", "n": "1"])
  }

  @Test func `a copy has its own level and metadata`() {
    var one = logger("one")
    one.logLevel = .debug
    one[metadataKey: "key"] = "first"
    var two = one
    two.logLevel = .error
    two[metadataKey: "key"] = "second"
    #expect(one.logLevel == .debug)
    #expect(two.logLevel == .error)
    #expect(one[metadataKey: "key"] == "first")
    #expect(two[metadataKey: "key"] == "second")
  }

  @Test func `a metadata provider adds metadata to a line`() {
    let tracer = traced.tracer
    let log = Logger(label: "shop") { label in
      TimingLogHandler(
        label, tracer: tracer, metadataProvider: Logger.MetadataProvider { ["user": "7"] })
    }
    withTracer(tracer) { withSpan("request") { _ in log.info("hello") } }
    #expect(traced.marks(of: "request") == ["log.info: shop: hello user=7"])
  }
}
