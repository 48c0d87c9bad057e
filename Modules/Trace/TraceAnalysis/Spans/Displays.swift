/// The displays that were requested of layers, the displays that started, and how they ended.
///
/// They are taken from the roles of marks. The detail of a mark is the label of the drawing. The drawing is a step
/// inside the pattern, or inside the layer.
struct Displays {
  struct Display {
    let label: String
    let time: Int64
    let position: Int
    /// When it was first requested, if recorded.
    let asked: Int64?
    /// Nil until its end is recorded.
    var isFinished: Bool?
  }

  /// The displays of one pattern.
  struct Record {
    var displays: [Display] = []
    /// The position, among all events, of the last request for a display or start of one.
    var lastRequest = -1
    /// When a display that has not started was first requested.
    var asked: Int64?
    /// When the layer was released, if it was.
    var released: Int64?

    mutating func end(_ label: String, _ isFinished: Bool) {
      let index = displays.lastIndex { $0.isFinished == nil && $0.label == label }
      if let index { displays[index].isFinished = isFinished }
    }
  }

  /// The displays of each pattern.
  private(set) var records: [Int: Record] = [:]

  mutating func note(_ mark: TraceEvent, of node: Int, at position: Int) {
    switch mark.role {
    case .displayAsked:
      records[node, default: Record()].lastRequest = position
      if records[node]?.asked == nil { records[node]?.asked = mark.time.nanoseconds }
    case .displayBegan:
      var record = records[node] ?? Record()
      record.displays.append(
        Display(
          label: mark.detail, time: mark.time.nanoseconds, position: position, asked: record.asked))
      (record.lastRequest, record.asked) = (position, nil)
      records[node] = record
    case .displayReleased: records[node, default: Record()].released = mark.time.nanoseconds
    case .displayFinished, .displayCancelled, .displayFailed:
      records[node]?.end(mark.detail, mark.role != .displayCancelled)
    default: break
    }
  }
}
