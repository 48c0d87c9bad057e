import AsyncPatterns
import TimingTrace

/// `trace show --follow`: a run in the background, drawn while it goes on.
extension Session {
  /// Draws the last run that goes on in the background, again and again in one place, until it ends or
  /// somebody presses Ctrl-C, which leaves the run alone.
  func follow() async {
    do {
      let job = try followedJob()
      let following = Following()
      interruption.watch(following)
      draw(job, while: following)
      Task {
        await job.task?.value
        following.ending.reach(.runEnded)
      }
      let end = await following.ending.account
      interruption.watch(nil)
      console.showPassing(nil)
      guard end == .leftAlone else { return }
      console.say("  [\(job.number)] goes on; “wait” waits for it, “cancel” calls it off")
    } catch {
      fail(error)
    }
  }

  private func followedJob() throws -> BackgroundRun {
    guard let job = jobs.last(where: { $0.run == nil }) else {
      throw CommandError(
        "no run goes on in the background",
        hint: "EXPRESSION & starts one; “show” draws the last that has ended")
    }
    guard job.execution.plan.settings.clock == .live else {
      throw CommandError(
        "a run on the virtual clock takes no time, so that there is nothing to follow",
        hint: "“wait” draws it when it is done; “set clock live” lets the next one take its time")
    }
    guard console.canShowPassing else {
      throw CommandError(
        "“--follow” draws over what it has drawn, and standard output is no terminal",
        hint: "“wait” draws the run once it has ended")
    }
    return job
  }

  /// Draws the run as it is, and arranges for the next time.
  private func draw(_ job: BackgroundRun, while following: Following) {
    guard !following.ending.isReached, job.run == nil else { return }
    let runtime = LiveRuntime.shared
    let begin = runtime.now
    console.showPassing(frame(of: job))
    // Ten times a second; of a large run less often, so that drawing takes a tenth of the time at most.
    let cost = begin.duration(to: runtime.now)
    runtime.main.schedule(after: max(.milliseconds(100), cost * 9)) { [weak self] in
      MainActor.assumeIsolated { self?.draw(job, while: following) }
    }
  }

  private func frame(of job: BackgroundRun) -> String {
    let timeline = Timeline(job.execution.recordSoFar, isUnderWay: true)
    return frame(of: timeline, lines: max(TerminalStyle.windowHeight - 1, 1)).joined(
      separator: "\n")
  }

  /// The picture, with no more than that many lines.
  func frame(of timeline: Timeline, lines room: Int) -> [Substring] {
    let style = style
    var lines: [Substring] = []
    var height = room
    // Once to see how much stands around the rows, and once to leave room for that.
    for _ in 0..<2 {
      let text = timeline.render(
        // The terminal's own ^C has room behind the last line.
        width: max(style.width - 3, 20), height: max(height, 1),
        style: style.isUnicode ? .unicode : .ascii,
        color: style.color)
      lines = text.split(separator: "\n")
      guard lines.count > room else { break }
      height -= lines.count - room
    }
    return Array(lines.prefix(room))
  }
}

/// The watching of a run, until it ends or somebody has seen enough.
private final class Following: Cancellable {
  enum End: Sendable { case runEnded, leftAlone }

  let ending = Ending<End>()

  func cancel() { ending.reach(.leftAlone) }
}
