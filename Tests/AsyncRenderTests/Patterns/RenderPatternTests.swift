import Foundation
import Testing

@testable import AsyncRender
@testable import AsyncRenderPatterns

/// Runs `render` or a related pattern. A line of text takes 10 ms unless `arguments` set another time.
func render(
  _ pattern: String = "render", _ steps: [Step] = [], with arguments: Arguments = [:],
  input: Value = .none, seed: UInt64 = 0, cancelAt: Duration? = nil
) throws -> Outcome {
  var arguments = arguments
  if arguments["line-cost"] == nil { arguments["line-cost"] = .duration(.ms(10)) }
  return try PatternTesting.simulate(
    pattern, of: AsyncRenderPlugin.self, steps, with: arguments, input: input, seed: seed,
    cancelAt: cancelAt)
}

extension Outcome {
  var picture: Picture? {
    get throws {
      guard case .data(let data)? = value else { return nil }
      return try Picture(png: data)
    }
  }

  /// “drawing@milliseconds” of each event of this kind.
  func drawings(_ kind: TraceEvent.Kind) -> [String] {
    recording.times(kind).filter { $0.hasPrefix("draw-") }
  }

  /// The ends of the drawings, in order.
  var ends: [String] {
    recording.events.filter { $0.kind == .mark && $0.name == "did-display" }.map(\.detailText)
  }

  /// The last value of a counter.
  func counted(_ name: String) -> Double? {
    recording.events.last { $0.kind == .counter && $0.name == name }?.number
  }
}

/// The picture that a canvas draws of a text, as the patterns draw it.
func drawn(_ text: String, _ font: String = "Sans 14", scale: Double = 1) throws -> Picture {
  let size = Size(width: 300, height: 200)
  let canvas = try Canvas(size: size, scale: scale)
  canvas.fill(Path(Rect(origin: .zero, size: size)), with: .color(.white))
  canvas.draw(TextLayout(text, font: try Font(font), width: 300), at: .zero, color: .black)
  return try Picture(png: canvas.finish().pngData())
}

extension Step {
  /// Yields a text after the given time.
  static func text(_ label: String, _ text: String, after duration: Duration) -> Step {
    Step(label) { _, scope, completion in
      scope.runtime.pool.schedule(after: duration) { completion(.success(.string(text))) }
    }
  }
}

@Suite struct RenderPatternTests {
  static let all = ["render", "render.sync", "render.yy"]

  @Test(arguments: all) func `its value is the picture, as PNG`(pattern: String) throws {
    let outcome = try render(pattern, with: ["text": .string("hello")])
    #expect(try outcome.picture == drawn("hello"))
    #expect(outcome.drawings(.started) == ["draw-1@0"])
    #expect(outcome.drawings(.finished) == ["draw-1@10"])
  }

  @Test(arguments: all) func `scale and font are used`(pattern: String) throws {
    let outcome = try render(
      pattern, with: ["text": .string("hello"), "scale": .real(2), "font": .string("Serif 20")])
    let picture = try #require(try outcome.picture)
    #expect(picture.width == 600 && picture.height == 400)
    #expect(try picture == drawn("hello", "Serif 20", scale: 2))
  }

  @Test(arguments: all) func `without steps or a text it draws nothing`(pattern: String) throws {
    #expect(try render(pattern).picture == drawn(""))
  }

