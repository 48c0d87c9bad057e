internal import AsyncRuntime

/// The progress of a run: how many of its operations are in each state.
public struct GraphProgress: Hashable, Sendable {
  public internal(set) var waiting = 0
  public internal(set) var ready = 0
  public internal(set) var running = 0
  public internal(set) var succeeded = 0
  public internal(set) var failed = 0
  public internal(set) var cancelled = 0
  public internal(set) var skipped = 0

  /// The number of operations. It grows if operations are added while the graph runs.
  public var total: Int { waiting + ready + running + finished }
  /// How many operations have ended, whether they ran or not.
  public var finished: Int { succeeded + failed + cancelled + skipped }
  /// The fraction of operations that have ended, from 0 to 1.
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

/// The streams that report the progress of a run.
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
  ///   - version: of two calls, the one with the higher version counts, in whichever order they come.
  ///   - isLast: whether this is the end. It then counts even if a higher version was already reported.
  func report(_ progress: GraphProgress, version: Int, isLast: Bool) {
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
