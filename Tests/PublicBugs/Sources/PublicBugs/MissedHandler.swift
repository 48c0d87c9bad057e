/// A promise never calls a handler that is added while the promise is being fulfilled.
///
/// Source: freshOS/Then#41; mxcl/PromiseKit#181 is similar. `then` looked at the state of the promise, and added its
/// handler if the promise was pending. State and handlers each had a lock of their own, so the promise could be
/// fulfilled in between. The fix does both in one section.
///
/// A simulation makes no choice at a lock. So each section with a lock is a call of an actor here.
enum MissedHandler {
  static let bug = PublicBug(
    "a handler that is added during the fulfilment is never called", in: "freshOS/Then", 41
  ) { version in
    let promise = Promise(version)
    async let value: Int = withUnsafeContinuation { continuation in
      Task { await promise.then { continuation.resume(returning: $0) } }
    }
    async let fulfilled: Void = promise.fulfill(1)
    _ = await (value, fulfilled)
  }

  final class Promise: Sendable {
    private let storage = Storage()
    private let version: Version

    init(_ version: Version) { self.version = version }

    func then(_ handler: @escaping @Sendable (Int) -> Void) async {
      switch version {
      case .before:
        if let value = await storage.value {
          handler(value)
        } else {
          await storage.append(handler)
        }
      case .after:
        if let value = await storage.valueOrAppend(handler) { handler(value) }
      }
    }

    func fulfill(_ value: Int) async {
      for handler in await storage.set(value) { handler(value) }
    }
  }

  actor Storage {
    private(set) var value: Int?
    private var handlers: [@Sendable (Int) -> Void] = []

    func append(_ handler: @escaping @Sendable (Int) -> Void) { handlers.append(handler) }

    func valueOrAppend(_ handler: @escaping @Sendable (Int) -> Void) -> Int? {
      if value == nil { handlers.append(handler) }
      return value
    }

    /// Returns the handlers to call.
    func set(_ value: Int) -> [@Sendable (Int) -> Void] {
      self.value = value
      defer { handlers = [] }
      return handlers
    }
  }
}
