import Testing
import TimingTrace

/// The effect of a second completion on a pattern that is notified of it.
@Suite struct SecondCompletionTests {
  /// A serial queue that waits at a semaphore: the second completion of `a` ends the wait for `b`.
  static let queue = {
    var script = EventScript("queue", "serial.semaphore", steps: ["a", "b", "c"])
    var earlier: String?
    func wait(from begin: Int64, for step: String, wokenBy waker: String, at end: Int64) {
      script.lane = .main
      script.start(step, because: earlier.map { (.wakeUp, $0) }, at: begin)
      script.lane = Lane(number: 7)
      script.block("queue", at: begin)
      if waker == "a", begin > 0 { script.misuse("completed-twice", "a", at: end) }
      if waker == step { script.finish(step, at: end) }
      script.unblock("queue", by: waker, at: end)
      earlier = waker
    }
    wait(from: 0, for: "a", wokenBy: "a", at: 20)
    wait(from: 20, for: "b", wokenBy: "a", at: 40)
    wait(from: 40, for: "c", wokenBy: "b", at: 70)
    script.finish("b", at: 70)
    script.finish("queue", at: 70)
    script.finish("c", at: 90)
    return script
  }()

  @Test func `the lints name the step that started too early, and the cause`() {
    let lints = Self.queue.record().lints
    #expect(
      lints.map(\.rule) == ["completed-twice", "overlap", "early-notification", "blocked-thread"])
    #expect(lints.map(\.step) == ["a", "c", "queue", "queue"])
    #expect(
      lints[0].message == "“a” did it; the pattern took that for the end of “b” and started “c”")
    #expect(
      lints[1].message
        == "“c” started while “b” still ran, because “a” had completed twice; "
        + "count only the first completion of each step, as serial does")
    #expect(lints[2].message.hasPrefix("“queue” completed while “c” still ran, because “a” had"))
  }

  /// No thread waits: the completion itself starts the next step a second time.
  @Test(arguments: [true, false])
  func `a second completion that starts the next step is found`(isOnTheSameLane: Bool) {
    var script = EventScript("nested", "nested", steps: ["a", "b"])
    script.start("a", at: 0)
    script.finish("a", at: 10)
    script.start("b", after: "a", at: 10)
    script.misuse("completed-twice", "a", at: 20)
    // On another lane the start has a cause of its own, such as a timer.
    if !isOnTheSameLane { script.lane = Lane(number: 9) }
    script.submit("again", in: "nested", label: "b", at: 20)
    script.start("again", after: "a", at: 20)
    script.finish("b", at: 30)
    script.finish("nested", awaitsAll: false, at: 30)
    script.finish("again", at: 40)
    let messages = script.record().lints.map { "\($0.rule): \($0.message)" }
    #expect(
      messages
        == (isOnTheSameLane
          ? [
            "completed-twice: “a” did it; the pattern continued from there a second time and "
              + "started “b”",
            "overlap: “b” started again while it still ran, because “a” had completed twice; "
              + "count only the first completion of each step, as serial does",
            "early-notification: “nested” completed while “b” still ran, because “a” had completed "
              + "twice; count only the first completion of each step, as serial does",
          ] : ["completed-twice: “a” did it"]))
  }

  @Test func `a step started by a first completion is not an overlap`() {
    var script = EventScript("bounded", "bounded", steps: ["a", "b", "c", "d"])
    for label in ["a", "b"] { script.start(label, at: 0) }
    script.finish("a", at: 10)
    script.start("c", at: 10)
    script.misuse("completed-twice", "a", at: 20)
    script.finish("b", at: 20)
    script.start("d", at: 20)
    script.finish("c", at: 30)
    script.finish("d", at: 40)
    script.finish("bounded", at: 40)
    #expect(script.record().lints.map(\.rule) == ["completed-twice"])
  }

  @Test func `a thread that is never woken is blocked in vain`() throws {
    let script = EventScript("queue: serial.semaphore 0.. blocked 0.. { a: 0..; b: }")
    let lints = script.record(outcome: .unfinished, end: 50).lints
    #expect(lints.map(\.rule) == ["blocked-thread", "never-completed"])
    #expect(
      lints[0].message
        == "“queue” blocked a thread to the end of the run, for 50ms, in vain: “a” had not "
        + "completed; let each completion start the next step, as serial does, so that no thread "
        + "needs to wait")
  }
}
