import AsyncPatterns
import TimingTrace

/// `trace show --follow`: draws a background run while it runs.
extension Session {
  /// Draws the last background run that still runs, again and again in one place, until it ends or the user presses
  /// Ctrl-C. Ctrl-C does not affect the run.
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
      console.say("  [\(job.number)] is still running; “wait” waits for it, “cancel” cancels it")
    } catch {
      fail(error)
    }
  }

  private func followedJob() throws -> BackgroundRun {
    guard let job = jobs.last(where: { $0.run == nil }) else {
      throw CommandError(
        "no background run is in progress",
        hint: "EXPRESSION & starts one; “show” draws the last run that has ended")
    }
    guard job.execution.plan.settings.clock == .live else {
      throw CommandError(
        "a run on the virtual clock takes no time, so there is nothing to follow",
        hint: "“wait” draws it when it has ended; after “set clock live”, runs take time")
    }
    guard console.canShowPassing else {
      throw CommandError(
        "“--follow” redraws lines of a terminal, but standard output is not a terminal",
        hint: "“wait” draws the run once it has ended")
    }
    return job
  }

  /// Draws the run in its present state, and schedules the next drawing.
  private func draw(_ job: BackgroundRun, while following: Following) {
    guard !following.ending.isReached, job.run == nil else { return }
    let runtime = LiveRuntime.shared
    let begin = runtime.now
    console.showPassing(frame(of: job))
    // Draws ten times a second, or less often for a large run, so that drawing takes at most a tenth of the time.
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

  /// The picture, with at most `room` lines.
  func frame(of timeline: Timeline, lines room: Int) -> [Substring] {
    let style = style
    var lines: [Substring] = []
    var height = room
    // The first pass shows how many lines surround the rows. The second pass leaves room for them.
    for _ in 0..<2 {
      let text = timeline.render(
        // The terminal's own ^C must fit behind the last line.
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

/// Follows a run until it ends, or until the user stops following it.
private final class Following: Cancellable {
  enum End: Sendable { case runEnded, leftAlone }

  let ending = WorkEnd<End>()

  func cancel() { ending.reach(.leftAlone) }
}
