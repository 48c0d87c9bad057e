extension Array {
  /// The index of the first element for which `isBeyond` is true. All elements before it must give false, and all from
  /// it on true.
  ///
  /// - Complexity: O(log n).
  package func firstIndexBeyond(_ isBeyond: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
