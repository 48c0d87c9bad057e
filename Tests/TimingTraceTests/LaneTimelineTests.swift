import Testing
import TimingTrace

/// One row for each lane: the steps that ran there, and how long it was used.
@Suite struct LaneTimelineTests {
  /// A thread that is blocked while a step works on another thread, and a thread without any events.
  static let blocking = {
    var script = EventScript()
    script.lane = Lane(number: 0)
    script.submit("queue", "serial.semaphore", at: 0)
    script.start("queue", at: 0)
    for key in ["fetch", "parse"] { script.submit(key, in: "queue", at: 0) }
    script.lane = Lane(number: 1)
    script.block("queue", at: 0)
    script.lane = Lane(number: 2)
    script.start("fetch", at: 0)
    script.finish("fetch", at: 10)
    script.lane = Lane(number: 1)
    script.unblock("queue", at: 10)
    script.block("queue", at: 10)
    script.lane = Lane(number: 3)
    script.start("parse", after: "fetch", at: 10)
    script.work("parse", for: 10, at: 20)
    script.finish("parse", at: 20)
    script.lane = Lane(number: 1)
    script.unblock("queue", at: 20)
    script.finish("queue", at: 20)
    return script
  }()

  static func lanes(of script: EventScript) -> LaneTimeline {
    LaneTimeline(ExportSamples.run("queue", script))
  }

  @Test func `each lane has a row, with its steps and its use`() {
    let text = Self.lanes(of: Self.blocking).render(width: 70)
    #expect(
      text == """
        queue · success · makespan 20ms · work 10ms · blocked 20ms
        concurrency 1 · threads 4
        critical path: fetch → parse
                 0         5ms        10ms      15ms
          main  │                                          │ idle
          pool-1│▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ queue ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒│ blocked 20ms 100%
          pool-2│░░░░░░░ fetch ░░░░░░░                     │ idle
          pool-3│                    ███████ parse ████████│ work 10ms 50%
        ░ step in flight  █ work  ▒ thread blocked

        """)
  }

  @Test func `without Unicode, and at any width`() {
    for width in [1, 5, 20, 40, 60, 200] {
      for style in [Timeline.Style.ascii, .unicode] {
        for script in [Self.blocking, ExportSamples.awkward, ExportSamples.wide] {
          let text = Self.lanes(of: script).render(width: width, style: style)
          for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
          if style == .ascii { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
        }
      }
    }
    #expect(Self.lanes(of: Self.blocking).render(style: .ascii).contains("xxx queue xxx"))
    #expect(!Self.lanes(of: Self.blocking).render().contains("\u{1B}"))
    #expect(Self.lanes(of: Self.blocking).render(color: true).contains("\u{1B}[33m"))
  }

  @Test func `the timeline and the analysis agree on how long a lane was used`() {
    for run in ExportSamples.runs {
      #expect(LaneTimeline(run).lanes.map(\.use) == Analysis(of: run).lanes)
    }
    let json = Self.lanes(of: Self.blocking).json
    #expect(
      json.contains(
        #"{"lane":"pool-3","work_ns":10000000,"blocked_ns":0,"idle_ns":10000000,"stretches":["#
          + #"{"kind":"in-flight","step":"parse","from_ns":10000000,"to_ns":20000000},"#
          + #"{"kind":"work","step":"parse","from_ns":10000000,"to_ns":20000000}]}"#), "\(json)")
  }

  @Test func `of many lanes, the most used ones are shown`() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for number in 1...60 {
      script.lane = Lane(number: UInt32(100 + number))
      script.submit("s-\(number)", in: "root", at: 0)
      script.start("s-\(number)", at: 0)
      script.work("s-\(number)", for: Int64(number), at: 60)
      script.finish("s-\(number)", at: 60)
    }
    script.finish("root", at: 60)
    let text = Self.lanes(of: script).render(width: 100, height: 10)
    #expect(text.contains("work 60ms 100%") && text.contains("work 51ms 85%"))
    #expect(!text.contains("work 50ms"))
    #expect(text.contains("… 51 more lanes"))
  }

  @Test func `without events, the lanes come from the steps of the record`() throws {
    var run = ExportSamples.run("queue", Self.blocking)
    run.events = []
    #expect(!LaneTimeline(run).render().isEmpty)
  }
}
