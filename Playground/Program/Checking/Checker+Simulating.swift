import Composing
import PlaygroundLanguage

extension Checker {
  /// `simulate FILE with …`: reports errors now, unless this script writes the file itself.
  mutating func simulate(_ syntax: SimulationSyntax, in source: Source) async {
    var request: SimulationRequest
    do throws(Diagnostic) {
      request = try SimulationRequest(syntax, settings: settings, in: source)
    } catch {
      return diagnostics.append(error)
    }
    let vocabulary = session.vocabulary
    if let number = request.number {
      guard let run = session.savedRun(number) else {
        // A statement before this one may make the run.
        lastComposed = nil
        isLastRunKnown = false
        return actions.append(
          Action { [request] session in
            var request = request
            request.sessionRun = session.savedRun(number)
            await session.simulate(request, vocabulary: vocabulary)
          })
      }
      request.sessionRun = run
    }
    guard !savedFiles.contains(FilePath.canonical(FilePath.resolve(syntax.file.text))) else {
      // The steps are known only when the file has been written.
      lastComposed = nil
      isLastRunKnown = false
      return actions.append(
        Action { [request] in await $0.simulate(request, vocabulary: vocabulary) })
    }
    switch await session.prepare(request, vocabulary: vocabulary) {
    case .failure(let diagnostic): diagnostics.append(diagnostic)
    case .success(let simulations):
      lastComposed = (simulations.last?.changed ?? simulations.last?.measured)?.plan.composed
      for simulation in simulations {
        actions.append(Action { await $0.simulate(simulation) })
      }
    }
  }
}
