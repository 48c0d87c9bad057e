/// The hand-overs along the critical path, drawn as arrows between rows, each with its reason.
struct PictureArrows {
  private let panel: PicturePanel
  /// More arrows than that would be unreadable.
  private static let most = 60
  private static let mostWords = 16

  private var arrows: ArraySlice<RowArrow> { panel.arrows.prefix(Self.most) }

  init(_ panel: PicturePanel) { self.panel = panel }

  func draw(on picture: inout TimelinePicture) {
    for arrow in arrows { draw(arrow, on: &picture) }
  }

  private func draw(_ arrow: RowArrow, on picture: inout TimelinePicture) {
    let isDown = arrow.to > arrow.from
    let sign = isDown ? 1.0 : -1
    let away = panel.barHeight(panel.rows[arrow.from]) / 2
    let near = panel.barHeight(panel.rows[arrow.to]) / 2
    let (end, begin) = (panel.x(arrow.end), panel.x(arrow.start))
    // Slightly inside the bars, so that the arrow visibly starts and ends at them.
    let start = min(begin + 4, panel.right - 1)
    let target = panel.middle(arrow.to) - sign * near
    var points: [TimelinePicture.Point] = []
    if start - end > 12 {
      points = [.init(end, panel.middle(arrow.from)), .init(start, panel.middle(arrow.from))]
    } else {
      points = [.init(start, panel.middle(arrow.from) + sign * (start > end ? 0 : away))]
      if start > end { points.insert(.init(end, points[0].y), at: 0) }
    }
    points.append(.init(start, target - sign * 5))
    picture.marks.append(.line(.init(points: points, ink: .text, thickness: 1.6)))
    picture.marks.append(
      .area(
        [
          .init(start - 4.5, target - sign * 7), .init(start, target),
          .init(start + 4.5, target - sign * 7),
        ], .text))
    guard arrows.count <= Self.mostWords, !panel.isDelayed(arrow.to, until: arrow.start) else {
      return
    }
    let room = PictureText.width(arrow.reason.words, size: 12)
    guard start - 8 - room > panel.left else { return }
    picture.marks.append(
      .text(
        .init(
          text: arrow.reason.words, x: start - 8, y: panel.middle(arrow.to) + 4, size: 12,
          ink: .text, anchor: .end, hasHalo: true)))
  }
}
