public import AsyncRuntime

/// A reference to a context, which counts only for a context that may go.
///
/// Nearly all promises have one of a few contexts that never do: counting who refers to those would have
/// all threads write to one place, twice a promise.
@usableFromInline
struct ContextReference: @unchecked Sendable {
  // Safe to share: what it refers to is constant, and there until its holder releases it.
  private let unmanaged: Unmanaged<PromiseContext>

  @usableFromInline
  init(_ context: PromiseContext) {
    unmanaged = .passUnretained(context)
    if !isShared { _ = unmanaged.retain() }
  }

  /// One more.
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

  /// What `body` reads of the context, which is not counted for that.
  func pointee<Result>(_ body: (PromiseContext) -> Result) -> Result {
    unmanaged._withUnsafeGuaranteedRef(body)
  }

  // MARK: Of a new chain

  /// The context of a new chain.
  ///
  /// - Parameters: what is nil is as it would be without them.
  @inlinable
  static func make(
    _ placement: Placement?, _ runtime: (any Runtime)?, cancellation: Cancellation? = nil
  ) -> ContextReference {
    // Told apart here, where the compiler may know which one it is: handing on a placement costs more than
    // all the rest.
    if case .none = runtime, cancellation == nil {
      switch placement {
      case nil: return inherited(nil)
      case .main: return inherited(.main)
      case .pool: return inherited(.pool)
      case .inline: return inherited(.inline)
      case .scheduler: break
      }
    }
    return ContextReference(.make(placement, runtime, cancellation: cancellation))
  }

  /// What the scope or the handler that runs says, at another place if one is given.
  @usableFromInline
  static func inherited(_ place: PromiseContext.Place?) -> ContextReference {
    guard let handler = LaneContext.current.chains.pointee.handler else {
      return ContextReference(.shared(place ?? .main))
    }
    return Unmanaged<PromiseContext>.fromOpaque(handler)._withUnsafeGuaranteedRef { current in
      ContextReference(current.at(place ?? current.place))
    }
  }
}
