/// The functions that only a runtime with a virtual clock needs. Its time passes only when there is
/// nothing left to do.
///
/// Except for `leadsTasks`, ``Runtime`` has the same functions for both kinds of clocks, under the same names.
public protocol VirtualRuntime: Sendable {
  /// Occupies a virtual worker, and blocks no thread for it. See ``Runtime/occupy(_:for:cancellation:begin:then:)``.
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void)

  /// See ``Runtime/isForeignThread``.
  var isForeignThread: Bool { get }

  /// Whether Swift tasks that a job of the runtime starts run on the runtime, even without a preferred executor.
  var leadsTasks: Bool { get }

  /// See ``Runtime/asynchronousBodyStarted(_:)``.
  func asynchronousBodyStarted(_ span: Span)
  func asynchronousBodyEnded(_ span: Span)

  /// See ``Runtime/misuse(_:_:of:)``.
  func misuse(_ rule: String, _ detail: String, of span: Span)
}

extension Runtime {
  /// Whether the runtime is running, and the calling thread does not belong to it. Always false on a live clock. Work
  /// that such a thread passes to the runtime continues on a scheduler of the runtime.
  public var isForeignThread: Bool { virtual?.isForeignThread ?? false }

  /// Notes that the asynchronous function of a step starts. Such code may leave the runtime and return later. A virtual
  /// clock must wait until it returns.
  public func asynchronousBodyStarted(_ span: Span) { virtual?.asynchronousBodyStarted(span) }
  public func asynchronousBodyEnded(_ span: Span) { virtual?.asynchronousBodyEnded(span) }
}
