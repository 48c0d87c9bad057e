import AsyncPatterns
import Composing
import PlaygroundLanguage
import TimingTrace
import WhatIf

/// The request of `simulate FILE with …` or `simulate N with …`, checked as far as possible without the runs.
struct SimulationRequest: Sendable {
  let file: WordSyntax
  /// The run of the session to simulate, if a number names one.
  var sessionRun: SavedRun?
  let source: Source
  /// The settings with the changes of the command, on the virtual clock.
  private var settings: Settings
  private var scales: [(scale: Scale, path: StepPathSyntax)] = []
  /// The values that the command itself sets. They take precedence over the values in the file.
  private var workers: Int?
  private var seed: UInt64?
  /// The changes as the user wrote them.
  private var changes: [String] = []

  /// - Throws: a `Diagnostic` about the first change that makes no sense.
  init(
    _ syntax: SimulationSyntax, settings: Settings, in source: Source
  ) throws(Diagnostic) {
    file = syntax.file
    self.source = source
    self.settings = settings
    self.settings.clock = .virtual
    self.settings.runs = nil
    for change in syntax.changes {
      switch change {
      case .scale(let path, let factor, let range):
        scales.append((Scale(path.components.map(\.text), by: factor), path))
        changes.append(Self.text(of: range, in: source))
      case .set(let name, let value, let range):
        try set(name, to: value)
        changes.append(Self.text(of: range, in: source))
      }
    }
  }

  private mutating func set(_ name: NameSyntax, to value: ValueSyntax) throws(Diagnostic) {
    let known = [Settings.Name.workers, .seed]
    guard let setting = known.first(where: { $0.rawValue == name.text }) else {
      throw Diagnostic(
        "a simulation cannot set “\(name.text)”", at: name.range, in: source,
        unknown: name.text, among: known.map(\.rawValue),
        otherwise:
          "it can set workers and seed; a factor changes the time of a step: \(name.text) * 2")
    }
    do throws(ArgumentError) {
      try settings.set(setting, to: value.asValue)
    } catch {
      throw Diagnostic(error.message, at: value.range, in: source)
    }
    if setting == .workers { workers = settings.workers } else { seed = settings.seed }
  }

  /// The source text of a range, with each run of whitespace replaced by one space.
  private static func text(of range: SourceRange, in source: Source) -> String {
    source.text(range).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The number of a run of the session, if that is what is written in place of a file.
  var number: Int? { file.isQuoted ? nil : Int(file.text) }

  // MARK: - With the file

  /// Reads the file and composes its runs again.
  ///
  /// - Throws: a `Diagnostic` if the file cannot be read or contains no run, if a run cannot be simulated, or if no run
  ///   has a step that a change names.
  /// - Complexity: O(size of the file). Do not call it on the main lane.
  func simulations(vocabulary: Vocabulary) throws(Diagnostic) -> [Simulation] {
    let saved = try read()
    var recordings: [(recording: Recording, count: Int)] = []
    for (run, count) in Recording.medians(of: saved) {
      do throws(RecordingError) {
        recordings.append((try Recording(run, vocabulary: vocabulary), count))
      } catch {
        throw Diagnostic(error.message, at: file.range, in: source, hint: error.hint)
      }
    }
    guard !recordings.isEmpty else {
      throw Diagnostic(
        "“\(file.text)” contains no run", at: file.range, in: source,
        hint: "“trace save FILE” or --save saves runs to a file")
    }
    for (scale, path) in scales where !recordings.contains(where: { $0.0.contains(scale) }) {
      let known = recordings.flatMap(\.recording.names)
      throw Diagnostic(
        "“\(file.text)” has no step “\(path.text)”", at: path.range, in: source,
        unknown: path.text, among: known,
        otherwise: known.isEmpty ? "it has no steps" : "it has \(known.shortList)")
    }
    return recordings.map { simulation(of: $0.recording, count: $0.count) }
  }

  private func read() throws(Diagnostic) -> [SavedRun] {
    if let number {
      if let sessionRun { return [sessionRun] }
      throw Diagnostic(
        "there is no run \(number)", at: file.range, in: source,
        hint: "“runs” lists them; a file of that name is written in quotes")
    }
    do throws(SavedRunsError) {
      return try SavedRuns.read(FilePath.resolve(file.text)).runs
    } catch {
      let place = error.line.map { "line \($0): " } ?? ""
      throw Diagnostic(
        "“\(file.text)” cannot be simulated: \(place)\(error.message)", at: file.range, in: source,
        hint: "“trace save \(file.text)” or --save writes one")
    }
  }

  private func simulation(
    of recording: Recording, count: Int
  ) -> Simulation {
    let run = recording.run
    var settings = settings
    settings.workers = run.workers ?? settings.poolWidth
    if run.record.clock == .virtual { settings.seed = run.record.seed }
    let measured = Simulation.Part(recording, [], "\(run.name) (simulated)", settings)
    settings.workers = workers ?? settings.workers
    settings.seed = seed ?? settings.seed
    let name = "\(run.name) with \(changes.joined(separator: ", "))"
    var notes: [String] = []
    if count > 1 {
      notes.append("The file has \(count) of these runs; this one has the median makespan.")
    }
    if run.workers == nil {
      notes.append(
        "The file does not say how many workers there were; \(measured.workers) are simulated.")
    }
    return Simulation(
      recording: run, measured: measured,
      changed: changes.isEmpty
        ? nil : Simulation.Part(recording, scales.map(\.scale), name, settings),
      changes: changes, notes: notes)
  }
}

/// A recorded run to simulate: with the measured times, and with the changes if there are any.
struct Simulation: Sendable {
  /// A plan to run, and the assumptions of its simulation.
  struct Part: Sendable {
    let plan: RunPlan
    let ledger: Ledger
    var workers: Int { plan.settings.poolWidth }

    init(_ recording: Recording, _ scales: [Scale], _ name: String, _ settings: Settings) {
      let (composed, ledger) = recording.simulation(scales, called: name)
      plan = RunPlan(composed: composed, settings: settings)
      self.ledger = ledger
    }
  }

  let recording: SavedRun
  let measured: Part
  let changed: Part?
  let changes: [String]
  /// Remarks on the simulation, in whole sentences.
  let notes: [String]
}
