extension Promise {
  /// The right to settle a promise, once.
  ///
  /// It may be copied and called from anywhere; the first call counts. When the last copy goes unused,
  /// that is reported with the place where the promise was made, and the promise fails with
  /// `ResolverDropped` if its `Failure` can be that error, as `any Error` can; otherwise it stays
  /// unsettled.
  public struct Resolver: Sendable {
    private let token: ResolverToken<Success, Failure>

    init(_ storage: PromiseStorage<Success, Failure>, file: StaticString, line: UInt) {
      token = ResolverToken(storage, file: file, line: line)
    }

    /// Settles the promise. A second call has no effect and is reported as `completed-twice`.
    public func resolve(_ result: Result<Success, Failure>) {
      if !tryResolve(result) { token.reportSecondCall() }
    }

    /// Settles the promise with a value. A second call has no effect and is reported.
    public func fulfill(_ value: Success) { resolve(.success(value)) }

    /// Settles the promise with an error. A second call has no effect and is reported.
    public func reject(_ error: Failure) { resolve(.failure(error)) }

    /// Settles the promise unless that has been done.
    ///
    /// - Returns: whether this call did it.
    @discardableResult
    public func tryResolve(_ result: Result<Success, Failure>) -> Bool {
      guard token.storage.claim() else { return false }
      token.storage.settle(result)
      return true
    }

    /// Settles the promise as `other` will be, whenever that is. From now on any other call comes too
    /// late; a second call has no effect and is reported.
    public func resolve(with other: Promise) {
      if token.storage.claim() {
        token.storage.adopt(other.storage)
      } else {
        token.reportSecondCall()
      }
    }
  }
}

extension Promise.Resolver where Success == Void {
  /// Settles the promise. A second call has no effect and is reported.
  public func fulfill() { fulfill(()) }
}

/// What the copies of a resolver have in common.
final class ResolverToken<Success: Sendable, Failure: Error>: Sendable {
  let storage: PromiseStorage<Success, Failure>
  private let file: StaticString
  private let line: UInt

  init(_ storage: PromiseStorage<Success, Failure>, file: StaticString, line: UInt) {
    self.storage = storage
    self.file = file
    self.line = line
  }

  deinit {
    guard !storage.isClaimed else { return }
    let (storage, error) = (storage, ResolverDropped(file: file, line: line))
    let span = LaneContext.current.span
    // Somebody's lock may be held where the last reference goes: report from elsewhere.
    storage.context.runtime.pool.schedule {
      storage.context.runtime.misuse("completion-dropped", error.description, of: span)
      if let failure = error as? Failure { storage.settle(.failure(failure)) }
    }
  }

  func reportSecondCall() {
    storage.context.runtime.misuse(
      "completed-twice",
      "the promise made at \(file):\(line) was resolved again; the second call was dropped",
      of: LaneContext.current.span)
  }
}

/// The last copy of a promise's resolver went unused.
public struct ResolverDropped: Error, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  public var description: String {
    "the promise made at \(file):\(line) was let go of unresolved; resolve it on every path"
  }
}
