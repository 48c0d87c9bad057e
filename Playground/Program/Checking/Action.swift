import PlaygroundLanguage

/// Something to do, checked and ready.
struct Action {
  /// Whether it says what outcome the last run was to have.
  var expectsOutcome = false
  /// Whether it holds an expectation against the last run.
  var isExpectation = false
  let perform: @MainActor (Session) async -> Void

  init(_ perform: @escaping @MainActor (Session) async -> Void) { self.perform = perform }
}
