import AsyncPatterns
import TimingTrace

extension Session {
  /// `playground compare A B`: compares the matching runs of two files. The first file is the baseline. One of them can
  /// be `-`, standard input.
  func compareFiles(_ baseline: String, _ candidate: String) async {
    if baseline == "-", candidate == "-" {
      return fail(
        CommandError(
          "standard input can be one of the two, but not both", hint: "name a file for the other"))
    }
    do {
      let first = try await savedRuns(of: baseline)
      let second = try await savedRuns(of: candidate)
      try compare(first, Self.name(baseline), second, Self.name(candidate))
    } catch {
      fail(error)
    }
  }

  /// Warns of damage to a file.
  ///
  /// - Throws: an error if there are no runs.
  func check(_ saved: SavedRuns, of place: String) throws {
    for remark in saved.remarks {
      console.complain(console.wrapped("warning: \(place), \(remark)"))
    }
    guard saved.runs.isEmpty else { return }
    if saved.isTruncated {
      throw CommandError(
        "\(place) ends in the middle, before its first run", hint: "copy the whole file")
    }
    throw CommandError(
      "\(place) contains no runs", hint: "“trace save FILE” or --save saves runs to a file")
  }

  private func savedRuns(of file: String) async throws -> SavedRuns {
    guard file == "-" || FilePath.isPipe(file) else {
      return try SavedRuns.read(FilePath.resolve(file))
    }
    let bytes = try await ScriptFile.pipe(file)
    do {
      return try SavedRuns(bytes: bytes)
    } catch {
      var error = error
      error.path = Self.name(file)
      throw error
    }
  }

  private func compare(
    _ first: SavedRuns, _ baseline: String, _ second: SavedRuns, _ candidate: String
  ) throws {
    // A file without runs is not a success.
    try check(first, of: "“\(baseline)”")
    try check(second, of: "“\(candidate)”")
    let warnings = Self.machineWarning(first, second, candidate).map { [$0] } ?? []
    for warning in warnings { console.complain("warning: \(warning)") }
    let pairs = first.matched(with: second)
    for pair in pairs {
      if pair.first.isEmpty || pair.second.isEmpty {
        tellAlone(pair.name, (baseline, pair.first), (candidate, pair.second))
      } else {
        try compare(
          pair.name, (baseline, pair.first), (candidate, pair.second), warnings)
      }
    }
    // On the virtual clock, a missing run is a difference, and has been shown as one.
    if pairs.allSatisfy({ $0.first.isEmpty || $0.second.isEmpty }),
      (first.runs + second.runs).allSatisfy({ $0.record.clock == .live })
    {
      throw CommandError(
        "“\(baseline)” and “\(candidate)” have no run in common, so there is nothing to compare",
        hint: "runs are matched by name; “trace show FILE” shows the names")
    }
  }

  private static func machineWarning(
    _ first: SavedRuns, _ second: SavedRuns, _ candidate: String
  ) -> String? {
    let machines = second.machine.differences(from: first.machine)
    if machines.isEmpty { return nil }
    return
      "the runs were made on different machines or by different builds, so their times are not comparable: "
      + "\(candidate) on \(machines.joined(separator: ", "))"
  }

  /// Shows runs that only one of the two files contains.
  private func tellAlone(
    _ name: String, _ before: (file: String, runs: [SavedRun]),
    _ after: (file: String, runs: [SavedRun])
  ) {
    let clock = (before.runs + after.runs)[0].record.clock
    var comparison = Comparison(
      of: [Self.side(before.file, before.runs), Self.side(after.file, after.runs)], clock: clock,
      threshold: settings.threshold)
    comparison.subject = name
    note(comparison, of: [before, after])
    console.record(comparison.json)
    console.say("“\(name)” is only in \(before.runs.isEmpty ? after.file : before.file)")
    if clock == .virtual { status.add(.violated) }
  }

  private static func name(_ file: String) -> String { file == "-" ? standardInput : file }

  private func compare(
    _ name: String, _ before: (file: String, runs: [SavedRun]),
    _ after: (file: String, runs: [SavedRun]), _ warnings: [String]
  ) throws {
    let clocks = Set((before.runs + after.runs).map(\.record.clock))
    guard let clock = clocks.first, clocks.count == 1 else {
      throw CommandError(
        "“\(name)” ran on the live clock in one file and on the virtual clock in the other",
        hint: "save both on the same clock")
    }
    var comparison = Comparison(
      of: [Self.side(before.file, before.runs), Self.side(after.file, after.runs)], clock: clock,
      threshold: settings.threshold)
    let own = comparison.warnings
    comparison.warnings = warnings + own
    comparison.subject = name
    note(comparison, of: [before, after])
    console.record(comparison.json)
    console.say("\(name)\n" + comparison.table(style))
    // The warnings about the files have already been shown.
    comparison.warnings = own
    tellMore(of: comparison)
    let isViolated =
      clock == .virtual
      ? !comparison.divergences.isEmpty || comparison.rows.last?.verdict != .same
      : comparison.rows.last?.verdict == .slower
    if isViolated { status.add(.violated) }
    // A sample without measurements is not a success. On the virtual clock, it already counts as a difference.
    if clock == .live, comparison.rows.contains(where: { $0.runs == 0 }) { status.add(.unfinished) }
    if clock == .live, let loser = Self.withoutSuccess(before.runs, after.runs) {
      status.add(loser.contains { $0.record.outcome == .failure } ? .failed : .unfinished)
    }
  }

  /// The sample in which no run succeeded, if some run of the other sample did. Their times cannot be compared.
  private static func withoutSuccess(_ first: [SavedRun], _ second: [SavedRun]) -> [SavedRun]? {
    let samples = [first, second]
    let failed = samples.filter { runs in !runs.contains { $0.record.outcome == .success } }
    return failed.count == 1 ? failed[0] : nil
  }

  private static func side(_ file: String, _ runs: [SavedRun]) -> Comparison.Side {
    let workers = Set(runs.map(\.workers))
    return .init(
      file, runs.map(\.record), workers: workers.count == 1 ? workers.first ?? nil : nil)
  }

  /// Keeps the comparison and its runs for a report. The name of each run includes the name of its file.
  private func note(_ comparison: Comparison, of sides: [(file: String, runs: [SavedRun])]) {
    log.add(comparison)
    for (file, runs) in sides {
      log.add(
        compared: runs.map { run in
          var run = run
          run.name = "\(run.name) (\(file))"
          return run
        })
    }
  }
}
