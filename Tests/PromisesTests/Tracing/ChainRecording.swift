import Promises
import TimingTrace

/// A simulation and the recording of the chains in it.
struct ChainRecording {
  let recorder = Recorder(clock: .virtual)
  let runtime: SimulatedRuntime

  typealias Number = Promise<Int, any Error>

  init(seed: UInt64 = 0) { runtime = SimulatedRuntime(workers: 2, seed: seed, trace: recorder) }

  func pending(_ placement: Placement = .pool) -> (promise: Number, resolver: Number.Resolver) {
    Number.withResolvers(on: placement, runtime: runtime)
  }

  /// A chain of one promise, which is fulfilled after this many milliseconds.
  func after(_ milliseconds: Int, _ number: Int = 1) -> Number {
    let (promise, resolver) = pending()
    at(milliseconds) { resolver.fulfill(number) }
    return promise
  }

  func at(_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
    runtime.pool.schedule(after: .ms(milliseconds), body)
  }

  /// A handler that works for this many milliseconds and adds 1.
  func working(_ milliseconds: Int) -> @Sendable (Int) -> Int {
    { [runtime] number in
      runtime.work(for: .ms(milliseconds))
      return number + 1
    }
  }

  /// The recorded events of the spans, one event a line: “name kind@milliseconds …”.
  var lines: [String] {
    runtime.runUntilIdle()
    let events = recorder.snapshot()
    var names: [Span: String] = [:]
    for event in events where event.kind == .submitted { names[event.span] = event.name }
    for event in events where event.role == .spanName { names[event.span] = event.detail }
    func name(_ span: Span) -> String { span == .none ? "outside" : names[span] ?? "\(span.id)" }
    return events.compactMap { event in
      let what = "\(name(event.span)) \(event.kind)@\(event.time.nanoseconds / 1_000_000)"
      let why = event.cause == .itself ? "" : " by \(event.cause.kind) \(name(event.cause.span))"
      switch event.kind {
      case .submitted: return "\(what) in \(name(event.parent))"
      case .started, .resumed: return what + why
      case .suspended: return "\(what) for \(event.detail)"
      case .finished:
        let reason = event.detail.isEmpty ? "" : ": \(event.detail)"
        return "\(what) \(event.outcome.map { "\($0)" } ?? "")\(reason)\(why)"
      default: return nil
      }
    }
  }

  /// The recorded events of the span of that name.
  func lines(of name: String) -> [String] { lines.filter { $0.hasPrefix("\(name) ") } }

  /// The end of the span of that name.
  func end(of name: String) -> String? {
    lines(of: name).last { $0.hasPrefix("\(name) finished") }
      .map { String($0.dropFirst(name.count + 1)) }
  }
}
