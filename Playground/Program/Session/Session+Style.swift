extension Session {
  var style: TerminalStyle { TerminalStyle(settings, environment: ProgramEnvironment.variables) }

  /// How pictures are drawn. Nil if only a line of text describes each one.
  var pictureOutput: PictureOutput? {
    let style = style
    return PictureOutput(
      settings, environment: ProgramEnvironment.variables, isUnicode: style.isUnicode,
      width: style.width, isJSON: console.isJSON)
  }
}
