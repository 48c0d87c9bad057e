extension Session {
  var style: TerminalStyle { TerminalStyle(settings, environment: UserFolders.environment) }

  /// How pictures are drawn; nil where a line about them has to do.
  var pictureOutput: PictureOutput? {
    let style = style
    return PictureOutput(
      settings, environment: UserFolders.environment, isUnicode: style.isUnicode,
      width: style.width, isJSON: console.isJSON)
  }
}
