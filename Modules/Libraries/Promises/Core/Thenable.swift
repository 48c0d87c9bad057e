public import AsyncRuntime

/// Something of another library that will come to a value or an error, and can say so.
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
/// (A future that may have any value cannot conform itself: Swift has no conformance for those alone whose value is
/// `Sendable`.)
public protocol Thenable<Success, Failure>: Sendable {
  associatedtype Success: Sendable
  associatedtype Failure: Error

  /// Resolves `resolver` once it has come to something, from wherever it likes: with a value, an error, a promise,
  /// or yet another thenable. The first call counts.
  ///
  /// What it throws before it has called counts as the error that it has come to.
  func settle(_ resolver: Promise<Success, Failure>.Resolver) throws(Failure)
}

extension Promise: Thenable {
  /// Resolves `resolver` with this promise.
  public func settle(_ resolver: Resolver) throws(Failure) { resolver.resolve(with: self) }
}

extension Promise {
  /// A promise for what `thenable` comes to; it is asked at once, here.
  public init(
    _ thenable: some Thenable<Success, Failure>, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(thenable, in: .make(placement, runtime), Site(file, line))
  }

  init(_ thenable: some Thenable<Success, Failure>, in context: ContextReference, _ site: Site) {
    self.init(context, .goesOn, site) { resolver throws(Failure) in try thenable.settle(resolver) }
  }
}
