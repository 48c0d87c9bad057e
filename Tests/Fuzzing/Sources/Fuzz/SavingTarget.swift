@testable import TimingTrace
@testable import TraceAnalysis
@testable import TraceBasics

/// Reads a file of runs, saves it, reads that again and saves it again: the two saved files must be the same.
enum SavingTarget {
  static func run(_ bytes: [UInt8]) -> Int32 {
    guard let saved = try? SavedRuns(bytes: bytes) else { return -1 }
    compare(saved)
    return 0
  }

  static func compare(_ saved: SavedRuns) {
    let first = saved.bytes
    do throws(SavedRunsError) {
      let again = try SavedRuns(bytes: first)
      check(again.runs.count == saved.runs.count, "\(again.runs.count) of \(saved.runs.count) runs")
      let second = again.bytes
      check(
        first == second,
        "saved as\n\(String(decoding: first, as: UTF8.self))\nand then as\n"
          + String(decoding: second, as: UTF8.self))
    } catch {
      fatalError("a saved file cannot be read: \(error)\n\(String(decoding: first, as: UTF8.self))")
    }
  }
}
