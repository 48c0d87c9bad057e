/// The values that one step, or one start of a step, recorded of something that changes, such as an animated property.
///
/// A counter keeps each value until the next one is recorded. Values that are not finite are omitted.
public struct CounterRecord: Sendable, Hashable {
  public var name: String
  /// The path of the step that recorded it. The run's own step is identified by its label.
  public var step: String
  /// In the order of recording.
  public var points: [Point]

  /// A value, and the time from which it holds, in nanoseconds since the start of the run.
  public struct Point: Sendable, Hashable {
    public var time: Int64
    public var value: Double

    public init(time: Int64, value: Double) {
      self.time = time
      self.value = value
    }
  }

  public init(name: String, step: String, points: [Point]) {
    self.name = name
    self.step = step
    self.points = points
  }
}
