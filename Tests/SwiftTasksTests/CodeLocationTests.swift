import Testing

@testable import SwiftTasks

@Suite struct CodeLocationTests {
  /// The symbols are those of an optimized program.
  @Test(arguments: [
    // A thunk of an `async let`, into which its closure was copied.
    (
      "$sSiIegHd_Sis5Error_pIegHTrzo_TR29$s2al1MV4mainyyYaFZSiyYacfu2_Tf3npf_n",
      "implicit closure #4 in static M.main()"
    ),
    ("$s2al1MV4mainyyYaFZTf4d_n", "static M.main()"),
    ("$s2al1MV4mainyyYaFZ", "static M.main()"),
    ("usleep", "usleep"),
    // The number before the other symbol is missing or too large.
    ("$sSiIegHd_Sis5Error_pIegHTrzo_TR", "thunk for @escaping"),
    ("$sSiIegHd_Sis5Error_pIegHTrzo_TR99$s2al1M", "$sSiIegHd"),
  ])
  func `a function has the name that it has in the source`(symbol: String, name: String) {
    #expect(CodeLocation.function(ofSymbol: symbol).hasPrefix(name))
  }
}
