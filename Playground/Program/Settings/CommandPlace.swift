import PlaygroundLanguage

/// The place of a command in the file of a script.
struct CommandPlace {
  let range: SourceRange
  let source: Source
}

extension Source {
  /// The names of sources that have no file.
  static let prompt = "prompt", eval = "eval"

  var isFile: Bool { name != Self.prompt && name != Self.eval }
}
