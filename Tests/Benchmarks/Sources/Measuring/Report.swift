import Foundation

/// Prints the results of a suite, each as soon as it is available, and remembers whether a target was missed.
public final class Report {
  private let isMarkdown: Bool
  private(set) var isMissed = false

  init(isMarkdown: Bool) {
    self.isMarkdown = isMarkdown
    if isMarkdown { write(Row.heading) }
  }

  public func show(_ measurements: [any Measurement]) { for one in measurements { show(one) } }

  public func show(_ measurement: some Measurement) {
    isMissed = isMissed || measurement.isMissed
    if isMarkdown {
      for row in measurement.rows { write(row.markdown) }
    } else {
      write("\(measurement)")
    }
  }

  /// Prints why something was not measured. It counts as a missed target.
  public func fail(_ error: any Error) {
    isMissed = true
    write(isMarkdown ? "| NOT MEASURED: \(error) | | | | | |" : "NOT MEASURED: \(error)")
  }

  /// Writes without a buffer, because with a buffer a file would get the output only at the end.
  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
