import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Findings about patterns that display: ends that were never notified, and unnecessary drawing.
@Suite struct DisplayLintTests {
  /// A run of drawings one after another. Each takes the given number of milliseconds; nil means that it does not
  /// start.
  ///
  /// - Parameter ends: whether each drawing was finished; nil if its end was never notified.
  private static func script(
    _ durations: [Int64?], _ ends: [Bool?], outcome: TraceEvent.Outcome? = .success
  ) -> EventScript {
    var script = EventScript()
    script.submit("render", "render", at: 0)
    script.start("render", at: 0)
    var time: Int64 = 0
    for (index, (duration, end)) in zip(durations, ends).enumerated() {
      let label = "draw-\(index + 1)"
      script.mark("asked", role: .displayAsked, of: "render", at: time)
      script.submit(label, "draw", in: "render", at: time)
      script.mark("will-display", label, role: .displayBegan, of: "render", at: time)
      if let duration {
        script.start(label, at: time)
        time += duration
        script.finish(label, end == true ? .success : .cancelled, at: time)
      }
      if let end {
        script.mark(
          "did-display", label, role: end ? .displayFinished : .displayCancelled, of: "render",
          at: time)
      }
    }
    if let outcome { script.finish("render", outcome, at: time) }
    return script
  }

  private static func lints(_ script: EventScript, _ rule: String) -> [LintRecord] {
    script.record().lints.filter { $0.rule == rule }
  }

  @Test func `an end that was never notified is a finding, with its fix`() throws {
    let script = Self.script([5, nil, 5], [true, nil, true], outcome: nil)
    let lint = try #require(Self.lints(script, "missing-did-display").first)
    #expect(lint.step == "render")
    #expect(
      lint.message
        == "“render” called willDisplay for “draw-2” at 5ms, and never didDisplay: a drawing that "
        + "was cancelled in its queue ended without a notification, and code that waits for it "
        + "waits forever; call didDisplay exactly once for each willDisplay on every path, as "
        + "render does")
    #expect(Self.lints(script, "missing-did-display").count == 1)
  }

  @Test(arguments: [
    // Every end was notified.
    script([5, nil, 5], [true, false, true]),
    // The last end may still come, since the drawing was not cancelled.
    script([5, nil], [true, nil], outcome: nil),
    // A pattern that is cancelled or fails does not wait for the ends.
    script([5, nil, 5], [true, nil, true], outcome: .cancelled),
    script([5, nil, 5], [true, nil, true], outcome: .failure),
  ])
  func `correct drawing is not a finding`(script: EventScript) {
    #expect(Self.lints(script, "missing-did-display").isEmpty)
  }

  @Test func `a pattern that reports it itself is not reported again`() {
    var script = Self.script([nil, 5], [nil, true], outcome: nil)
    script.misuse("missing-did-display", "render", at: 9)
    #expect(Self.lints(script, "missing-did-display").count == 1)
  }

  @Test func `unnecessary drawing is a finding, with its fix`() throws {
    let script = Self.script([8, 8, 8, 8], [false, false, false, true])
    let lint = try #require(Self.lints(script, "wasted-drawing").first)
    #expect(lint.step == "render")
    #expect(
      lint.message
        == "“render” drew for 32ms, and 24ms of that was wasted: of 4 drawings that started, 3 "
        + "were cancelled by a change; request displays less often than a drawing takes, or let "
        + "the drawing in progress be shown, as policy: finish-then-latest does")
  }

  @Test(arguments: [
    // Half of the time, but not more.
    script([8, 8, 8, 24], [false, false, false, true]),
    // One or two unnecessary drawings are not a finding.
    script([8, 8, 1], [false, false, true]),
    // A drawing that was cancelled before it started cost nothing.
    script([nil, nil, nil, nil, 8], [false, false, false, false, true]),
    script([8, 8, 8, 8], [true, true, true, true]),
  ])
  func `drawing that is worth its time is not a finding`(script: EventScript) {
    #expect(Self.lints(script, "wasted-drawing").isEmpty)
  }

  /// A drawing of 20 ms that starts at 2 ms and has the given outcome. Its layer is released at the given time.
  private static func script(
    releasedAt time: Int64, _ outcome: TraceEvent.Outcome, from start: Int64 = 2
  ) -> EventScript {
    var script = EventScript()
    script.submit("render", "render", at: 0)
    script.start("render", at: 0)
    script.submit("draw-1", "draw", in: "render", at: 0)
    script.mark("will-display", "draw-1", role: .displayBegan, of: "render", at: 0)
    if start < time { script.start("draw-1", at: start) }
    script.mark("released", role: .displayReleased, of: "render", at: time)
    if start >= time { script.start("draw-1", at: start) }
    script.finish("draw-1", outcome, at: 22)
    script.mark("did-display", "draw-1", role: .displayFinished, of: "render", at: 22)
    script.finish("render", at: 22)
    return script
  }

  @Test(arguments: [(Int64(5), Int64(2), "17ms"), (1, 2, "20ms")])
  func `drawing to the end for a released layer is a finding, with its fix`(
    released: Int64, start: Int64, wasted: String
  ) throws {
    let script = Self.script(releasedAt: released, .success, from: start)
    let lint = try #require(Self.lints(script, "wasted-drawing").first)
    #expect(
      lint.message
        == "“render” drew “draw-1” to the end, \(wasted) of it after the layer had been released "
        + "at \(released)ms: the drawings in the queue hold the layer, so it is never deallocated "
        + "and cancels nothing; hold it weakly there, as render does")
  }

  @Test(arguments: [
    // The drawing has stopped, or it had ended or almost ended.
    script(releasedAt: 5, .cancelled), script(releasedAt: 23, .success),
    script(releasedAt: 22, .success),
  ])
  func `stopping when the layer is released is not a finding`(script: EventScript) {
    #expect(Self.lints(script, "wasted-drawing").isEmpty)
  }
}
