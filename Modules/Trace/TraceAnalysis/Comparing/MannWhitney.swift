#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The two-sided Mann-Whitney U test. p is the probability that two samples of one distribution differ in rank at least
/// as much as these do.
///
/// The test is exact if one sample has at most eight values, there are at most 2000 pairs, and no two values are equal.
/// Otherwise it uses the normal approximation with correction for ties and continuity, like `scipy.stats.mannwhitneyu`.
///
/// Mann, Whitney: “On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other”, 1947,
/// doi:10.1214/aoms/1177730491.
struct MannWhitney {
  /// The number of pairs in which the value of the first sample is larger. Ties count half.
  let u: Double
  let p: Double

  /// - Complexity: O(n log n) in the number of values.
  init(_ first: [Double], _ second: [Double]) {
    let pooled =
      (first.map { (value: $0, isFirst: true) } + second.map { (value: $0, isFirst: false) })
      .sorted { $0.value < $1.value }
    var rankSum = 0.0
    var tieTerm = 0.0
    var start = 0
    while start < pooled.count {
      var end = start
      while end < pooled.count, pooled[end].value == pooled[start].value { end += 1 }
      let ties = Double(end - start)
      tieTerm += ties * ties * ties - ties
      // Tied values share the ranks from start + 1 to end: each gets their mean.
      let rank = Double(start + 1 + end) / 2
      rankSum += rank * Double(pooled[start..<end].count { $0.isFirst })
      start = end
    }
    let (n1, n2) = (Double(first.count), Double(second.count))
    u = rankSum - n1 * (n1 + 1) / 2
    guard !first.isEmpty, !second.isEmpty else {
      p = 1
      return
    }
    let larger = max(u, n1 * n2 - u)
    if tieTerm == 0, min(first.count, second.count) <= 8, n1 * n2 <= 2000 {
      p = MannWhitney.exact(larger, first.count, second.count)
    } else {
      let n = n1 + n2
      let deviation = (n1 * n2 / 12 * (n + 1 - tieTerm / (n * (n - 1)))).squareRoot()
      let z = (larger - n1 * n2 / 2 - 0.5) / deviation
      // If all values are equal, the deviation is zero and there is no difference.
      p = deviation > 0 ? min(erfc(z / 2.0.squareRoot()), 1) : 1
    }
  }

  /// Twice the share of all orders of ranks in which U is at least `u`.
  private static func exact(_ u: Double, _ n1: Int, _ n2: Int) -> Double {
    let parts = min(n1, n2)
    let largest = max(n1, n2)
    let product = n1 * n2
    // The orders with a given U are the partitions of U into at most `parts` parts, each at most `largest`.
    // `ways[k][u]` counts the partitions of u into exactly k parts.
    var ways = Array(
      repeating: Array(repeating: 0.0, count: product + 1), count: parts + 1)
    ways[0][0] = 1
    for part in 1...largest {
      for count in 1...parts where part <= product {
        for sum in part...product { ways[count][sum] += ways[count - 1][sum - part] }
      }
    }
    let counts = (0...product).map { sum in ways.reduce(0) { $0 + $1[sum] } }
    let tail = counts[Int(u)...].reduce(0, +)
    return min(2 * tail / counts.reduce(0, +), 1)
  }
}

/// Holm's step-down correction: p values adjusted for the number of tests.
///
/// Holm: “A Simple Sequentially Rejective Multiple Test Procedure”, 1979, jstor.org/stable/4615733.
func holmAdjusted(_ values: [Double]) -> [Double] {
  var result = values
  var largest = 0.0
  for (rank, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
    largest = max(largest, min(values[index] * Double(values.count - rank), 1))
    result[index] = largest
  }
  return result
}
