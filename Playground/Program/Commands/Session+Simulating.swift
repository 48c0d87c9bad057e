import AsyncPatterns
import Composing
import PlaygroundLanguage
import TimingTrace

extension Session {
  /// Reads and composes the runs of a file for a simulation, outside the main lane.
  func prepare(
    _ request: SimulationRequest, vocabulary: Vocabulary
  ) async -> Result<[Simulation], Diagnostic> {
    await Task.detached {
      do throws(Diagnostic) {
        return .success(try request.simulations(vocabulary: vocabulary))
      } catch {
        return .failure(error)
      }
    }.value
  }

  /// The run of that number, as it would be saved.
  func savedRun(_ number: Int) -> SavedRun? { log.run(number)?.saved }

  /// Simulates the runs of a file, or a run of the session, that did not exist yet when the script was checked.
  func simulate(_ request: SimulationRequest, vocabulary: Vocabulary) async {
    switch await prepare(request, vocabulary: vocabulary) {
    case .failure(let diagnostic):
      console.report(diagnostic)
      status.add(.wrongInput)
    case .success(let simulations):
      for simulation in simulations where !status.wasInterrupted && !isStopped {
        settlePending()
        await simulate(simulation)
      }
    }
  }

  /// Simulates a run as it was measured, then with the changes. The changed run becomes a run of the session; without
  /// changes, the first one does.
  func simulate(_ simulation: Simulation) async {
    let measured = await execute(simulation.measured.plan)
    guard !status.wasInterrupted, let changed = simulation.changed else {
      return await present(measured, simulation, measured: measured)
    }
    await present(await execute(changed.plan), simulation, measured: measured)
  }

  private func present(
    _ result: FinishedRun, _ simulation: Simulation, measured: FinishedRun
  ) async {
    var run = result
    run.remarks += (simulation.changed ?? simulation.measured).ledger.assumptions
    run = keep(run)
    console.record(run.record.json)
    if !status.wasInterrupted {
      let report = SimulationReport(
        simulation: simulation, measured: measured.record, result: run.record)
      console.record(report.json)
      console.say(report.text(width: style.textWidth))
    }
    show(run)
    note(run)
    await checkDeterminism(of: run)
  }
}
