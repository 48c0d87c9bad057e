import Foundation
import PlainSwiftScenarios

/// Some runs of scenarios with one seed, one after another, in one process.
struct Batch {
  /// How often each fingerprint was seen, by the number of its scenario.
  typealias Fingerprints = [Int: [UInt64: Int]]

  private let scenarios: [Scenario]
  private let seed: UInt64
  private let runs: Int

  init(_ scenarios: [Scenario], seed: UInt64, runs: Int) {
    self.scenarios = scenarios
    self.seed = seed
    self.runs = runs
  }

  func fingerprints() -> Fingerprints {
    var seen: Fingerprints = [:]
    for _ in 0..<runs {
      for (number, scenario) in scenarios.enumerated() {
        seen[number, default: [:]][scenario.fingerprint(seed: seed), default: 0] += 1
      }
    }
    return seen
  }

  /// Prints the fingerprints for the process that started this one.
  func printFingerprints() {
    for (number, counts) in fingerprints() {
      for (fingerprint, count) in counts { print(number, fingerprint, count) }
    }
  }

  /// Runs the batch in a new process.
  ///
  /// - Throws: an error if the process fails or prints unexpected output.
  func fingerprintsOfNewProcess(filter: String) throws -> Fingerprints {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["--batch", "\(seed)", "--runs", "\(runs)"]
    if !filter.isEmpty { process.arguments? += ["--filter", filter] }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw BatchFailure(status: process.terminationStatus)
    }
    var seen: Fingerprints = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let number = Int(words[0]), let fingerprint = UInt64(words[1]),
        let count = Int(words[2])
      else { throw BatchFailure(status: 0) }
      seen[number, default: [:]][fingerprint, default: 0] += count
    }
    return seen
  }
}

/// A process that did not run its batch.
struct BatchFailure: Error {
  var status: Int32
}
