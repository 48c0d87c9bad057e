import SerialAnimation
import Testing

@Suite struct KeyframeTrackTests {
  static let even: [(Double, Double)] = [(0, 0), (0.25, 1), (0.5, 0.5), (0.75, 2), (1, 1)]
  static let uneven: [(Double, Double)] = [(0, 0), (0.1, 5), (0.6, -3), (1, 2)]
  static let path: [(Double, Point)] = [
    (0, Point(x: 0, y: 0)), (0.7, Point(x: 100, y: 0)), (0.8, Point(x: 100, y: 50)),
    (1, Point(x: 0, y: 200)),
  ]

  static func track<Value: Animatable>(
    _ keyframes: [(Double, Value)], _ mode: CalculationMode, curve: TimingCurve = .linear
  ) -> KeyframeTrack<Value> {
    KeyframeTrack(keyframes.map { .init(at: $0.0, $0.1) }, mode: mode, curve: curve)
  }

  /// The expected cubic values come from SciPy's `CubicHermiteSpline` with the tangents that the documentation names.
  @Test(
    arguments: [
      (.linear, even, [(0.05, 0.2), (0.125, 0.5), (0.375, 0.75), (0.7, 1.7), (0.9, 1.4)]),
      (.discrete, even, [(0.05, 0), (0.249, 0), (0.25, 1), (0.49, 1), (0.9, 2), (1, 1)]),
      // The distances are 1, 0.5, 1.5 and 1, which is 4 in total.
      (.paced, even, [(0.125, 0.5), (0.25, 1), (0.3125, 0.75), (0.375, 0.5), (0.75, 2)]),
      (
        .cubic, even,
        [
          (0.05, 0.224), (0.125, 0.59375), (0.3, 0.964), (0.4, 0.628), (0.55, 0.712), (0.7, 1.828),
          (0.9, 1.52),
        ]
      ),
      (
        .cubic, uneven,
        [
          (0.05, 3.1875), (0.125, 4.8331458333), (0.3, 1.984), (0.4, -0.184), (0.55, -2.6635),
          (0.7, -2.640625), (0.9, 0.453125),
        ]
      ),
      // Two key frames give a straight line, even in the cubic modes.
      (.cubic, [(0, 1), (1, 3)], [(0.25, 1.5), (0.5, 2), (0.9, 2.8)]),
      (.cubicPaced, [(0, 1), (1, 3)], [(0.25, 1.5), (0.5, 2), (0.9, 2.8)]),
    ] as [(CalculationMode, [(Double, Double)], [(Double, Double)])])
  func `a track equals the reference values`(
    mode: CalculationMode, keyframes: [(Double, Double)], expected: [(Double, Double)]
  ) {
    let track = KeyframeTrackTests.track(keyframes, mode)
    for (progress, value) in expected {
      #expect(isClose(track.value(at: progress), value, within: 1e-9), "\(progress)")
    }
  }

  /// The expected values come from SciPy's spline, with `quad` for the arc length and Brent's method.
  @Test func `a paced cubic track follows a curve in the plane`() {
    let track = KeyframeTrackTests.track(KeyframeTrackTests.path, .cubicPaced)
    let expected = [
      (0.1, Point(x: 33.36591142, y: -2.22579653)), (0.25, Point(x: 83.41480876, y: -4.36370928)),
      (0.5, Point(x: 93.88771879, y: 61.68221012)), (0.75, Point(x: 48.43067864, y: 131.82138516)),
      (0.9, Point(x: 19.05464184, y: 172.50484201)),
    ]
    for (progress, point) in expected {
      #expect(isClose(track.value(at: progress), point), "\(track.value(at: progress))")
    }
  }

  @Test(arguments: CalculationMode.allCases)
  func `a track starts at the first value and ends at the last`(mode: CalculationMode) {
    let track = KeyframeTrackTests.track(KeyframeTrackTests.path, mode)
    #expect(track.value(at: 0) == Point(x: 0, y: 0))
    #expect(track.value(at: 1) == Point(x: 0, y: 200))
    #expect(track.value(at: -5) == Point(x: 0, y: 0))
    #expect(track.value(at: 5) == Point(x: 0, y: 200))
  }

