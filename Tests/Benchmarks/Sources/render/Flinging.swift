import Foundation
import Measuring

/// The time of the main thread for a frame while a list is flung, at the 99th percentile. The program runs the list of
/// `Scripts/Scroll` and draws it asynchronously and on the main thread.
enum Flinging {
  private static let most = Duration.milliseconds(2)
  private static let rounds = 5

  static func measure(with program: String) throws -> [Figure] {
    let folder = URL(filePath: #filePath)
      .appending(path: "../../../../../Scripts/Scroll").standardized
    let flings = (0..<rounds).flatMap { _ in
      ["scroll(drawing: async, yields: share)", "scroll(drawing: sync, yields: share)"]
    }
    let script = (["load \"\(folder.path)\"", "set clock live"] + flings).joined(separator: "\n")
    let output = try Child(program, ["--json", "eval", script]).output()
    let shares = output.split(separator: "\n").compactMap { line in
      (try? JSONDecoder().decode(Run.self, from: Data(line.utf8)))?.value
    }
    guard shares.count == flings.count else { throw Unread(output: output) }
    let share = { (way: Int) in
      Duration.nanoseconds(stride(from: way, to: shares.count, by: 2).map { shares[$0] }.median)
    }
    return [
      Figure(
        "the time of a frame on the main thread while rows are drawn asynchronously, 99 of 100 (median of \(rounds) flings)",
        share(0), peer: ("on the main thread", share(1)), target: most)
    ]
  }

  /// The part of the record of a run that is read.
  private struct Run: Decodable {
    let value: Int64
  }

  struct Unread: Error, CustomStringConvertible {
    let output: String
    var description: String { "the output of the program has no figure for each fling: \(output)" }
  }
}
