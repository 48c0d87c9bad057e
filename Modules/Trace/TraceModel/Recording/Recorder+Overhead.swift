extension Recorder {
  /// The cost of one call of `record` on this machine now, without the reading of the clock.
  ///
  /// It is the minimum of several rounds, since disturbances only make a round longer. The measurement takes about a
  /// millisecond.
  ///
  /// - Parameter clock: the clock of the recorder's runtime. On the virtual clock, the recorder also counts the order
  ///   of events.
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
