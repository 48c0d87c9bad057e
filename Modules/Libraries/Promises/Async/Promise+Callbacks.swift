public import AsyncRuntime

// A name for each shape of callback. All take the parameters of `init`, and run `start` at once, here. What
// they hand to it may be called on any thread, and passed to code that knows nothing of `Sendable`.

extension Promise {
  /// A promise for what a function calls back with a `Result`.
  ///
  /// ```swift
  /// Promise.fromResult { done in download(url, completion: done) }
  /// ```
  ///
  /// The first call of the callback counts; a second one is reported, and so is a callback that is let go of
  /// uncalled.
  ///
  /// - Parameter start: calls the function; runs at once, here.
  public static func fromResult(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Result<Success, Failure>) -> Void) -> Void
  ) -> Promise {
    // With a `start` that throws `Failure` the compiler (6.3) could not tell what that is.
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver throws(Failure) in
      start { resolver.resolve($0) }
    }
  }

  /// A promise for what a function calls back in two closures, one for the value and one for the error; otherwise
  /// as `fromResult`. The first call of either counts.
  ///
  /// ```swift
  /// Promise.fromSuccessOrFailure { success, failure in
  ///   download(url, onSuccess: success, onFailure: failure)
  /// }
  /// ```
  public static func fromSuccessOrFailure(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (
      _ success: @escaping @Sendable (Success) -> Void,
      _ failure: @escaping @Sendable (Failure) -> Void
    ) -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver throws(Failure) in
      start({ resolver.fulfill($0) }, { resolver.reject($0) })
    }
  }
}

extension Promise where Success == Void {
  /// A promise for the end of what a function calls back with an error, or nil if there was none; otherwise as
  /// `fromResult`.
  ///
  /// ```swift
  /// Promise.fromError { done in store(page, completion: done) }
  /// ```
  public static func fromError(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Failure?) -> Void) -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver throws(Failure) in
      start { error in resolver.resolve(error.map { .failure($0) } ?? .success(())) }
    }
  }
}

extension Promise where Failure == Never {
  /// A promise for what a function calls back with, and cannot fail; otherwise as `fromResult`. A value that
  /// may be nil stays so, see `unwrap`.
  ///
  /// ```swift
  /// Promise.fromValue { done in askForPermission(completion: done) }
  /// ```
  public static func fromValue(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Success) -> Void) -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver in
      start { resolver.fulfill($0) }
    }
  }
}

extension Promise where Success == Void, Failure == Never {
  /// A promise for the end of what a function calls back without saying more; otherwise as `fromResult`.
  ///
  /// ```swift
  /// Promise.fromCompletion { done in fadeOut(completion: done) }
  /// ```
  public static func fromCompletion(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable () -> Void) -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver in
      start { resolver.fulfill() }
    }
  }
}

extension Promise where Failure == any Error {
  /// A promise for what a function calls back with a value or an error, the other one being nil; otherwise as
  /// `fromResult`.
  ///
  /// ```swift
  /// Promise.fromValueOrError { done in download(url, completion: done) }
  /// ```
  ///
  /// With both, or neither, it fails with `CallbackContradiction`.
  ///
  /// - Parameter start: calls the function; runs at once, here. An error it throws fails the promise unless
  ///   it has been resolved; that goes for all that take an error of any type.
  public static func fromValueOrError(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Success?, (any Error)?) -> Void) throws -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver in
      try start { value, error in resolver.resolve(result(of: value, error, Site(file, line))) }
    }
  }

  /// The same for a function that names the error first, as Node's do.
  ///
  /// ```swift
  /// Promise.fromErrorOrValue { done in readFile(path, callback: done) }
  /// ```
  public static func fromErrorOrValue(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable ((any Error)?, Success?) -> Void) throws -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver in
      try start { error, value in resolver.resolve(result(of: value, error, Site(file, line))) }
    }
  }

  /// A promise for what a function calls back with a value, which means nothing if there is an error with it;
  /// otherwise as `fromResult`.
  ///
  /// ```swift
  /// Promise.fromValueUnlessError { done in requestAuthorization(completion: done) }
  /// ```
  public static func fromValueUnlessError(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (Success, (any Error)?) -> Void) throws -> Void
  ) -> Promise {
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver in
      try start { value, error in resolver.resolve(error.map { .failure($0) } ?? .success(value)) }
    }
  }

  /// A promise for what a function calls back with two values or an error, as `URLSession` does; otherwise as
  /// `fromResult`.
  ///
  /// ```swift
  /// Promise.fromTwoValuesOrError { done in
  ///   URLSession.shared.dataTask(with: url, completionHandler: done).resume()
  /// }
  /// ```
  ///
  /// With one value and an error it fails with that error. With both values and an error, or without an error
  /// and one value at most, it fails with `CallbackContradiction`.
  public static func fromTwoValuesOrError<First: Sendable, Second: Sendable>(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ start: (_ done: @escaping @Sendable (First?, Second?, (any Error)?) -> Void) throws -> Void
  ) -> Promise where Success == (First, Second) {
    Promise(
      on: placement, runtime: runtime, until: cancellation, unused: unused, file: file, line: line
    ) { resolver in
      try start { first, second, error in
        let both: (First, Second)? =
          if let first, let second { (first, second) } else { nil }
        resolver.resolve(result(of: both, error, Site(file, line)))
      }
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
