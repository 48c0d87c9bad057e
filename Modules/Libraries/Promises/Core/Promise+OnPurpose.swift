extension Promise {
  /// Says that a failure of this promise need be taken by nobody; it is not reported then.
  ///
  /// ```swift
  /// warmUp(cache).ignoringFailure()
  /// ```
  ///
  /// It starts nothing and listens to nothing. Promises that are made from this one have its failure, too, and so
  /// need take it as little.
  ///
  /// - Returns: this promise.
  @discardableResult
  public func ignoringFailure() -> Promise {
    storage.answerFailure()
    return self
  }
}

extension Promise.Resolver {
  /// Says that the promise will never be settled, on purpose: then it is no mistake to let go of the resolver.
  ///
  /// Who listens is let go of, as with `Promise.never`. Any other call comes too late.
  ///
  /// - Returns: whether this call did it; false if the promise was settled, or is going to be.
  @discardableResult
  public func abandon() -> Bool {
    let node = token.node
    guard node.claimAndSeal() else { return false }
    node.letGo()
    return true
  }
}
