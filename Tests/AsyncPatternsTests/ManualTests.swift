import AsyncPatterns
import Testing

@Suite struct ManualTests {
  static let manual = Manual(
    name: "sample", summary: "Has a parameter of every kind.",
    parameters: [
      Parameter("count", .integer(1...8), default: .integer(2)),
      Parameter("delay", .duration), Parameter("mode", .word(["fast", "slow"])),
      Parameter("factor", .real), Parameter("name", .string, isRequired: true),
    ])

  @Test func `positional arguments fill the parameters in order`() throws {
    let arguments = try Self.manual.resolve([
      (nil, .integer(3)), ("name", .string("x")), (nil, .duration(.milliseconds(5))),
    ])
    #expect(try arguments.integer("count") == 3)
    #expect(try arguments.duration("delay") == .milliseconds(5))
    #expect(arguments["mode"] == nil)
  }

  @Test func `defaults and conversions apply`() throws {
    let arguments = try Self.manual.resolve([
      ("name", .string("x")), ("factor", .integer(2)), ("delay", .integer(0)),
    ])
    #expect(try arguments.integer("count") == 2)
    #expect(try arguments.real("factor") == 2)
    #expect(try arguments.duration("delay") == .zero)
  }

  @Test(arguments: [
    (Value.curve(0, 0.5, 1, 1), true), (.string("quick"), true), (.string("slow"), false),
    (.integer(1), false),
  ])
  func `a curve may have a name`(value: Value, isTaken: Bool) {
    let manual = Manual(
      name: "sample", summary: "Moves.", parameters: [Parameter("curve", .curveOrWord(["quick"]))])
    do {
      #expect(try manual.resolve([("curve", value)])["curve"] == value)
      #expect(isTaken)
    } catch {
      #expect(!isTaken)
      #expect(error.message == "“curve” takes quick or a curve, not \(value)")
      #expect(error.suggestions == ["quick"])
    }
  }

  @Test func `a manual need not name related patterns`() {
    #expect(Self.manual.differsFrom == nil)
    #expect(Self.manual.seeAlso == [])
    let manual = Manual(
      name: "sample", summary: "Has relatives.", differsFrom: "other, which has none",
      seeAlso: ["other", "third"], examples: ["sample"])
    #expect(manual.differsFrom == "other, which has none")
    #expect(manual.seeAlso == ["other", "third"])
  }

  struct Refusal: Sendable {
    var written: [(name: String?, value: Value)]
    var message: String
    var position: Int?
  }

  @Test(arguments: [
    Refusal(written: [], message: "“sample” needs “name”, a string"),
    Refusal(
      written: [(nil, .integer(9))], message: "“count” takes a whole number from 1 to 8, not 9",
      position: 0),
    Refusal(
      written: [("nmae", .string("x"))],
      message: "“sample” has no parameter “nmae”; "
        + "its parameters are “count”, “delay”, “mode”, “factor”, “name”",
      position: 0),
    Refusal(
      written: [("name", .string("x")), ("name", .string("y"))], message: "“name” is given twice",
      position: 1),
    Refusal(
      written: [("mode", .string("medium"))], message: "“mode” takes fast or slow, not \"medium\"",
      position: 0),
  ])
  func `invalid arguments are rejected`(refusal: Refusal) {
    do {
      _ = try Self.manual.resolve(refusal.written)
      Issue.record("the arguments were accepted")
    } catch {
      #expect(error.message == refusal.message)
      #expect(error.position == refusal.position)
    }
  }
}
