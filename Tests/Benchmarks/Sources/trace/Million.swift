import AsyncPatterns
import Foundation
import Measuring
import TimingTrace

/// A trace of a million events: 250 000 steps, eight at the same time on eight lanes. Each step has the step that ended
/// before it on its lane as its cause.
enum Million {
  private static let steps = 250_000

  static let events: [TraceEvent] = {
    var events: [TraceEvent] = []
    events.reserveCapacity(steps * 4 + 3)
    forEachEvent { events.append($0) }
    return events
  }()

  private static func forEachEvent(_ body: (TraceEvent) -> Void) {
    func add(_ event: TraceEvent, on lane: Int) {
      var event = event
      event.lane = Lane(number: UInt32(lane))
      body(event)
    }
    let root = Span(id: 1)
    let width = 8
    add(.submitted(root, in: .none, label: "bounded", kind: "bounded", at: .zero), on: 1)
    add(.started(root, at: .zero), on: 1)
    for wave in 0..<steps / width {
      let begin = Instant(nanoseconds: Int64(wave) * 1000)
      let end = Instant(nanoseconds: Int64(wave) * 1000 + 990)
      for lane in 1...width {
        let index = wave * width + lane
        let span = Span(id: UInt32(index + 1))
        add(.submitted(span, in: root, label: "page-\(index)", kind: "work", at: begin), on: lane)
        // The step that ended before this one on its lane.
        let cause =
          wave == 0
          ? Cause(.parent, root) : Cause(.permit, Span(id: UInt32(index + 1 - width)))
        add(.started(span, because: cause, at: begin), on: lane)
      }
      for lane in 1...width {
        let span = Span(id: UInt32(wave * width + lane + 1))
        add(.worked(span, for: .nanoseconds(990), at: end), on: lane)
        add(.finished(span, .success, at: end), on: lane)
      }
    }
    add(.finished(root, .success, at: Instant(nanoseconds: Int64(steps / width) * 1000)), on: 1)
  }

  static func measure() throws -> [Figure] {
    let events = events
    let record = analysed(events)
    let run = SavedRun(name: "bounded", source: "", composition: "", record: record, events: events)
    var contestants = [
      Contestant("analysing") {
        ContinuousClock().measure { precondition(analysed(events).events == events.count) }
      }
    ]
    for format in TraceFormat.allCases {
      contestants.append(
        Contestant(format.rawValue) {
          var size = 0
          let time = try ContinuousClock().measure { try format.write([run]) { size += $0.count } }
          precondition(size > 0)
          return time
        })
    }
    let trace = Array(ChromeTrace.json([run]).utf8)
    contestants.append(
      Contestant("importing") {
        try ContinuousClock().measure {
          let imported = try ChromeImport(bytes: trace)
          precondition(imported.runs.first?.record.steps.count == steps)
        }
      })
    let path = FileManager.default.temporaryDirectory.path + "/million.runs"
    defer { try? FileManager.default.removeItem(atPath: path) }
    contestants += [
      Contestant("saving") {
        try ContinuousClock().measure { try SavedRuns(runs: [run]).write(to: path) }
      },
      Contestant("reading") {
        try ContinuousClock().measure {
          let saved = try SavedRuns.read(path)
          precondition(saved.runs.first?.record.steps.count == steps)
        }
      },
    ]
    let times = try Contestant.medians(of: contestants, rounds: 5)
    let size = try Data(contentsOf: URL(filePath: path)).count
    return [
      Figure("analysing \(events.count) events", times[0], target: .seconds(1)),
      Figure("exporting them to Chrome JSON", times[1], target: .seconds(2)),
    ]
      + zip(contestants, times).dropFirst(2).dropLast(3).map {
        Figure(
          "exporting them to \($0.name)", $1, target: $0.name == "html" ? .seconds(1) : nil)
      }
      + [
        Figure(
          "importing their \(trace.count / 1_000_000) MB of Chrome JSON", times[times.count - 3]),
        Figure("saving them to a file of \(size / 1_000_000) MB", times[times.count - 2]),
        Figure("reading and analysing that file", times[times.count - 1], target: .seconds(4)),
      ] + (try measureQuestions(record))
  }

  /// The time to analyse the trace, and the time to draw part of it.
  private static func measureQuestions(_ record: RunRecord) throws -> [Figure] {
    let events = events
    var part = record
    part.steps = Array(record.steps.prefix(10_000))
    let few = part
    let times = try Contestant.medians(
      of: [
        Contestant("asking") {
          ContinuousClock().measure {
            precondition(Analysis(of: record, events: events).slack.count == steps)
          }
        },
        Contestant("drawing") {
          ContinuousClock().measure { precondition(!Timeline(few).render().isEmpty) }
        },
      ], rounds: 5)
    return [
      Figure("computing the slack of \(events.count) events", times[0], target: .seconds(1)),
      Figure("drawing \(few.steps.count) steps", times[1], target: .milliseconds(300)),
    ]
  }

  private static func analysed(_ events: [TraceEvent]) -> RunRecord {
    RunRecord(events: events, clock: .virtual, outcome: .success)
  }

  /// The memory of a million recorded events.
  static func measureMemory() -> Figure {
    let before = residentBytes
    let recorder = Recorder(clock: .virtual)
    forEachEvent { recorder.record($0) }
    let taken = residentBytes - before
    precondition(recorder.dropped == 0)
    return withExtendedLifetime(recorder) {
      Figure(
        "recording \(steps * 4) events", .bytes(taken), target: .amount(.bytes(steps * 4 * 200)))
    }
  }
}
