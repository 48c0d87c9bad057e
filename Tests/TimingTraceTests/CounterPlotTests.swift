import Testing
import TimingTrace

/// The drawing of counters.
@Suite struct CounterPlotTests {
  @Test func `counters of one name are one curve over the whole run`() {
    let text = Timeline(CounterTests.fade.record()).render(width: 60)
    #expect(
      text == """
        run · success · makespan 1.2s · work 0ns · blocked 0ns
        concurrency 1 · threads 1
        critical path: fadeIn → pause → fadeOut
                  0                500ms             1s
        * fadeIn │███████████                                │ 300ms
        * pause  │░░░░░░░░░→██████████████████████████       │ 700ms
        * fadeOut│░░░░░░░░░░░░░░░░░░░░░ after pause →████████│ 200ms
          opacity│        ⣠⠴⠋⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠳⣄     │ 1
                 │     ⣀⡴⠚⠁                            ⠈⠳⣄   │
                 │  ⢀⡴⠚⠁                                 ⠈⠧⣄ │
                 │⡤⠞⠉                                      ⠘⢦│ 0
        ░ wait  █ run  * critical path  ⠒ counter

        """)
  }

  @Test func `a curve is drawn without Unicode`() {
    let text = Timeline(CounterTests.fade.record()).render(width: 50, style: .ascii)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(
      text.hasSuffix(
        """
          opacity|      .:'''''''''''''''''''::    | 1
                 |    ::'                     ':.  |
                 | .::'                         :: |
                 |::                             ':| 0
        . wait  = run  * critical path  - counter

        """))
  }

  /// A pattern that records counters itself has a row like a step, although its steps took no time.
  @Test func `a pattern that records counters has a row`() {
    var script = EventScript()
    script.submit("root", "keyframes", label: "keyframes", at: 0)
    script.start("root", at: 0)
    script.submit("a", in: "root", at: 0)
    script.start("a", at: 10)
    script.finish("a", at: 10)
    script.counter("opacity", 0, of: "root", at: 10)
    script.counter("opacity", 1, of: "root", at: 40)
    script.finish("root", at: 40)
    let text = Timeline(script.record()).render(width: 60)
    let row = "  keyframes│          ████████████████████████████████│ 30ms\n"
    #expect(text.contains(row), "\(text)")
  }

  /// Some counters count starts, others ends.
  @Test func `a pattern runs from the first of its values to the last`() {
    var script = EventScript()
    script.submit("root", "render", label: "render", at: 0)
    script.start("root", at: 0)
    script.counter("asked", 1, of: "root", at: 0)
    script.submit("a", in: "root", at: 0)
    script.start("a", at: 0)
    script.finish("a", at: 40)
    script.counter("drawn", 1, of: "root", at: 40)
    script.finish("root", at: 40)
    let text = Timeline(script.record()).render(width: 60)
    let row = "  render│█████████████████████████████████████████████│ 40ms\n"
    #expect(text.contains(row), "\(text)")
  }

  /// A value holds until the next one, so nothing changes between two records.
  @Test func `a value holds until the next one`() {
    let text = Timeline(Self.counters([("depth", [(0, 1), (50, 3), (80, 2)])])).render(width: 40)
    #expect(
      Self.plot(in: text) == [
        "  depth│            ⢸⠉⠉⠉⠉⠉⠉⠉⡇    │ 3",
        "       │            ⢸       ⣇⣀⣀⣀⣀│",
        "       │            ⢸            │",
        "       │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣸            │ 1",
      ])
  }

  /// A record may come from any source and so may contain anything.
  @Test func `values that are not numbers are left out`() {
    var record = Self.counters([("flat", [(0, 3), (20, 3), (40, 3)]), ("none", [(0, 1)])])
    record.counters[0].points[1].value = .infinity
    record.counters[1].points[0].value = .nan
    let text = Timeline(record).render(width: 40)
    #expect(Self.plot(in: text) == ["  flat│⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒│ 3"])
  }

  @Test func `a constant counter is flat`() {
    let text = Timeline(Self.counters([("flat", [(0, 3), (60, 3)])])).render(width: 40)
    #expect(Self.plot(in: text) == ["  flat│⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒│ 3"])
  }

  @Test(arguments: [
    (0.5, "0.5"), (-12.34567, "-12.35"), (1234.5, "1235"), (-0.7, "-0.7"), (99.996, "100"),
    (0.00012344, "0.0001234"),
    (123_456.7, "123457"), (123_456_789, "1.235e8"), (1e-7, "1e-7"), (2.5e-308, "2.5e-308"),
    (-1.7e308, "-1.7e308"),
  ])
  func `values are written briefly`(value: Double, text: String) {
    let drawn = Timeline(Self.counters([("x", [(0, value)])])).render(width: 60)
    #expect(Self.plot(in: drawn).first?.hasSuffix("│ \(text)") == true, "\(drawn)")
  }

  @Test func `ten thousand points take no more room than ten`() {
    let heights = [10_000, 10].map { count in
      let points = (0..<count).map { ($0 * 100 / count, Double($0 % 7)) }
      return Self.plot(in: Timeline(Self.counters([("busy", points)])).render(width: 100)).count
    }
    #expect(heights == [4, 4])
  }

  @Test func `more counters get fewer rows each`() {
    let heights = [1, 5, 6, 7, 10].map { count in
      let counters = Self.counters(
        Self.names(count).map { name in (name, [(0, 0), (50, 1)]) })
      return Self.plot(in: Timeline(counters).render(width: 100)).count
    }
    #expect(heights == [4, 20, 18, 14, 20])
  }

  @Test func `many counters of a kind share a plot`() {
    let numbered = Self.counters(
      (1...200).map { number -> (name: String, points: [(Int, Double)]) in
        ("layer-\(number)", [(0, 0), (50, Double(number))])
      })
    let rows = Self.plot(in: Timeline(numbered).render(width: 100))
    #expect(rows.count == 4)
    #expect(rows.first?.hasPrefix("  layer × 200│") == true)
    #expect(rows.first?.hasSuffix("│ 200") == true)
  }

  @Test func `counters without room are counted`() {
    let counters = Self.counters(
      Self.names(200).map { name in (name, [(0, 0), (50, 1)]) })
    let text = Timeline(counters).render(width: 100)
    #expect(Self.plot(in: text).count == 20)
    #expect(text.contains("… 190 more counters"))
    #expect(text.split(separator: "\n").count < 30)
  }

  @Test func `colour is used only if requested`() {
    let timeline = Timeline(CounterTests.fade.record())
    #expect(!timeline.render().contains("\u{1B}"))
    #expect(timeline.render(color: true).contains("\u{1B}[36m"))
  }

  // MARK: -

  /// Names of which no two are similar, so that no rows can be folded.
  static func names(_ count: Int) -> [String] {
    (0..<count).map { "counter" + String(repeating: "x", count: $0) }
  }

  /// A run of 100 ms that records these counters. Times are in milliseconds.
  static func counters(_ counters: [(name: String, points: [(Int, Double)])]) -> RunRecord {
    var script = EventScript()
    script.submit("run", at: 0)
    script.start("run", at: 0)
    let events = counters.flatMap { counter in
      counter.points.map { (name: counter.name, time: Int64($0.0), value: $0.1) }
    }
    for event in events.sorted(by: { $0.time < $1.time }) {
      script.counter(event.name, event.value, of: "run", at: event.time)
    }
    script.finish("run", at: 100)
    return script.record()
  }

  /// The rows below the row of the run's own step.
  static func plot(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.contains("│") }.dropFirst().map(String.init)
  }

  /// Names that are wide, long or hostile, and values that are far apart.
  static let awkward = counters([
    ("漢字漢字漢字漢字漢字", [(0, -Double.greatestFiniteMagnitude), (50, .greatestFiniteMagnitude)]),
    (String(repeating: "long", count: 100), [(-1_000, 1), (1_000_000, 2)]),
    ("a\u{1B}[2Jb\nc", [(0, 0), (0, .leastNonzeroMagnitude)]), ("", [(100, -0.0)]),
  ])
}
