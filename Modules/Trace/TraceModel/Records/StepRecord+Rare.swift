extension StepRecord {
  /// The properties that few steps have. The others have no such object, which saves memory.
  @usableFromInline final class RareProperties: Sendable, Hashable {
    @usableFromInline struct Values: Sendable, Hashable {
      @usableFromInline var error: String?
      @usableFromInline var waitsFor: String?
      @usableFromInline var cancelled: Int64?
      @usableFromInline var timedOut: Int64?
      @usableFromInline var keptRunning: Int64?
      @usableFromInline var attempt: Int?
      @usableFromInline var blocked: Int64 = 0
      @usableFromInline var late: Int64 = 0
    }

    @usableFromInline let values: Values

    init(_ values: Values) { self.values = values }

    @usableFromInline static func == (left: RareProperties, right: RareProperties) -> Bool {
      left.values == right.values
    }

    @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(values) }
  }
}
