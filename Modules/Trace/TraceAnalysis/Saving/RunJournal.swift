internal import FileWriting
internal import TraceBasics

#if canImport(Glibc)
  internal import Glibc
  private let (systemOpen, systemClose) = (Glibc.open(_:_:), Glibc.close)
#elseif canImport(Darwin)
  internal import Darwin
  private let (systemOpen, systemClose) = (Darwin.open(_:_:), Darwin.close)
#endif

/// Writes runs to a file while they are in progress. If the program is killed, the file keeps the events so far.
///
/// The journal replaces the file when the first run starts. From then on it only appends whole lines: the start of a
/// run, its events and its end. It writes new events after a tenth of a second, and then at intervals that double, up
/// to one second. It does not write to a file that is not regular, such as a pipe.
///
/// The journal works on a lane of its own: it never delays a thread that records. Each time it writes, it copies the
/// new events and writes about seventy bytes for each.
public final class RunJournal: Sendable {
  private let lane: any RunLoopScheduler
  private let runtime: any Runtime
  private let file: JournalFile

  /// The delay before new events are written for the first time. It doubles each time, up to `longest`.
  static let first = Duration.milliseconds(100)
  static let longest = Duration.seconds(1)

  /// - Parameter runtime: the source of time and lanes.
  public init(path: String, runtime: any Runtime = LiveRuntime.shared) {
    self.runtime = runtime
    lane = runtime.runLoop("saving runs")
    file = JournalFile(path)
  }

  /// Writes the start of a run. Returns immediately.
  ///
  /// - Parameters:
  ///   - run: the run as far as it is known before it starts. Its events are ignored.
  ///   - start: when the run starts. The times of its events count from then.
  ///   - recorder: the recorder of the run. Nil to write its events only at its end.
  /// - Returns: the number of the run in the file.
  public func begin(_ run: SavedRun, at start: Instant, recorder: Recorder?) -> Int {
    let number = file.nextNumber()
    lane.schedule { [self] in
      file.begin(number, run, at: start, recorder)
      if recorder != nil { lookLater(at: number, after: Self.first) }
    }
    return number
  }

  /// Writes the end of a run, and the events that are not in the file yet. Returns when they are written.
  ///
  /// - Parameter number: nil if the start of the run was not written.
  public func end(_ number: Int?, _ run: SavedRun) {
    waiting { $0.end(number, run) }
  }

  /// Closes the file. Nothing is written after that.
  ///
  /// - Returns: the number of runs in the file. Nil if writing failed, if no run started, or if a run has no end.
  public func close() -> Int? {
    let count = Locked<Int?>(nil)
    waiting { file in count.withLock { [result = file.close()] in $0 = result } }
    return count.withLock { $0 }
  }

  private func waiting(_ body: @escaping @Sendable (JournalFile) -> Void) {
    let done = runtime.semaphore(0)
    lane.schedule { [file] in
      body(file)
      done.signal()
    }
    done.wait()
  }

  private func lookLater(at number: Int, after delay: Duration) {
    let timer = lane.schedule(after: delay) { [weak self] in
      guard let self, file.look(at: number) else { return }
      lookLater(at: number, after: min(delay * 2, Self.longest))
    }
    file.setTimer(timer, of: number)
  }
}

/// The file of a journal.
private final class JournalFile: @unchecked Sendable {
  // Safe to share: a lock guards the numbers, and only the journal's lane touches the rest.
  private struct Entry {
    let start: Instant
    let recorder: Recorder?
    var position = Recorder.Position()
    var timer: (any Cancellable)?
  }

  private let path: String
  private let numbers = Locked(0)
  private var descriptor: Int32?
  private var hasFailed = false
  private var entries: [Int: Entry] = [:]
  private var runs = 0

  init(_ path: String) { self.path = path }

  deinit { if let descriptor { _ = systemClose(descriptor) } }

  func nextNumber() -> Int {
    numbers.withLock { number in
      number += 1
      return number
    }
  }

  func setTimer(_ timer: any Cancellable, of number: Int) {
    if entries[number] == nil { timer.cancel() } else { entries[number]?.timer = timer }
  }

  func begin(_ number: Int, _ run: SavedRun, at start: Instant, _ recorder: Recorder?) {
    entries[number] = Entry(start: start, recorder: recorder)
    write { run.writeStart(as: number, at: start, to: &$0) }
  }

  /// Writes new events. Returns false if the run has ended, or if writing has failed.
  func look(at number: Int) -> Bool {
    guard !hasFailed, let entry = entries[number], let recorder = entry.recorder else {
      return false
    }
    let events = recorder.events(since: &entries[number, default: entry].position)
    write { writer in
      for event in events { event.writeLine(ofRun: number, since: entry.start, to: &writer) }
      if recorder.dropped > 0 {
        writer.line(SavedRun.droppedWord, ofRun: number) { $0.field("events", recorder.dropped) }
      }
    }
    return true
  }

  func end(_ number: Int?, _ run: SavedRun) {
    runs += 1
    guard let number, var entry = entries.removeValue(forKey: number) else {
      let number = nextNumber()
      return write { run.write(as: number, to: &$0) }
    }
    entry.timer?.cancel()
    let events = entry.recorder?.events(since: &entry.position)
    write { writer in
      for event in events.map(TraceEvents.init) ?? run.storedEvents {
        event.writeLine(ofRun: number, since: entry.start, to: &writer)
      }
      run.writeEnd(as: number, to: &writer)
    }
  }

  func close() -> Int? {
    defer {
      if let descriptor { _ = systemClose(descriptor) }
      descriptor = nil
      // This prevents further writing.
      hasFailed = true
    }
    for entry in entries.values { entry.timer?.cancel() }
    return !hasFailed && entries.isEmpty && descriptor != nil ? runs : nil
  }

  private func write(_ body: (inout JSONWriter) -> Void) {
    if !hasFailed, descriptor == nil { descriptor = replaced() }
    guard !hasFailed, let descriptor else {
      hasFailed = true
      return
    }
    var writer = JSONWriter(
      to: TextOutput { [path] in try SavedRuns.write(Array($0), to: descriptor, path) })
    body(&writer)
    // `close` then returns nil. Its caller writes all runs again, and reports why that fails.
    do { try writer.finish() } catch { hasFailed = true }
  }

  /// Replaces the file by one without runs, and opens it. Nil if that is not possible.
  private func replaced() -> Int32? {
    guard (try? FileReplacement(path))?.kind != .other, (try? SavedRuns().write(to: path)) != nil
    else { return nil }
    let file = systemOpen(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    return file >= 0 ? file : nil
  }
}
