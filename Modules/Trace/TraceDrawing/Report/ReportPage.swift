/// The parts of the page that are the same in every report, taken from the files of `Page`.
enum ReportPage {
  /// The texts before the style sheet, between it and the data, before the script, and after the script.
  static let skeleton: (head: String, body: String, tail: String, end: String) = {
    var rest = Substring(text(PackageResources.report_html))
    let pieces = ["{{style}}", "{{data}}", "{{script}}"].map { place in
      let range = rest.firstRange(of: place) ?? rest.endIndex..<rest.endIndex
      defer { rest = rest[range.upperBound...] }
      return String(rest[..<range.lowerBound])
    }
    return (pieces[0], pieces[1], pieces[2], String(rest))
  }()

  /// The style sheet, with the colours of the pictures.
  static let style = colors + text(PackageResources.report_css)

  private static var colors: String {
    func properties(isDark: Bool) -> String {
      PictureInk.allCases.map { "--\($0.rawValue): \($0.hexadecimal(isDark: isDark));" }
        .joined(separator: " ")
    }
    return ":root { color-scheme: light dark; \(properties(isDark: false)) }\n"
      + "@media (prefers-color-scheme: dark) { :root { \(properties(isDark: true)) } }\n"
  }

  /// The script. Each file comes after the files that it uses.
  static let script = [
    PackageResources.text_js, PackageResources.stretches_js, PackageResources.run_js,
    PackageResources.families_js, PackageResources.folding_js, PackageResources.lanes_js,
    PackageResources.facts_js, PackageResources.view_js, PackageResources.bars_js,
    PackageResources.arrows_js, PackageResources.drawing_js, PackageResources.strips_js,
    PackageResources.legend_js, PackageResources.timeline_js, PackageResources.gestures_js,
    PackageResources.panels_js, PackageResources.steps_js, PackageResources.boxplot_js,
    PackageResources.divergence_js, PackageResources.changes_js, PackageResources.costs_js,
    PackageResources.typical_js, PackageResources.comparison_js, PackageResources.page_js,
  ].map(text).joined()

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
