public import AsyncRuntime

extension Promise {
  /// A promise for the values of `promises`, in their order. It waits for at most `width` of them at the same time. So
  /// at most `width` lazy promises run at the same time. The first failure fails it immediately, and no further promise
  /// is started.
  ///
  /// ```swift
  /// let pages = urls.map { url in Promise.lazy { try await download(url) } }
  /// let all = Promise.all(pages, width: 4)
  /// ```
  ///
  /// - Parameters:
  ///   - promises: asked for the next promise when fewer than `width` are pending.
  ///   - width: a width below one counts as one.
  ///   - placement: where the handlers of the new promise run, and where the sequence is iterated.
  ///   - cancellation: cancels the new promise; no further promise is started after that.
  ///   - whenUnused: what happens to the new promise when its last handler is cancelled.
  /// - Complexity: O(*n*); one object for each pending promise.
  public static func all<Element: Sendable, Source: Sequence & Sendable>(
    _ promises: Source, width: Int, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise where Success == [Element], Source.Element == Promise<Element, Failure> {
    Conveyor.promise(
      of: promises, width: width,
      in: .make(placement, runtime, cancellation: cancellation), whenUnused, Site(file, line),
      { (promise: Promise<Element, Failure>) throws(Failure) in promise }, finish: { $0 })
  }

  /// A promise for the values of the promises that `transform` makes from the elements, in their order. At most `width`
  /// of these promises are pending at the same time. The first failure fails it immediately, and no further promise is
  /// started.
  ///
  /// - Parameters:
  ///   - elements: asked for the next element when fewer than `width` promises are pending.
  ///   - width: a width below one counts as one.
  ///   - placement: where `transform` and the handlers of the new promise run.
  ///   - cancellation: cancels the new promise; no further promise is started after that.
  ///   - whenUnused: what happens to the new promise when its last handler is cancelled.
  public static func map<Element: Sendable, Source: Sequence & Sendable>(
    _ elements: Source, width: Int, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Source.Element) throws(Failure) -> Promise<Element, Failure>
  ) -> Promise where Success == [Element] {
    Conveyor.promise(
      of: elements, width: width,
      in: .make(placement, runtime, cancellation: cancellation), whenUnused, Site(file, line),
      transform, finish: { $0 })
  }

  /// A promise for the elements that `isIncluded` selects, in their order. An element is selected if the promise that
  /// `isIncluded` returns for it is fulfilled with true. The parameters are those of `map`.
  public static func filter<Element: Sendable, Source: Sequence<Element> & Sendable>(
    _ elements: Source, width: Int, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line,
    _ isIncluded: @escaping @Sendable (Element) throws(Failure) -> Promise<Bool, Failure>
  ) -> Promise where Success == [Element] {
    let site = Site(file, line)
    return Conveyor.promise(
      of: elements, width: width,
      in: .make(placement, runtime, cancellation: cancellation), whenUnused, site,
      { (element: Element) throws(Failure) in
        try isIncluded(element).link(on: .inline, .success, site) {
          (result: Result<Bool, Failure>, next: PromiseStorage<Element?, Failure>) in
          next.settle(result.map { $0 ? element : nil })
        }
      }, finish: { $0.compactMap(\.self) })
  }

  /// A promise that is fulfilled when all promises that `body` makes from the elements are fulfilled. The parameters
  /// are those of `map`.
  public static func each<Ignored: Sendable, Source: Sequence & Sendable>(
    _ elements: Source, width: Int = 1, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (Source.Element) throws(Failure) -> Promise<Ignored, Failure>
  ) -> Promise where Success == Void {
    let site = Site(file, line)
    return Conveyor.promise(
      of: elements, width: width,
      in: .make(placement, runtime, cancellation: cancellation), whenUnused, site,
      { (element: Source.Element) throws(Failure) in
        try body(element).link(on: .inline, .success, site) {
          (result: Result<Ignored, Failure>, next: PromiseStorage<Void, Failure>) in
          next.settle(result.map { _ in })
        }
      }, finish: { _ in })
  }

  /// A promise for `initial`, combined with each element in order. `combine` gets the next element when the promise
  /// that it returned for the previous one is fulfilled.
  ///
  /// - Parameters: those of `map`.
  public static func reduce<Source: Sequence & Sendable>(
    _ elements: Source, _ initial: Success, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line,
    _ combine: @escaping @Sendable (Success, Source.Element) throws(Failure) -> Promise
  ) -> Promise {
    let site = Site(file, line)
    let total = Locked(initial)
    return Conveyor.promise(
      of: elements, width: 1,
      in: .make(placement, runtime, cancellation: cancellation), whenUnused, site,
      { (element: Source.Element) throws(Failure) in
        try combine(total.withLock { $0 }, element).link(on: .inline, .success, site) {
          (result: Result<Success, Failure>, next: PromiseStorage<Void, Failure>) in
          if case .success(let value) = result {
            // Releasing the replaced value can run other code, so it happens after the lock.
            let replaced = total.withLock { total in
              defer { total = value }
              return total
            }
            withExtendedLifetime(replaced) {}
          }
          next.settle(result.map { _ in })
        }
      }, finish: { _ in total.withLock { $0 } })
  }
}
