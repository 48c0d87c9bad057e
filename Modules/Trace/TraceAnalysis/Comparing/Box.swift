/// How values lie: their quartiles, how far the rest of them reaches, and what lies far from them.
///
/// The whiskers end at the last values within one and a half times the distance of the quartiles; what
/// lies beyond is an outlier, told apart and kept. Quartiles are interpolated between neighbours, as NumPy
/// does by default.
///
/// Tukey: “Exploratory Data Analysis”, 1977, chapter 2.
public struct Box: Sendable, Hashable {
  /// Where the whiskers end, in nanoseconds like the rest.
  public var low: Double
  public var high: Double
  public var firstQuartile: Double
  public var median: Double
  public var thirdQuartile: Double
  /// In order.
  public var outliers: [Double]

  /// Nil if there are no values.
  init?(_ ordered: OrderedValues) {
    let values = ordered.values
    guard let first = values.first, let last = values.last, let median = ordered.median else {
      return nil
    }
    func quantile(_ share: Double) -> Double {
      let position = share * Double(values.count - 1)
      let below = Int(position)
      let above = min(below + 1, values.count - 1)
      return values[below] + (position - Double(below)) * (values[above] - values[below])
    }
    let quartiles = (quantile(0.25), quantile(0.75))
    let reach = 1.5 * (quartiles.1 - quartiles.0)
    self.median = median
    firstQuartile = quartiles.0
    thirdQuartile = quartiles.1
    // A quartile may lie where no value does.
    low = min(values.first { $0 >= quartiles.0 - reach } ?? first, quartiles.0)
    high = max(values.last { $0 <= quartiles.1 + reach } ?? last, quartiles.1)
    outliers = values.filter { $0 < quartiles.0 - reach || $0 > quartiles.1 + reach }
  }

  package var least: Double { min(outliers.first ?? low, low) }
  package var largest: Double { max(outliers.last ?? high, high) }
}
