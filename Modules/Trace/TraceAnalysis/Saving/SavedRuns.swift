package import TraceBasics

/// A file of runs in JSON Lines, one event per line.
///
/// ```
/// {"format":"asynchronous-pattern-runs","version":1,"machine":{"cores":2,"os":"Linux",…}}
/// {"run":1,"e":"run-started","name":"serial { a }","clock":"live","start":81230467,…}
/// {"run":1,"e":"submitted","t":0,"lane":1,"span":1,"label":"serial","kind":"serial"}
/// {"run":1,"e":"started","t":1200,"lane":1,"span":1}
/// {"run":1,"e":"run-ended","outcome":"success","value":null,"makespan_ns":1400,…}
/// ```
///
/// The first line names the format, its version and the machine. Every other line contains the number of its run, so
/// that simultaneous runs can share a file. The record of a run is not stored: it is derived from the events when the
/// file is read.
///
/// If a program is killed, its file is valid up to the last complete line. A last line without a newline is ignored,
/// unless it is complete. A run without a line for its end is *unfinished*. Any other line that cannot be read is an
/// error. For lines that can be read but cannot be right, there are ``remarks``.
public struct SavedRuns: Sendable {
  /// The version of the format.
  public static let version = 1
  static let format = "asynchronous-pattern-runs"

  public var machine: Machine
  /// Ended runs in the order in which they ended, then unfinished ones in the order in which they started.
  public var runs: [SavedRun]
  /// The damage found in the file, in whole sentences that each name a line.
  public fileprivate(set) var remarks: [String] = []
  /// Whether the file ends in the middle of a line.
  public fileprivate(set) var isTruncated = false

  public init(machine: Machine = .current, runs: [SavedRun] = []) {
    self.machine = machine
    self.runs = runs
  }

  // MARK: - Writing

  /// The bytes of the file.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return Array(writer.text.utf8)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("format", SavedRuns.format)
      writer.field("version", SavedRuns.version)
      writer.object("machine") { writer in
        writer.field("cores", machine.cores)
        writer.field("os", machine.os)
        writer.field("compiler", machine.compiler)
        writer.field("build", machine.buildConfiguration)
      }
    }
    writer.endLine()
    for (index, run) in runs.enumerated() { run.write(as: index + 1, to: &writer) }
  }

  // MARK: - Reading

  /// Reads the bytes of a file.
  ///
  /// - Throws: an error that names the line and says why it cannot be read.
  /// - Complexity: O(n log n) in time, O(n) in memory.
  public init(bytes: [UInt8]) throws(SavedRunsError) {
    var reading = RunLines()
    var number = 0
    var isTruncated = false
    var rest = bytes[...]
    while !rest.isEmpty {
      let newline = rest.firstIndex(of: 0x0A)
      let line = rest[..<(newline ?? rest.endIndex)]
      rest = rest[line.endIndex...].dropFirst()
      number += 1
      if number > 1, line.allSatisfy({ [0x09, 0x0D, 0x20].contains($0) }) { continue }
      do {
        try reading.add(try JSONReader.read(line), line: number)
      } catch let error as JSONFields.Mismatch {
        throw number == 1
          ? .noRuns(error.message)
          : .unreadable(error.message, fix: error.fix, line: number)
      } catch {
        // The program that wrote the file was killed in the middle of this line, or is still writing it.
        isTruncated = number > 1 && newline == nil
        if isTruncated { break }
        let message = (error as? JSONReader.Failure)?.message ?? "\(error)"
        throw number == 1 ? .noRuns(message) : .unreadable(message, line: number)
      }
    }
    guard let saved = reading.saved else { throw .noRuns("it is empty") }
    self = saved
    self.isTruncated = isTruncated
  }

  /// Whether the bytes start like a file of runs.
  package static func startsAsRuns(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: Array("{\"format\":\"\(format)\"".utf8))
  }

  /// Reads the first line.
  fileprivate static func machine(_ header: JSONValue) throws(JSONFields.Mismatch) -> Machine {
    let fields = try JSONFields(header, "the first line")
    guard fields["format"] == .string(format) else {
      throw JSONFields.Mismatch(message: "its first line does not name the format “\(format)”")
    }
    let version = try fields.integer("version")
    guard version == Int64(SavedRuns.version) else {
      throw JSONFields.Mismatch(
        message: "it has version \(version) of the format, and this program reads version "
          + "\(SavedRuns.version)")
    }
    let machine = try JSONFields(fields["machine"], "the machine")
    return Machine(
      cores: try machine.count("cores"), os: try machine.string("os"),
      compiler: try machine.string("compiler"), buildConfiguration: try machine.string("build"))
  }
}

