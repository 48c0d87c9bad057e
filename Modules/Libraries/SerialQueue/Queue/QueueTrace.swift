internal import AsyncRuntime
internal import Synchronization

/// What a queue tells the trace of its runtime: itself as a span, a part of what made it, and its items as parts of
/// that.
///
/// An item is submitted when it is enqueued, which records the step or the item that enqueued it. It starts because of
/// the item whose place it got, and ends before its handlers are called. There is none without a trace, or if the
/// owner of the queue records what the queue does.
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

  /// Somebody enqueues the item. Called before anybody else knows it.
  func submit(_ item: QueuedItem) {
    let number = count.add(1, ordering: .relaxed).newValue
    let extras = item.ensuredExtras
    extras.span = sink.nextSpan()
    // So that its end is told before it counts.
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

  /// The item starts on the calling thread: what `body` does it does on behalf of it.
  func start(_ item: QueuedItem, _ body: () -> Void) {
    start(item)
    LaneContext.current.perform(for: item.extras?.span ?? .none, body)
  }

  /// Where an asynchronous item runs, on behalf of it.
  func executor(for item: QueuedItem) -> SchedulerExecutor {
    SchedulerExecutor(scheduler, span: item.extras?.span ?? .none)
  }

  /// The item has ended, whether it ran or not.
  ///
  /// - Parameter hasReturned: whether its own code came to its end.
  func end(_ item: QueuedItem, _ error: (any Error)?, hasReturned: Bool) {
    guard let span = item.extras?.span else { return }
    let (now, context) = (runtime.now, LaneContext.current)
    let cause = hasReturned && context.span != span ? .itself : context.cause(for: span)
    guard let error else {
      return sink.record(.finished(span, .success, because: cause, at: now))
    }
    var isCalledOff = error is CancellationError
    // It gave way to another one.
    if case SerialQueueError.superseded = error { isCalledOff = true }
    sink.record(
      isCalledOff
        ? .finished(
          span, .cancelled,
          because: hasReturned || context.span == span ? cause : context.canceller, at: now)
        : .finished(span, .failure, because: cause, reason: String(describing: error), at: now))
  }
}

/// An item that has left its place.
struct Leaver {
  let span: Span
  /// How many had left theirs before.
  let number: UInt64
  /// Whether there was no other place.
  let wasFull: Bool
}

extension SerialQueueState {
  /// An item that the trace knows comes.
  func noteArrival(of item: QueuedItem) {
    guard let extras = item.extras, extras.arrival == nil else { return }
    extras.arrival = leaveCount
  }

  /// One that has run is about to leave its place.
  mutating func noteLeaving(of item: QueuedItem, _ extras: ItemExtras) {
    guard extras.span != .none else { return }
    leaver = Leaver(span: extras.span, number: leaveCount, wasFull: !hasRoom)
    leaveCount += 1
  }

  /// One starts: who has left its place last has let it, if it was there before that.
  func noteStart(of item: QueuedItem, _ extras: ItemExtras) {
    guard let leaver, let arrival = extras.arrival, arrival <= leaver.number,
      leaver.wasFull || item.traits.contains(.barrier)
    else { return }
    extras.cause = leaver.span
  }
}
