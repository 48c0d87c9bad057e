internal import TimingTrace

extension EdgeRecord {
  /// The attribute of a link that says which kind of edge it is.
  static let attribute = "edge.kind"
}
