/// The used labels with one stem, by their numbers.
///
/// A count can make a million copies. Their labels are stored as ranges of numbers, and not one by one.
struct NumberedLabels {
  /// Steps in a row whose labels have consecutive numbers.
  private struct Run {
    var numbers: ClosedRange<Int>
    var start: Int

    func index(of number: Int) -> Int { start + number - numbers.lowerBound }
  }

  /// In the order of their numbers.
  private var runs: [Run] = []
  private var others: [Int: Labelling.Use] = [:]
  private var next = 0

  /// - Complexity: O(log n) in the number of runs.
  subscript(number: Int) -> Labelling.Use? {
    if !others.isEmpty, let use = others[number] { return use }
    guard let last = runs.last, number <= last.numbers.upperBound else { return nil }
    var (low, high) = (0, runs.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].numbers.upperBound < number { low = middle + 1 } else { high = middle }
    }
    return runs[low].numbers.contains(number) ? .step(runs[low].index(of: number)) : nil
  }

  /// Stores the use of a number. Returns false if the number is already used.
  mutating func use(_ number: Int, _ use: Labelling.Use) -> Bool {
    guard self[number] == nil else { return false }
    set(number, use)
    return true
  }

  /// Returns the next free number, and stores that the step at `index` uses it.
  mutating func useNext(from first: Int, for index: Int) -> Int {
    var number = max(next, first)
    while self[number] != nil { number += 1 }
    set(number, .step(index))
    next = number + 1
    return number
  }

  /// Stores the use of a number that is free or claimed.
  mutating func set(_ number: Int, _ use: Labelling.Use) {
    guard case .step(let index) = use, others[number] == nil,
      runs.last.map({ $0.numbers.upperBound < number }) ?? true
    else {
      others[number] = use
      return
    }
    if let last = runs.last, last.index(of: number) == index,
      last.numbers.upperBound + 1 == number
    {
      runs[runs.count - 1].numbers = last.numbers.lowerBound...number
    } else {
      runs.append(Run(numbers: number...number, start: index))
    }
  }
}
