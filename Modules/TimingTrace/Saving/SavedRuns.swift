/// A file of runs: lines of JSON, the first of which tells the format's version and the machine, each
/// further one a run.
///
/// A run may have an entry beside its line, while it goes on: a line that tells what begins, and lines with
/// events. The line of the run takes their place.
///
/// A file that was being written when its writer died is good up to its last whole event: a run that went on
/// then, or was being written down, is *unfinished*, with what is there of it, and `tear` tells where the file breaks
/// off. Anything else that is wrong with a file, whoever wrote it, is an error that names the byte, also in what is
/// there of a line that breaks off.
///
/// Events are kept once: of a run's record a line has the totals, and the lists are made of the events when it is
/// read. A record that does not follow from them, because somebody changed it, is kept as it is.
public struct SavedRuns: Sendable {
  /// The version that this library writes. It reads those before it: up to version 3 nothing was queued once it had
  /// started, up to version 2 a run had its record in full beside its events, and version 1 had no entries.
  public static let version = 4
  /// From this version on a record has no lists where they follow from the events.
  static let firstWithoutLists = 3
  static let format = "asynchronous-pattern-runs"

  public var machine: Machine
  public var runs: [SavedRun]
  /// Where the file breaks off, if it ends in the middle of a line.
  public var tear: Tear?
  /// Whether the file ends in the middle of a line.
  public var isTruncated: Bool { tear != nil }
  /// The names of the runs that went on when the program ended; they are the last of `runs`.
  public var interrupted: [String] = []

  /// The end of a file in the middle of a line.
  public struct Tear: Sendable, Hashable {
    /// The byte where it breaks off, from the beginning of the file.
    public var offset: Int
    /// Whether nothing of the line, and of the run it is of, could be read.
    public var isLeftOut: Bool
  }

  public init(machine: Machine = .current, runs: [SavedRun] = []) {
    self.machine = machine
    self.runs = runs
  }

  // MARK: Text

  /// The first line of a file.
  var header: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", SavedRuns.format)
      writer.field("version", SavedRuns.version)
      writer.key("machine")
      writer.object { writer in
        writer.field("cores", machine.cores)
        writer.field("os", machine.os)
        writer.field("compiler", machine.compiler)
        writer.field("build", machine.buildConfiguration)
      }
    }
    return writer.text
  }

  /// The file's bytes.
  var bytes: [UInt8] {
    var bytes = Array(header.utf8) + [0x0A]
    for run in runs { bytes += Array(run.json.utf8) + [0x0A] }
    return bytes
  }

  /// What the bytes of a file stand for.
  ///
  /// - Throws: an error that says what is wrong, and at which byte.
  /// - Complexity: O(n) in time, and in memory.
  public init(bytes: [UInt8]) throws(SavedRunsError) {
    var lines = Lines(bytes)
    guard let first = lines.next() else {
      throw SavedRunsError("it is empty, and no file of runs", at: 0)
    }
    let version: Int
    do throws(SavedRunsError) {
      let header = try first.parse()
      (machine, version) = try first.attempt { () throws(JSONFields.Mismatch) in
        try SavedRuns.heading(header)
      }
    } catch {
      guard SavedRuns.isChromeTrace(bytes) else { throw error }
      throw SavedRunsError("it is a Chrome trace: use “trace import”", at: 0)
    }
    runs = []
    var entries = RunEntries(version: version)
    while let line = lines.next() {
      guard let json = try line.parseUnlessTorn() else {
        let parts = JSONReader.wholeParts(of: line.bytes)
        let torn = try line.attempt { () throws(JSONFields.Mismatch) in try entries.addTorn(parts) }
        tear = Tear(offset: bytes.count, isLeftOut: false)
        switch torn {
        case .leftOut: tear?.isLeftOut = true
        case .kept: break
        case .run(let run): runs.append(run)
        }
        break
      }
      let run = try line.attempt { () throws(JSONFields.Mismatch) in try entries.add(json) }
      if let run { runs.append(run) }
    }
    let unfinished = entries.unfinished
    interrupted = unfinished.map(\.name)
    runs += unfinished
  }

  /// Whether a file is a Chrome trace: an object with `traceEvents`, whatever stands before those, or a list of
  /// events, of which one has a phase.
  private static func isChromeTrace(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes: bytes)
      reader.skipMark()
      reader.skipSpace()
      guard reader.take("[") else { return reader.reachesMember("traceEvents") }
      repeat {
        reader.skipSpace()
        if reader.reachesMember("ph") { return true }
        reader.skipSpace()
      } while reader.take(",")
      return false
    }
  }

  /// Whether bytes begin as a file of runs does.
  package static func startsAsRuns(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: Array("{\"format\":\"\(format)\"".utf8))
  }

  private static func heading(
    _ header: JSONValue
  ) throws(JSONFields.Mismatch) -> (Machine, version: Int) {
    let fields = try JSONFields(header, "the first line")
    guard fields["format"] == .string(format) else {
      throw JSONFields.Mismatch(
        message: "it is no file of runs: the first line of one names the format “\(format)”")
    }
    let version = try fields.integer("version")
    guard version <= Int64(SavedRuns.version) else {
      throw JSONFields.Mismatch(
        message: "it has version \(version) of the format, and this program reads up to "
          + "\(SavedRuns.version): a newer program wrote it, and reads it")
    }
    guard version >= 1 else { throw fields.mismatch("version", "a whole number from 1") }
    let machine = try JSONFields(fields["machine"], "the machine")
    return (
      Machine(
        cores: try machine.count("cores"), os: try machine.string("os"),
        compiler: try machine.string("compiler"), buildConfiguration: try machine.string("build")),
      Int(version)
    )
  }
}

