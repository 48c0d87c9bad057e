extension Array where Element: Comparable {
  /// The element that would be at a position if the elements were sorted. Changes the order of the elements.
  ///
  /// - Parameter position: a position in the array.
  /// - Complexity: O(n) on average, O(n log n) at worst.
  public mutating func select(_ position: Int) -> Element {
    withUnsafeMutableBufferPointer { elements in
      var range = elements.startIndex..<elements.endIndex
      // Each round usually halves the range. If it does not, the order of the elements is unfavourable.
      for _ in 0..<64 where range.count > 1 {
        let pivot = elements[range.lowerBound + range.count / 2]
        let notSmaller = elements[range].partition { $0 >= pivot }
        if position < notSmaller {
          range = range.lowerBound..<notSmaller
          continue
        }
        let larger = elements[notSmaller..<range.upperBound].partition { $0 > pivot }
        if position < larger { return pivot }
        range = larger..<range.upperBound
      }
      if range.count > 1 { elements[range].sort() }
      return elements[position]
    }
  }
}
