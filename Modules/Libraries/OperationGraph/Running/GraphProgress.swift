internal import AsyncRuntime

/// How far a run has come: how many of its operations are in which state.
public struct GraphProgress: Hashable, Sendable {
  public internal(set) var waiting = 0
  public internal(set) var ready = 0
  public internal(set) var running = 0
  public internal(set) var succeeded = 0
  public internal(set) var failed = 0
  public internal(set) var cancelled = 0
  public internal(set) var skipped = 0

  /// How many operations there are. It grows if some are added while the graph runs.
  public var total: Int { waiting + ready + running + finished }
  /// How many have come to their end, whether they ran or not.
  public var finished: Int { succeeded + failed + cancelled + skipped }
  /// Which part of the operations has come to its end, from 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(finished) / Double(total) }

  init(_ counts: PhaseCounts) {
    waiting = counts.waiting + counts.asking + counts.delayed
    ready = counts.ready + counts.starting
    running = counts.running
    succeeded = counts.succeeded
    failed = counts.failed
    cancelled = counts.cancelled
    skipped = counts.skipped
  }
}

/// Those who follow the progress of a run.
final class ProgressStreams: Sendable {
  private struct State: Sendable {
    var continuations: [UInt64: AsyncStream<GraphProgress>.Continuation] = [:]
    var count: UInt64 = 0
    var version = -1
    var isFinished = false
  }

  private let state = Locked(State())

  func stream(_ progress: GraphProgress) -> AsyncStream<GraphProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: GraphProgress.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> UInt64? in
      guard !state.isFinished else { return nil }
      state.count += 1
      state.continuations[state.count] = continuation
      return state.count
    }
    continuation.yield(progress)
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  private func remove(_ number: UInt64) {
    let removed = state.withLock { $0.continuations.removeValue(forKey: number) }
    _ = removed
  }

  /// - Parameters:
  ///   - version: of two the later one counts, whoever comes first.
  ///   - isLast: it is the end, also if somebody has told of a later look at the same.
  func tell(_ progress: GraphProgress, version: Int, isLast: Bool) {
    let continuations = state.withLock { state -> [AsyncStream<GraphProgress>.Continuation] in
      guard !state.isFinished, isLast || version > state.version else { return [] }
      state.version = max(version, state.version)
      state.isFinished = isLast
      return state.continuations.sorted { $0.key < $1.key }.map(\.value)
    }
    for continuation in continuations {
      continuation.yield(progress)
      if isLast { continuation.finish() }
    }
  }
}
