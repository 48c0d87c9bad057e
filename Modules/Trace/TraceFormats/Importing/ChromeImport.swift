internal import TraceBasics

/// A trace in Chrome's format as runs that can be shown, analysed, linted and compared: see ``ChromeTrace``.
///
/// A trace that this program wrote contains its runs exactly, and its trace events are skipped. In the trace of another
/// program, each process is a run. Each slice is a step inside the slice that encloses it on its thread.
/// Asynchronous slices are nested on their track instead. Threads become lanes, counters remain counters, and instants
/// become marks. Counters belong to no step. Because times are rounded, a slice may end as much as 1 µs later than the
/// enclosing slice. It then ends with the enclosing slice.
///
/// Such a trace has no causes. They are inferred from its arrows and from the order of the slices on each thread, and
/// the record says so: see `RunRecord.causesAreInferred`. An arrow from a slice that had ended is an edge of the kind
/// `dependency`. An arrow from a slice that had started and not ended is an edge of the kind `spawned`.
///
/// Phases: `X`, `B`/`E`, `b`/`e`/`n`, `S`/`F`, `i`/`I`, `C`, `M`, `s`/`t`/`f`, and `bind_id`. Others are skipped.
public struct ChromeImport: Sendable {
  public private(set) var runs: [SavedRun] = []
  /// The machine that made the runs. If the trace does not name it, this machine.
  public private(set) var machine = Machine.current
  /// Whether the file is truncated. The runs contain the events up to the truncation. A list that lacks only its
  /// closing bracket counts as truncated only if one of its slices has no end.
  public private(set) var isTruncated = false
  /// The omitted parts of the trace, with the reasons, in whole sentences.
  public private(set) var remarks: [String] = []

  /// - Parameter bytes: the bytes of the file.
  /// - Throws: an error that says what is wrong, and at which byte.
  /// - Complexity: O(n log n) in time, O(n) in memory, for any bytes.
  public init(bytes: [UInt8]) throws(SavedRunsError) {
    let reader: ChromeReader
    if SavedRuns.startsAsRuns(bytes) {
      throw SavedRunsError("it is a file of runs, not a trace: use “trace show”", at: 0)
    }
    do throws(JSONReader.Failure) {
      reader = try ChromeReader.read(bytes)
    } catch {
      throw SavedRunsError(error.message, at: error.offset)
    }
    if let saved = reader.runs {
      (machine, runs) = (saved.machine, saved.runs)
    } else {
      assemble(reader)
    }
    guard !runs.isEmpty else {
      throw SavedRunsError(
        "it contains nothing with a duration, so it has no steps. Record the trace again while the "
          + "program works", at: 0)
    }
  }

  /// Makes runs from the events of another program.
  private mutating func assemble(_ reader: ChromeReader) {
    var assembly = ChromeAssembly(names: reader.names)
    assembly.add(reader.events)
    let processes = assembly.processes.filter { !$0.isEmpty }
    isTruncated =
      reader.isTruncated || reader.lacksBracket && processes.contains(where: \.hasOpenSlices)
    for (index, process) in processes.enumerated() {
      let name = process.name ?? (processes.count == 1 ? "trace" : "process \(index + 1)")
      runs.append(
        process.run(
          named: name,
          isTruncated: reader.isTruncated || reader.lacksBracket && process.hasOpenSlices))
    }
    remarks = assembly.remarks
  }

  /// Reads a file.
  ///
  /// - Throws: an error that names the file, the problem, and its position in the file.
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
