/// A closure with the causality of the code that made it. Schedulers keep and run jobs.
public struct Job: Sendable {
  private let body: @Sendable () -> Void
  private let causality: Causality

  /// The span on whose behalf it runs.
  public var span: Span { causality.span }

  /// Makes a job with the causality of the calling thread.
  public init(_ body: @escaping @Sendable () -> Void) { self.init(body, in: LaneContext.current) }

  /// - Parameter context: the context of the calling thread.
  public init(_ body: @escaping @Sendable () -> Void, in context: LaneContext) {
    self.body = body
    causality = context.causality
  }

  /// The same job, with its wait for its lane. If the job starts a step, that is also the step's wait.
  public func waiting(_ wait: LaneWait) -> Job {
    let body = body
    return Job(
      {
        let context = LaneContext.current
        let outer = context.startWait
        context.startWait = wait
        body()
        context.startWait = outer
      }, causality)
  }

  /// The same job for another thread. That thread releases its closure after it has run it, even if the caller releases
  /// the job later.
  func handedOver() -> Job {
    let body = Locked<(@Sendable () -> Void)?>(body)
    return Job({ body.withLock { $0.take() }?() }, causality)
  }

  private init(_ body: @escaping @Sendable () -> Void, _ causality: Causality) {
    self.body = body
    self.causality = causality
  }

  /// Runs it on the calling thread, on behalf of the span that scheduled it.
  public func run() { run(in: LaneContext.current) }

  /// - Parameter context: the context of the calling thread.
  public func run(in context: LaneContext) {
    let outer = context.causality
    context.causality = causality
    body()
    context.causality = outer
  }
}
