internal import AsyncRuntime
internal import Synchronization

/// Records a queue in the trace of its runtime. The queue is a span inside the span that made it,
/// and its items are spans inside the queue's span.
///
/// An item is submitted when it is enqueued. The trace then records the step or the item that
/// enqueued it. An item starts because of the item whose place it took. It ends before its handlers
/// are called. A queue has no `QueueTrace` if there is no trace, or if the owner of the queue
/// records it.
final class QueueTrace: Sendable {
  private let sink: any TraceSink
  private let runtime: any Runtime
  /// Where asynchronous functions run.
  private let scheduler: any Scheduler
  private let span: Span
  private let count = Atomic<Int>(0)

  init?(_ label: String, _ scheduler: any Scheduler, on runtime: any Runtime) {
    guard let sink = runtime.trace else { return nil }
    span = sink.nextSpan()
    guard span != .none else { return nil }
    (self.sink, self.runtime, self.scheduler) = (sink, runtime, scheduler)
    sink.record(
      .submitted(
        span, in: LaneContext.current.span, label: label.isEmpty ? "queue" : label,
        kind: "serial-queue", role: .place, at: runtime.now))
  }

  /// An item is enqueued. Called before any other code can reach the item.
  func submit(_ item: QueuedItem) {
    let number = count.add(1, ordering: .relaxed).newValue
    let extras = item.ensuredExtras
    extras.span = sink.nextSpan()
    // With this trait, the item records its end before the queue finishes it.
    item.traits.insert(.awaited)
    let (now, asker) = (runtime.now, LaneContext.current.span)
    let label = extras.label ?? extras.key?.name ?? "item-\(number)"
    sink.record(
      .submitted(
        extras.span, in: span, label: label, kind: "item", by: asker == span ? .none : asker,
        at: now))
    sink.record(
      .mark("enqueued", "\(item.site.file):\(item.site.line)", of: extras.span, at: now))
  }

  /// The item starts on the calling thread.
  func start(_ item: QueuedItem) {
    guard let extras = item.extras else { return }
    let cause =
      extras.cause == .none
      ? LaneContext.current.cause(for: extras.span) : Cause(.permit, extras.cause)
    sink.record(.started(extras.span, because: cause, at: runtime.now))
    LaneContext.current.noteStart(of: extras.span)
  }

  /// The item starts on the calling thread. `body` runs on behalf of it.
  func start(_ item: QueuedItem, _ body: () -> Void) {
    start(item)
    LaneContext.current.perform(for: item.extras?.span ?? .none, body)
  }

  /// The executor on which an asynchronous item runs, on behalf of the item's span.
  func executor(for item: QueuedItem) -> SchedulerExecutor {
    SchedulerExecutor(scheduler, span: item.extras?.span ?? .none)
  }

  /// The item has ended, whether it ran or not.
  ///
  /// - Parameter hasReturned: whether the item's own code completed.
  func end(_ item: QueuedItem, _ error: (any Error)?, hasReturned: Bool) {
    guard let span = item.extras?.span else { return }
    let (now, context) = (runtime.now, LaneContext.current)
    let cause = hasReturned && context.span != span ? .itself : context.cause(for: span)
    guard let error else {
      return sink.record(.finished(span, .success, because: cause, at: now))
    }
    var isCancelled = error is CancellationError
    // Another item superseded it.
    if case SerialQueueError.superseded = error { isCancelled = true }
    sink.record(
      isCancelled
        ? .finished(
          span, .cancelled,
          because: hasReturned || context.span == span ? cause : context.canceller, at: now)
        : .finished(
          span, .failure, because: cause, reason: String(describing: error),
          hasTimedOut: cause.kind == .timer && error is TimedOut, at: now))
  }
}

/// An item that has left its place.
struct Leaver {
  let span: Span
  /// The number of items that had left their places before.
  let number: UInt64
  /// Whether no other place was free.
  let wasFull: Bool
}

extension SerialQueueState {
  /// A traced item has arrived.
  func noteArrival(of item: QueuedItem) {
    guard let extras = item.extras, extras.arrival == nil else { return }
    extras.arrival = leaveCount
  }

  /// A traced item that has run is about to leave its place.
  mutating func noteLeaving(of item: QueuedItem, _ extras: ItemExtras) {
    guard extras.span != .none else { return }
    leaver = Leaver(span: extras.span, number: leaveCount, wasFull: !hasRoom)
    leaveCount += 1
  }

  /// Notes the start of an item. If the item had to wait until `leaver` left its place, `leaver` is
  /// the cause of the start.
  func noteStart(of item: QueuedItem, _ extras: ItemExtras) {
    guard let leaver, let arrival = extras.arrival, arrival <= leaver.number,
      leaver.wasFull || item.traits.contains(.barrier)
    else { return }
    extras.cause = leaver.span
  }
}
