public import AsyncRuntime

/// An object of another library that will produce a value or an error, and can report it to a resolver.
///
/// ```swift
/// struct Future<Value: Sendable>: Thenable {
///   let future: EventLoopFuture<Value>
///
///   func settle(_ resolver: Promise<Value, any Error>.Resolver) throws {
///     future.whenComplete { resolver.resolve($0) }
///   }
/// }
/// ```
///
/// (A future whose value type is unconstrained cannot conform itself, because Swift has no
/// conformance for `Sendable` values alone.)
public protocol Thenable<Success, Failure>: Sendable {
  associatedtype Success: Sendable
  associatedtype Failure: Error

  /// Resolves `resolver` when the result is available, on any thread. The result can be a value, an error, a promise,
  /// or another thenable. The first call counts.
  ///
  /// An error that is thrown before the first call counts as the result.
  func settle(_ resolver: Promise<Success, Failure>.Resolver) throws(Failure)
}

extension Promise: Thenable {
  /// Resolves `resolver` with this promise.
  public func settle(_ resolver: Resolver) throws(Failure) { resolver.resolve(with: self) }
}

extension Promise {
  /// Creates a promise for the result of `thenable`. `thenable.settle` is called immediately, on the calling thread.
  public init(
    _ thenable: some Thenable<Success, Failure>, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(thenable, in: .make(placement, runtime), Site(file, line))
  }

  init(_ thenable: some Thenable<Success, Failure>, in context: ContextReference, _ site: Site) {
    self.init(context, .keep, site) { resolver throws(Failure) in
      try thenable.settle(resolver)
    }
  }
}
