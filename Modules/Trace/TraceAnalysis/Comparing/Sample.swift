/// The measurements of one row of a comparison, one for each run, in nanoseconds.
public struct Sample: Sendable, Hashable {
  public var name: String
  public var values: [Int64]

  public init(_ name: String, _ values: [Int64]) {
    self.name = name
    self.values = values
  }
}

/// Values in ascending order, and statistics that use this order.
struct OrderedValues {
  let values: [Double]

  init(_ values: [Int64]) { self.values = values.map(Double.init).sorted() }

  private init(sorted: [Double]) { values = sorted }

  /// The same values, each increased by `shift`.
  func shifted(by shift: Int64) -> OrderedValues {
    shift == 0 ? self : OrderedValues(sorted: values.map { $0 + Double(shift) })
  }

  /// Zero without values.
  var mean: Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }

  var median: Double? { OrderedValues.median(of: values) }

  static func median(of sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The narrowest interval that contains the median of the distribution with a probability of at least 95 %. Its
  /// bounds are two of the values, equally far from the two ends. Nil with fewer than six values, which are too few.
  ///
  /// It holds for every distribution, since the number of values below the median is always binomial.
  var medianInterval: ClosedRange<Double>? {
    let cut = OrderedValues.cut(values.count)
    return cut < 1 ? nil : values[cut - 1]...values[values.count - cut]
  }

  /// The range of the one value that all values are equal to. Nil if they differ, or if there are none.
  var constant: ClosedRange<Double>? {
    guard let first = values.first, first == values.last else { return nil }
    return first...first
  }

  /// The largest k for which the median of the distribution lies below the k-th lowest value with a probability of at
  /// most 2.5 %. The same then holds for the median lying above the k-th highest value.
  static func cut(_ count: Int) -> Int {
    guard count <= 1000 else {
      return Int(Double(count) / 2 - 1.959964 * Double(count).squareRoot() / 2)
    }
    var probability = 1.0
    for _ in 0..<count { probability /= 2 }
    var below = 0.0
    var cut = 0
    while cut < count {
      below += probability
      guard below <= 0.025 else { break }
      cut += 1
      probability *= Double(count - cut + 1) / Double(cut)
    }
    return cut
  }
}

/// The 95 % confidence interval of the ratio of two medians, found by resampling both samples.
///
/// The percentile bootstrap: Efron, Tibshirani, “An Introduction to the Bootstrap”, 1993, chapter 13.
func bootstrapRatio(
  of sample: OrderedValues, to baseline: OrderedValues, seed: UInt64, atMost most: Int = 10_000
) -> ClosedRange<Double>? {
  guard !sample.values.isEmpty, !baseline.values.isEmpty else { return nil }
  var generator = SplitMix(seed: seed)
  let size = sample.values.count + baseline.values.count
  let rounds = min(max(4_000_000 / size, 1000), most)
  var ratios: [Double] = []
  ratios.reserveCapacity(rounds)
  for _ in 0..<rounds {
    let above = resampledMedian(sample.values, &generator)
    let below = resampledMedian(baseline.values, &generator)
    ratios.append(quotient(above, below))
  }
  ratios.sort()
  return ratios[rounds * 25 / 1000]...ratios[rounds - 1 - rounds * 25 / 1000]
}

/// The median of a resample: as many values as `sorted` has, drawn with replacement. The function only counts the draws
/// for each position, since the values are already sorted.
private func resampledMedian(_ sorted: [Double], _ generator: inout SplitMix) -> Double {
  let count = sorted.count
  var drawn = Array(repeating: 0, count: count)
  for _ in 0..<count { drawn[Int.random(in: 0..<count, using: &generator)] += 1 }
  let upper = count / 2
  let lower = count % 2 == 1 ? upper : upper - 1
  var passed = 0
  var low: Double?
  for index in 0..<count {
    passed += drawn[index]
    if low == nil, passed > lower { low = sorted[index] }
    if passed > upper, let low { return (low + sorted[index]) / 2 }
  }
  return sorted[count - 1]
}

/// The ratio of two times. The ratio of zero to zero is one.
package func quotient(_ above: Double, _ below: Double) -> Double {
  above == below ? 1 : above / below
}
