import AsyncSimulation
import Composing
import PlaygroundLanguage

extension Checker {
  /// The greatest depth of `pct`. With more changes of priority, it would be no better than random choices.
  private static let deepest = 1_000

  mutating func explore(_ syntax: ExplorationSyntax, in source: Source) {
    hasExplored = true
    var composer = Composer(
      vocabulary: session.silentVocabulary, bindings: bindings, clock: .virtual, source: source)
    composer.isClockGiven = true
    let composed = composer.compose(syntax.expression)
    diagnostics += composer.diagnostics
    checkDepth(of: syntax, in: source)
    checkNumber(of: syntax, in: source)
    guard let composed else { return }
    for expectation in syntax.expectations { check(expectation, inside: composed, in: source) }
    let check = TrialCheck(syntax.expectations, of: composed)
    let plan = ExplorationPlan(
      composed: composed, settings: settings.ofExploration,
      exploration: exploration(syntax, of: composed, recording: check.needsTrace), check: check)
    actions.append(Action { await $0.explore(plan) })
  }

  private mutating func checkNumber(of syntax: ExplorationSyntax, in source: Source) {
    guard syntax.isExact, syntax.strategy == .dfs, let runs = syntax.runs else { return }
    report(
      "the strategy dfs tries no schedule twice, so it may not find exactly \(runs.value)",
      at: runs.range, in: source, hint: "leave out “exactly”, or use another strategy")
  }

  private mutating func checkDepth(of syntax: ExplorationSyntax, in source: Source) {
    guard let depth = syntax.depth else { return }
    switch syntax.strategy ?? .random {
    case .random:
      report(
        "the strategy random takes no “depth”", at: depth.range, in: source,
        hint: "strategy pct depth 3 looks for three orderings, strategy dfs depth 3 for three "
          + "choices that are not first in, first out")
    case .pct where depth.value > Self.deepest:
      report("the depth of pct must be from 1 to \(Self.deepest)", at: depth.range, in: source)
    case .pct, .dfs: break
    }
  }

  private func exploration(
    _ syntax: ExplorationSyntax, of composed: Composed, recording: Bool
  ) -> Exploration {
    Exploration(
      schedules: syntax.runs?.value ?? settings.runs ?? 1_000, isExact: syntax.isExact,
      threads: settings.cores,
      strategy: Exploration.Strategy(syntax.strategy ?? .random, depth: syntax.depth?.value),
      workers: settings.workers ?? 4, seed: settings.seed,
      injection: syntax.injection.map(Injection.init),
      eventLimit: Exploration.eventLimit(for: composed.step), isRecording: recording)
  }

  private mutating func check(
    _ expectation: ExpectationSyntax, inside composed: Composed, in source: Source
  ) {
    switch expectation.kind {
    case .quantity, .order, .critical, .step:
      checkRun(expectation, of: composed, called: "the explored expression", in: source)
    case .ratio, .verdict, .violations:
      report(
        "“checking” checks each run alone, and this needs more than one run",
        at: expectation.range, in: source,
        hint: "write it after the exploration, as a statement of its own")
    }
  }
}

extension Exploration.Strategy {
  fileprivate init(_ syntax: ExplorationSyntax.Strategy, depth: Int?) {
    switch syntax {
    case .random: self = .random
    case .pct: self = .pct(depth: depth ?? 3)
    case .dfs: self = .depthFirst(deviations: depth)
    }
  }
}

extension Injection {
  fileprivate init(_ syntax: ExplorationSyntax.Injection) {
    switch syntax {
    case .cancel: self = .cancel
    case .failure: self = .failure
    case .lateness: self = .lateness
    }
  }
}

extension Settings {
  /// The settings of one run of an exploration: always on the virtual clock, and run once.
  var ofExploration: Settings {
    var settings = self
    settings.clock = .virtual
    settings.runs = nil
    return settings
  }
}
