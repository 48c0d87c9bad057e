extension Array {
  /// Where the first element is that is beyond a line; those before it come first.
  ///
  /// - Complexity: O(log n).
  func firstIndexBeyond(_ isBeyond: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
