import AsyncPatterns
import Promises

/// Failures that are not reported: chains that end in a handler for values only.
public struct UnhandledFailure: Plugin {
  public static let name = "UnhandledFailure"
  public static let summary = "Promises whose failures or resolvers are lost, and the fixes."
  public static let patterns: [any AsyncPattern.Type] = [
    FireAndForget.self, FireAndForgetFixed.self, LostResolver.self, LostResolverFixed.self,
  ]
}

/// `fire-and-forget`: a chain whose result is not used.
struct FireAndForget: AsyncPattern {
  static let manual = Manual(
    name: "fire-and-forget",
    summary: "Runs its steps as a chain of promises, and ignores the result of the chain.",
    discussion: """
      “upload(page).map(parse).done(show)” looks complete. But when the upload fails, neither \
      parse nor show runs, and nothing reports why: the last promise is released, and the failure \
      with it. Here the promise reports the failure, with the place where it began and the place \
      where the promise was released.

      The fix: end the chain with catch, recover or whenComplete, as in fire-and-forget.fixed, or \
      write ignoringFailure(), if that is the intention.
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

/// `fire-and-forget.fixed`: a failure is reported, too.
struct FireAndForgetFixed: AsyncPattern {
  static let manual = Manual(
    name: "fire-and-forget.fixed",
    summary: "Runs its steps as a chain of promises, and completes with the result of the chain.",
    ordering: .keepsOrder,
    examples: ["fire-and-forget.fixed { fetch: sleep 20ms; parse: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    scope.chain(steps, input).whenComplete { completion($0) }
  }
}

/// `lost-resolver`: a promise that is not settled on the path for an error.
struct LostResolver: AsyncPattern {
  static let manual = Manual(
    name: "lost-resolver",
    summary: "Wraps its steps in promises, and forgets the resolver when one fails.",
    discussion: """
      A callback that gets “data, error” is wrapped in a promise with only “if let data { \
      resolver.fulfill(data) }”. After an error the promise is never settled, and its handlers \
      wait forever. Here the release of the unused resolver is noticed, and reported with the \
      place where the promise was made.

      The fix: pass the whole result to the resolver, as lost-resolver.fixed does. If a promise is \
      left unsettled on purpose, call the resolver's abandon().
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

/// `lost-resolver.fixed`: the resolver gets every result.
struct LostResolverFixed: AsyncPattern {
  static let manual = Manual(
    name: "lost-resolver.fixed",
    summary: "Wraps its steps in promises, which get every result.",
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
