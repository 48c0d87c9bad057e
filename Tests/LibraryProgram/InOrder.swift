import AsyncPatterns

/// Runs its steps one after another.
struct InOrder: AsyncPattern {
  static let manual = Manual(name: "in-order", summary: "Runs its steps one after another.")

  init() {}
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard let first = steps.first else { return completion(.success(input)) }
    scope.start(first, input: input) { result in
      guard case .success(let value) = result else { return completion(result) }
      start(Array(steps.dropFirst()), input: value, in: scope, completion: completion)
    }
  }
}
