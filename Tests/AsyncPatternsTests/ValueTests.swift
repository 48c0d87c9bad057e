import AsyncPatterns
import Foundation
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    (Duration.nanoseconds(417), "417ns"), (.microseconds(1500), "1.5ms"), (.seconds(30), "30s"),
    (.milliseconds(1250), "1.25s"), (.seconds(90), "1.5min"), (.zero, "0ns"),
    (.nanoseconds(999_999), "999.999us"), (.seconds(86_400 * 30), "30d"),
    (.milliseconds(-20), "-20ms"), (.nanoseconds(1_999_999_999), "2s"),
  ])
  func `durations have a short description`(duration: Duration, text: String) {
    #expect(duration.shortDescription == text)
  }

  @Test(arguments: [(0, "0ns"), (30_000_000, "30ms"), (-1500, "-1.5us")] as [(Int64, String)])
  func `an instant is described as the time since the epoch`(nanoseconds: Int64, text: String) {
    #expect("\(Instant(nanoseconds: nanoseconds))" == text)
  }

  @Test func `the description of an event shows its exact time`() {
    let event = TraceEvent.started(Span(id: 1), at: Instant(nanoseconds: 1_234_567_890))
    #expect("\(event)".contains("1234567890ns"))
  }

  @Test(arguments: [
    (Value.none, "null"), (.bool(true), "true"), (.integer(-3), "-3"), (.real(1.5), "1.5"),
    (.duration(.milliseconds(2)), "2000000"), (.string("a\"b"), "\"a\\\"b\""),
    (.data(Data([1, 2, 3])), "\"AQID\""), (.list([.integer(1), .none]), "[1,null]"),
    (.size(320, 200), "[320,200]"),
  ])
  func `values have a JSON form`(value: Value, json: String) throws {
    #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == json)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1549, "1.5 kB"),
    (9949, "9.9 kB"), (9950, "10 kB"), (12_345, "12 kB"), (999_499, "999 kB"), (999_500, "1 MB"),
    (Int.max, "9.2 EB"),
  ])
  func `data is described by its size`(count: Int, text: String) {
    #expect(Value.size(ofBytes: count) == text)
    if count < 1_000_000 { #expect(Value.data(Data(count: count)).description == "data, " + text) }
  }

  @Test func `the result of a Swift function has a value`() {
    struct Point { var x = 1 }
    #expect(Value(of: ()) == .none)
    #expect(Value(of: Int?.none) == .none)
    #expect(Value(of: Int??.some(nil)) == .none)
    #expect(Value(of: Int?.some(3)) == .integer(3))
    #expect(Value(of: UInt8(3)) == .integer(3))
    #expect(Value(of: UInt64.max) == .string("18446744073709551615"))
    #expect(Value(of: Float(1.5)) == .real(1.5))
    #expect(Value(of: true) == .bool(true))
    #expect(Value(of: Duration.milliseconds(2)) == .duration(.milliseconds(2)))
    #expect(Value(of: Data([1])) == .data(Data([1])))
    #expect(Value(of: ["a", nil]) == .list([.string("a"), .none]))
    #expect(Value(of: Value.size(1, 2)) == .size(1, 2))
    #expect(Value(of: Point()) == .string("Point(x: 1)"))
  }

  @Test func `a value is read as a Swift value`() {
    #expect(Int(Value.integer(3)) == 3)
    #expect(Int(Value.real(3)) == nil)
    #expect(Double(Value.integer(3)) == 3)
    #expect(Double(Value.string("3")) == nil)
    #expect(Bool(Value.bool(true)) == true)
    #expect(Duration(Value.duration(.seconds(1))) == .seconds(1))
    #expect([Value](Value.list([.none])) == [.none])
    #expect([Value](Value.none) == nil)
  }

  @Test func `values have a form for standard input`() {
    #expect(Value.list([.string("a"), .integer(2)]).bytes == Data("a\n2".utf8))
    #expect(Value.none.bytes.isEmpty)
  }

  @Test func `instants do not overflow`() {
    let late = Instant(nanoseconds: .max - 5)
    #expect(late.advanced(by: .seconds(9)) == Instant(nanoseconds: .max))
    #expect(Instant.zero.duration(to: late) == .nanoseconds(.max - 5))
  }
}
