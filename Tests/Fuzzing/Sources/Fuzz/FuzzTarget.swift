import CFuzzer

/// A function that must accept any bytes: it neither crashes nor breaks a property.
struct FuzzTarget {
  let name: String
  /// The longest input, in bytes.
  let longest: Int
  /// Words that inputs often contain.
  var words: [String] = []
  let body: FuzzBody

  static var all: [FuzzTarget] {
    [
      FuzzTarget(
        name: "language", longest: 4_096, words: LanguageTarget.words,
        body: { LanguageTarget.run(bytes($0, $1)) }),
      FuzzTarget(
        name: "printing", longest: 4_096, words: LanguageTarget.words,
        body: { PrintingTarget.run(bytes($0, $1)) }),
      FuzzTarget(
        name: "runs", longest: 16_384, words: RunsTarget.words,
        body: { RunsTarget.run(bytes($0, $1)) }),
      FuzzTarget(
        name: "saving", longest: 16_384, words: RunsTarget.words,
        body: { SavingTarget.run(bytes($0, $1)) }),
      FuzzTarget(
        name: "chrome", longest: 8_192, words: ChromeTarget.words,
        body: { ChromeTarget.run(bytes($0, $1)) }),
      FuzzTarget(
        name: "png", longest: 4_096,
        body: { PNGTarget.run(bytes($0, $1)) }),
      FuzzTarget(
        name: "tracing", longest: 2_048,
        body: { TracingTarget.run(bytes($0, $1)) }),
      FuzzTarget(
        name: "recording", longest: 1_024,
        body: { RecordingTarget.run(bytes($0, $1)) }),
    ]
  }

  static func named(_ name: String?) -> FuzzTarget? { all.first { $0.name == name } }
}

private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: count))
}

/// Ends the process if a property is broken. libFuzzer then keeps the input.
func check(_ holds: Bool, _ broken: @autoclosure () -> String) {
  if !holds { fatalError(broken()) }
}
