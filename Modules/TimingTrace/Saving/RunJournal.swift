public import AsyncPatterns

#if canImport(Glibc)
  internal import Glibc
  private let (systemOpen, systemClose) = (Glibc.open(_:_:), Glibc.close)
#elseif canImport(Darwin)
  internal import Darwin
  private let (systemOpen, systemClose) = (Darwin.open(_:_:), Darwin.close)
#endif

/// Writes runs to a file while they go on, so that a program which is killed leaves what it had recorded.
///
/// The file is replaced when the first run begins. Each run has an entry: a line that tells what begins; on
/// the live clock, its new events after a tenth of a second, then ever more seldom, at last once a second; and
/// in the end the line of the run, which takes the place of the others. Whoever reads the file in between
/// finds whole lines. What is no regular file, such as a pipe, is left to whoever writes all of the runs in the end.
///
/// All of it is done on a lane of its own: those who record are never delayed, and a run of less than a tenth
/// of a second does not meet it at all. A look costs the copying of what is new and the writing of about
/// fifty bytes an event.
public final class RunJournal: Sendable {
  private let lane: any RunLoopScheduler
  private let runtime: any Runtime
  private let file: JournalFile

  /// The first look at a run comes after this, each further one after twice the time, up to `longest`.
  static let first = Duration.milliseconds(100)
  static let longest = Duration.seconds(1)

  /// - Parameter runtime: whose time and lanes it uses.
  public init(path: String, runtime: any Runtime = LiveRuntime.shared) {
    self.runtime = runtime
    lane = runtime.runLoop("saving runs")
    file = JournalFile(path)
  }

  /// A run begins. Returns at once.
  ///
  /// - Parameter recorder: of the run, if its events are to be written while it goes on.
  /// - Returns: the number of its entry.
  public func begin(_ run: RunBeginning, recorder: Recorder?) -> Int {
    let number = file.nextNumber()
    lane.schedule { [self] in
      file.begin(number, run, recorder)
      if recorder != nil { lookLater(at: number, after: Self.first) }
    }
    return number
  }

  /// A run has ended: its line takes the place of its entry. Returns when it is written.
  ///
  /// - Parameter number: nil if it has no entry.
  public func end(_ number: Int?, _ run: SavedRun) {
    waiting { $0.end(number, run) }
  }

  /// Nothing more is to be written.
  ///
  /// - Returns: how many runs the file holds, if they are all there is in it and nothing went wrong.
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
  // Safe to share: all but the numbers is touched on the journal's lane alone.
  private struct Entry {
    let recorder: Recorder?
    var position = Recorder.Position()
    var timer: (any Cancellable)?
  }

  private let path: String
  private let numbers = Locked(0)
  private var descriptor: Int32?
  private var hasFailed = false
  private var entries: [Int: Entry] = [:]
  /// Where the last line of a run ends, if nothing but beginnings stands behind it.
  private var clean: off_t? = 0
  private var end: off_t = 0
  private var runs = 0

  /// As many events as a line holds at most.
  private static let mostEvents = 10_000

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

  func begin(_ number: Int, _ run: RunBeginning, _ recorder: Recorder?) {
    entries[number] = Entry(recorder: recorder)
    write(run.json(entry: number))
  }

  /// Writes what is new; false if the run has ended.
  func look(at number: Int) -> Bool {
    guard !hasFailed, var entry = entries[number], let recorder = entry.recorder else {
      return false
    }
    var events = recorder.events(since: &entry.position)[...]
    entries[number] = entry
    while !events.isEmpty, !hasFailed {
      // From here on the entry is more than a beginning.
      clean = nil
      let part = events.prefix(Self.mostEvents)
      write(RunBeginning.json(entry: number, part, dropped: recorder.dropped))
      events = events.dropFirst(part.count)
    }
    return true
  }

  func end(_ number: Int?, _ run: SavedRun) {
    if let number { entries.removeValue(forKey: number)?.timer?.cancel() }
    guard prepare() else { return }
    if entries.isEmpty, let clean, clean > 0, let descriptor {
      // Nothing but what has begun and ended stands there.
      if ftruncate(descriptor, clean) == 0 { end = clean } else { hasFailed = true }
      write(run.json)
      self.clean = end
    } else {
      clean = nil
      write(run.json(entry: number))
    }
    runs += 1
  }

  func close() -> Int? {
    defer {
      if let descriptor { _ = systemClose(descriptor) }
      descriptor = nil
      // Nothing more is written.
      hasFailed = true
    }
    for entry in entries.values { entry.timer?.cancel() }
    return !hasFailed && entries.isEmpty && clean == end && descriptor != nil ? runs : nil
  }

  private func prepare() -> Bool {
    if hasFailed { return false }
    if descriptor != nil { return true }
    // In place of any that is there, and whole from the beginning. What is no regular file cannot be begun and then
    // written once more: it gets everything in the end.
    guard (try? FileReplacement(path))?.kind != .other, (try? SavedRuns().write(to: path)) != nil
    else {
      hasFailed = true
      return false
    }
    let file = systemOpen(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else {
      hasFailed = true
      return false
    }
    descriptor = file
    end = lseek(file, 0, SEEK_END)
    clean = end
    return true
  }

  private func write(_ line: String) {
    guard prepare(), let descriptor else { return }
    let bytes = Array((line + "\n").utf8)
    // What went wrong is told when all is written once more in the end.
    if (try? SavedRuns.write(bytes, to: descriptor, path)) == nil { hasFailed = true }
    end += off_t(bytes.count)
  }
}
