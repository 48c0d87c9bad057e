extension Promise {
  /// States that no code needs to handle a failure of this promise. Such a failure is not reported.
  ///
  /// ```swift
  /// warmUp(cache).ignoringFailure()
  /// ```
  ///
  /// This starts nothing and adds no handler. Promises that are made from this one have the same failure, so it needs
  /// no handling there either.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func ignoringFailure() -> Promise {
    storage.handleFailure()
    return self
  }
}

extension Promise.Resolver {
  /// States that the promise is intentionally never settled. Releasing the resolver without a call is then not an
  /// error.
  ///
  /// The handlers are released without being called, as with `Promise.never`. No later call can settle the promise.
  ///
  /// - Returns: whether this call abandoned the promise; false if it was already settled or resolved.
  @discardableResult
  public func abandon() -> Bool {
    let node = token.node
    guard node.claimAndSeal() else { return false }
    node.abandon()
    return true
  }
}
