/// What one step, or one start of it, recorded of something that changes, such as an animated property.
///
/// A counter keeps each value until the next one is recorded. Values that are no finite numbers are left
/// out.
public struct CounterRecord: Sendable, Hashable, Codable {
  public var name: String
  /// The path of the step that recorded it; the run's own step goes by its label.
  public var step: String
  /// In the order of recording.
  public var points: [Point]

  /// A value, and since when; nanoseconds since the start of the run.
  public struct Point: Sendable, Hashable, Codable {
    public var time: Int64
    public var value: Double

    public init(time: Int64, value: Double) {
      self.time = time
      self.value = value
    }

    enum CodingKeys: String, CodingKey {
      case time = "at_ns"
      case value
    }
  }

  public init(name: String, step: String, points: [Point]) {
    self.name = name
    self.step = step
    self.points = points
  }
}
