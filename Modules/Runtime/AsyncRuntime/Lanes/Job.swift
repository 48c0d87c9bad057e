/// A closure with the causality of where it was made: what a scheduler keeps and runs.
public struct Job: Sendable {
  private let body: @Sendable () -> Void
  private let causality: Causality

  /// On whose behalf it runs.
  public var span: Span { causality.span }

  /// Takes over on whose behalf the calling thread runs.
  public init(_ body: @escaping @Sendable () -> Void) { self.init(body, in: LaneContext.current) }

  /// - Parameter context: the calling thread's.
  public init(_ body: @escaping @Sendable () -> Void, in context: LaneContext) {
    self.body = body
    causality = context.causality
  }

  /// The same job, which has waited for its lane and starts a step.
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

  private init(_ body: @escaping @Sendable () -> Void, _ causality: Causality) {
    self.body = body
    self.causality = causality
  }

  /// Runs it on the calling thread, on behalf of whoever scheduled it.
  public func run() { run(in: LaneContext.current) }

  /// - Parameter context: the calling thread's.
  public func run(in context: LaneContext) {
    let outer = context.causality
    context.causality = causality
    body()
    context.causality = outer
  }
}
