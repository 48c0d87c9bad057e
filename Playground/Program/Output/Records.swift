import TraceBasics

/// An error, as a JSON line.
struct ErrorRecord {
  let message: String
  let file: String?
  let line: Int?
  let column: Int?

  var json: String {
    JSONWriter.record("error") { writer in
      writer.field("message", message)
      if let file { writer.field("file", file) }
      if let line { writer.field("line", line) }
      if let column { writer.field("column", column) }
    }
  }
}

/// The result of an `expect`, as a JSON line.
struct ExpectRecord {
  let text: String
  let passed: Bool
  let actual: String
  let file: String
  let line: Int

  var json: String {
    JSONWriter.record("expect") { writer in
      writer.field("text", text)
      writer.field("passed", passed)
      writer.field("actual", actual)
      writer.field("file", file)
      writer.field("line", line)
    }
  }
}

extension JSONWriter {
  /// One line of JSON: the kind of a record and its fields.
  static func record(_ kind: String, _ fields: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("record", kind)
      fields(&writer)
    }
    return writer.text
  }
}
