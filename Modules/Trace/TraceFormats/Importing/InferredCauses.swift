/// Infers why the slices of another program's trace started and ended. Chrome's format has arrows, but no causes.
///
/// Causes are inferred only here, and only once. The record of the run says so: see `RunRecord.causesAreInferred`.
/// There are four rules:
///
/// 1. An arrow leads to a slice. If its source had ended when the slice started, the slice awaited the end of the
///    source. If the source had started and not ended, its code requested the slice.
/// 2. A thread does one thing at a time: a slice awaited the end of the slice before it within the same enclosing
///    slice.
/// 3. A slice ended after all of its parts.
/// 4. The process ended after all of its slices.
struct InferredCauses {
  private struct Slice {
    let started: Int64
    var finished: Int64?
    /// The slice before it within the same enclosing slice.
    let before: Span
  }

  private let first: Span
  private var slices: [Slice] = []
  /// For each slice, the sources of the arrows that lead to it.
  private var arrows: [Span: [Span]] = [:]

  /// - Parameter first: the span of the first slice. The others are numbered in the order in which they start.
  init(first: Span) { self.first = first }

  // MARK: - Contents of the trace

  /// Adds the start of a slice.
  ///
  /// - Parameter before: the slice before it within the same enclosing slice, on its thread; `.none` if there is none.
  mutating func start(_ span: Span, after before: Span = .none, at time: Int64) {
    slices.append(Slice(started: time, before: before))
  }

  /// Adds the end of a slice.
  mutating func finish(_ span: Span, at time: Int64) {
    if let index = index(of: span) { slices[index].finished = time }
  }

  /// Adds an arrow from one slice to another.
  mutating func addArrow(from source: Span, to target: Span) {
    guard source != target, arrows[target]?.contains(source) != true else { return }
    arrows[target, default: []].append(source)
  }

  /// When a slice started.
  func start(of span: Span) -> Int64? { index(of: span).map { slices[$0].started } }

  private func index(of span: Span) -> Int? {
    guard span >= first, span.id - first.id < slices.count else { return nil }
    return Int(span.id - first.id)
  }

  // MARK: - Conclusions

  /// Appends an event with its causes. All slices must be known.
  func append(_ event: TraceEvent, to events: inout [TraceEvent]) {
    var event = event
    switch event.kind {
    case .submitted:
      if let asker = sources(of: event.span).first(where: { $0.kind == .parent }) {
        event.cause = asker
      }
    case .started:
      for source in sources(of: event.span) {
        var awaited = TraceEvent.awaited(event.span, source, at: event.time)
        awaited.lane = event.lane
        events.append(awaited)
      }
    case .finished: event.awaitsAll = true
    default: break
    }
    events.append(event)
  }

  /// The number of arrows to a slice that had started before the arrow's source. No cause follows from such arrows.
  var arrowsBackward: Int {
    arrows.reduce(0) { sum, arrow in
      sum + arrow.value.count { cause(of: arrow.key, leadingFrom: $0) == nil }
    }
  }

  /// Why a slice started, as far as arrows and the order on its thread show.
  private func sources(of span: Span) -> [Cause] {
    guard let index = index(of: span) else { return [] }
    let before = slices[index].before
    var sources = arrows[span] ?? []
    if before != .none, !sources.contains(before) { sources.append(before) }
    return sources.compactMap { cause(of: span, leadingFrom: $0) }
  }

  private func cause(of span: Span, leadingFrom source: Span) -> Cause? {
    guard let target = index(of: span), let index = index(of: source) else { return nil }
    if let end = slices[index].finished, end <= slices[target].started {
      return Cause(.end, source)
    }
    return source < span ? Cause(.parent, source) : nil
  }
}