/// Assembles the runs of a file line by line.
package struct RunLines {
  /// A run whose end has not been read.
  private struct OpenRun {
    var run: SavedRun
    var events: [TraceEvent] = []
    /// When the steps started whose ends have not been read.
    var starts: [Span: Instant] = [:]
    let start: Instant
    /// The number of runs that started before it.
    let rank: Int

    /// Why no event can have the time of this one. Nil if it can.
    mutating func damage(of event: TraceEvent) -> String? {
      let century: Int64 = 3_155_760_000_000_000_000
      let time = event.time.nanoseconds &- start.nanoseconds
      if time < 0 { return "the event is before the start of its run" }
      if time >= century { return "the event is 100 years after the start of its run" }
      if event.kind == .started { starts[event.span] = event.time }
      guard event.kind == .finished, let started = starts.removeValue(forKey: event.span),
        event.time < started
      else { return nil }
      return "the step finishes before it starts"
    }
  }

  private var machine: Machine?
  private var ended: [SavedRun] = []
  private var open: [Int64: OpenRun] = [:]
  private var started = 0
  private var remarks: [String] = []
  private var hasWrongTime = false

  package init() {}

  /// Adds the next line. The first line must name the format.
  ///
  /// - Parameter line: the number of the line in its file; nil if the file has no lines.
  package mutating func add(_ json: JSONValue, line: Int? = nil) throws(JSONFields.Mismatch) {
    guard machine != nil else {
      machine = try SavedRuns.machine(json)
      return
    }
    let fields = try JSONFields(json, "the line")
    let number = try fields.integer("run")
    let kind = try fields.string("e")
    if kind == SavedRun.startWord {
      guard open[number] == nil else {
        throw fields.mismatch("run", "a number that no unfinished run has")
      }
      let start = Instant(nanoseconds: try fields.integer("start"))
      open[number] = OpenRun(run: try SavedRun(start: fields), start: start, rank: started)
      started += 1
      return
    }
    guard let index = open.index(forKey: number) else {
      throw JSONFields.Mismatch(
        message: "the line “\(SavedRun.startWord)” of run \(number) is missing before it",
        fix: "Remove all lines of run \(number)")
    }
    switch kind {
    case SavedRun.endWord:
      var one = open.remove(at: index).value
      let found = one.events.count
      try one.run.end(fields, &one.events)
      ended.append(one.run)
      let count = try fields.count("events")
      if found < count {
        remark("the run has \(count) events, but the file contains \(found) of them", line)
      }
    case SavedRun.droppedWord:
      open.values[index].run.record.dropped = try fields.count("events")
    default:
      let start = open.values[index].start
      let event = try TraceEvent(fields, since: start)
      // The first damage is enough: others are often its consequences.
      if let damage = open.values[index].damage(of: event), !hasWrongTime {
        hasWrongTime = true
        remark(damage, line)
      }
      open.values[index].events.append(event)
    }
  }

  private mutating func remark(_ damage: String, _ line: Int?) {
    guard let line else { return }
    remarks.append("line \(line): \(damage). The file is damaged; save the runs again")
  }

  /// Ended runs, then the others as far as they were recorded. Nil if there was no first line.
  package var saved: SavedRuns? {
    guard let machine else { return nil }
    let incomplete = open.values.sorted { $0.rank < $1.rank }.map { one in
      var one = one
      one.run.endIncomplete(&one.events)
      return one.run
    }
    var saved = SavedRuns(machine: machine, runs: ended + incomplete)
    saved.remarks = remarks
    return saved
  }
}

/// Why a file of runs cannot be read or written, or why a trace cannot be imported.
public struct SavedRunsError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, why, and what to do.
  public var message: String
  /// The line in a file of runs, from 1. Nil if the error concerns the whole file.
  public var line: Int?
  /// The offset in a trace, in bytes. Nil if the error concerns the whole file.
  public var offset: Int?
  /// The path of the file, if known.
  public var path: String?

  package init(_ message: String, line: Int? = nil, at offset: Int? = nil, path: String? = nil) {
    self.message = message
    self.line = line
    self.offset = offset
    self.path = path
  }

  /// The file contains something else.
  fileprivate static func noRuns(_ reason: String) -> SavedRunsError {
    SavedRunsError(
      "this is not a file of runs: \(reason). “--save FILE” or “trace save FILE” writes one; "
        + "“trace import” reads traces in Chrome's format")
  }

  fileprivate static func unreadable(
    _ reason: String, fix: String? = nil, line: Int
  ) -> SavedRunsError {
    SavedRunsError(
      "this line cannot be read: \(reason). \(fix ?? "Remove the line"), or save the runs again",
      line: line)
  }

  public var description: String {
    let place = [path, line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
    // The start of the file says nothing.
    let byte = offset.flatMap { $0 > 0 ? " (byte \($0))" : nil } ?? ""
    return (place.isEmpty ? "" : place + ": ") + message + byte
  }
}
