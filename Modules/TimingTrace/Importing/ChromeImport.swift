internal import AsyncPatterns

/// The trace of another program, or one of ours, in Chrome's format, as runs that can be shown, analysed, linted
/// and compared: see ``ChromeTrace``.
///
/// Each process is a run. Slices are steps, within those that enclose them on their thread or, if they are
/// asynchronous, on their track; threads are lanes; arrows are edges, of the kind `dependency` where the one
/// had ended before the other began, otherwise `spawned`; of slices within one on a thread each depends on the one
/// before it; counters and instants are counters and marks. What `ChromeTrace` wrote comes back with its labels,
/// times, lanes, edges and outcomes; several stretches of a step's work come back as one. Counters of other
/// programs belong to no step. A slice of theirs that ends up to 1 µs after the one around it on its thread, as
/// rounded times have it, ends with that.
///
/// Phases: `X`, `B`/`E`, `b`/`e`/`n`, `S`/`F`, `i`/`I`, `C`, `M`, `s`/`t`/`f`, and `bind_id`. Others are passed
/// over.
public struct ChromeImport: Sendable {
  public private(set) var runs: [SavedRun] = []
  /// Whether the file ends in the middle; what is whole before that is there. One that lacks nothing but the bracket
  /// at its end does so only if something in it has no end yet.
  public private(set) var isTruncated = false
  /// What was left out, and why, in whole sentences.
  public private(set) var remarks: [String] = []

  /// - Parameter bytes: the file's.
  /// - Throws: an error that says what is wrong, and at which byte.
  /// - Complexity: O(n log n) in time, O(n) in memory, whatever the bytes are.
  public init(bytes: [UInt8]) throws(SavedRunsError) {
    let reader: ChromeReader
    if SavedRuns.startsAsRuns(bytes) {
      throw SavedRunsError("it is a file of runs, and no trace: use “trace show”", at: 0)
    }
    do throws(JSONReader.Failure) {
      reader = try ChromeReader.read(bytes)
    } catch {
      throw SavedRunsError(error.message, at: error.offset)
    }
    var assembly = ChromeAssembly(names: reader.names, isOwn: reader.isOwn)
    assembly.add(reader.events)
    let headers = ChromeRunHeaders(reader.header)
    let processes = assembly.processes.filter { !$0.isEmpty }
    isTruncated =
      reader.isTruncated || reader.lacksBracket && processes.contains(where: \.hasOpenSlices)
    for (index, process) in processes.enumerated() {
      // Ours are numbered from 1, in order.
      let number = Int(reader.names[process.identity]).map { $0 - 1 }
      let header = number.flatMap { headers.runs.indices.contains($0) ? headers.runs[$0] : nil }
      let name = process.name ?? (processes.count == 1 ? "trace" : "process \(index + 1)")
      runs.append(
        process.run(
          named: name, header,
          isTruncated: reader.isTruncated || reader.lacksBracket && process.hasOpenSlices))
    }
    remarks = assembly.remarks
    if runs.isEmpty { throw SavedRunsError("there is nothing in it that takes time", at: 0) }
  }

  /// Reads a file.
  ///
  /// - Throws: an error that names the file, what is wrong with it, and where it is in it.
  public static func read(_ path: String) throws(SavedRunsError) -> ChromeImport {
    do throws(SavedRunsError) {
      return try ChromeImport(bytes: try SavedRuns.contents(of: path))
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }
}

/// What this program wrote of its runs besides their events.
struct ChromeRunHeaders {
  struct Header {
    var name: String
    var source: String
    var composition: String
    var script: String?
    var workers: Int?
    var title: String
    var pattern: String
    var clock: ClockKind
    var seed: UInt64
    var outcome: RunRecord.Outcome
    var value: Value
    var error: String?
    var standstill: [String]?
    var makespan: Int64
    var dropped: Int
    var overhead: Double?
    var isCutOff: Bool
  }

  private(set) var runs: [Header] = []

  /// Nothing, if it was another program.
  init(_ json: JSONValue?) {
    guard let json, let fields = try? JSONFields(json, "the header"),
      fields["format"] == .string(ChromeRunHeader.format)
    else { return }
    let read = try? fields.list("runs") { json throws(JSONFields.Mismatch) in try Header(json) }
    runs = read ?? []
  }
}

extension ChromeRunHeaders.Header {
  fileprivate init(_ json: JSONValue) throws(JSONFields.Mismatch) {
    let fields = try JSONFields(json, "a run")
    name = try fields.string("name")
    source = try fields.string("source")
    composition = try fields.string("composition")
    script = try fields.optionalString("script")
    workers = fields["workers"] == nil ? nil : try fields.count("workers")
    title = try fields.string("title")
    pattern = try fields.string("pattern")
    clock = try fields.word("clock")
    seed = UInt64(bitPattern: try fields.integer("seed"))
    outcome = try fields.word("outcome")
    value = Value(fields["value"])
    error = try fields.optionalString("error")
    standstill =
      fields["standstill"] == nil
      ? nil
      : try fields.list("standstill") { json throws(JSONFields.Mismatch) in
        guard case .string(let string) = json else {
          throw fields.mismatch("standstill", "a list of strings")
        }
        return string
      }
    makespan = max(try fields.integer("makespan_ns"), 0)
    dropped = try fields.count("dropped_events")
    overhead = try fields.optionalNumber("overhead_ns")
    isCutOff = try fields.bool("cut_off", default: false)
  }
}
