import PlaygroundLanguage

/// A checked action of a script, ready to perform.
struct Action {
  /// Whether it checks an expectation.
  var isExpectation = false
  /// The place of the command in the file of a script; nil if it was typed.
  var place: Place?
  let perform: @MainActor (Session) async -> Void

  /// A part of a source.
  struct Place {
    let range: SourceRange
    let source: Source
  }

  init(_ perform: @escaping @MainActor (Session) async -> Void) { self.perform = perform }
}

extension Source {
  /// The names of sources that have no file.
  static let prompt = "prompt", eval = "eval"

  var isFile: Bool { name != Self.prompt && name != Self.eval }
}
