internal import AsyncRuntime

extension Layer {
  /// The opacity, from 0 (invisible) to 1.
  public var opacity: Double {
    get { self[.opacity] }
    set { self[.opacity] = newValue }
  }

  /// The factor by which the layer's size is multiplied.
  public var scale: Double {
    get { self[.scale] }
    set { self[.scale] = newValue }
  }

  /// The angle in radians.
  public var rotation: Double {
    get { self[.rotation] }
    set { self[.rotation] = newValue }
  }

  /// The position of the layer's centre, in the coordinates of its parent.
  public var position: Point {
    get { self[.position] }
    set { self[.position] = newValue }
  }

  /// The rectangle that the layer covers, in its own coordinates.
  public var bounds: Rect {
    get { self[.bounds] }
    set { self[.bounds] = newValue }
  }

  public var backgroundColor: Color {
    get { self[.backgroundColor] }
    set { self[.backgroundColor] = newValue }
  }

  /// The values that a layer showed at the time when they were read.
  public struct Presentation: Sendable {
    private let slots: [PropertyKey: any LayerSlot]
    /// For each property, the time when its value was read, on the clock that animates the property.
    private let instants: [PropertyKey: Instant]

    init(of slots: [PropertyKey: any LayerSlot]) {
      self.slots = slots
      instants = slots.compactMapValues { $0.now }
    }

    /// The value that the layer showed for `property`.
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
