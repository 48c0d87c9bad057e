internal import AsyncRuntime

/// A label: a layer that draws a text line by line, and stops drawing when the text changes.
///
/// ```swift
/// let font = try Font("Sans 14")
/// let label = TextLabel("one moment", font: font, size: Size(width: 300, height: 60))
/// label.text = "Here you are"
/// label.color = .white
/// let picture = try await label.layer.displayed()
/// ```
///
/// The label is drawn once for all changes of its properties in a turn of the main lane. The drawing uses the values at
/// the start of the display. By default, a change requests a display of the ``layer`` immediately. The display comes in
/// the pass at the end of the turn. With an ``EndOfTurn``, the label makes the request only when `update` is called.
/// Other code can then treat the request as one change among others, for example in a transaction:
///
/// ```swift
/// let label = TextLabel("…", font: font, size: size) { label, update in
///   Transaction(label, "contents") { _ in update() }.commit()
/// }
/// ```
///
/// A cancelled drawing stops before its next line. The label may be used from any thread.
public final class TextLabel: Sendable {
  /// Schedules `update` to be called later. Several calls with the same `target` may be combined into one call of
  /// `update`; more calls do no harm. If `update` is never called, the shown contents do not change.
  public typealias EndOfTurn =
    @Sendable (_ target: TextLabel, _ update: @escaping @Sendable () -> Void) -> Void

  /// The layer that shows the label. Its size, policy and other properties may be set, but the label decides what it
  /// draws.
  public let layer: RenderLayer
  private let content: Locked<LabelContent>
  private let endOfTurn: EndOfTurn?

  /// Creates a label, which requests its first display.
  ///
  /// - Parameters:
  ///   - layout: the text and how it is laid out. If it has no width, the width of the layer is used.
  ///   - background: the colour behind the letters.
  ///   - size: the size of the layer, in units.
  ///   - scale: pixels per unit.
  ///   - displaysAsynchronously: whether it is drawn on a drawing lane; otherwise it is drawn on the main lane.
  ///   - policy: what happens to an unfinished drawing when the label changes.
  ///   - lineCost: the time that a line takes on a virtual clock. It has no effect on the live clock.
  ///   - endOfTurn: decides when to request a display after a change.
  ///   - display: receives the task that draws the label, and returns the task to run. It can return the same task with
  ///     a `willDisplay` and a `didDisplay`. It is called on the main lane, for each display.
  public init(
    _ layout: TextLayout, color: Color = .black, background: Color = .clear, size: Size,
    scale: Double = 1, displaysAsynchronously: Bool = true, policy: DisplayPolicy = .cancelLatest,
    renderer: Renderer = .shared, lineCost: Duration = .zero, endOfTurn: EndOfTurn? = nil,
    display: @escaping @Sendable (_ drawing: DisplayTask) -> DisplayTask = { $0 }
  ) {
    let content = Locked(LabelContent(layout: layout, color: color, background: background))
    self.content = content
    self.endOfTurn = endOfTurn
    let runtime = renderer.runtime
    layer = RenderLayer(
      size: size, scale: scale, displaysAsynchronously: displaysAsynchronously, policy: policy,
      renderer: renderer
    ) { _ in
      let content = content.withLock { $0 }
      return display(
        DisplayTask { canvas, size, isCancelled in
          content.draw(
            on: canvas, size, lineCost: lineCost, runtime: runtime, unless: { isCancelled() })
        })
    }
    update()
  }

  /// Creates a label for a text in a font, with lines as wide as the layer.
  public convenience init(
    _ text: String = "", font: Font, color: Color = .black, size: Size, scale: Double = 1,
    renderer: Renderer = .shared, lineCost: Duration = .zero, endOfTurn: EndOfTurn? = nil
  ) {
    self.init(
      TextLayout(text, font: font), color: color, size: size, scale: scale, renderer: renderer,
      lineCost: lineCost, endOfTurn: endOfTurn)
  }

  public var text: String {
    get { layout.text }
    set { change { $0.layout.text = newValue } }
  }

  public var font: Font {
    get { layout.font }
    set { change { $0.layout.font = newValue } }
  }

  public var color: Color {
    get { content.withLock { $0.color } }
    set { change { $0.color = newValue } }
  }

  /// The colour behind the letters.
  public var background: Color {
    get { content.withLock { $0.background } }
    set { change { $0.background = newValue } }
  }

  /// The text and how it is laid out: alignment, number of lines, and so on.
  public var layout: TextLayout {
    get { content.withLock { $0.layout } }
    set { change { $0.layout = newValue } }
  }

  /// In units. A new size changes the line breaks, so the label is drawn again.
  public var size: Size {
    get { layer.size }
    set {
      layer.size = newValue
      update()
    }
  }

  /// Pixels per unit. After a change the label is drawn again, so that its letters are sharp.
  public var scale: Double {
    get { layer.scale }
    set {
      layer.scale = newValue
      update()
    }
  }

  private func change(_ body: (inout LabelContent) -> Void) {
    content.withLock { body(&$0) }
    update()
  }

  /// Requests a display of the layer at the end of the turn.
  private func update() {
    guard let endOfTurn else {
      layer.setNeedsDisplay()
      return
    }
    // If the layer has been released before `update` is called, nothing is displayed.
    endOfTurn(self) { [weak layer] in layer?.setNeedsDisplay() }
  }
}
