import AsyncPatterns
import Promises

/// Failures that nobody is told of: chains that end where only values go on.
public struct UnhandledFailure: Plugin {
  public static let name = "UnhandledFailure"
  public static let summary = "Promises whose failures or resolvers get lost, and how to keep them."
  public static let patterns: [any AsyncPattern.Type] = [
    FireAndForget.self, FireAndForgetFixed.self, LostResolver.self, LostResolverFixed.self,
  ]
}

/// `fire-and-forget`: a chain that nobody looks at the end of.
struct FireAndForget: AsyncPattern {
  static let manual = Manual(
    name: "fire-and-forget",
    summary: "Runs its steps as a chain of promises, and is done whatever comes of that.",
    discussion: """
      “upload(page).map(parse).done(show)” reads as if all had been said. When the upload fails neither \
      parse nor show runs, and nobody is told why: the last promise goes, and the failure with it. Here \
      the promise reports that, with where the failure began and where it was let go of.

      The way out: a chain ends with catch, recover or whenComplete, as in fire-and-forget.fixed, or it \
      says ignoringFailure(), if that is what is meant.
      """,
    ordering: .keepsOrder, breaks: [.deliversFailure],
    examples: ["fire-and-forget { fetch: sleep 20ms; parse: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.chain(steps, input)
      .map { $0 }
      .ensure { completion(.success(input)) }
  }
}

/// `fire-and-forget.fixed`: a failure is told, too.
struct FireAndForgetFixed: AsyncPattern {
  static let manual = Manual(
    name: "fire-and-forget.fixed",
    summary: "Runs its steps as a chain of promises, and completes with what comes of that.",
    ordering: .keepsOrder,
    examples: ["fire-and-forget.fixed { fetch: sleep 20ms; parse: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.chain(steps, input).whenComplete { completion($0) }
  }
}

/// `lost-resolver`: a promise that is not settled on the path that was not thought of.
struct LostResolver: AsyncPattern {
  static let manual = Manual(
    name: "lost-resolver",
    summary: "Wraps its steps in promises, and forgets the resolver when one fails.",
    discussion: """
      A callback that gets “data, error” is made a promise, and “if let data { resolver.fulfill(data) }” is \
      all that is written. Where there is an error the promise is never settled, and who waits for it waits \
      for ever. Here that the resolver has gone is noticed, and reported with where the promise was made.

      The way out: hand the resolver the whole result, as lost-resolver.fixed does; and where a promise \
      is left unsettled on purpose, say so with the resolver's abandon().
      """,
    ordering: .keepsOrder, breaks: [.completesExactlyOnce, .deliversFailure],
    examples: ["lost-resolver { fetch: sleep 20ms; parse: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.chain(steps, input) { resolver, result in
      if case .success(let value) = result { resolver.fulfill(value) }
    }.whenComplete { completion($0) }
  }
}

/// `lost-resolver.fixed`: the resolver gets whatever comes.
struct LostResolverFixed: AsyncPattern {
  static let manual = Manual(
    name: "lost-resolver.fixed",
    summary: "Wraps its steps in promises, which get whatever comes of them.",
    ordering: .keepsOrder,
    examples: ["lost-resolver.fixed { fetch: sleep 20ms; parse: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.chain(steps, input) { resolver, result in resolver.resolve(result) }
      .whenComplete { completion($0) }
  }
}

extension Scope {
  /// A promise of the steps, one after another.
  fileprivate func chain(
    _ steps: [Step], _ input: Value,
    settle:
      @escaping @Sendable (
        Promise<Value, any Error>.Resolver, Result<Value, any Error>
      ) -> Void = { $0.resolve($1) }
  ) -> Promise<Value, any Error> {
    let first = Promise<Value, any Error>.fulfilled(input, on: .inline, runtime: runtime)
    return steps.reduce(first) { promise, step in
      promise.then { value in
        Promise(on: .inline, runtime: runtime) { resolver in
          guard !isCancelled else { return resolver.reject(CancellationError()) }
          start(step, input: value) { settle(resolver, $0) }
        }
      }
    }
  }
}
