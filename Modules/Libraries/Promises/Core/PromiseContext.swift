public import AsyncRuntime

/// The defaults of a chain: the placement of its handlers, and the cancellation of its promises.
///
/// It takes at most 120 bytes, for the reason given at `PromiseNode`: a chain on a scheduler that the caller provides has a
/// context of its own.
@usableFromInline
final class PromiseContext: Sendable {
  let runtime: any Runtime
  /// Cancels the chain; nil if nothing does.
  let cancellation: Cancellation?
  let place: Place
  /// Whether the context is a shared one that is never released.
  let isShared: Bool
  /// Whether chains that begin in this context are recorded if there is a trace.
  private let isTraced: Bool
  /// Whether chains are recorded: `isTraced` is true, and there is a trace.
  let recordsChains: Bool
  /// Runs the handlers and the timers of the chain. Inline handlers need no scheduler.
  let scheduler: any Scheduler
  /// The chain to which the context belongs; nil if it belongs to none.
  private let recorded: RecordedChain?

  private final class RecordedChain: Sendable {
    let trace: ChainTrace
    /// The context from which the context of the chain was made.
    let scope: PromiseContext

    init(_ trace: ChainTrace, in scope: PromiseContext) {
      (self.trace, self.scope) = (trace, scope)
    }
  }

  /// The kind of a placement. `own` is a scheduler that the caller provides.
  @usableFromInline
  enum Place: Sendable {
    case main, pool, inline, own

    init(_ placement: Placement) {
      self =
        switch placement {
        case .main: .main
        case .pool: .pool
        case .inline: .inline
        case .scheduler: .own
        }
    }
  }

  init(
    _ placement: Placement, _ runtime: any Runtime, cancellation: Cancellation? = nil,
    isShared: Bool = false, isTraced: Bool = true
  ) {
    self.runtime = runtime
    self.cancellation = cancellation
    self.isShared = isShared
    self.isTraced = isTraced
    recordsChains = isTraced && runtime.trace != nil
    place = Place(placement)
    scheduler =
      switch placement {
      case .main: runtime.main
      case .pool, .inline: runtime.pool
      case .scheduler(let own): own
      }
    recorded = nil
  }

  /// A copy of `scope` for one chain.
  private init(_ scope: PromiseContext, _ chain: ChainTrace) {
    runtime = scope.runtime
    cancellation = scope.cancellation
    isShared = false
    isTraced = true
    recordsChains = true
    place = scope.place
    scheduler = scope.scheduler
    recorded = RecordedChain(chain, in: scope)
  }

  /// The context of a chain that begins with the promise made at `site`.
  func beginningChain(at site: Site) -> PromiseContext {
    let scope = unchained
    guard let chain = ChainTrace(site, on: runtime) else { return scope.untraced }
    return PromiseContext(scope, chain)
  }

  /// Records the chain; nil if the context belongs to no chain.
  var chain: ChainTrace? { recorded?.trace }

  /// The context for other chains that begin in this one.
  var unchained: PromiseContext { recorded?.scope ?? self }

  /// The same context, but chains that begin in it are not recorded.
  var untraced: PromiseContext {
    isTraced
      ? PromiseContext(placement, runtime, cancellation: cancellation, isTraced: false) : self
  }

  var placement: Placement {
    switch place {
    case .main: .main
    case .pool: .pool
    case .inline: .inline
    case .own: .scheduler(scheduler)
    }
  }

  var isInline: Bool { place == .inline }

  private static let main = PromiseContext(.main, LiveRuntime.shared, isShared: true)
  private static let pool = PromiseContext(.pool, LiveRuntime.shared, isShared: true)
  private static let inline = PromiseContext(.inline, LiveRuntime.shared, isShared: true)

  /// A shared context on the live runtime, for chains without a cancellation.
  static func shared(_ place: Place) -> PromiseContext {
    switch place {
    case .pool: pool
    case .inline: inline
    case .main, .own: main
    }
  }

  /// The default context: the one that the scope has set, or the one of the chain whose handler is running. If there is
  /// neither, it is the context of the main scheduler.
  static var current: PromiseContext {
    guard let handler = LaneContext.current.chains.pointee.handler else { return main }
    return Unmanaged<PromiseContext>.fromOpaque(handler).takeUnretainedValue()
  }

