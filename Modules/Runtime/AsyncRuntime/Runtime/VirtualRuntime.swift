/// The functions that only a runtime with a virtual clock needs. Its time passes only when there is
/// nothing left to do.
///
/// ``Runtime`` has the same functions for both kinds of clocks, under the same names.
public protocol VirtualRuntime: Sendable {
  /// Occupies a worker without a thread. See ``Runtime/occupy(_:for:unless:begin:then:)``.
  func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void)

  /// See ``Runtime/isForeignThread``.
  var isForeignThread: Bool { get }

  /// Whether Swift tasks that its jobs start run on the runtime without their own executor.
  var leadsTasks: Bool { get }

  /// See ``Runtime/asynchronousBodyStarted(_:)``.
  func asynchronousBodyStarted(_ span: Span)
  func asynchronousBodyEnded(_ span: Span)

  /// See ``Runtime/misuse(_:_:of:)``.
  func misuse(_ rule: String, _ detail: String, of span: Span)
}

extension Runtime {
  /// Whether the calling thread does not belong to the runtime while the runtime runs. On a live clock this never
  /// matters. A job from such a thread continues where a scheduler runs it.
  public var isForeignThread: Bool { virtual?.isForeignThread ?? false }

  /// The asynchronous function of a step starts. Such code may leave the runtime and come back. A virtual clock must
  /// wait for that.
  public func asynchronousBodyStarted(_ span: Span) { virtual?.asynchronousBodyStarted(span) }
  public func asynchronousBodyEnded(_ span: Span) { virtual?.asynchronousBodyEnded(span) }
}
