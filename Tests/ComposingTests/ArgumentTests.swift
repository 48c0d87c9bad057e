import Testing

/// Checks arguments against a manual with every kind of parameter. The pattern always refuses, and its error shows the
/// arguments.
@Suite struct ArgumentTests {
  @Test(arguments: [
    ("every", "any=7"),
    ("every()", "any=7"),
    ("every(true)", "any=7 flag=true"),
    ("every(false, 3, 0.5, 2ms)", "any=7 flag=false number=3 real=0.5 time=2ms"),
    ("every(real: 2)", "any=7 real=2.0"),
    ("every(real: 50%)", "any=7 real=0.5"),
    ("every(time: 0)", "any=7 time=0ns"),
    (#"every(text: "a\"b")"#, #"any=7 text="a\"b""#),
    ("every(text: plain)", #"any=7 text="plain""#),
    ("every(word: near)", #"any=7 word="near""#),
    (#"every(word: "far")"#, #"any=7 word="far""#),
    ("every(size: 320x200)", "any=7 size=320x200"),
    ("every(curve: (0, 0.5, 1, 1))", "any=7 curve=(0.0, 0.5, 1.0, 1.0)"),
    ("every(any: 2ms)", "any=2ms"),
    // A positional argument goes to the next parameter that has no value yet.
    ("every(flag: true, 4)", "any=7 flag=true number=4"),
    ("every(number: 4, false)", "any=7 flag=false number=4"),
    ("every(number: 4, false, 1.5)", "any=7 flag=false number=4 real=1.5"),
    ("every true 4", "any=7 flag=true number=4"),
    ("every(true) 4", "any=7 flag=true number=4"),
  ])
  func `arguments that fit their parameters are accepted`(_ text: String, _ arguments: String) {
    let findings = Composition(text).findings.map {
      $0.replacing(" → write the steps after it: every { … }", with: "")
    }
    #expect(findings == ["1:1 \(arguments)"])
  }

  @Test(arguments: [
    ("every(flag: 1)", "1:7 “flag” takes true or false, not 1"),
    (#"every("x")"#, #"1:7 “flag” takes true or false, not "x""#),
    ("every(number: 0)", "1:7 “number” takes a whole number from 1 to 10, not 0"),
    ("every(number: 11)", "1:7 “number” takes a whole number from 1 to 10, not 11"),
    ("every(number: 1.5)", "1:7 “number” takes a whole number from 1 to 10, not 1.5"),
    ("every(number: two)", #"1:7 “number” takes a whole number from 1 to 10, not "two""#),
    ("every(true, 99)", "1:13 “number” takes a whole number from 1 to 10, not 99"),
    ("every true 99", "1:12 “number” takes a whole number from 1 to 10, not 99"),
    ("every(real: 2ms)", "1:7 “real” takes a number, not 2ms"),
    (
      "every(time: 5)",
      "1:7 “time” takes a duration, not 5 → a duration has a unit: 5ms or 5s"
    ),
    ("every(text: 5)", "1:7 “text” takes a string, not 5"),
    (
      "every(word: naer)",
      #"1:7 “word” takes near or far, not "naer" → did you mean “near”?"#
    ),
    ("every(size: 3)", "1:7 “size” takes a size, not 3"),
    ("every(curve: 3)", "1:7 “curve” takes a curve, not 3"),
    (
      "every(numbr: 3)",
      "1:7 “every” has no parameter “numbr”; its parameters are “flag”, “number”, “real”, “time”, "
        + "“text”, “word”, “size”, “curve”, “any” → did you mean “number”?"
    ),
    ("every(number: 3, number: 4)", "1:18 “number” is given twice"),
    ("every(true, flag: true)", "1:13 “flag” is given twice"),
    ("serial(3) { value 1 }", "1:8 “serial” takes no arguments"),
    ("serial(x: 3) { value 1 }", "1:8 “serial” takes no parameters"),
    (
      "bounded { value 1 }",
      "1:1 “bounded” needs “limit”, a whole number → “help bounded” explains its arguments"
    ),
    ("bounded(2, 3) { value 1 }", "1:12 “bounded” takes at most 1 argument"),
    // An error of the pattern itself is shown at the argument, too.
    ("bounded(0) { value 1 }", "1:9 “limit” is at least 1"),
    ("bounded(limit: -1) { value 1 }", "1:9 “limit” is at least 1"),
    ("bounded 0 { value 1 }", "1:9 “limit” is at least 1"),
    ("compare [ value 1 ] under bounded(0)", "1:35 “limit” is at least 1"),
    ("sleep", "1:1 “sleep” needs a duration → “help sleep” explains its arguments"),
    ("sleep 5", "1:7 “sleep” takes a duration, not 5 → a duration has a unit: 5ms or 5s"),
    ("sleep \"x\"", "1:7 “sleep” takes a duration, not \"x\""),
    (
      "sleep 1 ms", "1:7 “1 ms” is not a duration: there is a space in it → write: sleep 1ms"
    ),
    (
      "sleep 1.5 s",
      "1:7 “1.5 s” is not a duration: there is a space in it → write: sleep 1.5s"
    ),
    ("sleep(5ms) 5ms", "1:12 “sleep” takes at most 1 argument"),
    (
      "sleep(fro: 5ms)",
      "1:7 “sleep” has no parameter “fro”; its only parameter is “for” → did you mean “for”?"
    ),
    ("fail 5", "1:6 “fail” takes a string, not 5"),
  ])
  func `an argument that does not fit its parameter is refused`(_ text: String, _ finding: String) {
    let composition = Composition(text)
    #expect(composition.findings == [finding])
    #expect(composition.composed.count == 0)
  }
}
