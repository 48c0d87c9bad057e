public import AsyncRuntime

/// Where the promises of a chain run their handlers unless they are told otherwise, and what stops them.
@usableFromInline
final class PromiseContext: Sendable {
  let placement: Placement
  let runtime: any Runtime
  /// What cancels the chain.
  let cancellation: Cancellation?
  let place: Place
  /// It never goes.
  let isShared: Bool
  /// Whether chains that begin in it are recorded where there is a trace.
  private let isTraced: Bool
  /// The same, and there is one.
  let recordsChains: Bool
  /// What its chain records; nil where none has begun.
  let chain: ChainTrace?
  /// What it was made of for its chain alone.
  private let scope: PromiseContext?

  /// A placement, if it is none of somebody's own.
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
    self.placement = placement
    self.runtime = runtime
    self.cancellation = cancellation
    self.isShared = isShared
    self.isTraced = isTraced
    recordsChains = isTraced && runtime.trace != nil
    chain = nil
    scope = nil
    place = Place(placement)
  }

  /// The same for one chain.
  private init(_ scope: PromiseContext, _ chain: ChainTrace) {
    placement = scope.placement
    runtime = scope.runtime
    cancellation = scope.cancellation
    isShared = false
    isTraced = true
    recordsChains = true
    self.chain = chain
    self.scope = scope
    place = scope.place
  }

  /// The context of a chain that begins with the promise made at `site`.
  func beginningChain(at site: Site) -> PromiseContext {
    let scope = unchained
    guard let chain = ChainTrace(site, on: runtime) else { return scope.untraced }
    return PromiseContext(scope, chain)
  }

  /// What it is for chains that begin in it.
  private var unchained: PromiseContext { scope ?? self }

  /// The same, and chains that begin in it are not recorded.
  var untraced: PromiseContext {
    isTraced
      ? PromiseContext(placement, runtime, cancellation: cancellation, isTraced: false) : self
  }

  var isInline: Bool { place == .inline }

  private static let main = PromiseContext(.main, LiveRuntime.shared, isShared: true)
  private static let pool = PromiseContext(.pool, LiveRuntime.shared, isShared: true)
  private static let inline = PromiseContext(.inline, LiveRuntime.shared, isShared: true)

  /// One for chains that nothing cancels, on the machine's own runtime.
  static func shared(_ place: Place) -> PromiseContext {
    switch place {
    case .pool: pool
    case .inline: inline
    case .main, .own: main
    }
  }

  /// What holds unless somebody says otherwise: what the scope has set, or what the chain has
  /// whose handler is running, or the main scheduler.
  static var current: PromiseContext {
    guard let handler = LaneContext.current.chains.pointee.handler else { return main }
    return Unmanaged<PromiseContext>.fromOpaque(handler).takeUnretainedValue()
  }

  /// The context of a new chain.
  ///
  /// - Parameters: what is nil is as it would be without them.
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
    // Another runtime has other schedulers: what is not said is its main one then.
    let inherited = runtime == nil ? current.placement : .main
    return PromiseContext(
      placement ?? inherited, runtime ?? current.runtime,
      cancellation: cancellation ?? (runtime == nil ? current.cancellation : nil),
      isTraced: isTraced ?? current.isTraced)
  }

  /// The same for a new chain, at `place`.
  func at(_ place: Place) -> PromiseContext {
    if place == self.place { return unchained }
    if isShared { return .shared(place) }
    let placement: Placement =
      switch place {
      case .pool: .pool
      case .inline: .inline
      case .main, .own: .main
      }
    return unchained.moved(to: placement)
  }

  /// Where a handler of the chain runs that is to run at `placement`.
  func at(_ placement: Placement) -> PromiseContext {
    switch (placement, self.placement) {
    case (.main, .main), (.pool, .pool): self
    case (.inline, _): Self.inline
    default: PromiseContext(placement, runtime)
    }
  }

  /// The same chain, elsewhere.
  func moved(to placement: Placement) -> PromiseContext { with(placement, cancellation) }

  /// The same, and nothing cancels it.
  var unbound: PromiseContext {
    cancellation == nil ? self : with(placement, nil)
  }

  /// The same chain, until `cancellation`.
  func until(_ cancellation: Cancellation) -> PromiseContext { with(placement, cancellation) }

  private func with(_ placement: Placement, _ cancellation: Cancellation?) -> PromiseContext {
    let scope = PromiseContext(
      placement, runtime, cancellation: cancellation, isTraced: isTraced)
    return chain.map { PromiseContext(scope, $0) } ?? scope
  }

  /// Whether a job of `other` is on the very scheduler that this one wants. Two schedulers that are
  /// values cannot be told to be one; then there is a hop more than there need be.
  func isAt(_ job: UnsafeRawPointer?) -> Bool {
    guard let job else { return false }
    if job == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) { return true }
    let other = Unmanaged<PromiseContext>.fromOpaque(job).takeUnretainedValue()
    if other.unchained === unchained { return true }
    switch (placement, other.placement) {
    case (.main, .main), (.pool, .pool):
      return runtime is LiveRuntime && other.runtime is LiveRuntime
        ? isMain : identity(of: runtime) == identity(of: other.runtime)
    case (.scheduler(let mine), .scheduler(let theirs)):
      return identity(of: mine) == identity(of: theirs)
    default: return false
    }
  }

  /// Whether a job is on the scheduler that this one wants, and keeps everything else from it.
  func isSerialAt(_ job: UnsafeRawPointer?) -> Bool {
    if case .pool = placement { return runtime.width == 1 && isAt(job) }
    return !isInline && isAt(job)
  }

  private var isMain: Bool { if case .main = placement { true } else { false } }

  private func identity(of value: any Sendable) -> ObjectIdentifier {
    // A value has none: it gets one that nothing else has.
    type(of: value) is AnyClass
      ? ObjectIdentifier(value as AnyObject) : ObjectIdentifier(self)
  }

  func schedule(_ job: @escaping @Sendable () -> Void) { placement.run(on: runtime, job) }

  /// Runs `body` as a handler of the chain.
  func perform(_ body: @escaping @Sendable () -> Void) { schedule { self.enter(body) } }

  /// Runs `body`, which has been scheduled there, as a handler of the chain.
  func enter(_ body: () -> Void) {
    let lane = LaneContext.current
    let outer = lane.chains.pointee
    let reference = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    if !isInline { lane.chains.pointee.job = reference }
    lane.chains.pointee.handler = reference
    // Inline code was queued on its lane: what it leaves behind is queued, too, and needs no stack.
    if isInline, lane.isPerforming { body() } else { lane.performNested(body) }
    lane.chains.pointee = outer
  }
}
