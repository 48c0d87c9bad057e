import AsyncPatterns

/// Injects into a run what an exploration has chosen.
final class Disturber: @unchecked Sendable {
  // Safe to share: it is touched only by the holder of the simulation's baton, and between runs.
  let probe: Probe
  /// Records the injection, for people.
  private let narrator: Narrator?
  /// The kind and the place of the injection; nil for none.
  let point: Injection.Point?
  /// How many steps have been about to start. Only the injection of faults needs it.
  private(set) var startCount = 0
  private let countsStarts: Bool
  /// The starts that patterns have requested, from any thread; nil if starts are not watched.
  private let requests: Locked<StartRequests>?
  /// The limit of events of the run.
  private let limit: Int

  /// - Parameters:
  ///   - countsStarts: whether to count the starts of steps.
  ///   - watchesStarts: whether to record which steps patterns ask to start.
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

  /// The number of events after which to cancel the run; nil if it must not be cancelled.
  private var cancellationPlace: Int? {
    guard let point, point.kind == .cancel, point.place < limit else { return nil }
    return point.place
  }

  /// Whether the run will be cancelled.
  var cancels: Bool { cancellationPlace != nil }

  /// How many events may happen before the probe is asked whether to continue.
  var eventsBefore: Int { probe.isWaiting ? cancellationPlace ?? limit : limit }

  /// How many events have happened.
  ///
  /// - Parameter left: how many may still happen before the probe is asked.
  func eventsTaken(left: Int) -> Int { (probe.isWaiting ? eventsBefore : limit) - left }

  /// Calls `cancel` at the place where the run must be cancelled, if there is one.
  func onCancel(_ cancel: @escaping @Sendable () -> Void) {
    guard let place = cancellationPlace else { return }
    probe.interject(Job(cancel), eventsAfter: limit - place)
  }

  /// The interposer for a run; nil if the run need not be watched.
  var interposer: (any Interposer)? { countsStarts || requests != nil || isFault ? self : nil }

  /// The starts that patterns have requested so far.
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

/// The steps that patterns have asked to start.
struct StartRequests: Sendable {
  /// How often each label was requested before the scope of the request was cancelled.
  private(set) var counts: [String: Int] = [:]
  /// The labels that were requested after that, in order.
  private(set) var late: [String] = []

  mutating func note(_ label: String, isCancelled: Bool) {
    if isCancelled { late.append(label) } else { counts[label, default: 0] += 1 }
  }
}

/// A failure that an exploration has injected.
public struct InjectedFailure: Error, Hashable, CustomStringConvertible {
  /// The label of the step that failed.
  public var step: String

  public var description: String { "an injected failure of “\(step)”" }
}
