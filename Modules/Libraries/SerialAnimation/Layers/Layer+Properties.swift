internal import AsyncRuntime

extension Layer {
  /// From 0, which cannot be seen, to 1.
  public var opacity: Double {
    get { self[.opacity] }
    set { self[.opacity] = newValue }
  }

  /// How many times its size.
  public var scale: Double {
    get { self[.scale] }
    set { self[.scale] = newValue }
  }

  /// In radians.
  public var rotation: Double {
    get { self[.rotation] }
    set { self[.rotation] = newValue }
  }

  /// Of its centre, in the layer above.
  public var position: Point {
    get { self[.position] }
    set { self[.position] = newValue }
  }

  /// In its own coordinates.
  public var bounds: Rect {
    get { self[.bounds] }
    set { self[.bounds] = newValue }
  }

  public var backgroundColor: Color {
    get { self[.backgroundColor] }
    set { self[.backgroundColor] = newValue }
  }

  /// What a layer showed at the instant when it was asked.
  public struct Presentation: Sendable {
    private let slots: [PropertyKey: any LayerSlot]
    /// When it was asked, on the clock of what animates each.
    private let instants: [PropertyKey: Instant]

    init(of slots: [PropertyKey: any LayerSlot]) {
      self.slots = slots
      instants = slots.compactMapValues { $0.now }
    }

    /// What it showed of `property`.
    public subscript<Value>(property: LayerProperty<Value>) -> Value {
      guard let slot = slots[property.key] as? Slot<Value> else { return property.defaultValue }
      guard let animation = slot.animation,
        let instant = instants[property.key]
      else { return slot.model }
      return animation.value(at: instant) ?? slot.model
    }

    public var opacity: Double { self[.opacity] }
    public var scale: Double { self[.scale] }
    public var rotation: Double { self[.rotation] }
    public var position: Point { self[.position] }
    public var bounds: Rect { self[.bounds] }
    public var backgroundColor: Color { self[.backgroundColor] }
  }
}
