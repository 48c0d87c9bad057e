import Foundation
import PlainSwiftScenarios
import Synchronization

/// Runs all scenarios with all seeds. Half of the runs are in this process, half in new ones, while other threads
/// compute.
final class Survey: Sendable {
  struct Part {
    var seed: UInt64
    var runs: Int
    var isInNewProcess: Bool
  }

  struct Row {
    var runs = 0
    var runsInNewProcesses = 0
    /// The fingerprints of each seed.
    var fingerprints: [UInt64: Set<UInt64>] = [:]

    var isDeterministic: Bool { fingerprints.values.allSatisfy { $0.count == 1 } }
  }

  struct Progress {
    var partsLeft: [Part]
    var rows: [Row]
    var processes = 0
    var failures: [String] = []
    var doneParts = 0
    var shownPercent = -5
  }

  private let scenarios: [Scenario]
  private let arguments: Arguments
  private let partCount: Int
  private let progress: Mutex<Progress>
  private let isFinished = Atomic<Bool>(false)

  /// - Parameter scenarios: the programs to run.
  init(of scenarios: [Scenario], _ arguments: Arguments) {
    self.scenarios = scenarios
    self.arguments = arguments
    let parts = Self.parts(arguments)
    partCount = parts.count
    progress = Mutex(
      Progress(partsLeft: parts, rows: Array(repeating: Row(), count: scenarios.count)))
  }

  /// The number of runs in one part. It is small, so that there are many processes.
  private static let runsInPart = 100

  private static func parts(_ arguments: Arguments) -> [Part] {
    (1...UInt64(arguments.seeds)).flatMap { seed in
      stride(from: 0, to: arguments.runs, by: runsInPart).enumerated().map { number, start in
        Part(
          seed: seed, runs: min(runsInPart, arguments.runs - start),
          isInNewProcess: !number.isMultiple(of: 2))
      }
    }
  }

  func run() {
    let width = max(ProcessInfo.processInfo.activeProcessorCount, 2)
    say(
      "running \(scenarios.count) scenarios \(arguments.runs) times with each of \(arguments.seeds) seeds, "
        + "\(width) at the same time, half of them in new processes, beside a thread that computes")
    let start = ContinuousClock.now
    let load = Thread { [self] in keepBusy() }
    load.start()
    DispatchQueue.concurrentPerform(iterations: width) { _ in
      while let part = nextPart() { run(part) }
    }
    isFinished.store(true, ordering: .relaxed)
    let seconds = (ContinuousClock.now - start).components.seconds
    say("took \(seconds) s and \(progress.withLock { $0.processes }) new processes")
  }

  private func keepBusy() {
    var sum: UInt64 = 1
    while !isFinished.load(ordering: .relaxed) {
      for number in 0..<10_000 { sum = sum &* 31 &+ UInt64(number) }
    }
    if sum == 0 { print("unlikely") }
  }

  private func nextPart() -> Part? {
    progress.withLock { $0.partsLeft.isEmpty ? nil : $0.partsLeft.removeFirst() }
  }

  private func run(_ part: Part) {
    let batch = Batch(scenarios, seed: part.seed, runs: part.runs)
    let result = Result {
      part.isInNewProcess
        ? try batch.fingerprintsOfNewProcess(filter: arguments.filter) : batch.fingerprints()
    }
    let line = progress.withLock { progress in
      progress.note(result, of: part)
      return progress.line(of: partCount)
    }
    if let line { say(line) }
  }

  private func say(_ line: String) { FileHandle.standardError.write(Data("==> \(line)\n".utf8)) }
}

extension Survey.Progress {
  mutating func note(
    _ result: Result<Batch.Fingerprints, any Error>, of part: Survey.Part
  ) {
    doneParts += 1
    if part.isInNewProcess { processes += 1 }
    switch result {
    case .failure(let error): failures.append("a process with seed \(part.seed) failed: \(error)")
    case .success(let seen):
      for (number, counts) in seen {
        rows[number].fingerprints[part.seed, default: []].formUnion(counts.keys)
        let count = counts.values.reduce(0, +)
        rows[number].runs += count
        if part.isInNewProcess { rows[number].runsInNewProcesses += count }
      }
    }
  }

  /// The progress as a line, or nil if the progress was shown recently.
  mutating func line(of partCount: Int) -> String? {
    let percent = doneParts * 100 / partCount
    guard percent >= shownPercent + 5 else { return nil }
    shownPercent = percent
    let unequal = rows.count { !$0.fingerprints.isEmpty && !$0.isDeterministic }
    return "\(percent) %, \(processes) processes; \(unequal) scenarios differ from run to run"
  }
}

extension Survey {
  /// Whether each scenario had one fingerprint for each seed, and each process succeeded.
  var isDeterministic: Bool {
    progress.withLock { progress in
      progress.failures.isEmpty
        && progress.rows.allSatisfy {
          $0.isDeterministic && $0.fingerprints.count == arguments.seeds
        }
    }
  }

  /// One line for each scenario: the numbers of runs, of runs in new processes, and of fingerprints for each seed.
  var table: String {
    let (rows, failures) = progress.withLock { ($0.rows, $0.failures) }
    let lines = zip(scenarios, rows).map { scenario, row in
      let counts = row.fingerprints.sorted { $0.key < $1.key }.map { "\($0.value.count)" }
      return [
        "\(row.runs)", "\(row.runsInNewProcesses)", counts.joined(separator: " "),
        scenario.description,
      ].joined(separator: "\t")
    }
    return (["runs\tin new processes\tfingerprints per seed\tscenario"] + lines + failures)
      .joined(separator: "\n")
  }
}
