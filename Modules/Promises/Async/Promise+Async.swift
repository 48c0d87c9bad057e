extension Promise {
  /// A promise for what an asynchronous function comes to; it runs on the runtime's pool.
  public init(
    on placement: Placement = .main, runtime: any Runtime = LiveRuntime.shared,
    running body: @escaping @Sendable () async throws(Failure) -> Success
  ) {
    self.init(PromiseStorage(PromiseContext(placement, runtime)))
    let (storage, span) = (storage, LaneContext.current.span)
    runtime.asynchronousBodyStarted(span)
    Task(executorPreference: SchedulerExecutor(runtime.pool)) {
      let result: Result<Success, Failure>
      do throws(Failure) {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      runtime.asynchronousBodyEnded(span)
      storage.settle(result)
    }
  }

  /// The value, once it is there.
  ///
  /// Cancelling the task that awaits ends the wait at once with a `CancellationError`, if `Failure` can
  /// be that error, as `any Error` can; otherwise the wait goes on. The work behind the promise goes on
  /// either way.
  public var value: Success {
    get async throws(Failure) { try await result.get() }
  }

  /// What came of it, once it is settled; as `value` as far as cancellation goes.
  public var result: Result<Success, Failure> {
    get async {
      guard CancellationError() is Failure else {
        return await withCheckedContinuation { continuation in
          storage.listen { continuation.resume(returning: $0) }
        }
      }
      do {
        return try await AwaitedResult<Result<Success, Failure>>.wait { bring in
          storage.listen { bring(.success($0)) }
        }
      } catch {
        guard let error = error as? Failure else { preconditionFailure("waiting only cancels") }
        return .failure(error)
      }
    }
  }
}

extension Promise where Failure == Never {
  /// The value, once it is there. Cancelling the task that awaits does not end the wait.
  public var value: Success {
    // The general one would do, but the compiler (6.3) crashes on a getter that throws `Never`.
    get async { await result.get() }
  }
}
