@_exported public import AsyncSimulation

/// Keeps events in the order of recording.
public final class Recording: TraceSink {
  private let recorded = Locked<[TraceEvent]>([])
  private let spanCount = Locked<UInt32>(0)

  public init() {}

  public func record(_ event: TraceEvent) { recorded.withLock { $0.append(event) } }

  public func nextSpan() -> Span {
    .outsideRuns(
      spanCount.withLock { count in
        count += 1
        return count
      })
  }

  public var events: [TraceEvent] { recorded.withLock { $0 } }

  /// “label@milliseconds” of each event of this kind, in order.
  public func times(_ kind: TraceEvent.Kind) -> [String] {
    let names = Dictionary(
      events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) }, uniquingKeysWith: { $1 })
    return events.filter { $0.kind == kind && names[$0.span] != nil }
      .map { "\(names[$0.span] ?? "")@\($0.time.nanoseconds / 1_000_000)" }
  }

  /// The rules of the reported misuse, in order.
  public var misuse: [String] { events.filter { $0.kind == .misuse }.map(\.name) }
}
