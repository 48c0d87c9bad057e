import PlaygroundLanguage

/// A checked action of a script, ready to perform.
struct Action {
  /// Whether it checks an expectation.
  var isExpectation = false
  /// The place of the command in the file of a script; nil if it was typed.
  var place: CommandPlace?
  let perform: @MainActor (Session) async -> Void

  init(_ perform: @escaping @MainActor (Session) async -> Void) { self.perform = perform }
}
