/// A command that cannot be performed: the reason, and a hint on how to fix it.
struct CommandError: Error, CustomStringConvertible {
  let message: String
  let hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  var description: String { message }
}
