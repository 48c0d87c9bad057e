/// Which clock a run goes by.
public enum ClockKind: String, Sendable, Hashable, CaseIterable, Codable {
  case live
  case virtual
}
