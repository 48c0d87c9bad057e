import AsyncPatterns
import Subprocess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One execution of a shell command, in a process group of its own.
///
/// The Subprocess package stops reading when the leader has exited. If its task is cancelled, it kills only the leader.
/// Therefore its task is never cancelled: this type reads the pipes and ends the group.
final class ShellProcess: Sendable {
  private enum Interruption { case cancelled, tooMuchOutput }

  private struct State {
    var group: ProcessGroup?
    var readers: [PipeReader] = []
    var interruption: Interruption?
    /// The task that ends the group and stops the readers.
    var ending: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let pool: any Scheduler

  init(on pool: any Scheduler) { self.pool = pool }

  /// Runs `command`. Must be called only once.
  ///
  /// Returns when the command has exited and its output is closed. If it is interrupted, returns when its process group
  /// has ended.
  ///
  /// - Throws: `CancellationError`, or a `StepFailure` if the command cannot be started or writes too much.
  func run(_ command: String, input: Data) async throws -> ShellOutput {
    try Task.checkCancellation()
    // This object retains its readers, so a strong reference would make a cycle and keep all output in memory.
    let output = try PipeReader(keeping: .first(ShellOutput.limit)) { [weak self] in
      self?.interrupt(.tooMuchOutput)
    }
    defer { output.stop() }
    let errors = try PipeReader(keeping: .last(ShellOutput.errorLimit * 4))
    defer { errors.stop() }
    let input = try SpooledInput.open(input)
    let process = Task(executorPreference: SchedulerExecutor(pool)) {
      try await self.execute(command, input, output, errors)
    }
    let end = await withTaskCancellationHandler {
      await process.result
    } onCancel: {
      self.interrupt(.cancelled)
    }
    try await finishInterruption()
    do {
      return ShellOutput(end: try end.get(), output: output.data, errors: errors.data)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw StepFailure("/bin/sh could not be started: \(error)")
    }
  }

  private func execute(
    _ command: String, _ input: CInt, _ output: PipeReader, _ errors: PipeReader
  ) async throws -> TerminationStatus {
    guard ProcessGroups.willStart() else { throw CancellationError() }
    var hasStarted = false
    defer { if !hasStarted { ProcessGroups.notStarted() } }
    var options = PlatformOptions()
    options.processGroupID = 0
    let result = try await Subprocess.run(
      .path("/bin/sh"), arguments: ["-c", command], platformOptions: options,
      input: .fileDescriptor(.init(rawValue: input), closeAfterSpawningProcess: true),
      output: .fileDescriptor(
        .init(rawValue: output.takeWriteEnd()), closeAfterSpawningProcess: true),
      error: .fileDescriptor(
        .init(rawValue: errors.takeWriteEnd()), closeAfterSpawningProcess: true)
    ) { execution in
      // The leader is reaped only after this closure has returned. Its process ID therefore cannot be reused while the
      // group may still be sent a signal.
      let leader = execution.processIdentifier
      ProcessGroups.started(leader.value)
      hasStarted = true
      started(ProcessGroup(id: leader.value, pool: pool), [output, errors])
      await output.end()
      await errors.end()
      await ProcessEnd.wait(for: leader, on: pool)
      await finished()
      ProcessGroups.remove(leader.value)
    }
    return result.terminationStatus
  }

  // MARK: Interruption

  private func started(_ group: ProcessGroup, _ readers: [PipeReader]) {
    state.withLock { state in
      state.group = group
      state.readers = readers
      if state.interruption != nil { state.ending = end(group, readers) }
    }
  }

  /// Called when the leader has ended. From now on, an interruption no longer ends the group. If one is already ending
  /// it, this waits until the group has ended.
  private func finished() async {
    let ending = state.withLock { state in
      if state.ending == nil { state.group = nil }
      return state.ending
    }
    guard let ending else { return }
    await ending.value
    state.withLock { $0.group = nil }
  }

  private func interrupt(_ interruption: Interruption) {
    state.withLock { state in
      guard state.interruption == nil else { return }
      state.interruption = interruption
      if let group = state.group { state.ending = end(group, state.readers) }
    }
  }

  private func end(_ group: ProcessGroup, _ readers: [PipeReader]) -> Task<Void, Never> {
    Task(executorPreference: SchedulerExecutor(pool)) {
      await group.end()
      // A process that has left the group may still have the output open.
      for reader in readers { reader.stop() }
    }
  }

  private func finishInterruption() async throws {
    let (interruption, ending) = state.withLock { ($0.interruption, $0.ending) }
    await ending?.value
    switch interruption {
    case nil: return
    case .cancelled: throw CancellationError()
    case .tooMuchOutput:
      throw StepFailure(
        "more than \(ShellOutput.limit >> 20) MB on standard output; let the command write to a "
          + "file, or write less")
    }
  }
}