  /// The context of a new chain.
  ///
  /// - Parameters: a nil argument keeps the default.
  @usableFromInline
  static func make(
    _ placement: Placement?, _ runtime: (any Runtime)?, cancellation: Cancellation? = nil,
    isTraced: Bool? = nil
  ) -> PromiseContext {
    let current = current
    if runtime == nil, cancellation == nil, isTraced ?? current.isTraced == current.isTraced {
      let place = placement.map { Place($0) } ?? current.place
      if place != .own || placement == nil { return current.at(place) }
    }
    // Another runtime has other schedulers. So without a placement, the chain runs on the main scheduler of that
    // runtime.
    return PromiseContext(
      placement ?? (runtime == nil ? current.placement : .main), runtime ?? current.runtime,
      cancellation: cancellation ?? (runtime == nil ? current.cancellation : nil),
      isTraced: isTraced ?? current.isTraced)
  }

  /// The same context for a new chain, at `place`.
  func at(_ place: Place) -> PromiseContext {
    if place == self.place { return unchained }
    if isShared { return .shared(place) }
    return unchained.moved(to: Self.shared(place).placement)
  }

  /// The context in which a handler of the chain runs if its own placement is `placement`.
  func at(_ placement: Placement) -> PromiseContext {
    let place = Place(placement)
    if place == .inline { return Self.inline }
    if place == .own { return PromiseContext(placement, runtime) }
    if place == self.place { return self }
    return isShared ? .shared(place) : PromiseContext(placement, runtime)
  }

  /// The context of the same chain, at another placement.
  func moved(to placement: Placement) -> PromiseContext { with(placement, cancellation) }

  /// The same context without a cancellation.
  var unbound: PromiseContext {
    cancellation == nil ? self : with(placement, nil)
  }

  /// The context of the same chain, which `cancellation` cancels.
  func until(_ cancellation: Cancellation) -> PromiseContext { with(placement, cancellation) }

  private func with(_ placement: Placement, _ cancellation: Cancellation?) -> PromiseContext {
    let scope = PromiseContext(
      placement, runtime, cancellation: cancellation, isTraced: isTraced)
    return chain.map { PromiseContext(scope, $0) } ?? scope
  }

  /// Whether `job` runs on the scheduler of this context. If two schedulers are values, they cannot
  /// be recognized as the same one. This costs one more hop than necessary.
  func isAt(_ job: UnsafeRawPointer?) -> Bool {
    guard let job else { return false }
    if job == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) { return true }
    return Unmanaged<PromiseContext>.fromOpaque(job)._withUnsafeGuaranteedRef { other in
      if other.unchained === unchained { return true }
      guard place == other.place else { return false }
      return switch place {
      case .main, .pool:
        runtime is LiveRuntime && other.runtime is LiveRuntime
          ? place == .main : identity(of: runtime) == identity(of: other.runtime)
      case .own: isPlaced(at: other.scheduler.identity)
      case .inline: false
      }
    }
  }

  /// Whether a caller has provided the scheduler with the identity `scheduler` as the chain's.
  func isPlaced(at scheduler: ObjectIdentifier?) -> Bool {
    place == .own && scheduler != nil && self.scheduler.identity == scheduler
  }

  /// Whether `job` runs on the scheduler of this context, and occupies it so that nothing else can run there.
  func isSerialAt(_ job: UnsafeRawPointer?) -> Bool {
    if place == .pool { return runtime.width == 1 && (isAt(job) || isOnSamePool(as: job)) }
    return !isInline && isAt(job)
  }

  private func isOnSamePool(as job: UnsafeRawPointer?) -> Bool {
    guard let job else { return false }
    return Unmanaged<PromiseContext>.fromOpaque(job)._withUnsafeGuaranteedRef { other in
      other.place == .pool && scheduler.identity != nil
        && scheduler.identity == other.scheduler.identity
    }
  }

  private func identity(of runtime: any Runtime) -> ObjectIdentifier {
    // A value has no identity. It gets one that no other runtime has.
    type(of: runtime) is AnyClass
      ? ObjectIdentifier(runtime as AnyObject) : ObjectIdentifier(self)
  }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    if isInline { LaneContext.current.perform(job) } else { scheduler.schedule(job) }
  }

  /// Schedules `body` as a handler of the chain.
  func perform(_ body: @escaping @Sendable () -> Void) { schedule { self.enter(body) } }

  /// Runs `body` as a handler of the chain. The caller has already scheduled it at the context's placement.
  func enter(_ body: () -> Void) {
    let lane = LaneContext.current
    let outer = lane.chains.pointee
    let reference = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    if !isInline { lane.chains.pointee.job = reference }
    lane.chains.pointee.handler = reference
    // Inline code was queued on its lane. Work that it queues there runs later, from the same loop,
    // so the stack does not grow.
    if isInline, lane.isPerforming { body() } else { lane.performNested(body) }
    lane.chains.pointee = outer
  }
}
