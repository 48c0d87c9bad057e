/// Finds the names that are most similar to a misspelled one.
enum NearestNames {
  /// The names most similar to `word`, at most three, the most similar first. Names that differ only in case come
  /// first, followed by names that differ by a few letters.
  static func of(_ word: String, among names: some Sequence<String>) -> [String] {
    let wanted = Array(word.lowercased())
    let limit = max(1, wanted.count / 3)
    return Set(names)
      .map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
      .filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map(\.name)
  }

  /// The number of letters that must be inserted, deleted, changed or swapped with their neighbour.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
