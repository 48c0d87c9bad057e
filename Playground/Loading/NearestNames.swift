import PlaygroundLanguage

/// Finds the names that are most similar to a misspelled one.
enum NearestNames {
  /// The names most similar to `word`, at most three, the most similar first. Names that differ only in case come
  /// first, followed by names that differ by a few letters.
  static func of(_ word: String, among names: some Sequence<String>) -> [String] {
    let wanted = Array(word.lowercased())
    let limit = max(1, wanted.count / 3)
    return Set(names)
      .map { (name: $0, distance: editDistance(wanted, Array($0.lowercased()))) }
      .filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map(\.name)
  }
}
