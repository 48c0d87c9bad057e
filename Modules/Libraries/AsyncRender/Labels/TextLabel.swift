internal import AsyncRuntime

/// A label: a text that a layer draws line by line, and stops drawing when it changes.
///
/// ```swift
/// let font = try Font("Sans 14")
/// let label = TextLabel("one moment", font: font, size: Size(width: 300, height: 60))
/// label.text = "Here you are"
/// label.color = .white
/// let picture = try await label.layer.displayed()
/// ```
///
/// However many of its properties change in a turn of the main lane, it is drawn once, with what they are when its
/// display begins. By itself it asks its ``layer`` for a display, which comes in the pass at the end of the turn. With
/// an ``EndOfTurn`` it asks when that says so, as a change among others:
///
/// ```swift
/// let label = TextLabel("…", font: font, size: size) { label, update in
///   Transaction(label, "contents") { _ in update() }.commit()
/// }
/// ```
///
/// A drawing that is cancelled stops before its next line. The label may be used from any thread.
public final class TextLabel: Sendable {
  /// Has `update` called later, once for many times that it is called with the same `target`, or as often: more
  /// often does no harm. An `update` that is never called leaves the label as it is shown.
  public typealias EndOfTurn =
    @Sendable (_ target: TextLabel, _ update: @escaping @Sendable () -> Void) -> Void

  /// What shows it. Its size, its policy and what else it has may be set; what it draws is the label's.
  public let layer: RenderLayer
  private let content: Locked<LabelContent>
  private let endOfTurn: EndOfTurn?

  /// A label, which asks for its first display.
  ///
  /// - Parameters:
  ///   - layout: the text and how it is set. If it has no width, the layer's counts.
  ///   - background: what is behind the letters.
  ///   - size: of the layer, in units.
  ///   - scale: pixels in a unit.
  ///   - displaysAsynchronously: whether it is drawn on a drawing lane; otherwise on the main one.
  ///   - policy: what becomes of a drawing when the label changes.
  ///   - lineCost: how long a line takes, on a virtual clock; on the live one it takes what it takes.
  ///   - endOfTurn: says when to ask for a display after a change.
  ///   - display: gets what draws the label, and returns what is done for a display, such as the same with a
  ///     `willDisplay` and a `didDisplay`; called on the main lane, for each display.
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

  /// A label of a text in a font, in lines as wide as the layer.
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

  /// What is behind the letters.
  public var background: Color {
    get { content.withLock { $0.background } }
    set { change { $0.background = newValue } }
  }

  /// The text and how it is set: alignment, number of lines, and all that.
  public var layout: TextLayout {
    get { content.withLock { $0.layout } }
    set { change { $0.layout = newValue } }
  }

  /// In units. Another one changes where lines break, so the label is drawn anew.
  public var size: Size {
    get { layer.size }
    set {
      layer.size = newValue
      update()
    }
  }

  /// Pixels in a unit. The label is drawn anew, so that its letters are sharp.
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

  /// Has the layer displayed at the end of the turn.
  private func update() {
    guard let endOfTurn else {
      layer.setNeedsDisplay()
      return
    }
    // A label that has gone by then is not to be displayed.
    endOfTurn(self) { [weak layer] in layer?.setNeedsDisplay() }
  }
}
