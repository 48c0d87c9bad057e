/// The candidate that is most similar to `name`, if one is similar enough.
///
/// The measure is the Damerau–Levenshtein distance (optimal string alignment: a swap of neighbours counts once). Case
/// is ignored. About one error in three characters is allowed. A candidate that starts with a name of at least three
/// characters counts as having at most one error. Of equally similar candidates, the first is returned.
///
/// - Complexity: O(candidates · length²). Names of more than 100 characters are not compared.
public func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
  let wanted = Array(name.lowercased())
  guard !wanted.isEmpty, wanted.count <= 100 else { return nil }
  let forgiven = max(1, (wanted.count + 1) / 3)
  var best: (candidate: String, distance: Int)?
  for candidate in candidates {
    let letters = Array(candidate.lowercased())
    guard letters.count <= 100 else { continue }
    var distance = Int.max
    if abs(letters.count - wanted.count) <= forgiven {
      distance = editDistance(wanted, letters)
    }
    if wanted.count >= 3, letters.starts(with: wanted) { distance = min(distance, 1) }
    if distance <= forgiven, distance < max(wanted.count, 2), distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.candidate
}

/// The optimal string alignment distance of two texts.
public func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var twoAgo: [Int] = []
  var previous = Array(0...right.count)
  for i in 0..<left.count {
    var row = [i + 1]
    row.reserveCapacity(right.count + 1)
    for j in 0..<right.count {
      let substitution = previous[j] + (left[i] == right[j] ? 0 : 1)
      var cost = min(previous[j + 1] + 1, row[j] + 1, substitution)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        cost = min(cost, twoAgo[j - 1] + 1)
      }
      row.append(cost)
    }
    twoAgo = previous
    previous = row
  }
  return previous[right.count]
}
