/// The hand-overs along the critical path, drawn as arrows between rows, each with its reason.
struct PictureArrows {
  struct Arrow {
    var from: Int
    var to: Int
    /// When the earlier step ended. `start` is when the later step started.
    var end: Double
    var start: Double
    var words: String
  }

  private(set) var arrows: [Arrow] = []
  private let panel: PicturePanel
  /// More arrows than that would be unreadable.
  private static let most = 60
  private static let mostWords = 16

  init(_ panel: PicturePanel) {
    self.panel = panel
    var rowOfStep: [Int: Int] = [:]
    for (index, row) in panel.rows.enumerated() {
      for step in row.steps { rowOfStep[step] = index }
    }
    let parts = panel.run.critical
    for (before, part) in zip(parts, parts.dropFirst()) {
      let (from, to) = (before.step, part.step)
      guard arrows.count < Self.most, let reason = part.reason,
        let fromRow = rowOfStep[from], let toRow = rowOfStep[to],
        fromRow != toRow, let end = panel.run.record.steps[from].finished
      else { continue }
      // A step that woke another did so while the other ran.
      let step = panel.run.record.steps[to]
      let start = max(step.started ?? end, end)
      arrows.append(
        Arrow(
          from: fromRow, to: toRow, end: panel.x(end), start: panel.x(start), words: reason.words))
    }
  }

  func draw(on picture: inout TimelinePicture) {
    for arrow in arrows {
      let isDown = arrow.to > arrow.from
      let sign = isDown ? 1.0 : -1
      let away = panel.barHeight(panel.rows[arrow.from]) / 2
      let near = panel.barHeight(panel.rows[arrow.to]) / 2
      // Slightly inside the bars, so that the arrow visibly starts and ends at them.
      let start = min(arrow.start + 4, panel.right - 1)
      let target = panel.middle(arrow.to) - sign * near
      var points: [TimelinePicture.Point] = []
      if start - arrow.end > 12 {
        points = [
          .init(arrow.end, panel.middle(arrow.from)), .init(start, panel.middle(arrow.from)),
        ]
      } else {
        points = [.init(start, panel.middle(arrow.from) + sign * (start > arrow.end ? 0 : away))]
        if start > arrow.end { points.insert(.init(arrow.end, points[0].y), at: 0) }
      }
      points.append(.init(start, target - sign * 5))
      picture.marks.append(.line(.init(points: points, ink: .text, thickness: 1.6)))
      picture.marks.append(
        .area(
          [
            .init(start - 4.5, target - sign * 7), .init(start, target),
            .init(start + 4.5, target - sign * 7),
          ], .text))
      guard arrows.count <= Self.mostWords else { continue }
      let room = PictureText.width(arrow.words, size: 12)
      guard start - 8 - room > panel.left else { continue }
      picture.marks.append(
        .text(
          .init(
            text: arrow.words, x: start - 8, y: panel.middle(arrow.to) + 4, size: 12, ink: .text,
            anchor: .end, hasHalo: true)))
    }
  }
}
