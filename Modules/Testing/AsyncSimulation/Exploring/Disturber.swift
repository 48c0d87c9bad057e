import AsyncPatterns

/// Puts into a run what an exploration has chosen to.
final class Disturber: @unchecked Sendable {
  // Safe to share: touched by the holder of the simulation's baton, and between runs.
  let probe: Probe
  /// Writes down what is put in, for people.
  private let narrator: Narrator?
  /// What is put in, and where.
  let point: Injection.Point?
  /// How many steps have begun to start; of interest only if some fault is looked for.
  private(set) var startCount = 0
  private let countsStarts: Bool
  /// What patterns have asked to start, if somebody wants to know; asked from any thread.
  private let requests: Locked<StartRequests>?
  /// How many events the run may take.
  private let limit: Int

  /// - Parameters:
  ///   - countsStarts: whether it is to know how many starts there are.
  ///   - watchesStarts: whether it is to know which steps are asked to start.
  init(
    _ point: Injection.Point?, countsStarts: Bool, watchesStarts: Bool, limit: Int, probe: Probe,
    narrator: Narrator?
  ) {
    self.point = point
    self.countsStarts = countsStarts
    requests = watchesStarts ? Locked(StartRequests()) : nil
    self.limit = limit
    self.probe = probe
    self.narrator = narrator
  }

  /// After how many events the run is to be cancelled, if it is.
  private var cancellationPlace: Int? {
    guard let point, point.kind == .cancel, point.place < limit else { return nil }
    return point.place
  }

  /// Whether the run is to be cancelled.
  var cancels: Bool { cancellationPlace != nil }

  /// How many events may happen before the probe is asked whether to go on.
  var eventsBefore: Int { probe.isWaiting ? cancellationPlace ?? limit : limit }

  /// How many events have happened.
  ///
  /// - Parameter left: how many may still happen before the probe is asked.
  func eventsTaken(left: Int) -> Int { (probe.isWaiting ? eventsBefore : limit) - left }

  /// Calls `cancel` where the run is to be cancelled, if it is.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    guard let place = cancellationPlace else { return }
    probe.interject(Job(cancel), eventsAfter: limit - place)
  }

  /// What to hand a run; nil if it need not be watched.
  var interposer: (any Interposer)? { countsStarts || requests != nil || isFault ? self : nil }

  /// Which steps have been asked to start so far.
  var startRequests: StartRequests { requests?.withLock { $0 } ?? StartRequests() }

  private var isFault: Bool {
    switch point?.kind {
    case .failure?, .lateness?: true
    case .cancel?, nil: false
    }
  }
}

extension Disturber: Interposer {
  func willStart(_ label: String, in span: Span, isCancelled: Bool) {
    requests?.withLock { $0.note(label, isCancelled: isCancelled) }
  }

  func fault(in label: String) -> Fault? {
    defer { startCount += 1 }
    guard let point, startCount == point.place else { return nil }
    narrator?.noteInjection()
    switch point.kind {
    case .cancel: return nil
    case .failure: return .failure(InjectedFailure(step: label))
    case .lateness:
      return .lateness { [probe, narrator] completion in
        narrator?.noteHeldCompletion(of: label)
        probe.delay(Job(completion))
      }
    }
  }
}

/// Which steps patterns have asked to start.
struct StartRequests: Sendable {
  /// How often each, by its label, before the scope that was asked was cancelled.
  private(set) var counts: [String: Int] = [:]
  /// The labels of those asked for afterwards, in order.
  private(set) var late: [String] = []

  mutating func note(_ label: String, isCancelled: Bool) {
    if isCancelled { late.append(label) } else { counts[label, default: 0] += 1 }
  }
}

/// A failure that an exploration has put in.
public struct InjectedFailure: Error, Hashable, CustomStringConvertible {
  /// The label of the step that failed.
  public var step: String

  public var description: String { "an injected failure of “\(step)”" }
}
