public import AsyncSimulation

extension Duration {
  public static func ms(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }
}

/// Yields its input plus 1.
public func increment(_ label: String) -> Step {
  Step(label) { input, _, completion in
    guard case .integer(let number) = input else {
      return completion(.failure(StepFailure("no number")))
    }
    completion(.success(.integer(number + 1)))
  }
}
