/// Something that is wrong, or probably is: which rule says so, of which step, and the way out.
public struct LintRecord: Sendable, Hashable, Codable {
  public var rule: String
  /// The path of the step; the run's own step goes by its label.
  public var step: String
  public var message: String

  public init(rule: String, step: String, message: String) {
    self.rule = rule
    self.step = step
    self.message = message
  }
}