  @Test(arguments: all) func `the input is the first text, unless one is given`(pattern: String)
    throws
  {
    #expect(try render(pattern, input: .string("in")).picture == drawn("in"))
    #expect(
      try render(pattern, with: ["text": .string("given")], input: .string("in")).picture
        == drawn("given"))
  }

  @Test(arguments: all) func `the value of the last step is shown`(pattern: String) throws {
    let outcome = try render(
      pattern, [.text("a", "one", after: .ms(20)), .text("b", "two", after: .ms(20))])
    #expect(try outcome.picture == drawn("two"))
    #expect(outcome.drawings(.started) == ["draw-1@20", "draw-2@40"])
    #expect(outcome.ends == ["draw-1, finished", "draw-2, finished"])
  }

  @Test(arguments: all) func `changes of one turn are drawn once`(pattern: String) throws {
    let outcome = try render(
      pattern, ["one", "two", "three"].map { .value($0, .string($0)) })
    #expect(try outcome.picture == drawn("three"))
    #expect(outcome.ends == ["draw-1, finished"])
    #expect(outcome.counted("asked") == 3)
  }

  @Test func `a step without a value requests a display of the same text`() throws {
    let outcome = try render(
      "render", [.sleep("a", .ms(20)), .sleep("b", .ms(20))], with: ["text": .string("x")])
    #expect(outcome.drawings(.started) == ["draw-1@0", "draw-2@20", "draw-3@40"])
    #expect(try outcome.picture == drawn("x"))
  }

  @Test func `a change cancels the drawing in progress within a line`() throws {
    let lines = (1...5).map(String.init).joined(separator: "\n")
    let outcome = try render(
      "render", [.text("a", lines, after: .ms(1)), .text("b", "end", after: .ms(15))])
    #expect(outcome.drawings(.started) == ["draw-1@1", "draw-2@16"])
    #expect(outcome.drawings(.finished) == ["draw-1@21", "draw-2@26"])
    let ended = outcome.recording.events.filter { $0.kind == .finished }.compactMap(\.outcome)
    #expect(ended.contains(.cancelled))
    #expect(outcome.counted("cancelled") == 1 && outcome.counted("wasted ms") == 20)
    #expect(outcome.counted("drawn") == 1)
    #expect(try outcome.picture == drawn("end"))
  }

  @Test func `synchronously, the main lane draws to the end`() throws {
    let outcome = try render(
      "render.sync", [.text("a", "one\ntwo", after: .ms(1)), .text("b", "end", after: .ms(5))])
    #expect(outcome.drawings(.finished) == ["draw-1@21", "draw-2@31"])
    let lanes = outcome.recording.events.filter { $0.kind == .worked }.map(\.lane)
    #expect(lanes == [.main, .main, .main])
    #expect(outcome.counted("cancelled") == nil)
  }

  @Test func `asynchronously, the main lane draws nothing`() throws {
    let outcome = try render("render", with: ["text": .string("a\nb")])
    let worked = outcome.recording.events.filter { $0.kind == .worked }
    #expect(worked.count == 2 && worked.allSatisfy { $0.lane != .main })
  }

  @Test(arguments: [
    ("cancel-latest", ["draw-7, finished"]),
    // One after another, starting at 0, 10, 20 and 30 ms.
    ("finish-then-latest", (1...4).map { "draw-\($0), finished" }),
    // Starting at 0, 4 and 8 ms, then at 18, 20 and 24 ms. The third of each group finishes.
    ("at-least-every", ["draw-3, finished", "draw-6, finished"]),
  ])
  func `a policy decides which requests are shown`(policy: String, ends: [String]) throws {
    let outcome = try render(
      "render", (1...6).map { .sleep("s\($0)", .ms(4)) },
      with: ["text": .string("x"), "policy": .string(policy)])
    #expect(outcome.ends.filter { $0.hasSuffix("finished") } == ends)
  }

  @Test func `at least every second one`() throws {
    let outcome = try render(
      "render", (1...6).map { .sleep("s\($0)", .ms(4)) },
      with: [
        "text": .string("x"), "policy": .string("at-least-every"), "every": .integer(2),
      ])
    // Starting at 0 and 4 ms, at 14 and 16 ms, and at 26 ms.
    #expect(
      outcome.ends.filter { $0.hasSuffix("finished") } == [
        "draw-2, finished", "draw-4, finished", "draw-5, finished",
      ])
  }

  @Test func `a failing step is the result and cancels the drawing`() throws {
    let outcome = try render(
      "render", [.fail("a", "no")], with: ["text": .string("1\n2\n3\n4")])
    #expect("\(try #require(outcome.error))" == "no")
    #expect(outcome.drawings(.finished).isEmpty || outcome.drawings(.finished) == ["draw-1@10"])
    #expect(outcome.results.count == 1)
  }

  @Test(arguments: all) func `a cancelled pattern stops within a line`(pattern: String) throws {
    let outcome = try render(
      pattern, with: ["text": .string((1...8).map(String.init).joined(separator: "\n"))],
      cancelAt: .ms(25))
    #expect(outcome.error is CancellationError)
    #expect(outcome.drawings(.finished) == ["draw-1@30"])
    #expect(outcome.recording.times(.finished).last == "whole@30")
  }

  @Test func `a drawing that is not shown has no value`() throws {
    let outcome = try render(
      "render", with: ["text": .string("hello"), "picture": .bool(false)])
    #expect(outcome.value == Value.none && outcome.recording.misuse.isEmpty)
  }

  @Test func `a file needs the live clock`() throws {
    let outcome = try render("render", with: ["save": .string("/nowhere/hi.png")])
    #expect("\(try #require(outcome.error))".contains("live clock"))
  }

  @Test func `on the live clock the picture is the same and is saved`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
    defer { try? FileManager.default.removeItem(at: file) }
    let type = try #require(AsyncRenderPlugin.patterns.first)
    let pattern = try type.init(
      type.manual.resolve([
        (name: "text", value: .string("hello")), (name: "save", value: .string(file.path)),
      ]))
    let result = await withCheckedContinuation { continuation in
      Run(Step("whole", pattern: pattern, steps: []), on: LiveRuntime.shared) {
        continuation.resume(returning: $0)
      }
    }
    guard case .data(let data) = try result.get() else {
      Issue.record("no picture")
      return
    }
    #expect(try Picture(png: data) == drawn("hello"))
    #expect(try Data(contentsOf: file) == data)
  }

  @Test(arguments: [
    ("size", Value.size(40_000, 10), "too large"),
    ("font", .string("Sans"), "has no size"),
    ("font", .string(""), "font"), ("color", .string("no such"), "not a colour"),
    ("background", .string(""), "not a colour"), ("scale", .real(0), "above 0"),
    ("scale", .real(-1), "above 0"), ("line-cost", .duration(.ms(-1)), "0 or more"),
    ("save", .string(""), "name a file"), ("save", .string("a.jpg"), "end the name in .png"),
    ("font", .string("Sans 100000"), "is 133333.333 units large; use at most 2000"),
    ("lifetime", .duration(.ms(-1)), "0 or more"),
  ])
  func `invalid arguments are refused by name`(name: String, value: Value, text: String) throws {
    for pattern in AsyncRenderPlugin.patterns {
      let arguments = try pattern.manual.resolve([(name: name, value: value)])
      let error = #expect(throws: ArgumentError.self) { try pattern.init(arguments) }
      #expect(error?.parameter == name)
      #expect("\(try #require(error))".contains(text))
    }
  }

  @Test(arguments: ["cancel-latest", "finish-then-latest"])
  func `arguments without an effect are refused`(policy: String) throws {
    let every = try #require(throws: ArgumentError.self) {
      try render(with: ["policy": .string(policy), "every": .integer(2)])
    }
    #expect(every.parameter == "every" && every.message.contains("policy: at-least-every"))
    let size = try #require(throws: ArgumentError.self) {
      try render(with: ["size": .size(0, 5), "save": .string("a.png")])
    }
    #expect(size.parameter == "size" && size.message.contains("cannot be saved"))
  }
}
