extension Recorder {
  /// What one call of `record` costs on this machine now, the reading of the clock left out.
  ///
  /// The least of several rounds, since whatever disturbs a round only makes it longer. Takes about a
  /// millisecond.
  ///
  /// - Parameter clock: of the runtime whose recorder is meant; the virtual one's counts an order too.
  public static func measuredOverhead(clock: ClockKind = .live) -> Duration {
    let rounds = 8
    let events = 4096
    let machine = ContinuousClock()
    let event = TraceEvent.started(Span(id: 1), at: .zero)
    var best = Duration.seconds(1)
    for _ in 0..<rounds {
      let recorder = Recorder(clock: clock)
      recorder.record(event)
      let begin = machine.now
      for _ in 0..<events { recorder.record(event) }
      best = min(best, begin.duration(to: machine.now) / events)
    }
    return best
  }
}
