public import AsyncRuntime

// One function for each shape of callback. All of them take the parameters of `init`, and call `start` immediately, on
// the calling thread. The closures that they pass to `start` can be called on any thread. They can be passed to code
// without `Sendable` annotations.

extension Promise {
  /// A promise for the `Result` that a function passes to its callback.
  ///
  /// ```swift
  /// Promise.fromResult { done in download(url, completion: done) }
  /// ```
  ///
  /// The first call of the callback counts; a second one is reported. A callback that is released without a call is
  /// also reported.
  ///
  /// - Parameter start: calls the function. It runs immediately, on the calling thread.
  public static func fromResult(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Result<Success, Failure>) -> Void) -> Void
  ) -> Promise {
    // If `start` could throw `Failure`, the compiler (6.3) could not infer that type.
    Promise(
      on: placement, runtime: runtime, cancellation: cancellation, whenUnused: whenUnused,
      file: file,
      line: line
    ) { resolver throws(Failure) in
      start { resolver.resolve($0) }
    }
  }
}

extension Promise where Success == Void {
  /// A promise for the completion of a function that passes its callback an error, or nil if there was none. Otherwise
  /// it works like `fromResult`.
  ///
  /// ```swift
  /// Promise.fromError { done in store(page, completion: done) }
  /// ```
  public static func fromError(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Failure?) -> Void) -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, cancellation: cancellation, whenUnused: whenUnused,
      file: file,
      line: line
    ) { resolver throws(Failure) in
      start { error in resolver.resolve(error.map { .failure($0) } ?? .success(())) }
    }
  }
}

extension Promise where Failure == Never {
  /// A promise for the value that a function passes to its callback. The function cannot fail. Otherwise it works like
  /// `fromResult`. An optional value stays optional, see `unwrap`.
  ///
  /// ```swift
  /// Promise.fromValue { done in askForPermission(completion: done) }
  /// ```
  public static func fromValue(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Success) -> Void) -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, cancellation: cancellation, whenUnused: whenUnused,
      file: file,
      line: line
    ) { resolver in
      start { resolver.fulfill($0) }
    }
  }
}

extension Promise where Success == Void, Failure == Never {
  /// A promise for the completion of a function that calls its callback without arguments. Otherwise it works like
  /// `fromResult`.
  ///
  /// ```swift
  /// Promise.fromCompletion { done in fadeOut(completion: done) }
  /// ```
  public static func fromCompletion(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable () -> Void) -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, cancellation: cancellation, whenUnused: whenUnused,
      file: file,
      line: line
    ) { resolver in
      start { resolver.fulfill() }
    }
  }
}

extension Promise where Failure == any Error {
  /// A promise for the result of a function that passes its callback either a value or an error. The other one is nil.
  /// Otherwise it works like `fromResult`.
  ///
  /// ```swift
  /// Promise.fromValueOrError { done in download(url, completion: done) }
  /// ```
  ///
  /// If the callback gets both or neither, the promise fails with `CallbackContradiction`.
  ///
  /// For a callback of another shape, make the promise with its initializer. This is the shape of `URLSession`:
  ///
  /// ```swift
  /// Promise { resolver in
  ///   URLSession.shared.dataTask(with: url) { data, response, error in
  ///     if let data, let response {
  ///       resolver.fulfill((data, response))
  ///     } else {
  ///       resolver.reject(error ?? URLError(.unknown))
  ///     }
  ///   }.resume()
  /// }
  /// ```
  ///
  /// - Parameter start: calls the function. It runs immediately, on the calling thread. An error that it throws fails
  ///   the promise, unless the promise has been resolved.
  public static func fromValueOrError(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Success?, (any Error)?) -> Void) throws -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, cancellation: cancellation, whenUnused: whenUnused,
      file: file,
      line: line
    ) { resolver in
      try start { value, error in resolver.resolve(result(of: value, error, Site(file, line))) }
    }
  }

  private static func result(
    of value: Success?, _ error: (any Error)?, _ site: Site
  ) -> Result<Success, any Error> {
    switch (value, error) {
    case (let value?, nil): .success(value)
    case (nil, let error?): .failure(error)
    case (nil, nil): .failure(CallbackContradiction(.neither, nil, site))
    case (_?, let error?): .failure(CallbackContradiction(.both, error, site))
    }
  }
}
