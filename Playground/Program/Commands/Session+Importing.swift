import TimingTrace

/// `trace import`: reads another program's trace as runs of the session.
extension Session {
  /// Reads another program's trace. Its runs become runs of the session.
  func importRuns(of file: String, to output: String? = nil) {
    do {
      try keepSource(file, from: output)
      try importRuns(try ChromeImport.read(FilePath.resolve(file)), of: file, to: output)
    } catch {
      fail(error)
    }
  }

  /// Adds the runs of another program's trace to the session, and writes them to the file `output`. If it is nil, shows
  /// them; at the prompt, only a single run.
  func importRuns(
    _ imported: ChromeImport, of file: String, to output: String?
  ) throws {
    if imported.isTruncated {
      console.complain("“\(file)” is incomplete; everything that is complete was read")
    }
    for remark in imported.remarks { console.complain(remark) }
    let first = log.nextNumber
    for run in imported.runs {
      let kept = keep(FinishedRun(imported: run))
      console.record(run.record.json)
      if output == nil, !isInteractive || imported.runs.count == 1 { show(kept) }
    }
    let count = imported.runs.count
    if let output {
      try SavedRuns(machine: imported.machine, runs: imported.runs).write(
        to: FilePath.resolve(output))
      console.say("imported \(count.of("run")) from \(file) to \(output)")
    } else {
      let numbers = count == 1 ? "run \(first)" : "runs \(first) to \(first + count - 1)"
      console.say("imported \(file) as \(numbers)")
    }
  }
}
