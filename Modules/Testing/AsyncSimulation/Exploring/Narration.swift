/// The events under a schedule in order, with the other events that could have happened.
package struct Narration: Sendable, Hashable, Codable {
  package var moments: [Moment] = []
  /// What shows that the replayed schedule belongs to other code; nil if nothing does.
  package var misfit: String?
  /// How many choices had been made before each moment.
  var choicesBefore: [Int] = []
  /// The candidates of each moment by name; nil for one that had been cancelled.
  var candidates: [[String?]] = []

  /// How many moments come before the moment of a choice.
  func momentCount(beforeChoice choice: Int) -> Int {
    let next = choicesBefore.firstIndex { $0 > choice } ?? choicesBefore.count
    return max(next - 1, 0)
  }

  /// The name of a candidate for the moment after the first `count` moments; nil if there was none.
  func candidate(_ number: Int, after count: Int) -> String? {
    guard candidates.indices.contains(count), candidates[count].indices.contains(number) else {
      return nil
    }
    return candidates[count][number]
  }

  /// How many moments come before the injection, if there was one.
  var momentCountBeforeInjection: Int? { moments.firstIndex(where: \.isInjection) }
}