/// What is wrong with a file of runs, and at which byte.
public struct SavedRunsError: Error, Hashable, CustomStringConvertible {
  public var message: String
  /// From the beginning of the file; nil if the file could not be read or written at all.
  public var offset: Int?
  /// The file, where it is known.
  public var path: String?

  init(_ message: String, at offset: Int? = nil, path: String? = nil) {
    self.message = message
    self.offset = offset
    self.path = path
  }

  public var description: String {
    (path.map { "\($0): " } ?? "") + message + (offset.map { " (byte \($0))" } ?? "")
  }
}

/// The lines of a file, with where they begin.
struct Lines {
  static let blanks: [UInt8] = [0x09, 0x0A, 0x0D, 0x20]

  struct Line {
    let bytes: ArraySlice<UInt8>
    /// Whether the newline at its end is missing.
    let lacksNewline: Bool

    func parse() throws(SavedRunsError) -> JSONValue {
      do throws(JSONReader.Failure) { return try JSONReader.read(bytes) } catch {
        throw failure(error)
      }
    }

    /// Nil if it breaks off, and nothing is wrong with it up to there.
    func parseUnlessTorn() throws(SavedRunsError) -> JSONValue? {
      do throws(JSONReader.Failure) { return try JSONReader.read(bytes) } catch {
        guard lacksNewline, error.isAtEnd else { throw failure(error) }
        return nil
      }
    }

    private func failure(_ failure: JSONReader.Failure) -> SavedRunsError {
      SavedRunsError(failure.message, at: bytes.startIndex + failure.offset)
    }

    func attempt<Result>(
      _ body: () throws(JSONFields.Mismatch) -> Result
    ) throws(SavedRunsError) -> Result {
      do throws(JSONFields.Mismatch) { return try body() } catch {
        throw SavedRunsError(error.message, at: bytes.startIndex)
      }
    }
  }

  private var rest: ArraySlice<UInt8>

  /// - Parameter bytes: blanks behind the last line are nothing.
  init(_ bytes: [UInt8]) {
    let end = bytes.lastIndex { !Self.blanks.contains($0) }.map { $0 + 1 } ?? 0
    let newline = bytes[end...].firstIndex(of: 0x0A)
    rest = bytes[..<(newline.map { $0 + 1 } ?? bytes.count)]
  }

  mutating func next() -> Line? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: 0x0A)
    defer { rest = end.map { rest[($0 + 1)...] } ?? [] }
    return Line(bytes: rest[..<(end ?? rest.endIndex)], lacksNewline: end == nil)
  }
}
