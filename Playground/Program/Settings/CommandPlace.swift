import PlaygroundLanguage

/// The place of a command in the file of a script.
struct CommandPlace {
  let range: SourceRange
  let source: Source
}
