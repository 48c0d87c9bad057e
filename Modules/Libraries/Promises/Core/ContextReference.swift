public import AsyncRuntime

/// A reference to a context. It counts references only for a context that can be released.
///
/// Nearly all promises use one of a few contexts that are never released. Counting references to those would make all
/// threads write to one place, twice for each promise.
@usableFromInline
struct ContextReference: @unchecked Sendable {
  // Safe to share: the context is constant, and it exists until the owner of the reference releases it.
  private let unmanaged: Unmanaged<PromiseContext>

  @usableFromInline
  init(_ context: PromiseContext) {
    unmanaged = .passUnretained(context)
    if !isShared { _ = unmanaged.retain() }
  }

  /// Returns an additional reference.
  @usableFromInline
  func retained() -> ContextReference {
    if !isShared { _ = unmanaged.retain() }
    return self
  }

  func release() {
    if !isShared { unmanaged.release() }
  }

  var context: PromiseContext { unmanaged.takeUnretainedValue() }
  var pointer: UnsafeRawPointer { UnsafeRawPointer(unmanaged.toOpaque()) }
  private var isShared: Bool { pointee { $0.isShared } }
  var isInline: Bool { pointee { $0.isInline } }
  var isCancellable: Bool { pointee { $0.cancellation != nil } }
  var isCancelled: Bool { isCancellable && context.cancellation?.isCancelled == true }

  /// Calls `body` with the context, without counting a reference.
  func pointee<Result>(_ body: (PromiseContext) -> Result) -> Result {
    unmanaged._withUnsafeGuaranteedRef(body)
  }

  // MARK: New chains

  /// The context of a new chain.
  ///
  /// - Parameters: a nil argument keeps the default.
  @inlinable
  static func make(
    _ placement: Placement?, _ runtime: (any Runtime)?, cancellation: Cancellation? = nil
  ) -> ContextReference {
    // The cases are separated here, where the compiler may know the case. Passing a placement on costs more than
    // everything else.
    if case .none = runtime, cancellation == nil {
      switch placement {
      case nil: return inherited(nil)
      case .main: return inherited(.main)
      case .pool: return inherited(.pool)
      case .inline: return inherited(.inline)
      case .scheduler(let scheduler):
        if let context = inherited(at: scheduler.identity) { return context }
      }
    }
    return ContextReference(.make(placement, runtime, cancellation: cancellation))
  }

  /// The context of the scope or of the handler that is running, at `place` if that is given.
  @usableFromInline
  static func inherited(_ place: PromiseContext.Place?) -> ContextReference {
    guard let handler = LaneContext.current.chains.pointee.handler else {
      return ContextReference(.shared(place ?? .main))
    }
    return Unmanaged<PromiseContext>.fromOpaque(handler)._withUnsafeGuaranteedRef { current in
      ContextReference(current.at(place ?? current.place))
    }
  }

  /// The context of the handler that is running, if it is placed at `scheduler`.
  @usableFromInline
  static func inherited(at scheduler: ObjectIdentifier?) -> ContextReference? {
    guard let handler = LaneContext.current.chains.pointee.handler else { return nil }
    return Unmanaged<PromiseContext>.fromOpaque(handler)._withUnsafeGuaranteedRef { current in
      current.isPlaced(at: scheduler) ? ContextReference(current.unchained) : nil
    }
  }
}
