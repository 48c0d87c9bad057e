import PlaygroundLanguage

/// A checked action of a script, ready to perform.
struct Action {
  /// Whether it checks an expectation.
  var isExpectation = false
  let perform: @MainActor (Session) async -> Void

  init(_ perform: @escaping @MainActor (Session) async -> Void) { self.perform = perform }
}
