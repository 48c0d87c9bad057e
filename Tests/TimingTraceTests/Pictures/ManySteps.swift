import TimingTrace

/// Runs with many steps, and with hostile texts.
enum ManySteps {
  /// Runs ten steps at the same time until the given number is reached. Each takes a few milliseconds and starts with
  /// the permit of another step.
  static func run(_ count: Int) -> SavedRun {
    var script = EventScript()
    script.submit("bounded", "bounded", at: 0)
    script.start("bounded", at: 0)
    for index in 0..<count { script.submit("page-\(index + 1)", in: "bounded", at: 0) }
    var time: Int64 = 0
    for first in stride(from: 0, to: count, by: 10) {
      for index in first..<min(first + 10, count) {
        script.start(
          "page-\(index + 1)", because: index >= 10 ? (.permit, "page-\(index - 9)") : nil, at: time
        )
      }
      time += Int64(3 + first / 10 % 5)
      for index in first..<min(first + 10, count) { script.finish("page-\(index + 1)", at: time) }
    }
    script.finish("bounded", at: time)
    return ExportSamples.run("many", script)
  }

  static let hostile = [
    "</script><script>alert(1)</script>", "<!--<script>", "]]>", "\"'&amp;<b>",
    "a\u{0}b\u{7}\u{1B}[31m", "\u{FFFE}x",
    "\u{202E}desrever", String(repeating: "long ", count: 400), "日本語 🎉", "${x}`{{data}}{{script}}",
    "",
    "<img src=x onerror=alert(1)>",
  ]

  /// One failing step for each hostile text. The text is in its label, its error, a finding and a counter.
  static let hostileRun = {
    var script = EventScript()
    script.submit("root", "serial", label: hostile[0], at: 0)
    script.start("root", at: 0)
    for (index, text) in hostile.enumerated() {
      script.submit("s\(index)", in: "root", label: text, at: 0)
      script.start("s\(index)", at: Int64(index))
      script.misuse(text, "s\(index)", at: Int64(index))
      script.counter(text, Double(index), of: "s\(index)", at: Int64(index))
      script.finish("s\(index)", .failure, error: text, at: Int64(index + 1))
    }
    script.finish("root", .failure, error: hostile[0], at: 20)
    var run = ExportSamples.run("</title><script>alert(1)</script>", script)
    run.record.error = hostile[0]
    run.source = hostile.joined(separator: "\n")
    return run
  }()
}
