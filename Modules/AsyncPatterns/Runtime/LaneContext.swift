import Synchronization

import class Foundation.Thread

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the calling thread is about: which lane it is, on whose behalf it runs, and what waits for the
/// code on its stack to return.
///
/// One for each thread. A runtime sets `lane` before it runs a job on a worker.
public final class LaneContext {
  /// Which lane the thread is.
  ///
  /// Only its own thread touches it, so accesses need no dynamic check.
  @exclusivity(unchecked) public var lane: Lane
  /// The span whose code runs, and the one whose end made it run.
  @exclusivity(unchecked) var causality = Causality()
  let trampoline = Trampoline()

  private init(lane: Lane) { self.lane = lane }

  /// The span on whose behalf the thread runs.
  public var span: Span { causality.span }

  /// The span whose end made the code run; `.none` if it runs because of none.
  package var cause: Span { causality.cause }

  /// Runs what waits for the code on the stack to return. A runtime calls it before it parks the
  /// thread: who parks may be waiting for just that.
  public func willPark() { trampoline.drain() }

  /// That of the calling thread.
  public static var current: LaneContext {
    if let existing = pthread_getspecific(key) {
      return Unmanaged<LaneContext>.fromOpaque(existing).takeUnretainedValue()
    }
    let context = LaneContext(lane: Thread.isMainThread ? .main : nextLane())
    pthread_setspecific(key, Unmanaged.passRetained(context).toOpaque())
    return context
  }

  /// The lane of the calling thread: what `current.lane` is, for the path of every event, where even
  /// counting a reference shows.
  static var currentLane: Lane {
    guard let existing = pthread_getspecific(key) else { return current.lane }
    return Unmanaged<LaneContext>.fromOpaque(existing)._withUnsafeGuaranteedRef { $0.lane }
  }

  /// A lane that nobody has had yet.
  public static func nextLane() -> Lane {
    Lane(number: laneCount.add(1, ordering: .relaxed).newValue)
  }

  private static let laneCount = Atomic<UInt32>(0)

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { context in
      guard let context: UnsafeMutableRawPointer = context else { return }
      Unmanaged<LaneContext>.fromOpaque(context).release()
    }
    return key
  }()
}

/// On whose behalf code runs. It travels with a job from where the job is scheduled to where it runs.
struct Causality: Equatable, Sendable {
  /// The span whose code runs.
  var span = Span.none
  /// The span whose end made it run.
  var cause = Span.none
}

/// A closure with the causality of where it was made: what a scheduler keeps and runs.
public struct Job: Sendable {
  private let body: @Sendable () -> Void
  private let causality: Causality

  /// On whose behalf it runs.
  package var span: Span { causality.span }

  /// Takes over on whose behalf the calling thread runs.
  public init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    causality = LaneContext.current.causality
  }

  /// Runs it on the calling thread, on behalf of whoever scheduled it.
  public func run() {
    let context = LaneContext.current
    let outer = context.causality
    context.causality = causality
    body()
    context.causality = outer
  }
}
