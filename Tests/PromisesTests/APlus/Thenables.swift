import Promises

/// Stands for a promise of another library. It may call the resolver in any way.
struct Foreign<Success: Sendable>: Thenable {
  typealias Body = @Sendable (Promise<Success, any Error>.Resolver) throws -> Void

  let body: Body

  init(_ body: @escaping Body) { self.body = body }

  func settle(_ resolver: Promise<Success, any Error>.Resolver) throws { try body(resolver) }
}

/// The argument that a resolver is called with.
enum Resolution<Success: Sendable>: Sendable {
  case value(Success)
  case thenable(any Thenable<Success, any Error>)

  func resolve(_ resolver: Promise<Success, any Error>.Resolver) {
    switch self {
    case .value(let value): resolver.resolve(.success(value))
    case .thenable(let thenable): Self.resolve(resolver, thenable)
    }
  }

  private static func resolve(
    _ resolver: Promise<Success, any Error>.Resolver, _ thenable: some Thenable<Success, any Error>
  ) { resolver.resolve(with: thenable) }
}

/// A kind of thenable that is settled with a given resolution.
struct ThenableKind: Sendable {
  let name: String
  /// Nil if this kind cannot be written in Swift.
  let make: (@Sendable (Trial, Resolution<Object>) -> any Thenable<Object, any Error>)?
  /// Why this kind cannot be written in Swift.
  var reason: NoMeaning { .accessor }

  static let fulfilled: [ThenableKind] = [
    ThenableKind(name: "fulfilled immediately") { _, resolution in
      Foreign<Object> { resolution.resolve($0) }
    },
    ThenableKind(name: "fulfilled later") { trial, resolution in
      Foreign<Object> { resolver in trial.after(0) { resolution.resolve(resolver) } }
    },
    ThenableKind(name: "fulfilled immediately, whose then can be read once", make: nil),
    ThenableKind(name: "fulfilled twice") { _, resolution in
      Foreign<Object> { resolver in
        resolution.resolve(resolver)
        resolver.resolve(.success(.other))
      }
    },
    ThenableKind(name: "fulfilled, then throws") { _, resolution in
      Foreign<Object> { resolver in
        resolution.resolve(resolver)
        throw Object.other
      }
    },
    ThenableKind(name: "a promise, already fulfilled") { trial, resolution in
      Promise<Object, any Error>(runtime: trial.runtime) { resolution.resolve($0) }
    },
    ThenableKind(name: "a promise, eventually fulfilled") { trial, resolution in
      let (promise, resolver) = trial.deferred()
      trial.after(50) { resolution.resolve(resolver) }
      return promise
    },
  ]

  /// The kinds that are rejected with the sentinel.
  static let rejected: [ThenableKind] = [
    ThenableKind(name: "rejected immediately") { _, _ in
      Foreign<Object> { $0.resolve(.failure(Object.sentinel)) }
    },
    ThenableKind(name: "rejected later") { trial, _ in
      Foreign<Object> { resolver in trial.after(0) { resolver.resolve(.failure(Object.sentinel)) } }
    },
    ThenableKind(name: "rejected immediately, whose then can be read once", make: nil),
    ThenableKind(name: "throws immediately") { _, _ in
      Foreign<Object> { _ in throw Object.sentinel }
    },
    ThenableKind(name: "throws when its then is read", make: nil),
    ThenableKind(name: "a promise, already rejected") { trial, _ in
      trial.rejected(Object.sentinel)
    },
    ThenableKind(name: "a promise, eventually rejected") { trial, _ in
      trial.later(.failure(Object.sentinel))
    },
  ]
}