  @Test(arguments: [CalculationMode.linear, .discrete, .cubic], [even, uneven])
  func `a track passes exactly through its values`(
    mode: CalculationMode, keyframes: [(Double, Double)]
  ) {
    let track = KeyframeTrackTests.track(keyframes, mode)
    for (time, value) in keyframes { #expect(track.value(at: time) == value, "\(time)") }
  }

  @Test(arguments: [CalculationMode.paced, .cubicPaced])
  func `paced modes have one speed and ignore times`(mode: CalculationMode) {
    let path = KeyframeTrackTests.path
    let track = KeyframeTrackTests.track(path, mode)
    // At the corners of the straight segments, the chord is shorter than the path.
    let points = shares(20_000).map(track.value(at:))
    let steps = zip(points, points.dropFirst()).map { ($1 - $0).magnitude }
    let mean = steps.reduce(0, +) / Double(steps.count)
    let atSpeed = steps.count { isClose($0 / mean, 1, within: 1e-4) }
    #expect(atSpeed >= steps.count - path.count)
    let elsewhere = KeyframeTrackTests.track(path.map { ($0 * $0, $1) }, mode)
    for progress in shares(50) {
      #expect(track.value(at: progress) == elsewhere.value(at: progress))
    }
    // The track passes through all key-frame values.
    for (_, point) in path {
      #expect(points.contains { isClose($0, point, within: mean) }, "\(point)")
    }
  }

  /// At a turning point of a single number, the speed is 0 for an instant. The pace stays constant.
  /// The expected values come from the turning points of SciPy's spline. Between them, the arc length is the difference
  /// of the values.
  @Test func `paced curves keep their speed at turning points`() {
    let turning = KeyframeTrackTests.track([(0, 0.0), (0.3, 1), (0.6, 0.5), (1, 1)], .cubicPaced)
    #expect(isClose(turning.value(at: 0.125), 0.2509763164, within: 1e-7))
    #expect(isClose(turning.value(at: 0.375), 0.7529289494, within: 1e-7))
    #expect(isClose(turning.value(at: 0.75), 0.5019526329, within: 1e-7))
    let track = KeyframeTrackTests.track(KeyframeTrackTests.uneven, .cubicPaced)
    let values = shares(10_000).map(track.value(at:))
    let steps = zip(values, values.dropFirst()).map { abs($1 - $0) }
    let mean = steps.reduce(0, +) / Double(steps.count)
    #expect(steps.count { isClose($0 / mean, 1, within: 1e-2) } >= steps.count - 20)
    #expect(steps.allSatisfy { $0 <= mean * 1.1 })
  }

  /// Two equal values in a row have no distance between them, so they take no time.
  @Test(arguments: [CalculationMode.paced, .cubicPaced])
  func `paced modes take no time between equal values`(mode: CalculationMode) {
    let track = KeyframeTrackTests.track([(0, 0.0), (0.2, 1), (0.6, 1), (1, 3)], mode)
    #expect(track.keyframes.map(\.value) == [0, 1, 3])
    for progress in shares(30) {
      #expect(isClose(track.value(at: progress), 3 * progress, within: 1e-9))
    }
  }

  @Test func `cubic curves have no corners`() {
    let track = KeyframeTrackTests.track(KeyframeTrackTests.uneven, .cubic)
    for time in [0.1, 0.6] {
      let h = 1e-6
      let before = (track.value(at: time) - track.value(at: time - h)) / h
      let after = (track.value(at: time + h) - track.value(at: time)) / h
      #expect(isClose(before, after, within: 1e-2), "\(before) and \(after)")
    }
  }

  @Test(arguments: CalculationMode.allCases.filter { $0 != .discrete })
  func `even values on a line stay on it at one speed`(mode: CalculationMode) {
    let track = KeyframeTrackTests.track(shares(4).map { ($0, 8 * $0) }, mode)
    for progress in shares(64) {
      #expect(isClose(track.value(at: progress), 8 * progress, within: 1e-9))
    }
  }

  @Test func `two key frames at one time are a jump`() {
    let keyframes: [(Double, Double)] = [(0, 0), (0.5, 1), (0.5, 7), (0.5, 5), (1, 6)]
    for mode in [CalculationMode.linear, .cubic] {
      let track = KeyframeTrackTests.track(keyframes, mode)
      #expect(isClose(track.value(at: 0.25), 0.5, within: 1e-12))
      #expect(isClose(track.value(at: 0.5.nextDown), 1, within: 1e-12))
      #expect(track.value(at: 0.5) == 5)
      #expect(isClose(track.value(at: 0.75), 5.5, within: 1e-12))
    }
  }

  @Test func `a track is constant before its first and after its last key frame`() {
    let track = KeyframeTrackTests.track([(0.25, 1.0), (0.75, 3)], .linear)
    #expect(track.value(at: 0.1) == 1)
    #expect(track.value(at: 0.5) == 2)
    #expect(track.value(at: 0.9) == 3)
  }

  @Test func `the order of the key frames does not matter`() {
    let sorted = KeyframeTrackTests.track(KeyframeTrackTests.uneven, .cubic)
    let shuffled = KeyframeTrackTests.track(KeyframeTrackTests.uneven.reversed(), .cubic)
    for progress in shares(20) {
      #expect(sorted.value(at: progress) == shuffled.value(at: progress))
    }
  }

  @Test func `the timing curve applies to the whole track`() {
    let eased = KeyframeTrackTests.track(KeyframeTrackTests.even, .linear, curve: .easeIn)
    let plain = KeyframeTrackTests.track(KeyframeTrackTests.even, .linear)
    for progress in shares(20) {
      let paced = TimingCurve.easeIn.value(at: progress)
      #expect(eased.value(at: progress) == plain.value(at: paced))
    }
    // A curve that overshoots cannot go beyond the last value.
    let over = TimingCurve(x1: 0.34, y1: 1.56, x2: 0.64, y2: 1)
    #expect(KeyframeTrackTests.track([(0, 0), (1, 3.0)], .linear, curve: over).value(at: 0.6) == 3)
  }

  @Test(arguments: CalculationMode.allCases)
  func `few or invalid key frames are accepted`(mode: CalculationMode) {
    #expect(KeyframeTrack<Point>([], mode: mode).value(at: 0.5) == .zero)
    #expect(KeyframeTrackTests.track([(0.3, 4.0)], mode).value(at: 0.9) == 4)
    let still = KeyframeTrackTests.track([(0, 4.0), (0.5, 4), (1, 4)], mode)
    #expect(shares(10).allSatisfy { still.value(at: $0) == 4 })
    let odd = KeyframeTrackTests.track(oddNumbers.map { ($0, $0.isNaN ? 1 : 2.0) }, mode)
    for progress in shares(10) + oddNumbers { #expect(odd.value(at: progress).isFinite) }
    #expect(odd.keyframes.allSatisfy { (0...1).contains($0.time) })
    // 1 divided by this is infinite.
    let moment = Double.leastNormalMagnitude / 64
    let close = KeyframeTrackTests.track([(0, 0.0), (moment, 1), (0.5, 0), (1, 1)], mode)
    for progress in shares(10) + [moment / 2] { #expect(close.value(at: progress).isFinite) }
    let wild = KeyframeTrackTests.track(oddNumbers.map { (0.5, $0) }, mode)
    for progress in shares(10) { _ = wild.value(at: progress) }
  }

  @Test func `modes have the names of the script language`() {
    #expect(
      CalculationMode.allCases.map(\.rawValue)
        == ["linear", "discrete", "paced", "cubic", "cubicPaced"])
  }
}
