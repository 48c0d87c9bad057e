/// A command that cannot be carried out: why, and the way out.
struct CommandError: Error, CustomStringConvertible {
  let message: String
  let hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  var description: String { message }
}
