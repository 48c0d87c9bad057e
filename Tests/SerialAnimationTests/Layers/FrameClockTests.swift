import AsyncSimulation
import SerialAnimation
import Testing

@Suite struct FrameClockTests {
  private let runtime = SimulatedRuntime()

  /// The times, in nanoseconds, of the first frames of a clock that is created at `start`.
  private func frames(_ hertz: Double, from start: Duration = .zero, count: Int) -> [Int64] {
    runtime.advance(by: start)
    let clock = FrameClock(hertz: hertz, runtime: runtime)
    let times = Locked<[Int64]>([])
    let listening = Locked<(any Cancellable)?>(nil)
    let started = clock.onFrame { [runtime] frame in
      #expect(frame.time == runtime.now)
      let isLast = times.withLock { times in
        times.append(frame.time.nanoseconds)
        return times.count == count
      }
      if isLast { listening.withLock { $0 }?.cancel() }
    }
    listening.withLock { $0 = started }
    runtime.runUntilIdle()
    return times.withLock { $0 }
  }

  @Test func `rounding errors do not accumulate over frames`() {
    #expect(frames(60, count: 4) == [0, 16_666_666, 33_333_333, 50_000_000])
  }

  @Test(arguments: [60.0, 120, 24, 1000])
  func `a second has the expected number of frames`(hertz: Double) {
    let times = frames(hertz, count: 1 + 10 * Int(hertz))
    #expect(times.last == 10_000_000_000)
  }

  @Test func `frames are counted from the creation of the clock`() {
    #expect(frames(100, from: .ms(3), count: 3) == [3_000_000, 13_000_000, 23_000_000])
  }

  @Test(arguments: zip([Double.nan, 0, -1, .infinity, 29.97], [60, 60, 60, 1_000_000, 29.97]))
  func `an invalid rate is replaced by a valid one`(asked: Double, taken: Double) {
    let clock = FrameClock(hertz: asked, runtime: runtime)
    #expect(clock.hertz == taken)
    #expect(clock.time(ofFrame: 1) <= clock.time(ofFrame: 2))
  }

  @Test func `without handlers no timer is left`() {
    let clock = FrameClock(runtime: runtime)
    let first = clock.onFrame { _ in }
    let second = clock.onFrame { _ in }
    runtime.advance(by: .ms(20))
    first.cancel()
    second.cancel()
    second.cancel()
    #expect(runtime.runUntilIdle() == .idle)
    #expect(runtime.now.nanoseconds == 20_000_000)
  }

  @Test func `a new handler gets the next frame, and a cancelled one gets no more frames`() {
    let clock = FrameClock(hertz: 100, runtime: runtime)
    let log = Log()
    let second = Locked<(any Cancellable)?>(nil)
    let first = clock.onFrame { [runtime] frame in
      log.append("first \(frame.number)")
      if frame.number == 2 { second.withLock { $0 }?.cancel() }
      _ = runtime
    }
    runtime.main.schedule(after: .ms(5)) {
      let listening = clock.onFrame { log.append("second \($0.number)") }
      second.withLock { $0 = listening }
    }
    runtime.main.schedule(after: .ms(35)) { first.cancel() }
    runtime.runUntilIdle()
    #expect(log.entries == ["first 0", "first 1", "second 1", "first 2", "first 3"])
  }

  @Test func `a busy main lane skips frames`() {
    let clock = FrameClock(hertz: 100, runtime: runtime)
    let log = Log()
    let listening = clock.onFrame { log.append("\($0.number)") }
    runtime.main.schedule(after: .ms(12)) { [runtime] in runtime.work(for: .ms(33)) }
    runtime.main.schedule(after: .ms(61)) { listening.cancel() }
    runtime.runUntilIdle()
    #expect(log.entries == ["0", "1", "2", "5", "6"])
  }

  // MARK: Frames of an animator

  /// The frames that the handler received: milliseconds and thousandths of opacity.
  private func drawn(hertz: Double, delay: Duration = .zero) -> [String] {
    let stage = Stage(hertz: hertz)
    stage.layer.opacity = 0
    let log = Log()
    let drawing = stage.animator.onFrame { instant in
      #expect(instant == stage.runtime.now)
      log.append("\(stage.time): \(Int((stage.layer.presentation.opacity * 1000).rounded()))")
    }
    stage.animate("fade", to: 1, delay: delay)
    stage.runtime.runUntilIdle()
    #expect(stage.log.entries == ["fade finished@\(100 + Int(delay / .ms(1)))"])
    withExtendedLifetime(drawing) {}
    return log.entries
  }

  @Test func `frames are delivered during an animation and at its end`() {
    #expect(
      drawn(hertz: 40) == ["0: 0", "25: 250", "50: 500", "75: 750", "100: 1000"])
    #expect(drawn(hertz: 24) == ["0: 0", "41: 417", "83: 833", "100: 1000"])
    #expect(drawn(hertz: 24, delay: .ms(60)) == ["83: 233", "125: 650", "160: 1000"])
  }

  @Test(arguments: [60.0, 120, 24, 1000])
  func `the end does not depend on the frame rate`(hertz: Double) {
    #expect(drawn(hertz: hertz).last == "100: 1000")
  }
}
