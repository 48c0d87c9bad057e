/// The box plot of a set of values: quartiles, median, whiskers and outliers.
///
/// Each whisker ends at the last value within 1.5 times the interquartile range. Values beyond the whiskers are
/// outliers, which are listed separately. Quartiles are interpolated between neighbouring values, which is NumPy's
/// default.
///
/// Tukey: “Exploratory Data Analysis”, 1977, chapter 2.
public struct Box: Sendable, Hashable {
  /// The end of the lower whisker. All values here are in nanoseconds.
  public var low: Double
  public var high: Double
  public var firstQuartile: Double
  public var median: Double
  public var thirdQuartile: Double
  /// In ascending order.
  public var outliers: [Double]

  /// Returns nil if there are no values.
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
    // An interpolated quartile can lie beyond the last value that a whisker reaches.
    low = min(values.first { $0 >= quartiles.0 - reach } ?? first, quartiles.0)
    high = max(values.last { $0 <= quartiles.1 + reach } ?? last, quartiles.1)
    outliers = values.filter { $0 < quartiles.0 - reach || $0 > quartiles.1 + reach }
  }

  package var least: Double { min(outliers.first ?? low, low) }
  package var largest: Double { max(outliers.last ?? high, high) }
}
