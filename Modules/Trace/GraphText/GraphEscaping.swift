extension String {
  /// The text escaped for use between quotation marks in DOT. A newline stays a line break, and any other control
  /// character becomes a space.
  package var dotEscaped: String {
    escaped { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      // Graphviz interprets text that looks like an entity as one.
      case "&": "&amp;"
      default: nil
      }
    }
  }

  /// The text escaped for use between quotation marks in Mermaid. Characters with a meaning in Mermaid, or in the HTML
  /// that it makes, are written by number. A newline stays a line break; any other control character becomes a space.
  package var mermaidEscaped: String {
    escaped { scalar in
      switch scalar {
      case "\"", "#", "&", "<", ">", "`", "\\", "*", "_", "[", "]", "{", "}", "(", ")", ";", "~",
        "|", "%", "@":
        "#\(scalar.value);"
      case "\n": "<br/>"
      default: nil
      }
    }
  }

  private func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      if let replacement = replacement(scalar) {
        escaped += replacement
      } else if scalar.properties.generalCategory == .control {
        escaped += " "
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
