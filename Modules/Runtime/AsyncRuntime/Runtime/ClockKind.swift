/// The clock of a run.
public enum ClockKind: String, Sendable, Hashable, CaseIterable, Codable {
  case live
  case virtual
}
