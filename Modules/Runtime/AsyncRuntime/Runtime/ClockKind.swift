/// The clock of a run.
public enum ClockKind: String, Sendable, Hashable, CaseIterable {
  case live
  case virtual
}
