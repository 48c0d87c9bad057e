import AsyncPatterns
public import Composing
import PlaygroundLanguage
public import TimingTrace

/// A saved run, composed again so that it can be simulated. Its leaves take their measured times, optionally with
/// changes.
public struct Recording: Sendable {
  public let run: SavedRun
  /// The composition of the run. Its leaves must not be started.
  private let written: Composed

  /// Composes a saved run again.
  ///
  /// - Parameter vocabulary: contains the patterns that the run was made with.
  /// - Throws: `RecordingError` if the file has no script, the script cannot be composed with this vocabulary, or one
  ///   of its patterns runs only on the live clock.
  public init(_ run: SavedRun, vocabulary: Vocabulary) throws(RecordingError) {
    self.run = run
    guard let script = run.script else {
      if run.record.steps.contains(where: { $0.pattern == "task" }) {
        throw RecordingError(
          "“\(run.name)” is the recording of a program, so there is no script that could be repeated",
          hint: "“trace analyse FILE” says with which step to start")
      }
      throw RecordingError(
        "the file has no script of “\(run.name)”, so the run cannot be repeated",
        hint: "an older version saved it, or it was longer than 1 MB; run and save it again")
    }
    let source = Source(name: run.name, text: script)
    written = try Self.compose(source, run, vocabulary.withWrittenLeaves)
    if let pattern = written.step.liveOnlyPattern {
      throw RecordingError(
        "“\(run.name)” cannot be simulated: “\(pattern)” runs on the live clock only",
        hint:
          "run the same steps under a pattern that supports both clocks, save that, and simulate it"
      )
    }
  }

  private static func compose(
    _ source: Source, _ run: SavedRun, _ vocabulary: Vocabulary
  ) throws(RecordingError) -> Composed {
    let (script, found) = Parser.parse(source)
    var diagnostics = found
    var bindings: Bindings = [:]
    var composed: Composed?
    for statement in script.statements where diagnostics.isEmpty {
      // Uses the clock of the recorded run, since all its patterns run on that clock.
      var composer = Composer(
        vocabulary: vocabulary, bindings: bindings, clock: run.record.clock, source: source)
      switch statement.kind {
      case .assignment(let name, let expression):
        if composer.check(binding: expression) {
          bindings[name.text] = Binding(expression, in: source, names: bindings)
        }
      case .run(let expression, _): composed = composer.compose(expression)
      case .command, .declaration: break
      }
      diagnostics += composer.diagnostics
    }
    if let first = diagnostics.first {
      throw RecordingError(
        "“\(run.name)” cannot be composed again: \(first.message)", hint: first.hint)
    }
    guard let composed else {
      throw RecordingError("the script of “\(run.name)” runs nothing", hint: nil)
    }
    return composed
  }

  /// Whether a scale applies to any of its steps.
  public func contains(_ scale: Scale) -> Bool { search(for: scale) != nil }

  private func search(for scale: Scale) -> ScaleSearch? {
    let top = Step("", pattern: WrittenLeaf(Arguments()), steps: [written.step])
    // If the run is a single step, the path of that step is its label. Otherwise, the paths of the inner steps do not
    // contain the outermost step.
    let place = written.step.steps.isEmpty ? top : written.step
    return [false, true].lazy.map { ScaleSearch(scale, isCounted: $0) }
      .first { $0.finds(below: place) }
  }

  /// The names that a scale can use: labels, names of lists and complete paths.
  public var names: [String] {
    var seen: Set<String> = []
    return written.paths().flatMap { path in path.map { $0 } + [path.joined(separator: "/")] }
      .flatMap { [$0, $0.withoutNumber] }.filter { seen.insert($0).inserted }
  }

  /// The composition with leaves that take their measured times, multiplied by the factors of the scales.
  ///
  /// - Parameters:
  ///   - scales: the changes. A scale that applies to no step has no effect. Factors of several scales for one step are
  ///     multiplied.
  ///   - name: the name of the simulated runs.
  /// - Returns: the composition, and the ledger that records the assumptions when it runs.
  /// - Complexity: O(n) in the number of steps. Copies without measurements count as one step.
  public func simulation(
    _ scales: [Scale] = [], called name: String
  ) -> (composed: Composed, ledger: Ledger) {
    let replacement = LeafReplacement(
      Measurements(run.record), scales.compactMap { search(for: $0) })
    let step = replacement.replacing(in: written.step)
    return (written.replacing(step, called: name), replacement.ledger)
  }
}

extension Recording {
  /// Groups runs with the same name and composition into samples, and finds the run with the median makespan in each.
  /// If any run of a sample succeeded, only the successful runs are considered.
  ///
  /// - Returns: for each sample, that run and the size of the sample, in the order of the samples' first runs.
  public static func medians(of runs: [SavedRun]) -> [(run: SavedRun, count: Int)] {
    var order: [[String?]] = []
    var samples: [[String?]: [SavedRun]] = [:]
    for run in runs {
      let identity = [run.name, run.composition, run.script]
      if samples[identity] == nil { order.append(identity) }
      samples[identity, default: []].append(run)
    }
    return order.compactMap { identity in
      guard let sample = samples[identity] else { return nil }
      let successes = sample.filter { $0.record.outcome == .success }
      let sorted = (successes.isEmpty ? sample : successes)
        .sorted { $0.record.makespan < $1.record.makespan }
      return (sorted[(sorted.count - 1) / 2], sample.count)
    }
  }
}

/// The reason why a saved run cannot be simulated, and how to fix it.
public struct RecordingError: Error, Hashable, CustomStringConvertible {
  public let message: String
  public let hint: String?

  init(_ message: String, hint: String?) {
    self.message = message
    self.hint = hint
  }

  public var description: String { message }
}

extension Step {
  /// The name of a pattern in this step that has steps of its own and does not run on the virtual clock, if any.
  fileprivate var liveOnlyPattern: String? {
    var visited: Set<UnsafeRawPointer?> = []
    var open = [self]
    while let step = open.popLast() {
      guard let pattern = step.pattern, !step.steps.isEmpty,
        visited.insert(step.steps.withUnsafeBytes { $0.baseAddress }).inserted
      else { continue }
      if !type(of: pattern).manual.clocks.contains(.virtual) { return step.kind }
      open += step.steps
    }
    return nil
  }
}

extension String {
  /// The label without the number that a count added.
  fileprivate var withoutNumber: String {
    guard let dash = lastIndex(of: "-"), Int(self[index(after: dash)...]) != nil else {
      return self
    }
    return String(self[..<dash])
  }
}
